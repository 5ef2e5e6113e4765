"""How long seats had to decide, as the times in a log say; record 1 says how long they may."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.events import (
    Agent,
    CardPlayed,
    Event,
    MoonChosen,
    PassChosen,
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
    """By seat whose time runs, when it began, given that before the record.

    ``state`` is the game after the record. A clock that was stopped starts with all of its time.
    """
    taken_over = record.event.seat if isinstance(record.event, SeatTakenOver) else None
    return {
        seat: record.time if seat == taken_over else since.get(seat, record.time)
        for seat in state.awaited
        if seconds_for(state, seat)
    }


def seconds_for(state: State, seat: Seat) -> int:
    """What a seat has for what it is asked; 0 where no clock runs for it."""
    taken, opened, presence = state.game.seats[seat], state.game.opened, state.game.presence
    is_person = taken is not None and taken.kind is SeatKind.PERSON
    if presence.away[seat] is not None or _stands_still(presence.stopped, is_person=is_person):
        return 0
    seconds = opened.turn_seconds if is_person else opened.bot_seconds
    return 2 * seconds if state.phase is Phase.PASSING else seconds


def _stands_still(stopped: StopCause | None, *, is_person: bool) -> bool:
    """Whether a clock is stopped; that of a bot runs on while no person is there."""
    return stopped is StopCause.HOST or (stopped is not None and is_person)


def _by_clock(event: Event) -> bool:
    match event:
        case CardPlayed(by=by) | PassChosen(by=by) | MoonChosen(by=by):
            return by is Agent.CLOCK
        case _:
            return False


def _fault(state: State, since: Mapping[Seat, int], record: Record) -> Finding | None:
    """What is wrong with the time of what a clock decided."""
    assert isinstance(record.event, CardPlayed | PassChosen | MoonChosen), "who decides else"
    seat, told = record.event.seat, describe(record.event, state.game.rules.players)
    seconds = seconds_for(state, seat)
    if not seconds:
        return Finding(record.seq, Kind.TIME, f"{told}, and no clock runs for this seat")
    early = since[seat] + seconds * SECOND - record.time
    if early <= 0:
        return None
    sentence = f"{told}, {early} microseconds before the {counted(seconds, 'second')} it has"
    return Finding(record.seq, Kind.TIME, sentence)
