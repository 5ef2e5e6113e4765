"""`hearts rules`: what can be played, before anyone sits down to it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from hearts_cli.main import main
from hearts_engine.presets import PRESETS
from hearts_engine.ruletext import parse_rules


def rules(*arguments: str) -> Result:
    """What `hearts rules` prints."""
    return CliRunner().invoke(main, ["rules", *arguments])


def test_every_preset_is_listed_with_its_seats_for_people_and_for_machines() -> None:
    lines = rules("list").output.splitlines()
    told = {line.split()[0]: line for line in lines[: len(PRESETS)]}
    assert list(told) == list(PRESETS)
    assert "3 seats" in told["black_maria"]
    machines = json.loads(rules("list", "--json").output)
    assert {each["preset"]: each["players"] for each in machines} == {
        name: preset.players for name, preset in PRESETS.items()
    }
    for each in machines:
        assert each["badge"] in told[each["preset"]]
        assert parse_rules(each["text"]) == PRESETS[each["preset"]]


def test_a_table_s_rules_are_said_in_sentences_and_as_the_text_to_ask_for_them() -> None:
    shown = rules("show", "omnibus", "target=50", "moon=auto")
    assert shown.exit_code == 0
    assert shown.output.splitlines()[-1] == "rules: omnibus moon=auto target=50"
    assert len(shown.output.splitlines()) > 5
    assert "JD takes 10 points off" in shown.output


def test_no_preset_is_the_standard_game() -> None:
    assert rules("show").output == rules("show", "black_lady").output
    assert rules("show").output != rules("show", "bicycle").output


def test_machines_get_every_option_and_what_follows_from_them() -> None:
    shown = json.loads(rules("show", "cancellation", "players=10", "deals=3", "--json").output)
    assert shown["hand_size"] == 10
    assert shown["kitty_size"] == 4
    assert shown["penalty_total"] == 52
    assert shown["text"] == "cancellation players=10 deals=3"
    assert shown["options"]["deals"] == 3
    assert shown["options"]["bonus"] is None
    assert shown["options"]["must_break"] is True
    assert shown["options"]["pass_cycle"] == ["hold"]
    assert shown["options"]["opening"] == "eldest"
    assert all(isinstance(sentence, str) for sentence in shown["sentences"])
    prices = json.loads(rules("show", "black_maria", "--json").output)["options"]["extra_penalty"]
    assert prices == ["KS:10", "AS:7"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("whist",), "'whist' is not a preset; choose among black_lady"),
        (("six", "queen=0"), "'queen' is not an option; did you mean"),
        (("black_lady", "players=5"), "52 cards do not divide among them"),
        (("omnibus", "moon=sometimes"), "moon=sometimes: choose among add"),
    ],
)
def test_rules_that_cannot_be_played_are_a_sentence_on_stderr_and_exit_with_2(
    words: tuple[str, ...], sentence: str
) -> None:
    refused = rules("show", *words)
    assert refused.exit_code == 2
    assert refused.stdout == ""
    assert sentence in refused.stderr
