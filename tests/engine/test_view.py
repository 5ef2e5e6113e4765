"""What a seat may know: all of it reaches the seat, and nothing else does."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.audience import audience
from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import (
    ChooseMoon,
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
from hearts_engine.dealing import KEPT_SPADES
from hearts_engine.errors import Rejected
from hearts_engine.events import (
    Anchor,
    CardPlayed,
    CardsPassed,
    CentreTaken,
    DealBegan,
    Event,
    GameOpened,
    HandDealt,
    KittyDealt,
    KittyShown,
    KittyTaken,
    PassChosen,
    SeatKind,
)
from hearts_engine.evolve import evolve, replay
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, Recording, open_game, play_script, random_choice, seated
from hearts_engine.testing_rules import random_rules
from hearts_engine.value import replace
from hearts_engine.view import SeatView, follow, observe, visible

WATCHERS = [*map(Seat, range(4)), None]

ANY_RULES = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed)))


def watchers(rules: Rules) -> list[Seat | None]:
    return [*map(Seat, range(rules.players)), None]


def game_with_everything(rules: Rules, seed: int) -> Recording:
    """A game in which entropy is revealed and withheld and seats claim what they can.

    Of a game that goes on for long the first three deals.
    """
    chance = Random(seed)
    game = open_game(rules, Anchor(bytes(32)))
    for seat in map(Seat, range(rules.players)):
        game.do(TakeSeat(seat, "Ann", SeatKind.PERSON, commitment=bytes(32 * (seat % 2))))
    game.do(FreezeSeats())
    for seat in game.state.game.owing:
        game.do(WithholdEntropy(seat) if seat == 3 else RevealEntropy(seat, b"e" * 32))
    while game.state.phase is not Phase.ENDED and len(game.state.game.scored) < 3:
        game.do(Deal(tuple(chance.sample(rules.deck, k=len(rules.deck)))))
        while game.state.phase is not Phase.SHOWING:
            if not claims(game):
                game.do(random_choice(game.state, chance))
        game.do(ShowDeal(SECRET))
    if game.state.phase is Phase.ENDED:
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


@settings(max_examples=30)
@given(ANY_RULES, st.integers(0, 2**32))
def test_a_seat_can_follow_the_game_from_what_it_sees_alone(rules: Rules, seed: int) -> None:
    events = game_with_everything(rules, seed).events
    for watcher in watchers(rules):
        whole: State | None = None
        own: State | None = None
        for event in events:
            whole = evolve(whole, event)
            if visible([event], watcher):
                own = evolve(own, event)
            assert own is not None
            assert observe(own, watcher) == observe(whole, watcher), (event, watcher)


@given(ANY_RULES, st.integers(0, 2**32))
def test_the_view_from_a_prefix_is_the_view_of_its_state(rules: Rules, seed: int) -> None:
    events = game_with_everything(rules, seed).events
    prefix = events[: seed % (len(events) + 1)]
    for watcher in watchers(rules):
        state = replay(prefix)
        expected = None if state is None else observe(state, watcher)
        assert follow(watcher, visible(prefix, watcher)) == expected


@given(ANY_RULES, st.integers(0, 2**32))
def test_where_hands_are_open_a_spectator_follows_them_all_and_a_seat_its_own(
    rules: Rules, seed: int
) -> None:
    events = list(game_with_everything(rules, seed).events)
    assert isinstance(events[0], GameOpened)
    events[0] = replace(events[0], open_hands=True)
    prefix = events[: 1 + seed % len(events)]
    state, seen = replay(prefix), visible(prefix, None)
    known = replay(seen)
    assert state is not None
    assert known is not None
    assert known.play.hands == state.play.hands
    assert follow(None, seen) == observe(state, None)
    for seat in map(Seat, range(rules.players)):
        closed = (replace(events[0], open_hands=False), *prefix[1:])
        assert visible(prefix, seat)[1:] == visible(closed, seat)[1:]


HIDDEN = HandDealt | KittyDealt | PassChosen | CardsPassed | CentreTaken | KittyTaken


@given(ANY_RULES, st.integers(0, 2**32))
def test_a_spectator_and_the_others_see_no_hidden_card(rules: Rules, seed: int) -> None:
    events = game_with_everything(rules, seed).events
    assert not any(isinstance(event, HIDDEN) for event in visible(events, None))
    for seat in map(Seat, range(rules.players)):
        for event in visible(events, seat):
            match event:
                case KittyDealt():
                    raise AssertionError("nobody sees the kitty before it is taken or shown")
                case HandDealt(owner) | PassChosen(owner) | CentreTaken(owner) | KittyTaken(owner):
                    assert owner == seat
                case CardsPassed(giver, taker, _):
                    assert seat in {giver, taker}
                case _:
                    assert audience(event) is None


def cards_known(view: SeatView) -> set[Card]:
    """Every card that a view names anywhere but in its rules, before a deal is shown."""
    named = {*view.hand, *view.legal, *view.passed, *view.received, *view.kitty, *view.played}
    return named.union(card for move in view.moves for card in move.cards)


@settings(max_examples=20)
@given(ANY_RULES, st.integers(0, 2**32))
def test_hb_025_a_view_names_no_card_that_the_seat_has_not_seen(rules: Rules, seed: int) -> None:
    seen: dict[Seat | None, set[Card]] = {}
    state: State | None = None
    for event in game_with_everything(rules, seed).events:
        state = evolve(state, event)
        for watcher in watchers(rules):
            own = seen.setdefault(watcher, set())
            if isinstance(event, DealBegan):
                own.clear()
            match event:
                case CardPlayed(_, card):
                    own.add(card)
                case HandDealt(_, cards) | CardsPassed(_, _, cards) | CentreTaken(_, cards) if (
                    visible([event], watcher)
                ):
                    own.update(cards)
                case KittyTaken(_, cards) if visible([event], watcher):
                    own.update(cards)
                case KittyShown(cards):
                    own.update(cards)
                case _:
                    pass
            assert cards_known(observe(state, watcher)) <= own, (event, watcher)


@given(ANY_RULES, st.integers(0, 2**32))
def test_a_view_says_what_moved_to_and_from_its_seat(rules: Rules, seed: int) -> None:
    game = game_with_everything(rules, seed)
    last = game.state.exchange.deal
    began = max(place for place, e in enumerate(game.events) if isinstance(e, DealBegan))
    moves = [event for event in game.events[began:] if isinstance(event, CardsPassed)]
    for watcher in watchers(rules):
        view = observe(game.state, watcher)
        assert view.deal == last
        assert view.moves == tuple(m for m in moves if watcher in {m.giver, m.taker})


def test_the_shooter_alone_is_asked_how_a_moon_is_scored() -> None:
    game = seated(parse_rules("black_lady pass_cycle=hold moon=choose"))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    columns = zip(*hands, strict=True)
    play_script(game, hands, [], [card for column in columns for card in column])
    for watcher in WATCHERS:
        view = observe(game.state, watcher)
        assert view.asked is (watcher == 0)
        assert (view.moon_seat, view.moon_choice, view.legal) == (0, None, NO_CARDS)
    game.do(ChooseMoon(Seat(0), MoonChoice.SUBTRACT))
    for watcher in WATCHERS:
        view = observe(game.state, watcher)
        assert not view.asked
        assert view.moon_choice is MoonChoice.SUBTRACT


def test_a_seat_is_shown_only_cards_that_it_may_pass() -> None:
    rules = parse_rules("black_lady keep_top_spades=true")
    game = seated(rules)
    game.do(Deal(PACK))
    for seat in map(Seat, range(4)):
        view = observe(game.state, seat)
        assert view.asked
        assert view.legal == view.hand.without(KEPT_SPADES)
    assert CardSet.parse("KS") <= game.state.play.hands[1]


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


def test_without_a_kitty_events_seen_by_nobody_do_not_exist() -> None:
    events: list[Event] = game_with_everything(Rules(target=40), 1).events
    for event in events:
        assert any(visible([event], watcher) for watcher in WATCHERS)
    assert len(visible(events, None)) < len(visible(events, Seat(0))) < len(events)
