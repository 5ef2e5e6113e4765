"""An alarm that is set anew with every card and seldom rings."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from hearts_server.clocks import Clock, Microseconds


class Alarm:
    """Rings at the moment that it was last set to.

    Its sleeper is woken only to ring earlier than it meant to; else it sleeps on to where it was
    going and looks again, so that a moment put off costs no task.
    """

    def __init__(self, clock: Clock, tasks: asyncio.TaskGroup, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._tasks = tasks
        self._ring = ring
        self._moment: Microseconds | None = None
        self._wakes: Microseconds = 0
        self._sleeper: asyncio.Task[None] | None = None

    def set(self, moment: Microseconds | None) -> None:
        """Ring at this moment and at no other; at none: not at all."""
        if moment is None:
            self.stop()
            return
        self._moment = moment
        if self._sleeper is not None and self._wakes <= moment:
            return
        self.stop()
        self._moment = self._wakes = moment
        self._sleeper = self._tasks.create_task(self._sleep())

    def stop(self) -> None:
        """Never ring again, until it is set."""
        self._moment = None
        if self._sleeper is not None:
            self._sleeper.cancel()
            self._sleeper = None

    async def _sleep(self) -> None:
        while self._rings_later():
            await self._clock.wait_until(self._wakes)
        self._sleeper = None

    def _rings_later(self) -> bool:
        """Ring if it is time to; whether there is a moment left to sleep to."""
        if self._moment is not None and self._moment <= self._clock.now():
            self._moment = None
            self._ring()
        if self._moment is None:
            return False
        self._wakes = self._moment
        return True
