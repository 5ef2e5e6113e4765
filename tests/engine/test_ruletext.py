"""Rules as text: what round-trips, and what is refused in which words."""

from contextlib import suppress
from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import Card
from hearts_engine.errors import BadRules
from hearts_engine.options import CardPoints, Exact, Finish, Moon
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules, preset_words
from hearts_engine.testing_rules import random_rules

PLAYABLE = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed)))


@given(PLAYABLE)
def test_rules_read_back_from_their_text(rules: Rules) -> None:
    assert parse_rules(format_rules(rules)) == rules


@given(PLAYABLE, st.sampled_from([*PRESETS]))
def test_rules_read_back_whichever_preset_they_are_told_from(rules: Rules, name: str) -> None:
    words = preset_words(rules, name)
    assert words[0] == name
    assert len(words) >= len(format_rules(rules).split())
    assert parse_rules(" ".join(words)) == rules


def test_every_preset_is_written_as_its_name_or_that_of_an_equal_one() -> None:
    for name, rules in PRESETS.items():
        written = format_rules(rules)
        assert written == ("black_lady" if name == "microsoft" else name)
        assert parse_rules(name) == parse_rules(written) == rules


def test_the_standard_game_is_the_default() -> None:
    assert parse_rules("") == PRESETS[DEFAULT_PRESET] == Rules()


def test_options_follow_the_name_in_any_order() -> None:
    text = "black_lady target=50 finish=early pass_cycle=left,hold pass_count=2"
    name, *overrides = text.split()
    expected = Rules(
        target=50,
        finish=Finish.EARLY,
        pass_cycle=(Direction.LEFT, Direction.HOLD),
        pass_count=2,
    )
    assert parse_rules(text) == expected
    assert parse_rules(" ".join([name, *reversed(overrides)])) == expected
    assert parse_rules("omnibus moon=auto target=50") == replace(
        PRESETS["omnibus"], moon=Moon.AUTO, target=50
    )


@pytest.mark.parametrize(
    ("option", "rules"),
    [
        ("sun=double", Rules(sun="double")),
        ("sun=39", Rules(sun=39)),
        ("sun=none", Rules()),
        ("deals=5", Rules(deals=5)),
        ("deals=none", Rules()),
        ("bonus=jd:10", Rules(bonus=CardPoints(Card.parse("JD"), 10))),
        ("bonus=10d:10", Rules(bonus=CardPoints(Card.parse("TD"), 10))),
        ("bonus=none", Rules()),
        ("extra_penalty=none", Rules()),
        ("removed=none", Rules()),
        ("exact=exact_minus_50", Rules(exact=Exact.EXACT_MINUS_50)),
        ("queen_breaks=true", Rules(queen_breaks=True)),
        ("pass_cycle=scatter", Rules(pass_cycle=(Direction.SCATTER,))),
    ],
)
def test_each_kind_of_value_is_read(option: str, rules: Rules) -> None:
    assert parse_rules(f"black_lady {option}") == rules


def test_cards_may_be_named_in_any_order() -> None:
    assert parse_rules("five removed=2D,2C") == PRESETS["five"]
    maria = PRESETS["black_maria"]
    assert parse_rules("black_maria extra_penalty=AS:7,KS:10") == maria


def test_another_number_of_seats_takes_its_usual_cycle_along() -> None:
    assert parse_rules("black_lady players=3 removed=2D") == PRESETS["three"]
    assert parse_rules("spot players=6 removed=3C,4C,2D,3D").pass_cycle == usual_cycle(6)
    assert parse_rules("black_lady players=3 removed=2D pass_cycle=hold").pass_cycle == (
        Direction.HOLD,
    )
    assert parse_rules("cancellation players=8").pass_cycle == (Direction.HOLD,)


@given(PLAYABLE)
def test_every_option_is_written_if_it_is_unlike_the_preset(rules: Rules) -> None:
    words = preset_words(rules, DEFAULT_PRESET)
    written = {word.partition("=")[0] for word in words[1:]}
    usual = usual_cycle(rules.players)
    differing = {
        field.name
        for field in fields(Rules)
        if field.init
        and getattr(rules, field.name)
        != (usual if field.name == "pass_cycle" else getattr(Rules(), field.name))
    }
    assert written == differing


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("whist", "'whist' is not a preset; choose among black_lady, pagat, "),
        ("blacklady", "'blacklady' is not a preset; did you mean black_lady?"),
        ("black_lady target", "'target': write option=value, without blanks around ="),
        ("black_lady colour=red", "'colour' is not an option; choose among players, decks, "),
        ("black_lady deck=QS", "'deck' is not an option; did you mean decks?"),
        ("black_lady target=lots", "target=lots: write a number"),
        ("black_lady players=two", "players=two: write a number"),
        ("black_lady target=", "'target=': write option=value, without blanks around ="),
        ("black_lady target=50 target=50", "'target=50': target is said twice"),
        ("black_lady must_break=no", "must_break=no: write true or false"),
        ("black_lady pass_cycle=up", "pass_cycle=up: write directions with commas, of left, "),
        ("black_lady pass_cycle=left,,hold", "pass_cycle=left,,hold: write directions with"),
        ("black_lady finish=late", "finish=late: choose among play_out, early"),
        ("black_lady kitty=maybe", "kitty=maybe: choose among none, first_trick, last_trick, "),
        ("black_lady removed=2X", "removed=2X: write cards with commas, 2C,2D, or none"),
        ("black_lady extra_penalty=KS", "extra_penalty=KS: write cards with their points, "),
        ("black_lady bonus=JD", "bonus=JD: write a card with its points, JD:10, or none"),
        ("black_lady sun=big", "sun=big: write none, double or a number of points"),
        ("black_lady deals=all", "deals=all: write none or a number of deals"),
    ],
)
def test_a_bad_word_is_named_with_what_would_be_right(text: str, said: str) -> None:
    with pytest.raises(BadRules) as caught:
        parse_rules(text)
    assert str(caught.value).startswith(said)


@given(st.text(max_size=60))
def test_any_text_is_rules_or_bad_rules_and_never_a_crash(text: str) -> None:
    for said in (text, f"black_lady {text}", f"black_lady target={text}", f"spot bonus={text}"):
        with suppress(BadRules):
            assert isinstance(parse_rules(said), Rules)
