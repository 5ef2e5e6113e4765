"""The pass: to whom, in what order, and what may be passed."""

import pytest

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import ChoosePass, Deal
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import CardsPassed, PassChosen, PlayBegan, SeatReady
from hearts_engine.passing import Direction, direction_of, taker
from hearts_engine.rules import Rules
from hearts_engine.testing import Recording, deck_of, seated
from hearts_engine.view import follow, observe, visible

L, R, A, H = Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD

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
    ("direction", "takers"),
    [(L, (1, 2, 3, 0)), (R, (3, 0, 1, 2)), (A, (2, 3, 0, 1)), (H, (0, 1, 2, 3))],
)
def test_cards_go_to_the_seat_that_the_direction_names(
    direction: Direction, takers: tuple[int, ...]
) -> None:
    assert tuple(taker(Seat(seat), direction, 4) for seat in range(4)) == takers


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
        assert happened == (PassChosen(Seat(seat), PICKS[seat]), SeatReady(Seat(seat)))
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
