"""Where logs are kept: the protocol that every store follows, and how it may fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NewType, Protocol

Position = NewType("Position", int)
"""Where a log ends, as its store counts; callers only compare positions for equality."""


class LogError(Exception):
    """The root of what a store raises."""


class Fenced(LogError):
    """Another writer has appended to this game; the handle is of no use any more."""


class Unavailable(LogError):
    """Nothing was written; trying again later may succeed."""


class Unknown(LogError):
    """It cannot be said whether the records were written: open the game again and look."""


class GameLog(Protocol):
    """One game's log, held by its only writer."""

    async def append(self, records: Sequence[bytes]) -> Position:
        """Add these records, all or none, right after what this handle has seen.

        They are on disk when this returns. Raises ``Fenced``, ``Unavailable`` or ``Unknown``.
        """
        ...

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        """The records after the first ``after``, at most ``limit`` of them, as appended."""
        ...

    @property
    def length(self) -> int:
        """How many records the log had when it was opened or last appended to."""
        ...


class EventLog(Protocol):
    """A store of logs."""

    async def open(self, game_id: str) -> GameLog:
        """A handle on a game's log, which is empty if the game is new."""
        ...

    async def games(self) -> tuple[str, ...]:
        """The ids of all games with at least one record, the newest first."""
        ...


class SecretStore(Protocol):
    """Secrets not yet revealed; kept out of every log."""

    async def put(self, game_id: str, secret: bytes) -> None:
        """Keep the top of a game's chain of secrets; on disk when this returns."""
        ...

    async def get(self, game_id: str) -> bytes | None:
        """The secret, or none if this store never had it or has forgotten it."""
        ...

    async def forget(self, game_id: str) -> None:
        """Drop the secret of a game that is over."""
        ...


class TableStore(Protocol):
    """What a new owner of a table needs besides its logs: token hashes, host, house bots."""

    async def put(self, table: str, facts: bytes) -> None:
        """Keep these facts in place of those before; on disk when this returns."""
        ...

    async def get(self, table: str) -> bytes | None:
        """The facts last put, or none if the table is not known."""
        ...

    async def all(self) -> tuple[tuple[str, bytes], ...]:
        """Every table that is known, with its facts, by name."""
        ...

    async def drop(self, table: str) -> None:
        """Forget a table; nothing happens if it is not known."""
        ...


class Store(Protocol):
    """Everything that a server keeps, in one place."""

    @property
    def logs(self) -> EventLog:
        """The games."""
        ...

    @property
    def secrets(self) -> SecretStore:
        """The secrets behind the deals of games that are not over."""
        ...

    @property
    def tables(self) -> TableStore:
        """The tables."""
        ...

    async def close(self) -> None:
        """Finish what was asked for and let go; afterwards everything is ``Unavailable``."""
        ...
