"""How long seats had to decide, as the times in a log say; record 1 says how long they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.events import (
    Agent,
    CardPlayed,
    ClocksStarted,
    ClocksStopped,
    Event,
    MoonChosen,
    PassChosen,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    StopCause,
)
from hearts_engine.evolve import evolve
from hearts_engine.state import Phase, State
from hearts_replays.finding import Finding, Kind
from hearts_replays.wording import counted, describe
from hearts_wire.records import Record

SECOND: Final = 1_000_000
"""In microseconds, as times in records are."""


def hasty_clock(records: Sequence[Record]) -> Finding | None:
    """The first of these records in which a clock decided before a seat's time was up.

    The rules accept them all.
    """
    if not any(_by_clock(record.event) for record in records):
        return None
    state: State | None = None
    since: Mapping[Seat, int] = {}
    for record in records:
        if state is not None and _by_clock(record.event):
            finding = _fault(state, since, record)
            if finding is not None:
                return finding
        state = evolve(state, record.event)
        since = running_since(since, state, record)
    return None


def running_since(since: Mapping[Seat, int], state: State, record: Record) -> dict[Seat, int]:
    """By seat that is asked, when its time began, given that before the record.

    ``state`` is the game after the record.
    """
    return {
        seat: record.time if _anew(record.event, seat) else since.get(seat, record.time)
        for seat in state.awaited
    }


def seconds_for(state: State, seat: Seat) -> int | None:
    """What a seat has for what it is asked; none where no clock may decide for it."""
    taken, opened = state.game.seats[seat], state.game.opened
    is_person = taken is not None and taken.kind is SeatKind.PERSON
    if is_person and state.game.presence.stopped is not None:
        return None
    seconds = opened.turn_seconds if is_person else opened.bot_seconds
    return (2 if state.phase is Phase.PASSING else 1) * seconds or None


def _anew(event: Event, seat: Seat) -> bool:
    """Whether a seat that is asked has all of its time from here on, whatever it had before."""
    match event:
        case ClocksStarted() | ClocksStopped(StopCause.RESTART):
            return True
        case SeatBack(its_seat) | SeatTakenOver(its_seat):
            return its_seat == seat
        case _:
            return False


def _by_clock(event: Event) -> bool:
    match event:
        case CardPlayed(by=by) | PassChosen(by=by) | MoonChosen(by=by):
            return by is Agent.CLOCK
        case _:
            return False


def _fault(state: State, since: Mapping[Seat, int], record: Record) -> Finding | None:
    """What is wrong with the time of what a clock decided."""
    assert isinstance(record.event, CardPlayed | PassChosen | MoonChosen), "who decides else"
    told = describe(record.event, state.game.rules.players)
    seat = record.event.seat
    seconds = seconds_for(state, seat)
    if seconds is None:
        why = "time stands still" if state.game.presence.stopped else "no clock runs for this seat"
        return Finding(record.seq, Kind.TIME, f"{told}; but {why}")
    early = since[seat] + seconds * SECOND - record.time
    if early <= 0:
        return None
    sentence = f"{told}, {early} microseconds before the {counted(seconds, 'second')} it has"
    return Finding(record.seq, Kind.TIME, sentence)
