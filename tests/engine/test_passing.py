"""The pass: to whom, in what order, and what may be passed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import ChoosePass, Deal
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import CardsPassed, PassChosen, PlayBegan, SeatReady
from hearts_engine.passing import (
    Direction,
    direction_of,
    eldest,
    lowest_club_seat,
    parcels,
    taker,
    usual_cycle,
)
from hearts_engine.rules import Rules
from hearts_engine.testing import Recording, deck_of, seated
from hearts_engine.view import follow, observe, visible

L, R, A, H = Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD
L2, R2, SCATTER, SHUFFLE = (
    Direction.LEFT2,
    Direction.RIGHT2,
    Direction.SCATTER,
    Direction.SHUFFLE,
)

HANDS = [
    CardSet.parse(text)
    for text in (
        "2C 6C TC AC 5D 9D KD 9S KS 2S 6H TH KH",
        "3C 7C JC 2D 6D TD AD TS AS 3S 7H JH AH",
        "4C 8C QC 3D 7D JD JS 4S 6S 2H 8H QH 5H",
        "5C 9C KC 4D 8D QD QS 5S 7S 3H 9H 8S 4H",
    )
]
PICKS = [CardSet.parse(text) for text in ("2C 9S KH", "3C TS AH", "4C JS 2H", "5C QS 3H")]


def passing(direction: Direction) -> Recording:
    game = seated(Rules(pass_cycle=(direction,)))
    game.do(Deal(deck_of(HANDS)))
    return game


def choose(game: Recording, seat: int, cards: CardSet) -> None:
    game.do(ChoosePass(Seat(seat), tuple(cards)))


@pytest.mark.parametrize(
    ("direction", "players", "takers"),
    [
        (L, 4, (1, 2, 3, 0)),
        (R, 4, (3, 0, 1, 2)),
        (A, 4, (2, 3, 0, 1)),
        (L2, 4, (2, 3, 0, 1)),
        (R2, 4, (2, 3, 0, 1)),
        (L, 3, (1, 2, 0)),
        (R, 3, (2, 0, 1)),
        (L2, 5, (2, 3, 4, 0, 1)),
        (R2, 5, (3, 4, 0, 1, 2)),
        (A, 6, (3, 4, 5, 0, 1, 2)),
        (L2, 6, (2, 3, 4, 5, 0, 1)),
        (H, 4, (None,) * 4),
        (SCATTER, 4, (None,) * 4),
        (SHUFFLE, 4, (None,) * 4),
    ],
)
def test_cards_go_to_the_seat_that_the_direction_names(
    direction: Direction, players: int, takers: tuple[int | None, ...]
) -> None:
    assert tuple(taker(Seat(seat), direction, players) for seat in range(players)) == takers


@given(st.sampled_from(Direction), st.integers(3, 10))
def test_whatever_the_direction_every_seat_gives_and_gets_the_same_number(
    direction: Direction, players: int
) -> None:
    if direction is A and players % 2:
        return
    packs = (*PACK, *PACK)
    number = players - 1 if direction is SCATTER else 3
    got = [NO_CARDS] * players
    for seat in map(Seat, range(players)):
        cards = packs[number * seat : number * (seat + 1)]
        sent = parcels(seat, cards, direction, players)
        assert seat not in [to for to, _ in sent], "nobody passes to itself"
        for to, parcel in sent:
            got[to] += parcel
    if direction in {H, SHUFFLE}:
        assert got == [NO_CARDS] * players
    else:
        assert [len(cards) for cards in got] == [number] * players
        assert sum(got, NO_CARDS) == CardSet.of(packs[: number * players])


def test_scattered_cards_go_round_in_the_order_they_are_named() -> None:
    named = tuple(map(Card.parse, ("QS", "2C", "AH")))
    assert parcels(Seat(2), named, SCATTER, 4) == (
        (3, CardSet.parse("QS")),
        (0, CardSet.parse("2C")),
        (1, CardSet.parse("AH")),
    )


@pytest.mark.parametrize(
    ("players", "cycle"),
    [
        (3, (L, R, H)),
        (4, (L, R, A, H)),
        (5, (L, R, L2, R2, H)),
        (6, (L, R, L2, R2, A, H)),
        (7, (L, R, H)),
        (10, (L, R, H)),
    ],
)
def test_hb_028_every_table_has_its_usual_cycle(players: int, cycle: tuple[Direction, ...]) -> None:
    assert usual_cycle(players) == cycle


@pytest.mark.parametrize(
    ("hands", "first", "seat"),
    [
        (("3C AC", "2C 4C", "5C 6C"), 0, 1),
        (("3C", "4C", "5D"), 1, 0),
        (("2C 9C", "2C 3C", "5D 6D"), 0, 0),
        (("2C 9C", "2C 3C", "5D 6D"), 1, 1),
        (("2C 9C", "2C 3C", "5D 6D"), 2, 0),
        (("2D", "AC", "2H"), 0, 1),
    ],
)
def test_the_lowest_club_of_all_is_found_and_of_twins_the_first_from_eldest(
    hands: tuple[str, ...], first: int, seat: int
) -> None:
    assert lowest_club_seat([*map(CardSet.parse, hands)], Seat(first)) == seat


def test_without_a_club_in_any_hand_nobody_has_the_lowest() -> None:
    with pytest.raises(ValueError, match="empty"):
        lowest_club_seat([CardSet.parse("2D"), CardSet.parse("3D")], Seat(0))


@given(st.integers(1, 300), st.integers(3, 10))
def test_the_deal_moves_one_seat_on_and_eldest_sits_on_the_dealers_left(
    deal: int, players: int
) -> None:
    assert eldest(1, players) == 0
    assert eldest(deal + 1, players) == (eldest(deal, players) + 1) % players


def test_hb_028_four_seats_pass_left_right_across_and_then_hold() -> None:
    cycle = Rules().pass_cycle
    assert [direction_of(deal, cycle) for deal in range(1, 9)] == [L, R, A, H, L, R, A, H]


def test_hb_029_a_new_game_begins_the_cycle_anew() -> None:
    for _ in range(2):
        game = seated(Rules())
        game.do(Deal(deck_of(HANDS)))
        assert game.state.exchange.direction is L


@pytest.mark.parametrize("direction", [L, R, A])
def test_every_seat_gives_what_it_chose_and_gets_what_another_chose(direction: Direction) -> None:
    game = passing(direction)
    for seat, cards in enumerate(PICKS):
        choose(game, seat, cards)
    for seat in range(4):
        to = taker(Seat(seat), direction, 4)
        assert to is not None
        assert game.state.exchange.received[to] == PICKS[seat]
        assert game.state.play.hands[to] == HANDS[to] - PICKS[to] + PICKS[seat]


def test_hb_018_the_leader_is_found_after_the_pass() -> None:
    game = passing(L)
    for seat, cards in enumerate(PICKS):
        choose(game, seat, cards)
    assert game.events[-1] == PlayBegan(Seat(1))
    assert game.state.turn == 1
    assert game.state.play.legal == CardSet.parse("2C")


def test_hb_017_the_leader_is_found_on_hold_deals_too() -> None:
    game = seated(Rules(pass_cycle=(H,)))
    happened = game.do(Deal(deck_of([*HANDS[1:3], HANDS[0], HANDS[3]])))
    assert happened[-1] == PlayBegan(Seat(2))


def test_nobody_receives_before_everyone_has_chosen() -> None:
    game = passing(L)
    for seat in (2, 0, 3):
        happened = game.do(ChoosePass(Seat(seat), tuple(PICKS[seat])))
        assert happened == (PassChosen(Seat(seat), PICKS[seat].cards), SeatReady(Seat(seat)))
        assert game.state.exchange.received == (NO_CARDS,) * 4
    assert game.state.awaited == (1,)
    happened = game.do(ChoosePass(Seat(1), tuple(PICKS[1])))
    assert sum(isinstance(event, CardsPassed) for event in happened) == 4


def test_hb_025_no_seat_sees_or_passes_on_what_it_is_given_before_it_has_chosen() -> None:
    game = passing(L)
    for seat in (2, 3, 0):
        choose(game, seat, PICKS[seat])
    view = follow(Seat(1), visible(game.events, Seat(1)))
    assert view is not None
    assert view == observe(game.state, Seat(1))
    assert view.hand == HANDS[1]
    assert not view.hand & PICKS[0]
    with pytest.raises(Rejected) as caught:
        game.do(ChoosePass(Seat(1), (*list(PICKS[0])[:1], *list(PICKS[1])[:2])))
    assert caught.value.reason is Reason.CARD_NOT_HELD


@pytest.mark.parametrize(
    ("cards", "reason"),
    [
        ("2C 6C QS", Reason.CARD_NOT_HELD),
        ("2C 6C", Reason.WRONG_PASS_COUNT),
        ("2C 6C TC AC", Reason.WRONG_PASS_COUNT),
        ("", Reason.WRONG_PASS_COUNT),
        ("2C 2C 6C", Reason.DUPLICATE_CARDS),
        ("2C 6C TC TC", Reason.DUPLICATE_CARDS),
    ],
)
def test_a_bad_pass_is_refused_with_the_hand_to_choose_from(cards: str, reason: Reason) -> None:
    game = passing(L)
    before = game.state, list(game.events)
    with pytest.raises(Rejected) as caught:
        game.do(ChoosePass(Seat(0), tuple(map(Card.parse, cards.split()))))
    assert caught.value.reason is reason
    assert caught.value.legal == HANDS[0]
    assert (game.state, game.events) == before


def test_hb_024_one_card_named_three_times_is_refused() -> None:
    game = passing(L)
    with pytest.raises(Rejected) as caught:
        game.do(ChoosePass(Seat(0), (Card.parse("AC"),) * 3))
    assert caught.value.reason is Reason.DUPLICATE_CARDS
    assert game.state.play.hands[0] == HANDS[0]


def test_a_choice_once_made_is_not_made_again() -> None:
    game = passing(L)
    choose(game, 0, PICKS[0])
    with pytest.raises(Rejected) as caught:
        choose(game, 0, PICKS[0])
    assert caught.value.reason is Reason.ALREADY_PASSED


def test_nothing_is_passed_on_a_hold_deal() -> None:
    game = passing(H)
    with pytest.raises(Rejected) as caught:
        choose(game, 0, PICKS[0])
    assert caught.value.reason is Reason.WRONG_PHASE
