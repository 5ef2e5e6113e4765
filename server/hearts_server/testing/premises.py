"""Time that stands still, chance that comes again, and premises made of them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from hashlib import shake_256
from typing import Final

from hearts_replays.keys import SigningKey
from hearts_replays.log import Store
from hearts_replays.memory import MemoryStore
from hearts_server.clocks import Clock, Microseconds, later
from hearts_server.journal import Premises
from hearts_server.metronome import METRONOME

MIDNIGHT: Final = 1_767_225_600_000_000
"""Where virtual time starts: 2026-01-01, in microseconds since 1970 UTC."""

KEY: Final = SigningKey.from_seed(b"hearts_server.testing".ljust(32, b"\0"))
"""Seals the logs of tests."""


class VirtualClock:
    """Time that passes only when it is told to."""

    def __init__(self, start: Microseconds = MIDNIGHT) -> None:
        self._now = start
        self._alarms: list[tuple[Microseconds, asyncio.Future[None]]] = []
        self._beats: set[asyncio.Future[None]] = set()
        self._waited_for = asyncio.Event()

    @property
    def waiting(self) -> int:
        """How many wait for a moment to come, a server's metronome apart, which always does."""
        return sum(not future.done() for _, future in self._alarms if future not in self._beats)

    def now(self) -> Microseconds:
        """The time, in microseconds since 1970 UTC."""
        return self._now

    async def wait_until(self, moment: Microseconds) -> None:
        """Return at this moment, or at once if it has passed."""
        if moment > self._now:
            alarm: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._alarms.append((moment, alarm))
            if _is_metronome():
                self._beats = {alarm}
            self._waited_for.set()
            await alarm

    async def is_waited_for(self, by: int = 1) -> None:
        """Return when so many wait for a moment to come."""
        while self.waiting < by:
            self._waited_for.clear()
            await self._waited_for.wait()

    def advance(self, by: timedelta) -> None:
        """Let so much time pass."""
        self._now = later(self._now, by)
        for moment, alarm in self._alarms:
            if moment <= self._now and not alarm.done():
                alarm.set_result(None)
        self._alarms = [(moment, alarm) for moment, alarm in self._alarms if not alarm.done()]


def _is_metronome() -> bool:
    task = asyncio.current_task()
    return task is not None and task.get_name() == METRONOME


class Draws:
    """Bytes that look random and come again in the same order."""

    def __init__(self, seed: str = "") -> None:
        self._seed = seed
        self.count = 0

    def __call__(self, size: int) -> bytes:
        """The next bytes."""
        self.count += 1
        return shake_256(f"{self._seed}/{self.count}".encode()).digest(size)


def premises_of(
    store: Store | None = None, clock: Clock | None = None, draws: Draws | None = None
) -> Premises:
    """Premises where nothing is left to chance; a new memory store unless one is given."""
    return Premises(
        MemoryStore() if store is None else store,
        KEY,
        VirtualClock() if clock is None else clock,
        Draws() if draws is None else draws,
    )
