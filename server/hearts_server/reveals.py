"""The time that seats have to reveal their entropy."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from hearts_server.clocks import Clock, Microseconds, later
from hearts_server.errors import Refused

REVEAL_TIME = timedelta(seconds=10)
"""How long a seat may take to reveal its entropy before the log says withheld."""

log = logging.getLogger(__name__)


class RevealTimer:
    """Runs exactly while entropy is owed, and then has it withheld."""

    def __init__(self, clock: Clock, withhold: Callable[[], Awaitable[None]]) -> None:
        self._clock = clock
        self._withhold = withhold
        self._task: asyncio.Task[None] | None = None
        self.deadline: Microseconds | None = None
        """When the game goes on without what is owed; none while nothing is."""

    def keep(self, tasks: asyncio.TaskGroup, *, owed: bool) -> None:
        """Start or stop, as it needs."""
        if owed and self._task is None:
            self.deadline = later(self._clock.now(), REVEAL_TIME)
            self._task = tasks.create_task(self._run(self.deadline))
        elif not owed:
            self.stop()

    def stop(self) -> None:
        """Let the time run for ever."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.deadline = None

    async def _run(self, moment: Microseconds) -> None:
        while True:
            await self._clock.wait_until(moment)
            try:
                await self._withhold()
            except Refused as refused:
                # The store failed; the game cannot go on without this, so it is tried again.
                log.warning("entropy cannot be withheld yet: %s", refused.reason)
                moment = later(self._clock.now(), REVEAL_TIME)
            else:
                return
