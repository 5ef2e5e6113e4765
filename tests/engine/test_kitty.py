"""The kitty: who gets it, who knows of it, and that its points count."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.audience import audience
from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import Deal, PlayCard, ShowDeal
from hearts_engine.events import (
    DealScored,
    Event,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    RestClaimed,
    TrickTaken,
)
from hearts_engine.evolve import evolve
from hearts_engine.kitty import comes_with
from hearts_engine.options import Kitty
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, Recording, deck_of, random_choice, seated
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import observe


def cards_of(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


@pytest.mark.parametrize(
    ("kitty", "trick", "last", "goes"),
    [
        ("first_trick", "2C 3C", False, True),
        ("first_trick", "2C 3C", True, True),
        ("last_trick", "2C 2H", False, False),
        ("last_trick", "2C 3C", True, True),
        ("first_penalty", "2C 3C", False, False),
        ("first_penalty", "2C 2H", False, True),
        ("first_penalty", "2C QS", False, True),
        ("first_penalty", "2C JD", False, False),
        ("first_penalty", "2C 3C", True, True),
    ],
)
def test_the_kitty_goes_along_when_its_option_says_so(
    *, kitty: str, trick: str, last: bool, goes: bool
) -> None:
    rules = parse_rules(f"three removed=none kitty={kitty} bonus=JD:10")
    assert comes_with(cards_of(trick), rules, last=last) is goes


def test_without_a_kitty_none_goes_along() -> None:
    assert not comes_with(cards_of("2C 2H"), parse_rules("three"), last=True)


def three_seats(kitty: str, left_over: str) -> Recording:
    """Three seats of whom seat 0 holds the high cards; this one card is left over."""
    rules = parse_rules(f"three removed=none kitty={kitty} pass_cycle=hold")
    game = seated(rules)
    rest = [card for card in rules.deck if card != Card.parse(left_over)]
    rest.sort(key=lambda card: (card.rank, card.suit))
    hands = [CardSet.of(rest[at : at + 17]) for at in (34, 0, 17)]
    game.do(Deal(deck_of(hands, cards_of(left_over))))
    return game


def taken(game: Recording) -> list[Event]:
    return [e for e in game.events if isinstance(e, TrickTaken | KittyWon | KittyTaken)]


def play_on(game: Recording, seed: int = 1) -> None:
    chance = Random(seed)
    while game.state.phase is not Phase.SHOWING:
        game.do(random_choice(game.state, chance))


def test_the_kitty_comes_with_the_first_trick() -> None:
    game = three_seats("first_trick", "AH")
    play_on(game)
    won, got, first, *_ = taken(game)
    assert isinstance(first, TrickTaken)
    assert (won, got) == (KittyWon(first.seat), KittyTaken(first.seat, CardSet.parse("AH")))
    assert sum(isinstance(event, KittyWon) for event in game.events) == 1


def test_the_kitty_comes_with_the_last_trick() -> None:
    game = three_seats("last_trick", "AH")
    play_on(game)
    *_, won, got, last = taken(game)
    assert isinstance(last, TrickTaken)
    assert (won, got) == (KittyWon(last.seat), KittyTaken(last.seat, CardSet.parse("AH")))


def test_the_kitty_comes_with_the_first_penalty() -> None:
    game = three_seats("first_penalty", "AH")
    play_on(game)
    events = taken(game)
    won = next(place for place, event in enumerate(events) if isinstance(event, KittyWon))
    before = [event.points for event in events[:won] if isinstance(event, TrickTaken)]
    first = next(event for event in events[won:] if isinstance(event, TrickTaken))
    assert first.points > 0
    assert sum(before) == 0


def test_its_taker_has_seen_the_kitty_before_it_is_asked_for_anything() -> None:
    game = three_seats("first_trick", "AH")
    play_on(game)
    states: list[State] = []
    for event in game.events:
        states.append(evolve(states[-1] if states else None, event))
    won = next(p for p, event in enumerate(game.events) if isinstance(event, KittyWon))
    got = next(p for p, event in enumerate(game.events) if isinstance(event, KittyTaken))
    assert all(states[place].awaited == () for place in range(won, got + 1))


def test_the_points_of_the_kitty_are_the_takers_and_show_once_they_are_known() -> None:
    game = three_seats("first_trick", "AH")
    while game.state.play.outcome.kitty_seat is None:
        turn = game.state.turn
        assert turn is not None
        game.do(PlayCard(turn, game.state.play.legal.lowest()))
    owner = game.state.play.outcome.kitty_seat
    assert owner is not None
    for seat in map(Seat, range(3)):
        view = observe(game.state, seat)
        assert view.kitty_seat == owner
        assert view.kitty == (CardSet.parse("AH") if seat == owner else NO_CARDS)
        assert view.points[owner] == (1 if seat == owner else 0)
    assert observe(game.state, None).kitty == NO_CARDS
    play_on(game)
    before = observe(game.state, owner).points
    game.do(ShowDeal(SECRET))
    scored = next(event for event in game.events if isinstance(event, DealScored))
    assert scored.points == before
    assert observe(game.state, None).kitty == CardSet.parse("AH")
    assert observe(game.state, None).points == before


@given(st.integers(0, 2**32))
def test_whatever_the_rules_the_kitty_is_taken_once_and_seen_by_its_taker_alone(seed: int) -> None:
    rules = random_rules(Random(seed))
    game = seated(rules)
    deck = Random(seed).sample(rules.deck, k=len(rules.deck))
    game.do(Deal(tuple(deck)))
    chance = Random(seed)
    while game.state.phase is not Phase.SHOWING:
        game.do(random_choice(game.state, chance))
    game.do(ShowDeal(SECRET))
    dealt = [event for event in game.events if isinstance(event, KittyDealt)]
    shown = [event for event in game.events if isinstance(event, KittyShown)]
    won = [event.seat for event in game.events if isinstance(event, KittyWon)]
    got = [event for event in game.events if isinstance(event, KittyTaken)]
    if not rules.kitty_size:
        assert not [*dealt, *shown, *won, *got]
        return
    kitty = CardSet.of(deck[rules.hand_size * rules.players :])
    assert [event.cards for event in dealt] == [event.cards for event in shown] == [kitty]
    assert audience(dealt[0]) == frozenset()
    assert [event.seat for event in got] == won
    assert [(event.cards, audience(event)) for event in got] == [
        (kitty, frozenset({seat})) for seat in won
    ]
    played_out = not any(game.state.play.hands)
    claimed = any(isinstance(event, RestClaimed) for event in game.events)
    assert len(won) <= 1
    assert won or not (played_out or claimed), "it is left only where the deal stops early"
    assert rules.kitty is not Kitty.NONE
