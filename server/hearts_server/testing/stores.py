"""A store that fails, or waits, when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from hearts_replays.log import (
    EventLog,
    GameLog,
    LogError,
    Position,
    SecretStore,
    Store,
    TableStore,
    Unknown,
)
from hearts_replays.memory import MemoryStore


class TroubledStore:
    """A store whose logs, secrets and tables can be made to fail, and whose appends to wait."""

    def __init__(self, inner: Store | None = None) -> None:
        self._inner = MemoryStore() if inner is None else inner
        self.trouble: LogError | None = None
        """What every write raises, if anything; nothing is written then."""
        self.good_appends: float = 0
        """So many appends still succeed before they meet the trouble."""
        self.lost_replies = 0
        """So many appends are done and leave the caller in doubt about it."""
        self.unreadable: LogError | None = None
        """What opening or reading a log raises, if anything."""
        self._free = asyncio.Event()
        self._free.set()
        self._held = asyncio.Event()
        self._grown = asyncio.Event()

    @property
    def logs(self) -> EventLog:
        """The games."""
        return _TroubledLogs(self, self._inner.logs)

    @property
    def secrets(self) -> SecretStore:
        """The secrets behind the deals."""
        return self._inner.secrets

    @property
    def tables(self) -> TableStore:
        """The tables."""
        return _TroubledTables(self, self._inner.tables)

    async def close(self) -> None:
        """Close the store behind."""
        await self._inner.close()

    def hold_appends(self) -> None:
        """Let every append wait from here on."""
        self._free.clear()
        self._held.clear()

    def let_appends_go(self) -> None:
        """Let appends go on."""
        self._free.set()

    async def append_is_held(self) -> None:
        """Return when an append waits."""
        await self._held.wait()

    async def before_append(self) -> None:
        """Wait or fail, as told."""
        if not self._free.is_set():
            self._held.set()
            await self._free.wait()
        if self.good_appends > 0:
            self.good_appends -= 1
        else:
            self.fail_if_told()

    async def grows(self) -> None:
        """Return when something more is in a log."""
        await self._grown.wait()

    def has_grown(self) -> None:
        """Let those go on who wait for that."""
        self._grown.set()
        self._grown = asyncio.Event()

    def fail_if_told(self) -> None:
        """Raise the trouble, if there is any."""
        if self.trouble is not None:
            raise self.trouble

    def lose_reply_if_told(self) -> None:
        """Leave the caller of an append in doubt, if it is to be."""
        if self.lost_replies:
            self.lost_replies -= 1
            raise Unknown("the disk went away")

    def fail_if_unreadable(self) -> None:
        """Raise what makes logs unreadable, if anything does."""
        if self.unreadable is not None:
            raise self.unreadable


@dataclass(frozen=True, slots=True)
class _TroubledLogs:
    store: TroubledStore
    inner: EventLog

    async def open(self, game_id: str) -> GameLog:
        self.store.fail_if_unreadable()
        return _TroubledLog(self.store, await self.inner.open(game_id))

    async def games(self) -> tuple[str, ...]:
        return await self.inner.games()


@dataclass(frozen=True, slots=True)
class _TroubledLog:
    store: TroubledStore
    inner: GameLog

    @property
    def length(self) -> int:
        return self.inner.length

    async def append(self, records: Sequence[bytes]) -> Position:
        await self.store.before_append()
        position = await self.inner.append(records)
        self.store.has_grown()
        self.store.lose_reply_if_told()
        return position

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        self.store.fail_if_unreadable()
        return await self.inner.read(after, limit)


@dataclass(frozen=True, slots=True)
class _TroubledTables:
    store: TroubledStore
    inner: TableStore

    async def put(self, table: str, facts: bytes) -> None:
        self.store.fail_if_told()
        await self.inner.put(table, facts)

    async def get(self, table: str) -> bytes | None:
        return await self.inner.get(table)

    async def all(self) -> tuple[tuple[str, bytes], ...]:
        return await self.inner.all()

    async def drop(self, table: str) -> None:
        await self.inner.drop(table)
