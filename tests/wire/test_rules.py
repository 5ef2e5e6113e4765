from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, replace
from enum import StrEnum
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.errors import BadRules
from hearts_engine.passing import usual_cycle
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing_rules import random_rules
from hearts_proto.v1 import rules_pb2 as pb
from hearts_wire.bounds import WireError
from hearts_wire.rules import decode_rules, encode_rules

OPTIONS = {option.name for option in fields(Rules) if option.init}
FIELDS = {field.name for field in pb.Rules.DESCRIPTOR.fields}

EVERY_OPTION = (
    "cancellation players=7 removed=2C,2C,3D kitty=last_trick pass_count=4 "
    "pass_cycle=left2,right2,shuffle,hold keep_top_spades=true opening=any_club first_trick=any "
    "first_forced=queen must_break=false queen_breaks=true queen_only_lead=free "
    "queen_dump=first_chance twins=first_wins last_cancelled=second_of_top_pair "
    "heart_value=face5 queen_value=0 extra_penalty=AC:1,KS:10 bonus=JD:10 bonus_floor=true "
    "no_tricks_bonus=5 moon=choose moon_needs_bonus=true sun=double target=129 reach=gt "
    "exact=exact_wins tie=shared finish=early"
)
"""Every option but ``deals``, which rules out ``exact``, other than in the standard game."""

OVERRIDES = (
    EVERY_OPTION,
    "black_lady queen_value=0",
    "black_lady queen_value=100",
    "black_lady must_break=false",
    "black_lady sun=1",
    "black_lady sun=1000",
    "black_lady deals=256 tie=shared",
    "black_lady bonus=2C:1",
    "black_lady pass_cycle=scatter",
    "cancellation players=10 pass_count=9 pass_cycle=scatter",
    "black_lady heart_value=court10 queen_value=0 no_tricks_bonus=100",
)


def written_and_read(rules: Rules) -> Rules:
    return decode_rules(pb.Rules.FromString(encode_rules(rules).SerializeToString()))


def test_every_option_of_the_rules_has_a_field() -> None:
    assert FIELDS - {"sun_double", "sun_points"} == OPTIONS - {"sun"}


def test_the_text_with_every_option_has_every_option() -> None:
    odd = parse_rules(EVERY_OPTION)
    assert {name for name in OPTIONS if getattr(odd, name) == getattr(Rules(), name)} == {"deals"}


@given(st.integers(0, 2**32))
def test_whatever_can_be_played_comes_back_as_it_was_written(seed: int) -> None:
    rules = random_rules(Random(seed))
    assert written_and_read(rules) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_comes_back_as_it_was_written(name: str) -> None:
    assert written_and_read(PRESETS[name]) == PRESETS[name]


@pytest.mark.parametrize("text", OVERRIDES)
def test_an_option_at_its_edge_comes_back_as_it_was_written(text: str) -> None:
    rules = parse_rules(text)
    assert written_and_read(rules) == rules


