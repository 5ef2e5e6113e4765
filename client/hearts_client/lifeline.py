"""Signs of life on a stream: its own every 15 seconds, and an end to one that is silent for 45."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from datetime import timedelta
from typing import Final

from grpc import StatusCode

from hearts_client.connection import ServerError

BEAT: Final = timedelta(seconds=15)
"""How often a sign of life is given."""

SILENCE: Final = timedelta(seconds=45)
"""How long the server may be silent; it gives a sign of life at least every 20 seconds."""


def no_beat() -> None:
    """What is done at a beat where only the other end can say something."""


class Lifeline:
    """Whether somebody is there at the other end of a stream."""

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """``now`` counts seconds from anywhere, ``pause`` waits so many."""
        self._now = now
        self._pause = pause
        self._heard_at = now()

    def heard(self) -> None:
        """Something came, or a stream has just begun."""
        self._heard_at = self._now()

    async def silence(self, beat: Callable[[], None] = no_beat) -> ServerError:
        """Wait, with a beat now and then, until too long nothing was heard; what that means."""
        self.heard()
        while (left := self._heard_at + SILENCE.total_seconds() - self._now()) > 0:
            await self._pause(min(BEAT.total_seconds(), left))
            beat()
        sentence = f"nothing was heard of the server for {SILENCE.seconds} seconds"
        return ServerError(StatusCode.UNAVAILABLE, "SILENT", sentence)


async def until_silent(
    receiving: Coroutine[None, None, ServerError | None],
    silence: Coroutine[None, None, ServerError],
    *meanwhile: Coroutine[None, None, None],
) -> ServerError | None:
    """Receive a stream to its end or to its silence, and do the rest meanwhile; what ended it."""
    async with asyncio.TaskGroup() as tasks:
        received, silent = tasks.create_task(receiving), tasks.create_task(silence)
        others = [tasks.create_task(each) for each in meanwhile]
        await asyncio.wait((received, silent), return_when=asyncio.FIRST_COMPLETED)
        error = received.result() if received.done() else silent.result()
        for task in (received, silent, *others):
            task.cancel()
    return error
