"""What someone who sits down, or comes back, has missed and is told of."""

from __future__ import annotations

from hearts_client.news import Joined
from hearts_client.steps import Step, steps
from hearts_engine.events import DealBegan, Event
from hearts_engine.view import SeatView


def steps_to_tell(joined: Joined, known: SeatView | None) -> tuple[Step, ...]:
    """What was missed, from where ``known`` stands.

    Someone who comes to a game that has been going on hears of the current deal only.
    """
    if joined.returned and known is not None:
        return tuple(steps(known, joined.missed))
    return tuple(steps(joined.view, _current_deal(joined.missed)))


def _current_deal(events: tuple[Event, ...]) -> tuple[Event, ...]:
    begun = [index for index, event in enumerate(events) if isinstance(event, DealBegan)]
    return events[begun[-1] :] if begun else ()
