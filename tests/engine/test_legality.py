"""Which cards may be played, and what a seat is told when it plays another."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import Deal, PlayCard
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.legality import Restrictions, Turn, legal_plays, refusal
from hearts_engine.options import FirstForced, FirstTrick, Opening, QueenDump, QueenOnlyLead
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import deck_of, position, seated
from hearts_engine.testing_rules import random_rules

STANDARD = Rules()


def restrictions(options: str) -> Restrictions:
    return parse_rules(f"black_lady {options}").restrictions


def turn_of(hand: str, trick: str, number: int, *, broken: bool = False) -> Turn:
    """A turn at the trick of this number, to which these cards were played."""
    cards = tuple(map(Card.parse, trick.split()))
    return Turn(CardSet.parse(hand), cards, first_trick=number == 1, hearts_broken=broken)


def legal(hand: str, trick: str, number: int, options: str = "", *, broken: bool = False) -> str:
    return str(legal_plays(turn_of(hand, trick, number, broken=broken), restrictions(options)))


def told(hand: str, trick: str, number: int, card: str, options: str = "") -> Rejected:
    return refusal(Card.parse(card), turn_of(hand, trick, number), restrictions(options))


def test_hb_001_a_seat_void_in_clubs_keeps_points_off_the_first_trick() -> None:
    assert legal("QS 5H 9D KD", "2C", 1) == "9D KD"


def test_hb_002_a_seat_with_nothing_but_points_may_play_any_of_them() -> None:
    assert legal("AH KH QS", "2C", 1) == "QS KH AH"


def test_hb_004_the_queen_is_not_forced_among_points_on_the_first_trick() -> None:
    assert legal("QS 2H AH", "2C", 1) == "QS 2H AH"


def test_hb_006_first_trick_limits_end_with_the_first_trick_of_the_table() -> None:
    assert legal("QS 7H", "3D", 5) == "QS 7H"


def test_hb_008_a_leader_with_hearts_and_the_queen_leads_the_queen() -> None:
    assert legal("QS 3H 8H", "", 2) == "QS"


def test_hb_014_a_void_seat_may_discard_anything() -> None:
    assert legal("QS 5H 9C", "3D", 4) == "9C QS 5H"


def test_hb_016_after_the_opening_lead_the_two_of_clubs_is_like_any_card() -> None:
    assert legal("2C KD 4D", "3D", 3) == "4D KD"
    assert legal("2C KD 4D", "", 3) == "2C 4D KD"


def test_hearts_may_be_led_once_broken_or_when_nothing_else_is_held() -> None:
    assert legal("7C 3H", "", 2) == "7C"
    assert legal("7C 3H", "", 2, broken=True) == "7C 3H"
    assert legal("3H 9H", "", 2) == "3H 9H"


def test_the_queen_may_be_led_at_any_time_after_the_first_trick() -> None:
    assert legal("7C QS 3H", "", 2) == "7C QS"


def test_hearts_must_be_followed_whether_broken_or_not() -> None:
    assert legal("7C 3H 9H", "4H", 2) == "3H 9H"


def test_clubs_are_followed_on_the_first_trick_before_anything_is_kept_clean() -> None:
    assert legal("4C KC QS AH", "2C", 1) == "4C KC"


def test_where_points_are_allowed_on_the_first_trick_any_discard_goes() -> None:
    assert legal("QS 5H 9D", "2C", 1, "first_trick=any") == "9D QS 5H"


def test_a_table_may_force_the_queen_when_only_points_are_left() -> None:
    assert legal("QS 2H AH", "2C", 1, "first_forced=queen") == "QS"
    assert legal("2H AH", "2C", 1, "first_forced=queen") == "2H AH"
    assert legal("9D QS 2H", "2C", 1, "first_forced=queen") == "9D"
    assert legal("QS 2H AH", "2C", 1, "first_trick=any first_forced=queen") == "QS 2H AH"


def test_other_penalty_cards_are_kept_off_the_first_trick_too() -> None:
    assert legal("KS 5H 9D", "2C", 1, "extra_penalty=KS:10") == "9D"
    assert legal("KS 5H", "2C", 1, "extra_penalty=KS:10") == "KS 5H"


def test_a_queen_that_costs_nothing_is_an_ordinary_spade() -> None:
    assert legal("QS 5H", "2C", 1, "queen_value=0") == "QS"
    assert legal("QS 3H", "", 2, "queen_value=0") == "QS"


def test_the_bonus_card_may_be_thrown_on_the_first_trick() -> None:
    assert legal("JD 5H QS", "2C", 1, "bonus=JD:10") == "JD"


def test_a_leader_of_hearts_and_the_queen_may_be_left_free() -> None:
    assert legal("QS 3H 8H", "", 2, "queen_only_lead=free") == "QS 3H 8H"
    assert legal("4S QS 3H", "", 2, "queen_only_lead=free") == "4S QS"
    assert legal("QS", "", 2, "queen_only_lead=free") == "QS"


def test_hearts_may_be_led_at_once_where_they_need_not_be_broken() -> None:
    assert legal("7C 3H", "", 2, "must_break=false") == "7C 3H"
    assert legal("7C QS 3H", "", 2, "must_break=false") == "7C QS 3H"


def test_the_opening_lead_is_any_club_where_that_is_played() -> None:
    assert legal("2C 9C AD 3H", "", 1, "opening=any_club") == "2C 9C"


def test_eldest_leads_what_it_likes_but_no_points_and_no_closed_hearts() -> None:
    assert legal("2C AD QS 3H", "", 1, "opening=eldest") == "2C AD"
    assert legal("QS 3H", "", 1, "opening=eldest") == "QS"
    assert legal("2C AD QS 3H", "", 1, "opening=eldest first_trick=any") == "2C AD QS"
    free = "opening=eldest first_trick=any must_break=false"
    assert legal("2C AD QS 3H", "", 1, free) == "2C AD QS 3H"


def test_spades_led_to_the_first_trick_do_not_draw_the_queen() -> None:
    assert legal("4S QS AH", "2S", 1, "opening=eldest") == "4S"
    assert legal("QS AH", "2S", 1, "opening=eldest") == "QS"


def test_the_queen_goes_at_the_first_chance_where_she_must() -> None:
    dump = "queen_dump=first_chance"
    assert legal("9D QS 5H", "2C", 4, dump) == "QS"
    assert legal("4S QS 5H", "AS", 4, dump) == "QS"
    assert legal("4S QS 5H", "3S KS", 4, dump) == "QS"
    assert legal("4S QS 5H", "3S JS", 4, dump) == "4S QS"
    assert legal("4C QS 5H", "2C AS", 4, dump) == "4C", "suit is followed first"
    assert legal("9D QS 5H", "2C", 1, dump) == "9D", "no points on the first trick"
    assert legal("9D QS 5H", "2C", 1, dump + " first_trick=any") == "QS"
    assert legal("4S QS", "", 4, dump) == "4S QS", "nobody must lead her"
    assert legal("4S QS", "KS", 1, dump + " opening=eldest") == "4S"
    assert legal("4S QS", "KS", 1, dump + " opening=eldest first_trick=any") == "QS"


def test_twins_are_legal_together() -> None:
    assert legal("2C 2C 9C", "", 1, "decks=2") == "2C 2C"
    assert legal("QS QS 4D", "3S", 2, "decks=2") == "QS QS"


@pytest.mark.parametrize(
    ("hand", "trick", "number", "card", "options", "reason", "legal_cards"),
    [
        ("2C AD", "", 1, "AD", "opening=any_club", Reason.MUST_LEAD_CLUB, "2C"),
        ("QS 2H", "2C", 1, "2H", "first_forced=queen", Reason.QUEEN_FORCED, "QS"),
        ("4D QS", "2C", 3, "4D", "queen_dump=first_chance", Reason.QUEEN_AT_FIRST_CHANCE, "QS"),
        ("4S QS", "KS", 3, "4S", "queen_dump=first_chance", Reason.QUEEN_AT_FIRST_CHANCE, "QS"),
        ("4S KS", "2S", 1, "KS", "extra_penalty=KS:10 opening=eldest",
         Reason.NO_POINTS_ON_FIRST_TRICK, "4S"),
        ("2C 2C 9C", "", 1, "9C", "decks=2", Reason.MUST_LEAD_LOWEST_CLUB, "2C 2C"),
    ],
)  # fmt: skip
def test_every_option_has_a_reason_of_its_own(
    *,
    hand: str,
    trick: str,
    number: int,
    card: str,
    options: str,
    reason: Reason,
    legal_cards: str,
) -> None:
    answer = told(hand, trick, number, card, options)
    assert answer.reason is reason
    assert answer.legal == CardSet.parse(legal_cards)
    assert f"legal: {legal_cards}" in answer.message


@pytest.mark.parametrize(
    ("hand", "trick", "number", "card", "reason", "legal_cards"),
    [
        ("2C 9C AD", "", 1, "9C", Reason.MUST_LEAD_LOWEST_CLUB, "2C"),
        ("9C AD QS", "2C", 1, "QS", Reason.MUST_FOLLOW_SUIT, "9C"),
        ("AD QS 4H", "2C", 1, "QS", Reason.NO_POINTS_ON_FIRST_TRICK, "AD"),
        ("AD QS 4H", "2C", 1, "4H", Reason.NO_POINTS_ON_FIRST_TRICK, "AD"),
        ("AD QS 4H", "", 2, "4H", Reason.HEARTS_NOT_BROKEN, "AD QS"),
        ("AD QS 4H", "5H", 2, "QS", Reason.MUST_FOLLOW_SUIT, "4H"),
    ],
)
def test_the_first_rule_that_forbids_a_card_is_the_reason_given(
    *, hand: str, trick: str, number: int, card: str, reason: Reason, legal_cards: str
) -> None:
    answer = told(hand, trick, number, card)
    assert answer.reason is reason
    assert answer.legal == CardSet.parse(legal_cards)
    assert str(answer) == answer.message
    assert card in answer.message
    assert f"legal: {legal_cards}" in answer.message


def test_a_refusal_to_follow_names_the_suit() -> None:
    assert "you still hold clubs" in told("9C AD", "2C", 3, "AD").message


def test_nothing_is_refused_that_is_legal() -> None:
    with pytest.raises(ValueError, match="7C is legal"):
        told("7C 3H", "", 2, "7C")


# Of few kinds, so that hands of nothing but hearts and the queen are common; twins too.
CARDS = st.sampled_from(PACK) | st.sampled_from(
    [*map(Card.parse, ("2C", "3C", "JD", "QS", "KS", "AS", "2H", "QH", "AH"))]
)
HANDS = st.lists(CARDS, min_size=1, max_size=13).map(
    lambda cards: sum((CardSet.of([card]) for card in set(cards)), NO_CARDS)
)
PAIRS = st.tuples(HANDS, HANDS).map(lambda hands: hands[0] + hands[1])
TRICKS = st.lists(CARDS, max_size=9).map(tuple)
PLAYED = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed)))


@settings(max_examples=300)
@given(rules=PLAYED, hand=HANDS | PAIRS, trick=TRICKS, first=st.booleans(), broken=st.booleans())
def test_whatever_the_rules_a_hand_has_a_legal_card_and_every_other_card_a_reason(
    *, rules: Rules, hand: CardSet, trick: tuple[Card, ...], first: bool, broken: bool
) -> None:
    turn = Turn(hand, trick, first, broken)
    allowed = legal_plays(turn, rules.restrictions)
    assert NO_CARDS != allowed <= hand
    for card in hand - allowed:
        assert refusal(card, turn, rules.restrictions).legal == allowed
    assert all(card not in hand - allowed for card in allowed), "twins are legal together"


def narrowed(cards: list[Card], *, to: Callable[[Card], bool]) -> list[Card]:
    """You must, if you can."""
    return [card for card in cards if to(card)] or cards


def as_the_page_says(turn: Turn, rules: Rules) -> list[Card]:
    """The rules of play, read line by line from the table on the rules page."""
    cards, led, queen = list(turn.hand), turn.led, Card.parse("QS")
    clubs = [card for card in cards if card.suit is Suit.CLUBS]
    opens = turn.first_trick and not turn.trick
    if opens and rules.opening is Opening.LOW_CLUB and clubs:
        cards = [card for card in cards if card == min(clubs)]
    if opens and rules.opening is Opening.ANY_CLUB:
        cards = narrowed(cards, to=lambda card: card.suit is Suit.CLUBS)
    if led is not None:
        cards = narrowed(cards, to=lambda card: card.suit is led)
    if turn.first_trick and rules.first_trick is FirstTrick.NO_POINTS:
        cards = narrowed(cards, to=lambda card: rules.points[card] == 0)
        if rules.first_forced is FirstForced.QUEEN and all(rules.points[c] > 0 for c in cards):
            cards = narrowed(cards, to=lambda card: card == queen)
    exempt = rules.queen_only_lead is QueenOnlyLead.FREE and all(
        card.is_heart or card == queen for card in turn.hand
    )
    if led is None and rules.must_break and not turn.hearts_broken and not exempt:
        cards = narrowed(cards, to=lambda card: not card.is_heart)
    if rules.queen_dump is QueenDump.FIRST_CHANCE and led is not None:
        void = all(card.suit is not led for card in turn.hand)
        under = led is Suit.SPADES and any(
            card in turn.trick for card in map(Card.parse, ("KS", "AS"))
        )
        if void or under:
            cards = narrowed(cards, to=lambda card: card == queen)
    return cards


@settings(max_examples=400)
@given(rules=PLAYED, hand=HANDS | PAIRS, trick=TRICKS, first=st.booleans(), broken=st.booleans())
def test_whatever_the_rules_a_card_is_legal_exactly_if_the_rules_page_says_so(
    *, rules: Rules, hand: CardSet, trick: tuple[Card, ...], first: bool, broken: bool
) -> None:
    hand &= rules.cards
    assume(hand)
    # Hearts cannot be broken before the first card is led.
    turn = Turn(hand, trick, first, hearts_broken=broken and bool(trick or not first))
    assert list(legal_plays(turn, rules.restrictions)) == as_the_page_says(turn, rules)


@pytest.mark.parametrize(
    ("options", "broken", "led_next"),
    [("", False, "7C"), ("queen_breaks=true", True, "7C 3H")],
    ids=["queen-does-not-break", "queen-breaks"],
)
def test_hb_009_the_queen_breaks_hearts_only_where_she_is_said_to(
    *, options: str, broken: bool, led_next: str
) -> None:
    hands = [CardSet.parse(text) for text in ("4D 9D 2S", "QS 3C 4C", "AD 7C 3H", "5D 6D 8D")]
    rules = parse_rules(f"black_lady {options}")
    game = seated(rules)
    game.state = position(rules, hands, Seat(0), hearts_broken=False)
    for text in ("4D", "QS", "AD", "5D"):
        assert game.state.turn is not None
        game.do(PlayCard(game.state.turn, Card.parse(text)))
    assert game.state.play.hearts_broken is broken
    assert game.state.turn == 2
    assert str(game.state.play.legal) == led_next


def test_a_led_queen_breaks_hearts_too_where_she_does() -> None:
    rules = parse_rules("black_lady queen_breaks=true")
    hands = [CardSet.parse(text) for text in ("QS 9D", "4S 3C", "AD 3H", "5D 6D")]
    state = position(rules, hands, Seat(0), hearts_broken=False, played=[Card.parse("QS")])
    assert state.play.hearts_broken


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
