"""Rules as a message and back. An absent option has the value of standard Hearts."""

from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType
from typing import Final

from google.protobuf.unknown_fields import UnknownFieldSet

from hearts_engine.errors import BadRules
from hearts_engine.passing import Direction
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_proto.v1 import rules_pb2 as pb
from hearts_wire.bounds import WireError, named

DIRECTIONS: Final = MappingProxyType(
    {
        Direction.LEFT: pb.DIRECTION_LEFT,
        Direction.RIGHT: pb.DIRECTION_RIGHT,
        Direction.ACROSS: pb.DIRECTION_ACROSS,
        Direction.HOLD: pb.DIRECTION_HOLD,
    }
)
_FINISHES: Final = MappingProxyType(
    {Finish.PLAY_OUT: pb.FINISH_PLAY_OUT, Finish.EARLY: pb.FINISH_EARLY}
)
_DIRECTIONS_BACK: Final = {int(number): direction for direction, number in DIRECTIONS.items()}
_FINISHES_BACK: Final = {int(number): finish for finish, number in _FINISHES.items()}

_STANDARD: Final = Rules()


def encode_rules(rules: Rules) -> pb.Rules:
    """Every option, written out."""
    return pb.Rules(
        players=rules.players,
        pass_count=rules.pass_count,
        pass_cycle=[DIRECTIONS[direction] for direction in rules.pass_cycle],
        target=rules.target,
        finish=_FINISHES[rules.finish],
    )


def decode_rules(message: pb.Rules) -> Rules:
    """The rules in a message.

    Raises ``WireError`` where an option has no meaning here, or they cannot be played together.
    An option this version does not know is refused too: leaving it out would be another game.
    """
    unknown = UnknownFieldSet(message)
    if len(unknown):
        number = unknown[0].field_number
        raise WireError(f"rules: option {number} is not known to this version, a newer one may")
    cycle = tuple(direction_at("rules.pass_cycle", number) for number in message.pass_cycle)
    finish = named("rules.finish", message.finish or pb.FINISH_PLAY_OUT, _FINISHES_BACK)
    try:
        return _rules(
            message.players or _STANDARD.players,
            message.pass_count or _STANDARD.pass_count,
            cycle or _STANDARD.pass_cycle,
            message.target or _STANDARD.target,
            finish,
        )
    except BadRules as error:
        raise WireError(f"rules.{error}") from None


def direction_at(field: str, number: int) -> Direction:
    """The direction that a number stands for."""
    return named(field, number, _DIRECTIONS_BACK)


@lru_cache(maxsize=64)
def _rules(
    players: int, pass_count: int, cycle: tuple[Direction, ...], target: int, finish: Finish
) -> Rules:
    """Rules are costly to build and every view carries them, so equal ones are shared."""
    return Rules(players, pass_count, cycle, target, finish)
