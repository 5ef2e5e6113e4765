"""What is said when somebody comes or goes, time stops, or a game is given up."""

from __future__ import annotations

from typing import assert_never

from hearts_client.seatnames import SeatNames
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

Attendance = SeatAway | SeatBack | SeatTakenOver | ClocksStopped | ClocksStarted | GameClosed


def attendance_words(event: Attendance, names: SeatNames) -> tuple[str, str]:
    """A stable word for programs, and a sentence for people."""
    match event:
        case SeatAway(seat, absence):
            for_whom = "you" if seat == names.me else "them"
            return "AWAY", f"{_why_away(names.name(seat), absence)}, a bot plays for {for_whom}"
        case SeatBack(seat):
            verb = "are" if seat == names.me else "is"
            return "BACK", f"{names.name(seat)} {verb} back"
        case SeatTakenOver(seat):
            return "TAKEOVER", f"{names.does(seat, 'take')} over the seat {names.places[seat]}"
        case ClocksStopped(cause):
            return "PAUSE", _why_stopped(cause)
        case ClocksStarted():
            return "RESUME", "the game goes on"
        case GameClosed(cause):
            return "CLOSED", f"the game is given up, {_why_closed(cause)}"
        case _:
            assert_never(event)


def _why_away(name: str, absence: Absence) -> str:
    match absence:
        case Absence.MISSED:
            return f"{name} ran out of time twice"
        case Absence.LEFT:
            return f"{name} left"
        case Absence.REMOVED:
            return f"the host removed {name}"
        case _:
            assert_never(absence)


def _why_stopped(cause: StopCause) -> str:
    match cause:
        case StopCause.HOST:
            return "the host paused the game"
        case StopCause.ABSENCE:
            return "the clocks stand while no person is connected"
        case StopCause.RESTART:
            return "the server was started again, the clocks stand until somebody is back"
        case _:
            assert_never(cause)


def _why_closed(cause: CloseCause) -> str:
    match cause:
        case CloseCause.UNATTENDED:
            return "nobody was connected for too long"
        case _:
            assert_never(cause)
