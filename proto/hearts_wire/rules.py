"""Rules as a message and back. An absent option has the value of standard Hearts."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final, Protocol

from google.protobuf.unknown_fields import UnknownFieldSet

from hearts_engine.cards import PACK_SIZE
from hearts_engine.errors import BadRules
from hearts_engine.options import (
    CardPoints,
    Exact,
    Finish,
    FirstForced,
    FirstTrick,
    HeartValue,
    Kitty,
    LastCancelled,
    Moon,
    MoonChoice,
    Opening,
    QueenDump,
    QueenOnlyLead,
    Reach,
    Sun,
    Tie,
    Twins,
)
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.rules import Rules
from hearts_engine.soundness import LONGEST_CYCLE
from hearts_proto.v1 import rules_pb2 as pb
from hearts_wire.bounds import WireError, at_most, card_at, cards_at, named


class _Numbers(Protocol):
    """What is asked of an enum of the schema."""

    def Value(self, name: str, /) -> int: ...  # noqa: N802  (protobuf's name)


def _numbers(choices: type[StrEnum], messages: _Numbers, prefix: str) -> dict[str, int]:
    """The number of each choice; the message's names are ours with a prefix."""
    return {choice: messages.Value(f"{prefix}_{choice.name}") for choice in choices}


_CHOICES: Final[dict[str, tuple[type[StrEnum], dict[str, int]]]] = {
    "kitty": (Kitty, _numbers(Kitty, pb.Kitty, "KITTY")),
    "opening": (Opening, _numbers(Opening, pb.Opening, "OPENING")),
    "first_trick": (FirstTrick, _numbers(FirstTrick, pb.FirstTrick, "FIRST_TRICK")),
    "first_forced": (FirstForced, _numbers(FirstForced, pb.FirstForced, "FIRST_FORCED")),
    "queen_only_lead": (
        QueenOnlyLead,
        _numbers(QueenOnlyLead, pb.QueenOnlyLead, "QUEEN_ONLY_LEAD"),
    ),
    "queen_dump": (QueenDump, _numbers(QueenDump, pb.QueenDump, "QUEEN_DUMP")),
    "twins": (Twins, _numbers(Twins, pb.Twins, "TWINS")),
    "last_cancelled": (
        LastCancelled,
        _numbers(LastCancelled, pb.LastCancelled, "LAST_CANCELLED"),
    ),
    "heart_value": (HeartValue, _numbers(HeartValue, pb.HeartValue, "HEART_VALUE")),
    "moon": (Moon, _numbers(Moon, pb.Moon, "MOON")),
    "reach": (Reach, _numbers(Reach, pb.Reach, "REACH")),
    "exact": (Exact, _numbers(Exact, pb.Exact, "EXACT")),
    "tie": (Tie, _numbers(Tie, pb.Tie, "TIE")),
    "finish": (Finish, _numbers(Finish, pb.Finish, "FINISH")),
}
"""The options that are a choice among names; zero stands for the standard one."""

_COUNTS: Final = ("players", "decks", "pass_count", "target")
"""The options that are a number of which zero stands for the standard one."""

_SWITCHES: Final = (
    "keep_top_spades",
    "must_break",
    "queen_breaks",
    "bonus_floor",
    "moon_needs_bonus",
)

_LONGEST: Final = MappingProxyType(
    {"removed": 2 * PACK_SIZE, "pass_cycle": LONGEST_CYCLE, "extra_penalty": PACK_SIZE}
)
"""How many entries a list may have; more are not even looked at."""

DIRECTIONS: Final = MappingProxyType(
    {direction: pb.Direction.Value(f"DIRECTION_{direction.name}") for direction in Direction}
)
_DIRECTIONS_BACK: Final = {int(number): direction for direction, number in DIRECTIONS.items()}

MOON_CHOICES: Final = MappingProxyType(
    {choice: pb.MoonChoice.Value(f"MOON_CHOICE_{choice.name}") for choice in MoonChoice}
)
_MOON_CHOICES_BACK: Final = {int(number): choice for choice, number in MOON_CHOICES.items()}

