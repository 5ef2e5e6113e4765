"""What a seat was shown, record by record: every view must be just what that adds up to.

Records are receipts, views are not. A server that showed another hand or another trick than it
logs would get cards chosen upon a lie, and nothing in the log would tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hearts_engine.cards import Seat
from hearts_engine.events import Event
from hearts_engine.evolve import evolve
from hearts_engine.state import State
from hearts_engine.view import SeatView, observe
from hearts_replays.seating import seat_fault
from hearts_wire.bounds import WireError


@dataclass(frozen=True, slots=True)
class Shown:
    """The game as far as one seat, or a spectator, can follow it."""

    seat: Seat | None
    state: State | None = None

    def after(self, events: Iterable[Event]) -> Shown:
        """The game after these events; ``WireError`` for one that no such table can have."""
        state = self.state
        for event in events:
            players = None if state is None else state.game.rules.players
            fault = None if players is None else seat_fault(event, players)
            if fault is not None:
                raise WireError(f"event: {fault}")
            try:
                state = evolve(state, event)
            except (ValueError, IndexError) as error:
                raise WireError(f"event: cannot follow what came before: {error}") from error
        return replace(self, state=state)

    def agreed(self, view: SeatView) -> SeatView:
        """The view, if the records say the same; ``WireError`` if not."""
        if self.state is None or self._observed(self.state) != view:
            raise WireError("view: not what the records shown to this seat add up to")
        return view

    def folded(self) -> SeatView | None:
        """The view that the records add up to; none before the first."""
        return None if self.state is None else self._observed(self.state)

    def _observed(self, state: State) -> SeatView | None:
        """What the seat sees; none of what no hand can be, such as three equal cards."""
        try:
            return observe(state, self.seat)
        except (ValueError, IndexError):
            return None
