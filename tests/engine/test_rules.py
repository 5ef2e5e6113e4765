"""Rules as text and as values: what round-trips, and what is refused in which words."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK
from hearts_engine.errors import BadRules
from hearts_engine.passing import Direction
from hearts_engine.options import Finish
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules


@st.composite
def playable(draw: st.DrawFn) -> Rules:
    return Rules(
        pass_count=draw(st.integers(1, 4)),
        pass_cycle=tuple(draw(st.lists(st.sampled_from(Direction), min_size=1, max_size=5))),
        target=draw(st.integers(1, 1000)),
        finish=draw(st.sampled_from(Finish)),
    )


@given(playable())
def test_rules_read_back_from_their_text(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules
    assert str(rules) == format_rules(rules)


def test_every_preset_is_written_as_its_name() -> None:
    for name, rules in PRESETS.items():
        assert format_rules(rules) == name
        assert parse_rules(name) == rules


def test_the_standard_game_is_the_default() -> None:
    assert parse_rules("") == PRESETS[DEFAULT_PRESET] == Rules()
    rules = Rules()
    assert (rules.players, rules.hand_size, rules.pass_count) == (4, 13, 3)
    assert (rules.target, rules.finish, rules.deck) == (100, Finish.PLAY_OUT, PACK)


def test_options_follow_the_name() -> None:
    rules = parse_rules("black_lady target=50 finish=early pass_cycle=left,hold pass_count=2")
    assert rules == Rules(
        target=50,
        finish=Finish.EARLY,
        pass_cycle=(Direction.LEFT, Direction.HOLD),
        pass_count=2,
    )
    assert replace(Rules(), target=50) == parse_rules("black_lady target=50")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("white_lady", "'white_lady' is not a preset; choose among black_lady"),
        ("black_lady target", "'target': write option=value, options players, "),
        ("black_lady colour=red", "'colour=red': write option=value, options players, "),
        ("black_lady target=lots", "target=lots: write a number of points"),
        ("black_lady target=0", "target=0: a game goes to 1 to 1000 points"),
        ("black_lady target=1001", "target=1001: a game goes to 1 to 1000 points"),
        ("black_lady players=two", "players=two: write a number of seats"),
        ("black_lady players=2", "players=2: a table has 3 to 10 seats"),
        ("black_lady players=11", "players=11: a table has 3 to 10 seats"),
        ("black_lady pass_count=0", "pass_count=0: pass 1 to 4 cards"),
        ("black_lady pass_count=5", "pass_count=5: pass 1 to 4 cards"),
        ("black_lady pass_cycle=up", "pass_cycle=up: write directions with commas, of left, "),
        ("black_lady finish=late", "finish=late: choose among play_out, early"),
    ],
)
def test_a_bad_word_is_named_with_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BadRules) as caught:
        parse_rules(text)
    assert str(caught.value).startswith(said)


def test_a_cycle_names_at_least_one_direction() -> None:
    with pytest.raises(BadRules, match="name 1 to 20 directions"):
        Rules(pass_cycle=())
    with pytest.raises(BadRules, match="name 1 to 20 directions"):
        Rules(pass_cycle=(Direction.LEFT,) * 21)


def test_equal_rules_are_one_key() -> None:
    assert len({Rules(), parse_rules("black_lady"), Rules(target=50)}) == 2
