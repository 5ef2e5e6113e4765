"""Which cards may be played, and what a seat is told when it plays another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import Deal, PlayCard
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.legality import Turn, legal_plays, refusal
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.testing import deck_of, position, seated

STANDARD = Rules()
RULES_OF_PLAY = STANDARD.restrictions


def legal(hand: str, led: str | None, trick: int, *, broken: bool = False) -> str:
    suit = None if led is None else Suit("CDSH".index(led))
    turn = Turn(CardSet.parse(hand), suit, first_trick=trick == 1, hearts_broken=broken)
    return str(legal_plays(turn, RULES_OF_PLAY))


def told(hand: str, led: Suit | None, trick: int, card: str) -> Rejected:
    turn = Turn(CardSet.parse(hand), led, first_trick=trick == 1, hearts_broken=False)
    return refusal(Card.parse(card), turn, RULES_OF_PLAY)


def test_hb_001_a_seat_void_in_clubs_keeps_points_off_the_first_trick() -> None:
    assert legal("QS 5H 9D KD", "C", 1) == "9D KD"


def test_hb_002_a_seat_with_nothing_but_points_may_play_any_of_them() -> None:
    assert legal("AH KH QS", "C", 1) == "QS KH AH"


def test_hb_004_the_queen_is_not_forced_among_points_on_the_first_trick() -> None:
    assert legal("QS 2H AH", "C", 1) == "QS 2H AH"


def test_hb_006_first_trick_limits_end_with_the_first_trick_of_the_table() -> None:
    assert legal("QS 7H", "D", 5) == "QS 7H"


def test_hb_008_a_leader_with_hearts_and_the_queen_leads_the_queen() -> None:
    assert legal("QS 3H 8H", None, 2) == "QS"


def test_hb_014_a_void_seat_may_discard_anything() -> None:
    assert legal("QS 5H 9C", "D", 4) == "9C QS 5H"


def test_hb_016_after_the_opening_lead_the_two_of_clubs_is_like_any_card() -> None:
    assert legal("2C KD 4D", "D", 3) == "4D KD"
    assert legal("2C KD 4D", None, 3) == "2C 4D KD"


def test_hearts_may_be_led_once_broken_or_when_nothing_else_is_held() -> None:
    assert legal("7C 3H", None, 2) == "7C"
    assert legal("7C 3H", None, 2, broken=True) == "7C 3H"
    assert legal("3H 9H", None, 2) == "3H 9H"


def test_the_queen_may_be_led_at_any_time_after_the_first_trick() -> None:
    assert legal("7C QS 3H", None, 2) == "7C QS"


def test_hearts_must_be_followed_whether_broken_or_not() -> None:
    assert legal("7C 3H 9H", "H", 2) == "3H 9H"


def test_clubs_are_followed_on_the_first_trick_before_anything_is_kept_clean() -> None:
    assert legal("4C KC QS AH", "C", 1) == "4C KC"


@pytest.mark.parametrize(
    ("hand", "led", "trick", "card", "reason", "legal_cards"),
    [
        ("2C 9C AD", None, 1, "9C", Reason.MUST_LEAD_LOWEST_CLUB, "2C"),
        ("9C AD QS", Suit.CLUBS, 1, "QS", Reason.MUST_FOLLOW_SUIT, "9C"),
        ("AD QS 4H", Suit.CLUBS, 1, "QS", Reason.NO_POINTS_ON_FIRST_TRICK, "AD"),
        ("AD QS 4H", Suit.CLUBS, 1, "4H", Reason.NO_POINTS_ON_FIRST_TRICK, "AD"),
        ("AD QS 4H", None, 2, "4H", Reason.HEARTS_NOT_BROKEN, "AD QS"),
        ("AD QS 4H", Suit.HEARTS, 2, "QS", Reason.MUST_FOLLOW_SUIT, "4H"),
    ],
)
def test_the_first_rule_that_forbids_a_card_is_the_reason_given(
    *, hand: str, led: Suit | None, trick: int, card: str, reason: Reason, legal_cards: str
) -> None:
    answer = told(hand, led, trick, card)
    assert answer.reason is reason
    assert answer.legal == CardSet.parse(legal_cards)
    assert str(answer) == answer.message
    assert card in answer.message
    assert f"legal: {legal_cards}" in answer.message


def test_a_refusal_to_follow_names_the_suit() -> None:
    assert "you still hold clubs" in told("9C AD", Suit.CLUBS, 3, "AD").message


def test_nothing_is_refused_that_is_legal() -> None:
    with pytest.raises(ValueError, match="7C is legal"):
        told("7C 3H", None, 2, "7C")


HANDS = st.sets(st.sampled_from(PACK), min_size=1, max_size=13).map(CardSet.of)


@given(hand=HANDS, led=st.sampled_from([None, *Suit]), first=st.booleans(), broken=st.booleans())
def test_a_hand_always_has_a_legal_card_and_every_other_card_a_reason(
    *, hand: CardSet, led: Suit | None, first: bool, broken: bool
) -> None:
    turn = Turn(hand, led, first, broken)
    allowed = legal_plays(turn, RULES_OF_PLAY)
    assert NO_CARDS != allowed <= hand
    for card in hand - allowed:
        assert refusal(card, turn, RULES_OF_PLAY).legal == allowed


def test_hb_009_the_queen_of_spades_breaks_no_hearts() -> None:
    hands = [CardSet.parse(text) for text in ("4D 9D 2S", "QS 3C 4C", "AD 3H 7C", "5D 6D 8D")]
    state = position(
        STANDARD,
        hands,
        Seat(0),
        hearts_broken=False,
        played=map(Card.parse, ("4D", "QS")),
    )
    assert not state.play.hearts_broken
    after = position(
        STANDARD,
        [CardSet.parse(text) for text in ("9D 2S", "3C 4C", "3H 7C", "6D 8D")],
        Seat(2),
        hearts_broken=state.play.hearts_broken,
    )
    assert after.play.legal == CardSet.parse("7C")


def one_suit_each() -> list[CardSet]:
    """Seat 0 holds all clubs, seat 1 diamonds, seat 2 spades, seat 3 hearts."""
    return [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]


def test_hb_010_a_heart_forced_on_the_first_trick_breaks_hearts() -> None:
    game = seated(Rules(pass_cycle=(Direction.HOLD,)))
    game.do(Deal(deck_of(one_suit_each())))
    for text in ("2C", "2D", "2S"):
        game.do(PlayCard(game.state.play.trick.next_seat, Card.parse(text)))
        assert not game.state.play.hearts_broken
    game.do(PlayCard(Seat(3), Card.parse("9H")))
    assert game.state.play.hearts_broken


def test_a_card_that_is_not_held_is_refused_before_any_rule_is_looked_at() -> None:
    state = position(
        STANDARD,
        [CardSet.parse(text) for text in ("4D 9D", "QS 3C", "AD 3H", "5D 6D")],
        Seat(0),
        hearts_broken=False,
        played=[Card.parse("4D")],
    )
    with pytest.raises(Rejected) as caught:
        decide(state, PlayCard(Seat(1), Card.parse("AD")))
    assert caught.value.reason is Reason.CARD_NOT_HELD
    assert caught.value.legal == CardSet.parse("QS 3C")
    assert "you do not hold AD; legal: 3C QS" in str(caught.value)
