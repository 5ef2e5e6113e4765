"""What a seat may know: all of it reaches the seat, and nothing else does."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import (
    ChoosePass,
    ClaimRest,
    Deal,
    FreezeSeats,
    RevealEntropy,
    SealLog,
    ShowDeal,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.errors import Rejected
from hearts_engine.events import (
    Anchor,
    CardsPassed,
    Event,
    HandDealt,
    PassChosen,
    SeatKind,
    audience,
)
from hearts_engine.evolve import evolve, replay
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import (
    SECRET,
    Recording,
    open_game,
    play_at_random,
    random_choice,
)
from hearts_engine.view import follow, observe, visible

WATCHERS = [*map(Seat, range(4)), None]


def game_with_everything(seed: int, finish: Finish) -> Recording:
    """A whole game in which entropy is revealed and withheld and seats claim what they can."""
    chance = Random(seed)
    game = open_game(Rules(target=40, finish=finish), Anchor(bytes(32)))
    for seat in map(Seat, range(4)):
        game.do(TakeSeat(seat, "Ann", SeatKind.PERSON, commitment=bytes(32 * (seat % 2))))
    game.do(FreezeSeats())
    game.do(RevealEntropy(Seat(1), b"e" * 32))
    game.do(WithholdEntropy(Seat(3)))
    while game.state.phase is not Phase.ENDED:
        deck = list(PACK)
        chance.shuffle(deck)
        game.do(Deal(tuple(deck)))
        while game.state.phase is not Phase.SHOWING:
            if not claims(game):
                game.do(random_choice(game.state, chance))
        game.do(ShowDeal(SECRET))
    game.do(SealLog(bytes(64)))
    return game


def claims(game: Recording) -> bool:
    seat = game.state.turn
    if seat is None:
        return False
    try:
        game.do(ClaimRest(seat))
    except Rejected:
        return False
    return True


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.sampled_from(Finish))
def test_a_seat_can_follow_the_game_from_what_it_sees_alone(seed: int, finish: Finish) -> None:
    events = game_with_everything(seed, finish).events
    for watcher in WATCHERS:
        whole: State | None = None
        own: State | None = None
        for event in events:
            whole = evolve(whole, event)
            if visible([event], watcher):
                own = evolve(own, event)
            assert own is not None
            assert observe(own, watcher) == observe(whole, watcher)


@given(st.integers(0, 2**32))
def test_the_view_from_a_prefix_is_the_view_of_its_state(seed: int) -> None:
    events = play_at_random(Rules(target=20), Random(seed)).events
    prefix = events[: seed % (len(events) + 1)]
    for watcher in WATCHERS:
        state = replay(prefix)
        expected = None if state is None else observe(state, watcher)
        assert follow(watcher, visible(prefix, watcher)) == expected


@given(st.integers(0, 2**32))
def test_a_spectator_and_the_others_see_no_hidden_card(seed: int) -> None:
    events = play_at_random(Rules(target=1), Random(seed)).events
    hidden = HandDealt | PassChosen | CardsPassed
    assert not any(isinstance(event, hidden) for event in visible(events, None))
    for seat in map(Seat, range(4)):
        for event in visible(events, seat):
            match event:
                case HandDealt(owner, _) | PassChosen(owner, _):
                    assert owner == seat
                case CardsPassed(giver, taker, _):
                    assert seat in {giver, taker}
                case _:
                    assert audience(event) is None


def mid_deal(seed: int) -> State:
    game = open_game(Rules())
    for seat in map(Seat, range(4)):
        game.do(TakeSeat(seat, "Ann", SeatKind.HOUSE, "easy"))
    game.do(FreezeSeats())
    chance = Random(seed)
    deck = list(PACK)
    chance.shuffle(deck)
    game.do(Deal(tuple(deck)))
    for _ in range(4 + seed % 50):
        game.do(random_choice(game.state, chance))
    return game.state


@given(st.integers(0, 2**32))
def test_a_view_counts_cards_and_remembers_who_is_out_of_a_suit(seed: int) -> None:
    state = mid_deal(seed)
    play = state.play
    view = observe(state, Seat(0))
    assert view.cards_left == tuple(map(len, play.hands))
    assert view.turn == state.turn
    assert view.played == CardSet.of(PACK) - CardSet.of(card for h in play.hands for card in h)
    for seat, suits in enumerate(view.shown_out):
        assert not any(play.hands[seat].in_suit(suit) for suit in suits)


def test_only_the_seat_that_is_asked_sees_legal_cards() -> None:
    for seed in range(60):
        state = mid_deal(seed)
        for watcher in WATCHERS:
            legal = observe(state, watcher).legal
            asked = watcher is not None and watcher in state.awaited
            assert bool(legal) is asked
            assert legal == (state.play.legal if asked else NO_CARDS)


def test_a_seat_still_to_pass_chooses_from_its_hand_and_the_others_wait() -> None:
    game = open_game(Rules())
    for seat in map(Seat, range(4)):
        game.do(TakeSeat(seat, "Ann", SeatKind.HOUSE, "easy"))
    game.do(FreezeSeats())
    game.do(Deal(PACK))
    hand = game.state.play.hands[2]
    assert observe(game.state, Seat(2)).legal == hand
    game.do(ChoosePass(Seat(2), tuple(hand)[:3]))
    view = observe(game.state, Seat(2))
    assert (view.legal, view.passed) == (NO_CARDS, CardSet.of(tuple(hand)[:3]))
    assert view.ready == observe(game.state, None).ready == (False, False, True, False)


@pytest.mark.parametrize("watcher", WATCHERS)
def test_a_seat_out_of_a_suit_is_told_from_public_play(watcher: Seat | None) -> None:
    game = open_game(Rules(pass_cycle=(Rules().pass_cycle[3],)))
    for seat in map(Seat, range(4)):
        game.do(TakeSeat(seat, "Ann", SeatKind.HOUSE, "easy"))
    game.do(FreezeSeats())
    game.do(Deal(tuple(PACK[13 * (i % 4) + i // 4] for i in range(52))))
    for _ in range(3):
        game.do(random_choice(game.state, Random(1)))
    view = observe(game.state, watcher)
    clubs = frozenset({Suit.CLUBS})
    assert view.shown_out == (frozenset(), clubs, clubs, frozenset())
    assert view.cards_left == (12, 12, 12, 13)


def test_events_seen_by_nobody_do_not_exist() -> None:
    events: list[Event] = game_with_everything(1, Finish.PLAY_OUT).events
    for event in events:
        assert any(visible([event], watcher) for watcher in WATCHERS)
    assert len(visible(events, None)) < len(visible(events, Seat(0))) < len(events)
