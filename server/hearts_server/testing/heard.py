"""A store that tells when something is written to a log, so that tests can wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hearts_engine.events import Event
from hearts_replays.log import EventLog, GameLog, Position, SecretStore, TableStore
from hearts_replays.memory import MemoryStore
from hearts_wire.records import decode_record

PATIENCE: Final = 20.0
"""Seconds after which a record that should have been written is missed."""


class HeardStore:
    """A store in memory whose games can be waited for."""

    def __init__(self) -> None:
        self._inner = MemoryStore()
        self._written = asyncio.Condition()

    @property
    def logs(self) -> EventLog:
        """The games."""
        return _HeardLogs(self, self._inner.logs)

    @property
    def secrets(self) -> SecretStore:
        """The secrets behind the deals."""
        return self._inner.secrets

    @property
    def tables(self) -> TableStore:
        """The tables."""
        return self._inner.tables

    @property
    def log(self) -> list[bytes]:
        """The records of the newest game."""
        return list(self._inner.games.values())[-1]

    @property
    def events(self) -> list[Event]:
        """What they tell."""
        return [decode_record(data).event for data in self.log]

    def all_of(self, *kinds: type[Event]) -> list[Event]:
        """Its events of these kinds."""
        return [event for event in self.events if isinstance(event, kinds)]

    async def until(self, holds: Callable[[list[Event]], bool]) -> None:
        """Return when this holds for the events of the newest game."""
        async with asyncio.timeout(PATIENCE), self._written:
            await self._written.wait_for(lambda: holds(self.events))

    async def grows_beyond(self, count: int) -> None:
        """Return when the newest game has more events than these."""
        await self.until(lambda events: len(events) > count)

    async def hears(self, event: Event) -> None:
        """Return when the newest game has this event."""
        await self.until(lambda events: event in events)

    async def close(self) -> None:
        """Leave all that was written; the next server finds it."""

    async def note(self) -> None:
        """Tell those who wait."""
        async with self._written:
            self._written.notify_all()


@dataclass(frozen=True, slots=True)
class _HeardLogs:
    store: HeardStore
    inner: EventLog

    async def open(self, game_id: str) -> GameLog:
        return _HeardLog(self.store, await self.inner.open(game_id))

    async def games(self) -> tuple[str, ...]:
        return await self.inner.games()


@dataclass(frozen=True, slots=True)
class _HeardLog:
    store: HeardStore
    inner: GameLog

    @property
    def length(self) -> int:
        return self.inner.length

    async def append(self, records: Sequence[bytes]) -> Position:
        position = await self.inner.append(records)
        await self.store.note()
        return position

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        return await self.inner.read(after, limit)
