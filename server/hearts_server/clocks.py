"""Time, as a seam: the system's clock here, a virtual one in tests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Protocol

Microseconds = int
"""Since 1970 UTC."""


class Clock(Protocol):
    """Tells the time and waits for it."""

    def now(self) -> Microseconds:
        """The time, in microseconds since 1970 UTC."""
        ...

    async def wait_until(self, moment: Microseconds) -> None:
        """Return at this moment, or at once if it has passed."""
        ...


class SystemClock:
    """The clock of this machine, which goes on as before where somebody sets that back.

    Else every turn would last until the time is again what it was.
    """

    def __init__(self) -> None:
        self._began: Microseconds = 0
        """When the machine's running time began, as the latest of its clock's times has it."""

    def now(self) -> Microseconds:
        """The time, in microseconds since 1970 UTC; never earlier than before."""
        running = time.monotonic_ns() // 1000
        self._began = max(self._began, time.time_ns() // 1000 - running)
        return self._began + running

    async def wait_until(self, moment: Microseconds) -> None:
        """Return at this moment, or at once if it has passed."""
        await asyncio.sleep(max(0, moment - self.now()) / 1_000_000)


@asynccontextmanager
async def due(clock: Clock, moment: Microseconds) -> AsyncGenerator[None, None]:
    """A block that must be done by this moment; ``TimeoutError`` if it is not."""
    async with asyncio.timeout(None) as limit:
        # In no group, which would wrap what the block raises; it ends with the block all the same.
        alarm = asyncio.create_task(expire_at(clock, moment, limit))
        try:
            yield
        finally:
            alarm.cancel()


async def expire_at(clock: Clock, moment: Microseconds, limit: asyncio.Timeout) -> None:
    """Let a limit be over at this moment."""
    await clock.wait_until(moment)
    limit.reschedule(asyncio.get_running_loop().time())


def later(moment: Microseconds, by: timedelta) -> Microseconds:
    """A moment so much later."""
    return moment + by // timedelta(microseconds=1)
