"""Rules as values: what is derived from the options, and what cannot be played."""

from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.errors import BadRules
from hearts_engine.options import (
    CardPoints,
    HeartValue,
    Kitty,
    Opening,
)
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing_rules import random_rules

PLAYABLE = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed)))


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card.parse, text.split()))


def prices(text: str) -> tuple[CardPoints, ...]:
    return tuple(
        CardPoints(Card.parse(card), int(points))
        for card, points in (price.split(":") for price in text.split())
    )


@given(PLAYABLE)
def test_the_deck_is_all_packs_without_the_removed_cards(rules: Rules) -> None:
    assert sorted((*rules.deck, *rules.removed)) == sorted(PACK * rules.decks)
    assert rules.cards == CardSet.of(rules.deck)
    assert rules.hand_size * rules.players + rules.kitty_size == len(rules.deck)
    assert 0 <= rules.kitty_size < rules.players
    assert rules.kitty_size == 0 or rules.kitty is not Kitty.NONE


@given(PLAYABLE)
def test_what_costs_points_and_what_takes_them_off_is_counted_with_its_twin(rules: Rules) -> None:
    costly = [card for card in rules.deck if rules.points[card]]
    assert sorted(rules.penalties) == sorted(costly)
    assert rules.penalty_total == sum(rules.points[card] for card in costly) > 0
    bonus = [card for card in rules.deck if rules.bonus and card == rules.bonus.card]
    assert sorted(rules.bonus_cards) == sorted(bonus)
    assert not rules.bonus_cards & rules.penalties
    assert sorted(rules.counting) == sorted([*costly, *bonus])
    assert rules.bonus_of(rules.cards) == len(bonus) * (rules.bonus.points if rules.bonus else 0)
    assert [rules.counts[card] for card in PACK] == [card in rules.counting for card in PACK]


@given(PLAYABLE)
def test_rules_with_the_same_options_are_the_same_rules(rules: Rules) -> None:
    options = {f.name: getattr(rules, f.name) for f in fields(Rules) if f.init}
    again = Rules(**options)
    assert again == rules
    assert hash(again) == hash(rules)
    assert replace(rules, target=rules.target % 1000 + 1) != rules


@pytest.mark.parametrize(
    ("scale", "points"),
    [
        (HeartValue.ONE, [1] * 13),
        (HeartValue.SPOT, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]),
        (HeartValue.FACE5, [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5]),
        (HeartValue.COURT10, [2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 15]),
    ],
)
def test_hearts_cost_what_the_scale_says(scale: HeartValue, points: list[int]) -> None:
    rules = Rules(heart_value=scale, queen_value=25, extra_penalty=prices("KS:10 AS:7"))
    assert [rules.points[card] for card in PACK if card.suit is Suit.HEARTS] == points
    assert rules.penalty_total == sum(points) + 25 + 17


def test_hb_020_the_penalty_total_is_what_the_deck_adds_up_to() -> None:
    six = Rules(players=6, removed=cards("2C 2D 2S 2H"), pass_cycle=usual_cycle(6))
    assert (six.penalty_total, six.hand_size) == (25, 8)


def test_a_removed_card_leaves_its_twin_in_two_packs() -> None:
    rules = Rules(
        decks=2, players=6, removed=cards("3C 3C 4D 4D 2S 2H 3H 3H"), pass_cycle=usual_cycle(6)
    )
    assert (rules.deck.count(Card.parse("3C")), rules.deck.count(Card.parse("2H"))) == (0, 1)
    assert rules.penalty_total == 52 - 3


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("players=2", "players=2: 3 to 10 seats"),
        ("players=11", "players=11: 3 to 10 seats"),
        ("decks=0", "decks=0: 1 to 2 packs"),
        ("decks=3", "decks=3: 1 to 2 packs"),
        ("queen_value=101", "queen_value=101: 0 to 100 points"),
        ("no_tricks_bonus=101", "no_tricks_bonus=101: 0 to 100 points"),
        ("target=0", "target=0: 1 to 1000 points"),
        ("target=1001", "target=1001: 1 to 1000 points"),
        ("deals=0", "deals=0: 1 to 256 deals, or none"),
        ("deals=257", "deals=257: 1 to 256 deals, or none"),
        ("sun=0", "sun=0: 1 to 1000 points, none or double"),
        ("sun=1001", "sun=1001: 1 to 1000 points, none or double"),
        ("extra_penalty=KS:0", "extra_penalty=0: 1 to 100 points"),
        ("extra_penalty=KS:101", "extra_penalty=101: 1 to 100 points"),
        ("bonus=JD:0", "bonus=0: 1 to 100 points"),
        ("bonus=JD:101", "bonus=101: 1 to 100 points"),
        ("pass_count=0", "pass_count=0: 1 to 4 cards"),
        ("pass_count=5", "pass_count=5: 1 to 4 cards"),
        ("removed=2C,2C,3C,4C", "removed: 2C is in the deck once, not 2 times"),
        ("removed=2C", "players=4: 51 cards do not divide among them; remove 3 more, or say who"),
        ("players=5", "players=5: 52 cards do not divide among them; remove 2 more, or say who"),
        ("removed=QS,2D,3D,4D", "removed: QS scores, so it stays in the deck"),
        ("extra_penalty=KS:10 removed=KS,2D,3D,4D", "removed: KS scores, so it stays in the deck"),
        ("bonus=JD:10 removed=JD,2D,3D,4D", "removed: JD scores, so it stays in the deck"),
        ("extra_penalty=AH:5", "extra_penalty: AH has its price by queen_value or heart_value"),
        ("extra_penalty=QS:5", "extra_penalty: QS has its price by queen_value or heart_value"),
        ("extra_penalty=KS:5,KS:6", "extra_penalty: name each card once"),
        ("bonus=QS:10", "bonus: QS costs points, choose a card that does not"),
        ("bonus=2H:10", "bonus: 2H costs points, choose a card that does not"),
        ("bonus=KS:10 extra_penalty=KS:5", "bonus: KS costs points, choose a card that does not"),
        ("players=5 removed=2C,2D pass_cycle=across", "pass_cycle: nobody sits across with 5"),
        (
            "pass_cycle=scatter pass_count=2",
            "pass_count=2: scatter passes one card to each other seat; write pass_count=3",
        ),
        ("moon_needs_bonus=true", "moon_needs_bonus: only with a bonus card and a moon"),
        (
            "moon_needs_bonus=true bonus=JD:10 moon=none",
            "moon_needs_bonus: only with a bonus card and a moon",
        ),
        ("sun=double moon=none", "sun=double: only with a moon"),
        ("deals=5 exact=exact_wins", "exact=exact_wins: a game of 5 deals has no target to land"),
        ("deals=5 exact=exact_minus_50", "exact=exact_minus_50: a game of 5 deals has no target"),
    ],
)
def test_what_cannot_be_played_is_refused_with_what_would_be_right(options: str, said: str) -> None:
    with pytest.raises(BadRules) as caught:
        parse_rules(f"black_lady {options}")
    assert str(caught.value).startswith(said)


