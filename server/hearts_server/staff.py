"""The house bots at work at one table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind, SeatTaken

PlaySeat = Callable[[SeatTaken], Coroutine[Any, Any, None]]
"""Plays a house bot's seat to the end of its stream."""


class HouseStaff:
    """Keeps a bot playing on each house seat, and on no other."""

    def __init__(self, play: PlaySeat, gone: Callable[[], None]) -> None:
        self._play = play
        self._gone = gone
        """Is told when a bot has ended by itself: its seat may want another."""
        self._at_work: dict[Seat, asyncio.Task[None]] = {}

    def fill(self, tasks: asyncio.TaskGroup, seats: tuple[SeatTaken | None, ...]) -> None:
        """Send bots to seats that want one, and away from those that do not any more."""
        for index, taken in enumerate(seats):
            seat = Seat(index)
            house = taken if taken is not None and taken.kind is SeatKind.HOUSE else None
            working = self._at_work.get(seat)
            if working is not None and (working.done() or house is None):
                self._at_work.pop(seat).cancel()
            if house is not None and seat not in self._at_work:
                working = self._at_work[seat] = tasks.create_task(self._play(house))
                working.add_done_callback(self._note_end)

    def dismiss(self) -> None:
        """Send all of them away."""
        for working in self._at_work.values():
            working.cancel()
        self._at_work.clear()

    def _note_end(self, working: asyncio.Task[None]) -> None:
        if not working.cancelled():
            self._gone()
