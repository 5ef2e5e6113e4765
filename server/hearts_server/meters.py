"""What a server counts while it works: plain numbers, which cost a move next to nothing.

One per server. Whoever wants to know reads them; see ``metrics``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
"""Upper bounds that tell a fast disk from a slow one, and an idle loop from a busy one."""

JOBS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0)
"""Upper bounds of how much was committed at once."""


class Spread:
    """How values spread over intervals. One thread adds to it; any may read."""

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.total = 0.0
        """The sum of all values."""

    def add(self, value: float) -> None:
        """Count a value."""
        self._counts[bisect_left(self._bounds, value)] += 1
        self.total += value

    def up_to(self) -> tuple[tuple[float, int], ...]:
        """For each bound how many values were at most that; the last bound is infinite."""
        bounds = (*self._bounds, float("inf"))
        return tuple(zip(bounds, accumulate(self._counts), strict=True))


@dataclass(slots=True)
class Meters:
    """The counts of one server since it began; only ``attached`` and ``watching`` go down."""

    commands: int = 0
    """Carried out, of seats and of the tables themselves; what follows from one is none."""
    records: int = 0
    """Records on disk."""
    updates: int = 0
    """Updates told to receivers."""
    attaches: int = 0
    attached: int = 0
    """Streams that hold a seat now, house bots apart."""
    watching: int = 0
    """Streams of spectators now."""
    refusals: Counter[str] = field(default_factory=Counter[str])
    """By reason."""
    detached: Counter[str] = field(default_factory=Counter[str])
    """Streams of seats that ended, by cause."""
    commit_seconds: Spread = field(default_factory=lambda: Spread(SECONDS))
    commit_jobs: Spread = field(default_factory=lambda: Spread(JOBS))
    lag_seconds: Spread = field(default_factory=lambda: Spread(SECONDS))
    """How late the event loop came to what was due."""

    def committed(self, jobs: int, seconds: float) -> None:
        """Count a transaction; called by the thread that commits."""
        self.commit_jobs.add(jobs)
        self.commit_seconds.add(seconds)
