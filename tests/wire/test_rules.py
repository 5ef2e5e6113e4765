from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.passing import Direction
from hearts_engine.options import Finish
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_proto.v1 import rules_pb2
from hearts_wire.bounds import WireError
from hearts_wire.rules import decode_rules, encode_rules

OPTIONS: dict[str, st.SearchStrategy[object]] = {
    "players": st.just(4),
    "pass_count": st.integers(1, 4),
    "pass_cycle": st.lists(st.sampled_from(Direction), min_size=1, max_size=6).map(tuple),
    "target": st.integers(1, 1000),
    "finish": st.sampled_from(Finish),
}


def test_every_option_of_the_rules_is_in_these_tests_and_in_the_schema() -> None:
    options = {field.name for field in fields(Rules) if field.init}
    assert options == OPTIONS.keys()
    assert options == {field.name for field in rules_pb2.Rules.DESCRIPTOR.fields}


@given(st.fixed_dictionaries(OPTIONS))
def test_rules_come_back_as_they_were_written(options: dict[str, object]) -> None:
    rules = Rules(**options)  # type: ignore[arg-type]  # OPTIONS gives each its type
    assert decode_rules(encode_rules(rules)) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_comes_back_as_it_was_written(name: str) -> None:
    assert decode_rules(encode_rules(PRESETS[name])) == PRESETS[name]


def test_options_that_an_old_log_does_not_know_have_the_standard_value() -> None:
    assert decode_rules(rules_pb2.Rules()) == Rules()
    assert decode_rules(rules_pb2.Rules(target=50)) == Rules(target=50)


def test_every_option_is_written_out() -> None:
    written = encode_rules(Rules())
    assert {field.name for field, _ in written.ListFields()} == OPTIONS.keys()


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (rules_pb2.Rules(players=11), r"^rules\.players"),
        (rules_pb2.Rules(players=5), r"^rules\.players"),
        (rules_pb2.Rules(pass_count=2**32 - 1), r"^rules\.pass_count"),
        (rules_pb2.Rules(target=1001), r"^rules\.target"),
        (rules_pb2.Rules(pass_cycle=[rules_pb2.DIRECTION_UNSPECIFIED]), r"^rules\.pass_cycle"),
        (rules_pb2.Rules.FromString(b"\x2a\x00\x28\x09"), r"^rules"),
    ],
)
def test_rules_that_cannot_be_played_are_refused(message: rules_pb2.Rules, sentence: str) -> None:
    with pytest.raises(WireError, match=sentence):
        decode_rules(message)


def test_an_option_of_a_newer_version_is_not_played_without() -> None:
    newer = rules_pb2.Rules.FromString(b"\xf8\x3e\x01")  # field 1007
    with pytest.raises(WireError, match="option 1007 is not known"):
        decode_rules(newer)
