"""Which seats decide by themselves, and whether time runs."""

from __future__ import annotations

from hearts_engine.cards import Seat
from hearts_engine.events import Absence, Agent, StopCause
from hearts_engine.exchange import put
from hearts_engine.value import replace, value


@value
class Presence:
    """Attendance in a game as it stands; every tuple is by seat."""

    away: tuple[Absence | None, ...]
    """Why decisions are made for a seat; none where it decides by itself."""
    misses: tuple[int, ...]
    """How often in a row a seat's time ran out."""
    stopped: StopCause | None = None
    """Why time stands still."""

    def gone(self, seat: Seat, absence: Absence) -> Presence:
        """After a seat went away."""
        return replace(self, away=put(self.away, seat, absence))

    def back(self, seat: Seat) -> Presence:
        """After a seat came back, or was taken over."""
        return replace(self, away=put(self.away, seat, None), misses=put(self.misses, seat, 0))

    def decided(self, seat: Seat, by: Agent) -> Presence:
        """After a decision for a seat; itself where that changes nothing."""
        misses = self.misses[seat]
        match by:
            case Agent.SEAT if misses:
                return replace(self, misses=put(self.misses, seat, 0))
            case Agent.CLOCK:
                return replace(self, misses=put(self.misses, seat, misses + 1))
            case _:
                return self


def all_present(players: int) -> Presence:
    """Nobody is away, and time runs."""
    return Presence((None,) * players, (0,) * players)
