"""The presets: each is the game that its name promises, and can be dealt and played."""

from random import Random

import pytest

from hearts_engine.cards import PACK, Card, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.options import FirstTrick, Kitty, Moon, Opening
from hearts_engine.passing import Direction
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import deal_at_random, seated

NAMES = [
    "black_lady",
    "pagat",
    "microsoft",
    "bicycle",
    "omnibus",
    "spot",
    "cancellation",
    "black_maria",
    "plain_hearts",
    "three",
    "five",
    "six",
    "seven",
]


def value(cards: str, rules: Rules) -> int:
    return rules.value_of(CardSet.parse(cards))


def test_every_preset_that_people_know_has_its_name() -> None:
    assert list(PRESETS) == NAMES
    assert PRESETS[DEFAULT_PRESET] == Rules()


def test_the_standard_game_is_the_one_that_most_people_play() -> None:
    rules = Rules()
    assert (rules.players, rules.hand_size, rules.kitty_size, rules.pass_count) == (4, 13, 0, 3)
    assert (rules.target, rules.penalty_total, rules.deck) == (100, 26, PACK)
    assert (rules.opening, rules.first_trick) == (Opening.LOW_CLUB, FirstTrick.NO_POINTS)
    assert (rules.moon, rules.bonus, rules.no_tricks_bonus) == (Moon.ADD, None, 0)
    assert rules.must_break
    assert not rules.queen_breaks


@pytest.mark.parametrize(
    ("name", "players", "hand", "kitty", "total"),
    [
        ("black_lady", 4, 13, 0, 26),
        ("pagat", 4, 13, 0, 26),
        ("microsoft", 4, 13, 0, 26),
        ("bicycle", 4, 13, 0, 26),
        ("omnibus", 4, 13, 0, 26),
        ("spot", 4, 13, 0, 129),
        ("cancellation", 6, 17, 2, 52),
        ("black_maria", 3, 17, 0, 43),
        ("plain_hearts", 4, 13, 0, 13),
        ("three", 3, 17, 0, 26),
        ("five", 5, 10, 0, 26),
        ("six", 6, 8, 0, 26),
        ("seven", 7, 7, 0, 26),
    ],
)
def test_cards_and_points_of_a_preset(
    name: str, players: int, hand: int, kitty: int, total: int
) -> None:
    rules = PRESETS[name]
    assert (rules.players, rules.hand_size, rules.kitty_size) == (players, hand, kitty)
    assert rules.penalty_total == total


def test_pagat_lets_points_fall_on_the_first_trick() -> None:
    assert PRESETS["pagat"] == Rules(first_trick=FirstTrick.ANY)


def test_bicycle_breaks_hearts_with_the_queen() -> None:
    assert PRESETS["bicycle"].breakers[Card.parse("QS")]
    assert not Rules().breakers[Card.parse("QS")]


def test_omnibus_rewards_the_jack_of_diamonds() -> None:
    omnibus = PRESETS["omnibus"]
    assert omnibus.bonus_of(CardSet.parse("JD QS AH")) == 10
    assert omnibus.bonus_of(CardSet.parse("TD QD")) == 0
    assert value("JD", omnibus) == 0


def test_hb_041_spot_hearts_cost_their_rank() -> None:
    spot = PRESETS["spot"]
    hearts = [spot.points[card] for card in PACK if card.suit is Suit.HEARTS]
    assert hearts == [*range(2, 15)]
    assert (sum(hearts), value("QS", spot), spot.target) == (104, 25, 500)


def test_hb_042_black_maria_prices_three_spades() -> None:
    maria = PRESETS["black_maria"]
    assert [value(card, maria) for card in ("QS", "KS", "AS", "JS", "AH")] == [13, 10, 7, 0, 1]
    assert (maria.opening, maria.moon) == (Opening.ELDEST, Moon.NONE)
    assert maria.pass_cycle == (Direction.RIGHT,)
    assert Card.parse("2C") not in maria.cards


def test_plain_hearts_has_no_black_lady() -> None:
    plain = PRESETS["plain_hearts"]
    assert plain.points[Card.parse("QS")] == 0
    assert plain.penalties == CardSet.of_suit(Suit.HEARTS) & plain.cards
    assert (plain.moon, plain.must_break) == (Moon.NONE, False)


@pytest.mark.parametrize("players", range(6, 11))
def test_cancellation_seats_six_to_ten(players: int) -> None:
    rules = parse_rules(f"cancellation players={players}")
    assert rules.hand_size == 104 // players
    assert rules.kitty_size == 104 % players
    assert rules.kitty is Kitty.FIRST_TRICK
    assert rules.pass_cycle == (Direction.HOLD,), "a preset's own cycle stays"
    assert rules.deck == (*PACK, *PACK)


@pytest.mark.parametrize(
    ("name", "cycle"),
    [
        ("black_lady", "left right across hold"),
        ("three", "left right hold"),
        ("five", "left right left2 right2 hold"),
        ("six", "left right left2 right2 across hold"),
        ("seven", "left right hold"),
    ],
)
def test_a_preset_passes_by_the_usual_cycle_of_its_seats(name: str, cycle: str) -> None:
    assert PRESETS[name].pass_cycle == tuple(map(Direction, cycle.split()))


def test_the_lowest_club_that_is_left_opens_where_the_two_is_removed() -> None:
    assert PRESETS["five"].cards.lowest() == Card.parse("3C")


@pytest.mark.parametrize("name", NAMES)
def test_every_preset_can_be_played(name: str) -> None:
    game = seated(PRESETS[name])
    for seed in range(4):
        deal_at_random(game, Random(seed))
    assert len(game.state.game.scored) == 4
    assert all(sum(deal.points) == PRESETS[name].penalty_total for deal in game.state.game.scored)
