"""What a table notes by itself: who is away, whether time runs. Pure."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from hearts_engine.attendance import MISSES, is_under_way
from hearts_engine.cards import Seat
from hearts_engine.commands import Command, MarkAway, MarkBack, StartClocks, StopClocks
from hearts_engine.events import Absence, SeatKind, StopCause
from hearts_engine.state import State

GONE: Final = frozenset({Absence.LEFT, Absence.REMOVED})
"""The absences of those who are not expected back any moment."""


def next_duty(state: State, connected: Collection[Seat], *, gone: bool) -> Command | None:
    """What has to be noted next, with somebody connected for these seats; none if nothing.

    ``gone``: people who are not connected have been so for long enough to say so.
    """
    if not is_under_way(state):
        return None
    presence, opened = state.game.presence, state.game.opened
    for index, misses in enumerate(presence.misses):
        if misses >= MISSES and presence.away[index] is None:
            return MarkAway(Seat(index), Absence.MISSED)
    match presence.stopped:
        case None if gone and opened.turn_seconds and not is_attended(state, connected):
            return StopClocks(StopCause.ABSENCE)
        case StopCause.ABSENCE | StopCause.RESTART if is_attended(state, connected):
            return StartClocks()
        case _:
            return None


def is_attended(state: State, connected: Collection[Seat]) -> bool:
    """Whether one of the people at a table is connected, if it has people."""
    people = people_at(state)
    return not people or not people.isdisjoint(connected)


def people_at(state: State) -> frozenset[Seat]:
    """The seats of people who have not left and were not removed."""
    away = state.game.presence.away
    return frozenset(
        taken.seat
        for taken in state.game.seats
        if taken and taken.kind is SeatKind.PERSON and away[taken.seat] not in GONE
    )


def return_of(state: State, seat: Seat) -> Command | None:
    """What has to be noted when a seat's owner does anything at all; none if nothing."""
    if is_under_way(state) and state.game.presence.away[seat] in {Absence.MISSED, Absence.LEFT}:
        return MarkBack(seat)
    return None


def absent_deciders(state: State) -> tuple[Seat, ...]:
    """The seats that are asked for something and decided for at once: nobody is to be back.

    Who only let the time run out may be back any moment, see
    :data:`hearts_server.timekeeper.AUTOPILOT_TIME`.
    """
    presence = state.game.presence
    if presence.stopped is StopCause.HOST:
        return ()
    return tuple(seat for seat in state.awaited if presence.away[seat] in GONE)
