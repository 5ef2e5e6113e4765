"""Who says a passcode: one try of a peer at a table after the other, slower after wrong ones."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final, TypeVar

from hearts_server.clocks import Clock
from hearts_server.errors import Refused
from hearts_server.excess import too_many_at_once, too_many_tries
from hearts_server.passcode import WRONG_PASSCODE, require_passcode
from hearts_server.rates import Tries

T = TypeVar("T")

Door = tuple[str, str]
"""A peer, and the table at which it says something."""

THREADS: Final = 2
"""Trying a passcode is made slow; those who try must not take the threads that bots think in."""

MOST_WAITING: Final = 64
"""Tries of one peer that wait for their turn, wherever they are made."""


@dataclass(slots=True)
class _Turn:
    """Whose turn it is at one door."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0


class Guard:
    """Tries passcodes. Only a wrong one counts as wrong, and it does so whoever hangs up."""

    def __init__(self, free_tries: int, clock: Clock) -> None:
        self._clock = clock
        self._tries = Tries[Door](free_tries)
        self._turns: dict[Door, _Turn] = {}
        self._waiting: Counter[str] = Counter()
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="passcode")
        self._trying: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        """The doors at which someone waits."""
        return len(self._turns)

    async def require(self, peer: str, table: str, passcode: str, kept: str) -> None:
        """Raise ``Refused`` if a passcode is needed and this is not the one, or if not yet."""
        if passcode and kept:
            await self.tried(peer, table, lambda: require_passcode(passcode, kept))
        else:
            require_passcode(passcode, kept)

    async def tried(self, peer: str, table: str, look: Callable[[], T]) -> T:
        """What ``look`` says, in its turn; ``Refused`` where it or the number of tries refuses.

        It is looked to its end also where the caller goes away: who is never told must not have
        a free try, and no thread.
        """
        trying = asyncio.ensure_future(self._tried((peer, table), look))
        self._trying.add(trying)
        trying.add_done_callback(self._trying.discard)
        trying.add_done_callback(_note_seen)
        return await asyncio.shield(trying)

    def close(self) -> None:
        """Try nothing more; what is being tried ends by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _tried(self, door: Door, look: Callable[[], T]) -> T:
        async with self._turn(door):
            wait = self._tries.wait(door, self._clock.now())
            if wait:
                raise too_many_tries(wait)
            loop = asyncio.get_running_loop()
            try:
                seen = await loop.run_in_executor(self._threads, look)
            except Refused as refused:
                if refused.reason == WRONG_PASSCODE:
                    self._tries.failed(door, self._clock.now())
                raise
            self._tries.passed(door)
            return seen

    @asynccontextmanager
    async def _turn(self, door: Door) -> AsyncGenerator[None, None]:
        """The turn of one more at a door; what nobody waits at takes no memory."""
        peer, _ = door
        if self._waiting[peer] >= MOST_WAITING:
            raise too_many_at_once(MOST_WAITING)
        turn = self._turns.setdefault(door, _Turn())
        turn.waiting += 1
        self._waiting[peer] += 1
        try:
            async with turn.lock:
                yield
        finally:
            turn.waiting -= 1
            self._waiting[peer] -= 1
            if not turn.waiting:
                del self._turns[door]
            if not self._waiting[peer]:
                del self._waiting[peer]


def _note_seen(trying: asyncio.Task[object]) -> None:
    """Look at how a try ended, of which the caller may be gone."""
    if not trying.cancelled():
        trying.exception()
