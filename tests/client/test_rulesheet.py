"""The rules of a table as a badge and as sentences: true to the data, and complete."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest

from hearts_client.rulesheet import badge, sentences
from hearts_engine.errors import BadRules
from hearts_engine.options import FirstTrick, Moon, Twins
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing_rules import random_rules

OPTIONS = tuple(each.name for each in fields(Rules) if each.init)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("black_lady", "Standard"),
        ("microsoft", "Standard"),
        ("black_lady target=50", "Standard · to 50"),
        ("omnibus moon=auto target=50", "Omnibus · JD -10 · moon auto · to 50"),
        ("five", "Five · without 2C 2D"),
        (
            "cancellation",
            (
                "Cancellation · 6 seats · 2 packs · kitty to the first trick · no passing"
                " · dealer's left leads"
            ),
        ),
    ],
)
def test_a_badge_says_in_one_line_what_is_not_as_usual(text: str, expected: str) -> None:
    assert badge(parse_rules(text)) == expected


def _moot(rules: Rules) -> set[str]:
    """The options that change nothing under these rules, so that no sentence is about them."""
    holds = set(rules.pass_cycle) == {Direction.HOLD}
    return {
        *(("kitty",) if not rules.kitty_size else ()),
        *(("pass_count", "keep_top_spades") if holds else ()),
        *(("first_forced",) if rules.first_trick is FirstTrick.ANY else ()),
        *(("queen_breaks", "queen_only_lead") if not rules.must_break else ()),
        *(("twins", "last_cancelled") if rules.decks == 1 else ()),
        *(("last_cancelled",) if rules.twins is Twins.FIRST_WINS else ()),
        *(("bonus_floor",) if rules.bonus is None and not rules.no_tricks_bonus else ()),
        *(("target", "reach") if rules.deals is not None else ()),
        *(("moon_needs_bonus", "sun") if rules.moon is Moon.NONE else ()),
    }


def _as_usual(rules: Rules, option: str) -> Rules | None:
    """The rules with one option put back to the standard game's; none if that cannot be played."""
    usual = usual_cycle(rules.players) if option == "pass_cycle" else getattr(Rules(), option)
    try:
        return replace(rules, **{option: usual})  # type: ignore[arg-type]  # the option's own type
    except BadRules:
        return None


def test_no_option_that_differs_is_missing_from_badge_or_sentences() -> None:
    chance, named = random.Random(5), set[str]()
    for _ in range(60):
        rules = random_rules(chance)
        line, told = badge(rules), sentences(rules)
        assert "\n" not in line
        assert all(part.strip() for part in (*line.split(" · "), *told))
        assert all(sentence.endswith(".") and "  " not in sentence for sentence in told)
        for option in OPTIONS:
            other = _as_usual(rules, option)
            if other is None or getattr(other, option) == getattr(rules, option):
                continue
            named.add(option)
            if option not in _moot(rules) | _moot(other):
                assert badge(other) != line, option
                assert sentences(other) != told, option
    assert named >= set(OPTIONS) - {"players", "removed", "decks"}, "every option was at stake"


def test_no_two_presets_that_play_differently_read_alike() -> None:
    different = set(PRESETS.values())
    assert len({badge(rules) for rules in different}) == len(different)
    assert len({sentences(rules) for rules in different}) == len(different)


def test_the_points_of_a_deal_are_added_up_for_the_reader() -> None:
    said = " ".join(sentences(parse_rules("black_maria players=3")))
    assert "KS costs 10 points." in said
    assert "That makes 43 points in a deal." in said
    said = " ".join(sentences(parse_rules("cancellation")))
    assert "That makes 52 points in a deal with both packs." in said


def test_the_arithmetic_of_moon_and_sun_is_said_with_its_numbers() -> None:
    said = " ".join(sentences(parse_rules("spot moon=subtract sun=double")))
    assert "129 points are taken off its own score" in said
    assert "worth 258 points" in said


def test_where_each_deal_passes_is_said_deal_by_deal() -> None:
    said = " ".join(sentences(parse_rules("six pass_cycle=left2,hold")))
    assert "in deal 1 to the second seat clockwise; in deal 2 nobody passes" in said
    assert "2C leads it to the first trick" in said