_STANDARD: Final = Rules()


def encode_rules(rules: Rules) -> pb.Rules:
    """Every option, written out."""
    into = pb.Rules(
        removed=rules.removed,
        pass_cycle=[DIRECTIONS[direction] for direction in rules.pass_cycle],
        queen_value=rules.queen_value,
        extra_penalty=[pb.CardPoints(card=card, points=cost) for card, cost in rules.extra_penalty],
        no_tricks_bonus=rules.no_tricks_bonus,
        deals=rules.deals or 0,
    )
    for name in (*_COUNTS, *_SWITCHES):
        setattr(into, name, getattr(rules, name))
    for name, (_, numbers) in _CHOICES.items():
        setattr(into, name, numbers[getattr(rules, name)])
    if rules.bonus is not None:
        into.bonus.card, into.bonus.points = rules.bonus
    if rules.sun == "double":
        into.sun_double = True
    elif rules.sun != "none":
        into.sun_points = rules.sun
    return into


def decode_rules(message: pb.Rules) -> Rules:
    """The rules in a message.

    Raises ``WireError`` where an option has no meaning here, or they cannot be played together.
    An option this version does not know is refused too: leaving it out would be another game.
    """
    _require_known("option", message)
    for name, most in _LONGEST.items():
        at_most(f"rules.{name}", len(getattr(message, name)), most)
    for card_points in (message.bonus, *message.extra_penalty):
        _require_known("field of card_points", card_points)
    # Rules are costly to build and every view carries them, so equal ones are shared.
    return _decoded(message.SerializeToString(deterministic=True))


def _require_known(what: str, message: pb.Rules | pb.CardPoints) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        number = unknown[0].field_number
        raise WireError(f"rules: {what} {number} is not known to this version, a newer one may")


@lru_cache(maxsize=256)
def _decoded(octets: bytes) -> Rules:
    message = pb.Rules.FromString(octets)
    options: dict[str, object] = {
        "removed": cards_at("rules.removed", message.removed),
        "pass_cycle": tuple(direction_at("rules.pass_cycle", way) for way in message.pass_cycle)
        or usual_cycle(message.players or _STANDARD.players),
        "extra_penalty": tuple(
            _card_points("extra_penalty", price) for price in message.extra_penalty
        ),
        "bonus": _card_points("bonus", message.bonus) if message.HasField("bonus") else None,
        "sun": _sun(message),
        "no_tricks_bonus": message.no_tricks_bonus,
        "deals": message.deals or None,
    }
    for name in _COUNTS:
        options[name] = getattr(message, name) or getattr(_STANDARD, name)
    for name in (*_SWITCHES, "queen_value"):
        written = message.HasField(name)  # type: ignore[arg-type]  # a name of the schema
        options[name] = getattr(message if written else _STANDARD, name)
    for name, (choices, numbers) in _CHOICES.items():
        back = {number: choices(choice) for choice, number in numbers.items()}
        standard = numbers[getattr(_STANDARD, name)]
        options[name] = named(f"rules.{name}", getattr(message, name) or standard, back)
    try:
        return Rules(**options)  # type: ignore[arg-type]  # each is read as its type
    except BadRules as error:
        raise WireError(f"rules.{error}") from None


def _card_points(field: str, message: pb.CardPoints) -> CardPoints:
    return CardPoints(card_at(f"rules.{field}", message.card), message.points)


def _sun(message: pb.Rules) -> Sun:
    match message.WhichOneof("sun"):
        case "sun_points":
            return message.sun_points
        case "sun_double":
            if not message.sun_double:
                raise WireError("rules.sun_double: leave it out for no more than another moon")
            return "double"
        case _:
            return "none"


def direction_at(field: str, number: int) -> Direction:
    """The direction that a number stands for."""
    return named(field, number, _DIRECTIONS_BACK)


def moon_choice_at(field: str, number: int) -> MoonChoice:
    """The choice that a number stands for."""
    return named(field, number, _MOON_CHOICES_BACK)
