"""What happened, one event at a time, with the view before and after each.

The server sends the view after all the events of a command. To tell and to pace them, a screen
needs those in between; they come from the same fold that the server uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hearts_client.viewstate import state_of
from hearts_engine.events import Event
from hearts_engine.evolve import evolve
from hearts_engine.view import SeatView, observe


@dataclass(frozen=True, slots=True)
class Step:
    """One event between two views."""

    before: SeatView
    event: Event
    after: SeatView


def steps(view: SeatView, events: Iterable[Event]) -> Iterator[Step]:
    """The events that follow this view, each with the views around it."""
    state = state_of(view)
    for event in events:
        state = evolve(state, event)
        after = observe(state, view.seat)
        yield Step(view, event, after)
        view = after
