"""A word when time runs short."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

PauseFor: TypeAlias = Callable[[float], Awaitable[None]]
"""Waits so many seconds."""

SHORT: Final = 10
"""Seconds that are left when it is said."""


class Alarm:
    """Set when a decision is due, cleared when it is made; rings at most once."""

    def __init__(self, tasks: asyncio.TaskGroup, pause: PauseFor, ring: Callable[[], None]) -> None:
        self._tasks = tasks
        self._pause = pause
        self._ring = ring
        self._waiting: asyncio.Task[None] | None = None

    def set(self, left: int | None) -> None:
        """Ring when few of these seconds are left; not at all where time has no end."""
        self.clear()
        if left is not None and left > SHORT:
            self._waiting = self._tasks.create_task(self._wait(left - SHORT))

    def clear(self) -> None:
        """Do not ring."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    async def _wait(self, seconds: float) -> None:
        await self._pause(seconds)
        self._waiting = None
        self._ring()
