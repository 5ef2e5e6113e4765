"""Who sits where, and who chose a card, as messages and back."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from hearts_engine.events import Agent, SeatKind, SeatTaken
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.bounds import named, octets_or_none, seat_at

SEAT_KINDS: Final = MappingProxyType(
    {
        SeatKind.PERSON: pb.SEAT_KIND_PERSON,
        SeatKind.BOT: pb.SEAT_KIND_BOT,
        SeatKind.HOUSE: pb.SEAT_KIND_HOUSE,
    }
)
AGENTS: Final = MappingProxyType(
    {
        Agent.SEAT: pb.AGENT_SEAT,
        Agent.CLOCK: pb.AGENT_CLOCK,
        Agent.AUTOPILOT: pb.AGENT_AUTOPILOT,
    }
)
_SEAT_KINDS_BACK: Final = {int(number): kind for kind, number in SEAT_KINDS.items()}
_AGENTS_BACK: Final = {int(number): agent for agent, number in AGENTS.items()}


def write_seat(into: pb.SeatTaken, taken: SeatTaken) -> None:
    """Fill a message with who sits on a seat."""
    into.seat = taken.seat
    into.name = taken.name
    into.kind = SEAT_KINDS[taken.kind]
    into.bot = taken.bot
    into.commitment = taken.commitment


def encode_seat(taken: SeatTaken) -> pb.SeatTaken:
    """Who sits on a seat."""
    into = pb.SeatTaken()
    write_seat(into, taken)
    return into


def decode_seat(message: pb.SeatTaken) -> SeatTaken:
    """Who sits on a seat; ``WireError`` if a field is out of bounds."""
    return SeatTaken(
        seat_at("seat_taken.seat", message.seat),
        message.name,
        kind_at("seat_taken.kind", message.kind),
        message.bot,
        octets_or_none("seat_taken.commitment", message.commitment),
    )


def kind_at(field: str, number: int) -> SeatKind:
    """The kind of seat that a number stands for."""
    return named(field, number, _SEAT_KINDS_BACK)


def agent_at(field: str, number: int) -> Agent:
    """The agent that a number stands for."""
    return named(field, number, _AGENTS_BACK)