CHOICES: dict[str, type[StrEnum]] = {
    name: type(standard)
    for name in sorted(OPTIONS)
    if isinstance(standard := getattr(Rules(), name), StrEnum)
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_has_a_number_for_each_of_its_names_and_zero_for_the_standard(name: str) -> None:
    numbers = pb.Rules.DESCRIPTOR.fields_by_name[name].enum_type
    assert numbers is not None
    named = [value.name.removeprefix(f"{name.upper()}_").lower() for value in numbers.values]
    assert named == ["unspecified", *CHOICES[name]]


def test_rules_written_when_there_were_five_options_keep_their_meaning() -> None:
    older = bytes.fromhex("0804 1002 1a020104 201e 2802")
    assert decode_rules(pb.Rules.FromString(older)) == parse_rules(
        "black_lady pass_count=2 pass_cycle=left,hold target=30 finish=early"
    )
    assert decode_rules(pb.Rules()) == Rules()


def test_every_option_that_the_standard_game_has_is_written_out() -> None:
    written = {field.name for field, _ in encode_rules(Rules()).ListFields()}
    none_in_it = {"removed", "extra_penalty", "bonus", "no_tricks_bonus", "sun", "deals"}
    assert written == OPTIONS - none_in_it


@pytest.mark.parametrize("name", sorted(FIELDS - {"sun_double", "sun_points"}))
@pytest.mark.parametrize("text", ["black_lady", EVERY_OPTION, "black_lady deals=5"])
def test_an_option_left_out_is_the_standard_one_though_its_zero_means_something(
    text: str, name: str
) -> None:
    rules = parse_rules(text)
    usual = {"pass_cycle": usual_cycle(rules.players)}
    message = encode_rules(rules)
    message.ClearField(name)  # type: ignore[arg-type]  # a name of the schema
    assert _outcome(lambda: decode_rules(message)) == _outcome(
        lambda: replace(rules, **{name: usual.get(name, getattr(Rules(), name))})
    )


def _outcome(read: Callable[[], Rules]) -> Rules | str:
    """The rules, or the sentence that says why they cannot be played."""
    try:
        return read()
    except (BadRules, WireError) as error:
        return str(error).removeprefix("rules.")


def test_no_sun_is_written_in_one_way_only() -> None:
    assert decode_rules(pb.Rules(sun_double=True)).sun == "double"
    assert decode_rules(pb.Rules(sun_points=39)).sun == 39
    with pytest.raises(WireError, match=r"^rules\.sun_double: "):
        decode_rules(pb.Rules(sun_double=False))
    with pytest.raises(WireError, match=r"^rules\.sun=0: "):
        decode_rules(pb.Rules(sun_points=0))


CARD = pb.CardPoints(card=9, points=10)


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        (pb.Rules(players=11), r"players=11: 3 to 10 seats"),
        (pb.Rules(players=2**32 - 1), r"players="),
        (pb.Rules(players=5), r"players=5: 52 cards do not divide"),
        (pb.Rules(decks=3), r"decks=3: 1 to 2 packs"),
        (pb.Rules(pass_count=2**32 - 1), r"pass_count="),
        (pb.Rules(target=1001), r"target=1001: 1 to 1000 points"),
        (pb.Rules(deals=257), r"deals=257: 1 to 256 deals"),
        (pb.Rules(queen_value=101), r"queen_value=101: 0 to 100 points"),
        (pb.Rules(no_tricks_bonus=101), r"no_tricks_bonus=101: "),
        (pb.Rules(pass_cycle=[pb.DIRECTION_UNSPECIFIED]), r"pass_cycle: 0 has no meaning"),
        (pb.Rules(pass_cycle=[pb.DIRECTION_SCATTER] * 21), r"pass_cycle: 21 entries"),
        (pb.Rules(pass_count=4, pass_cycle=[pb.DIRECTION_SCATTER]), r"pass_count=4: scatter"),
        (pb.Rules(removed=[52]), r"removed: 52 is not a card"),
        (pb.Rules(removed=[0] * 105), r"removed: 105 entries"),
        (pb.Rules(removed=[0, 0, 0, 0]), r"removed: 2C is in the deck once, not 4 times"),
        (pb.Rules(removed=[3, 2, 1, 0]), r"removed: name the cards in order"),
        (pb.Rules(extra_penalty=[CARD] * 53), r"extra_penalty: 53 entries"),
        (pb.Rules(extra_penalty=[CARD] * 2), r"extra_penalty: name each card once"),
        (pb.Rules(extra_penalty=[pb.CardPoints(card=9)]), r"extra_penalty=0: 1 to 100 points"),
        (pb.Rules(extra_penalty=[pb.CardPoints(card=52, points=1)]), r"extra_penalty: 52 is not"),
        (pb.Rules(extra_penalty=[CARD], bonus=CARD), r"bonus: JC costs points"),
        (pb.Rules(bonus=pb.CardPoints(card=52, points=1)), r"bonus: 52 is not a card"),
        (pb.Rules(bonus=pb.CardPoints(card=9, points=101)), r"bonus=101: 1 to 100 points"),
        (pb.Rules(moon_needs_bonus=True), r"moon_needs_bonus: only with a bonus card"),
        (pb.Rules(deals=3, exact=pb.EXACT_EXACT_WINS), r"exact=exact_wins: a game of 3 deals"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_by_the_option(
    message: pb.Rules, sentence: str
) -> None:
    with pytest.raises(WireError, match=rf"^rules\.{sentence}"):
        decode_rules(message)


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_of_a_newer_version_is_not_played_as_another(name: str) -> None:
    number = pb.Rules.DESCRIPTOR.fields_by_name[name].number
    tag = bytes([number << 3 & 127 | 128, number >> 4])
    newer = pb.Rules.FromString(tag + b"\x63")  # 99
    with pytest.raises(WireError, match=rf"^rules\.{name}: 99 has no meaning here"):
        decode_rules(newer)


def test_an_option_of_a_newer_version_is_not_played_without() -> None:
    newer = pb.Rules.FromString(b"\xf8\x3e\x01")  # field 1007
    with pytest.raises(WireError, match="option 1007 is not known"):
        decode_rules(newer)


@pytest.mark.parametrize("number", [21, 22], ids=["extra_penalty", "bonus"])
def test_what_a_newer_version_says_of_a_card_is_not_left_out(number: int) -> None:
    card = b"\x08\x09\x10\x0a" + b"\xf8\x3e\x01"
    tag = bytes([number << 3 & 127 | 2 | 128, number >> 4])
    newer = pb.Rules.FromString(tag + bytes([len(card)]) + card)
    with pytest.raises(WireError, match="field of card_points 1007 is not known"):
        decode_rules(newer)


@given(st.binary(max_size=60))
def test_damaged_rules_never_crash_the_reader(data: bytes) -> None:
    with suppress(DecodeError, WireError):  # the first where protobuf itself refuses it
        decode_rules(pb.Rules.FromString(data))


@given(st.integers(0, 2**32), st.data())
def test_rules_with_a_damaged_byte_never_crash_the_reader(seed: int, data: st.DataObject) -> None:
    written = bytearray(encode_rules(random_rules(Random(seed))).SerializeToString())
    written[data.draw(st.integers(0, len(written) - 1))] ^= data.draw(st.integers(1, 255))
    with suppress(DecodeError, WireError):
        decode_rules(pb.Rules.FromString(bytes(written)))