def test_nothing_costs_less_than_nothing() -> None:
    with pytest.raises(BadRules, match="queen_value=-1: 0 to 100 points"):
        Rules(queen_value=-1)
    with pytest.raises(BadRules, match="no_tricks_bonus=-5: 0 to 100 points"):
        Rules(no_tricks_bonus=-5)


def test_a_cycle_names_one_to_twenty_directions() -> None:
    for cycle in ((), (Direction.LEFT,) * 21):
        with pytest.raises(BadRules, match="name 1 to 20 directions"):
            Rules(pass_cycle=cycle)
    assert len(Rules(pass_cycle=(Direction.LEFT,) * 20).pass_cycle) == 20


def test_cards_are_named_in_order_so_that_equal_rules_are_equal() -> None:
    with pytest.raises(BadRules, match="removed: name the cards in order"):
        Rules(removed=cards("3C 2C 2D 3D"))
    with pytest.raises(BadRules, match="extra_penalty: name each card once, in order"):
        Rules(extra_penalty=prices("AS:7 KS:10"))


def test_some_card_must_cost_points() -> None:
    hearts = tuple(card for card in PACK if card.is_heart)
    with pytest.raises(BadRules, match="some card that costs points stays"):
        Rules(queen_value=0, removed=(*cards("2C 3C 4C"), *hearts))
    assert Rules(removed=(*cards("2C 3C 4C"), *hearts)).penalty_total == 13


def test_a_sun_is_worth_nothing_but_what_can_be_said() -> None:
    with pytest.raises(BadRules, match="sun=triple: 1 to 1000 points, none or double"):
        Rules(sun="triple")  # type: ignore[arg-type]  # what a caller without checkers may do


def test_nobody_passes_more_than_a_hand() -> None:
    few = tuple(card for card in PACK if card.suit in {Suit.CLUBS, Suit.DIAMONDS} and card % 13 > 1)
    rules = Rules(players=10, removed=few, pass_count=3, pass_cycle=(Direction.HOLD,))
    assert rules.hand_size < 4
    with pytest.raises(BadRules, match="pass_count=4: a hand has 3 cards"):
        replace(rules, pass_count=4, pass_cycle=(Direction.LEFT,))
    assert replace(rules, pass_count=4).pass_count == 4, "nobody passes on hold"


def test_nobody_opens_with_a_club_that_may_lie_in_the_kitty() -> None:
    clubs = tuple(card for card in PACK if card.suit is Suit.CLUBS)
    rules = Rules(
        players=7, removed=clubs[:11], kitty=Kitty.FIRST_TRICK, opening=Opening.ELDEST,
        pass_cycle=usual_cycle(7),
    )  # fmt: skip
    assert rules.kitty_size == 6
    for opening in (Opening.LOW_CLUB, Opening.ANY_CLUB):
        with pytest.raises(BadRules, match="perhaps nobody holds a club; choose eldest"):
            replace(rules, opening=opening)
    assert replace(rules, removed=clubs[:5], opening=Opening.LOW_CLUB).kitty_size == 5


def test_scatter_passes_one_to_each_other_seat_however_many_they_are() -> None:
    seven = parse_rules("seven pass_cycle=scatter,hold pass_count=6")
    assert (seven.pass_count, seven.hand_size) == (6, 7)
    with pytest.raises(BadRules, match="pass_count=7: a hand has 6 cards"):
        parse_rules("black_lady players=8 removed=2C,2D,3D,2S pass_cycle=scatter pass_count=7")


def test_equal_rules_are_one_key() -> None:
    assert len({Rules(), parse_rules("black_lady"), Rules(target=50)}) == 2
