"""Coming and going, stopped clocks and games given up, as messages and back."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, assert_never

from hearts_engine.events import (
    Absence,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    GameClosed,
    SeatAway,
    SeatBack,
    SeatTakenOver,
    StopCause,
)
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.bounds import named, seat_at
from hearts_wire.seats import SEAT_KINDS, kind_at

ABSENCES: Final = MappingProxyType(
    {
        Absence.MISSED: pb.ABSENCE_MISSED,
        Absence.LEFT: pb.ABSENCE_LEFT,
        Absence.REMOVED: pb.ABSENCE_REMOVED,
    }
)
STOP_CAUSES: Final = MappingProxyType(
    {
        StopCause.HOST: pb.STOP_CAUSE_HOST,
        StopCause.ABSENCE: pb.STOP_CAUSE_ABSENCE,
        StopCause.RESTART: pb.STOP_CAUSE_RESTART,
    }
)
CLOSE_CAUSES: Final = MappingProxyType({CloseCause.UNATTENDED: pb.CLOSE_CAUSE_UNATTENDED})
_ABSENCES_BACK: Final = {int(number): absence for absence, number in ABSENCES.items()}
_STOP_CAUSES_BACK: Final = {int(number): cause for cause, number in STOP_CAUSES.items()}
_CLOSE_CAUSES_BACK: Final = {int(number): cause for cause, number in CLOSE_CAUSES.items()}

Attendance = SeatAway | SeatBack | SeatTakenOver | ClocksStopped | ClocksStarted | GameClosed


def write_attendance(into: pb.Event, event: Attendance) -> None:
    """Fill an empty message with an event of coming and going."""
    match event:
        case SeatAway(seat, absence):
            into.seat_away.seat = seat
            into.seat_away.absence = ABSENCES[absence]
        case SeatBack(seat):
            into.seat_back.SetInParent()
            into.seat_back.seat = seat
        case SeatTakenOver(seat, name, kind):
            over = into.seat_taken_over
            over.seat, over.name, over.kind = seat, name, SEAT_KINDS[kind]
        case ClocksStopped(cause):
            into.clocks_stopped.cause = STOP_CAUSES[cause]
        case ClocksStarted():
            into.clocks_started.SetInParent()
        case GameClosed(cause):
            into.game_closed.cause = CLOSE_CAUSES[cause]
        case _:
            assert_never(event)


def decode_away(message: pb.SeatAway) -> SeatAway:
    """Which seat is away, and why; ``WireError`` if a field is out of bounds."""
    seat = seat_at("seat_away.seat", message.seat)
    return SeatAway(seat, absence_at("seat_away.absence", message.absence))


def decode_taken_over(message: pb.SeatTakenOver) -> SeatTakenOver:
    """Who took over which seat; ``WireError`` if a field is out of bounds."""
    seat = seat_at("seat_taken_over.seat", message.seat)
    return SeatTakenOver(seat, message.name, kind_at("seat_taken_over.kind", message.kind))


def absence_at(field: str, number: int) -> Absence:
    """The reason for an absence that a number stands for."""
    return named(field, number, _ABSENCES_BACK)


def stop_cause_at(field: str, number: int) -> StopCause:
    """The cause of stopped clocks that a number stands for."""
    return named(field, number, _STOP_CAUSES_BACK)


def close_cause_at(field: str, number: int) -> CloseCause:
    """The cause for which a game was given up that a number stands for."""
    return named(field, number, _CLOSE_CAUSES_BACK)
