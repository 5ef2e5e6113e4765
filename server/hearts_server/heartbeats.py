"""Signs of life on streams that would be silent otherwise."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from hearts_server.clocks import Clock, Microseconds, later

SILENCE: Final = timedelta(seconds=15)
"""How long a stream may be silent."""

LOOK: Final = timedelta(seconds=5)
"""How often streams are looked at: a sign of life may be so much late."""


class Line:
    """A stream that is listened to."""

    __slots__ = ("_clock", "last", "pulse")

    def __init__(self, clock: Clock, pulse: Callable[[], None]) -> None:
        self._clock = clock
        self.pulse = pulse
        """Has a sign of life written."""
        self.last = clock.now()
        """When something was written to it, or was to be."""

    def wrote(self) -> None:
        """Something is written to it now."""
        self.last = self._clock.now()


class Heartbeats:
    """Looks after all streams of a server, at the cost of one look at each every few seconds."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self._lines: set[Line] = set()
        self._next_look: Microseconds = 0

    @contextmanager
    def kept(self, pulse: Callable[[], None]) -> Generator[Line, None, None]:
        """A stream that gets a sign of life by this, whenever it was silent, until its end."""
        line = Line(self.clock, pulse)
        self._lines.add(line)
        try:
            yield line
        finally:
            self._lines.discard(line)

    def beat(self) -> None:
        """Give signs of life where they are due."""
        now = self.clock.now()
        if now < self._next_look:
            return
        self._next_look = later(now, LOOK)
        for line in tuple(self._lines):
            if later(line.last, SILENCE) <= now:
                line.last = now  # also for a reader that is stuck: it must not get a pile of them
                line.pulse()
