"""One beat for whatever on a server may wait a moment, so that a burst of it is done once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from hearts_server.clocks import Clock, later
from hearts_server.logbook import Entry, about, trace_of

BEAT: Final = timedelta(milliseconds=500)

METRONOME: Final = "metronome"
"""The name of the task that keeps the beat."""

Work = Callable[[], None]

log = logging.getLogger(__name__)


class Metronome:
    """Does what it was given at the next beat; what it was given twice until then, once."""

    def __init__(self) -> None:
        self._due: dict[Work, None] = {}

    def at_next_beat(self, work: Work) -> None:
        """Have this done once."""
        self._due[work] = None

    async def run(self, clock: Clock, *always: Work) -> None:
        """Keep the beat until cancelled, and do these things at every one."""
        while True:
            await clock.wait_until(later(clock.now(), BEAT))
            due, self._due = self._due, {}
            for work in (*due, *always):
                _do(work)


def _do(work: Work) -> None:
    """One table's failure must not stop the beat for the others."""
    try:
        work()
    except Exception as error:  # noqa: BLE001  (it is noted)
        log.error(Entry.BEAT_FAILED, extra=about(trace=trace_of(error)))  # noqa: TRY400  (no words)
