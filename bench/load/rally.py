"""A table as the load sees it: when it may go on, and how long its moves take."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any


@dataclass(slots=True)
class Rally:
    """The moves of one table, from four seats in this process."""

    listeners: int
    """How many seats hear of a move before it is over."""
    budget: int = 0
    """Moves that may still be made before the table waits."""
    moves: int = 0
    times: list[float] = field(default_factory=list[float])
    """Seconds from each move to the last seat that heard of it."""
    size: int = 0
    """Bytes heard."""
    messages: int = 0
    _held: list[tuple[Any, bytes]] = field(default_factory=list[tuple[Any, bytes]])
    _sent: float = 0.0
    _under_way: dict[int, tuple[float, int]] = field(default_factory=dict[int, tuple[float, int]])

    async def send(self, stream: Any, request: bytes) -> None:
        """Make a move, or keep it until the table may go on."""
        if self.budget == 0:
            self._held.append((stream, request))
            return
        self.budget -= 1
        self.moves += 1
        self._sent = perf_counter()
        await stream.write(request)

    def heard(self, place: int) -> None:
        """Note that one more seat has heard of the move at this place of the game."""
        sent, left = self._under_way.pop(place, (self._sent, self.listeners))
        if left > 1:
            self._under_way[place] = sent, left - 1
        elif left == 1:
            self.times.append(perf_counter() - sent)

    async def go_on(self, budget: int) -> None:
        """Let so many moves be made."""
        self.budget = budget
        held, self._held = self._held, []
        for stream, request in held:
            await self.send(stream, request)

    def hold(self) -> None:
        """Let no further move be made."""
        self.budget = 0

    def begin_again(self) -> None:
        """Forget what was under way at a game that is over."""
        self._held.clear()
        self._under_way.clear()


async def go_on(rallies: list[Rally], budgets: list[int]) -> None:
    """Let so many moves be made at each table."""
    async with asyncio.TaskGroup() as tasks:
        for rally, budget in zip(rallies, budgets, strict=True):
            tasks.create_task(rally.go_on(budget))


async def spent(rallies: list[Rally]) -> None:
    """Return when every table has made the moves that it might."""
    while any(rally.budget for rally in rallies):  # noqa: ASYNC110  (once, and of many tables)
        await asyncio.sleep(0.05)


async def quiet(rallies: list[Rally], seconds: float = 0.1) -> None:
    """Return when nothing has been heard at any table for so long."""
    before = -1
    while (now := sum(rally.messages for rally in rallies)) != before:
        before = now
        await asyncio.sleep(seconds)
