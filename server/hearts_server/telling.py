"""How a stream is written: notice by notice to the last, and no longer than its reader takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from hearts_server.clocks import Clock, expire_at, later
from hearts_server.heartbeats import Line
from hearts_server.notices import Notice, Pulse
from hearts_server.subscriber import Subscriber
from hearts_server.table import Table

PARTING_TIME: Final = timedelta(seconds=5)
"""How long a stream that is told nothing new may take to be told the rest."""


@dataclass(frozen=True, slots=True)
class Teller:
    """Writes to one stream what its receiver is told."""

    subscriber: Subscriber
    write: Callable[[Notice], Awaitable[None]]
    clock: Clock
    line: Line

    async def tell(self, reading: asyncio.Task[None] | None = None) -> bool:
        """Write everything, and read nothing once there is nothing new to tell.

        Whether all was written: a reader that does not take the rest in time misses it.
        """
        partings = list[asyncio.Task[None]]()

        def part() -> None:
            _stop(reading)
            # Only now: a task that waits for the end of each stream would take memory all along.
            partings.append(asyncio.create_task(self._part(limit)))

        try:
            async with asyncio.timeout(None) as limit:
                self.subscriber.at_close(part)
                try:
                    async for notice in self.subscriber.notices():
                        self.line.wrote()
                        await self.write(notice)
                finally:
                    self.subscriber.at_close(None)
                    for parting in partings:
                        parting.cancel()
        except TimeoutError:
            return False
        finally:
            _stop(reading)
        return True

    async def _part(self, limit: asyncio.Timeout) -> None:
        await expire_at(self.clock, later(self.clock.now(), PARTING_TIME), limit)


def pulse(table: Table, subscriber: Subscriber) -> None:
    """Tell a receiver where the log of a table stands, and so that it is told at all."""
    subscriber.tell(Pulse(table.journal.seq, table.journal.head))


def _stop(reading: asyncio.Task[None] | None) -> None:
    if reading is not None:
        reading.cancel()
