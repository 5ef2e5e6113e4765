"""The store on disk: one SQLite file in a data folder, one thread that writes to it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Final, TypeVar

from hearts_replays.archive import Archive
from hearts_replays.database import connect
from hearts_replays.log import Fenced, GameLog, LogError, Position, Unavailable, Unknown
from hearts_replays.writer import Committed, Work, Writer, unnoted

PATIENCE: Final = timedelta(seconds=5)
"""How long to wait for another process that writes, before a write is unavailable."""

T = TypeVar("T")


class SqliteStore:
    """Logs, secrets and tables in one file, on disk before any call that writes returns."""

    def __init__(self, writer: Writer, reader: _Reader) -> None:
        self._writer = writer
        self._reader = reader
        self.logs = _Logs(writer, reader)
        self.secrets = _Secrets(writer, reader)
        self.tables = _Tables(writer, reader)

    @classmethod
    def open(
        cls,
        folder: Path,
        patience: timedelta = PATIENCE,
        connection: type[sqlite3.Connection] = sqlite3.Connection,
        committed: Committed = unnoted,
    ) -> SqliteStore:
        """The store in this folder, which is made, for this user alone, if there is none.

        Other processes may have it open too. ``committed`` is told of every transaction. Raises
        ``LogError`` if the folder cannot be used.
        """
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            database = connect(folder, patience, connection)
        except (sqlite3.Error, OSError) as error:
            raise Unavailable(f"the store in {folder} cannot be opened: {error}") from error
        return cls(Writer(database, committed), _Reader(Archive.open(folder)))

    async def close(self) -> None:
        """Finish what was asked for and let go of the file."""
        await self._reader.close()
        await self._writer.close()  # the last, so that SQLite puts everything into the one file


class _Reader:
    """Reads in a thread of its own, so that a long log holds up neither loop nor writer."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="store-reader")

    async def find(self, question: Callable[[Archive], T]) -> T:
        if self._closed:
            raise Unavailable("the store is closed; open it again")
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, question, self._archive
        )

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await asyncio.to_thread(self._thread.shutdown)
            self._archive.close()


class _Log:
    def __init__(self, writer: Writer, reader: _Reader, game_id: str, length: int) -> None:
        self._writer = writer
        self._reader = reader
        self._game_id = game_id
        self._length = length
        self._settled = True

    @property
    def length(self) -> int:
        return self._length

    async def append(self, records: Sequence[bytes]) -> Position:
        assert records, "append at least one record"
        if not self._settled:
            raise Unknown(f"an append to game {self._game_id} was cut off; open the game again")
        # Cancelled while it waits, a caller cannot know what was written, nor can this handle.
        self._settled = False
        try:
            await self._writer.do(_append(self._game_id, self._length, tuple(records)))
        except LogError as error:
            self._settled = not isinstance(error, Unknown)
            raise
        self._settled = True
        self._length += len(records)
        return Position(self._length)

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        return await self._reader.find(lambda archive: archive.records(self._game_id, after, limit))


class _Logs:
    def __init__(self, writer: Writer, reader: _Reader) -> None:
        self._writer = writer
        self._reader = reader

    async def open(self, game_id: str) -> GameLog:
        # The writer is asked, so that an append that was cut off is over before it is counted.
        length = await self._writer.do(_length_of(game_id))
        return _Log(self._writer, self._reader, game_id, length)

    async def games(self) -> tuple[str, ...]:
        return await self._reader.find(Archive.games)


class _Secrets:
    def __init__(self, writer: Writer, reader: _Reader) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, game_id: str, secret: bytes) -> None:
        await self._writer.do(_statement("REPLACE INTO secrets VALUES (?, ?)", game_id, secret))

    async def get(self, game_id: str) -> bytes | None:
        return await self._reader.find(lambda archive: archive.secret(game_id))

    async def forget(self, game_id: str) -> None:
        await self._writer.do(_statement("DELETE FROM secrets WHERE game = ?", game_id))


class _Tables:
    def __init__(self, writer: Writer, reader: _Reader) -> None:
        self._writer = writer
        self._reader = reader

    async def put(self, table: str, facts: bytes) -> None:
        await self._writer.do(_statement("REPLACE INTO tables VALUES (?, ?)", table, facts))

    async def get(self, table: str) -> bytes | None:
        return await self._reader.find(lambda archive: archive.table(table))

    async def all(self) -> tuple[tuple[str, bytes], ...]:
        return await self._reader.find(Archive.tables)

    async def drop(self, table: str) -> None:
        await self._writer.do(_statement("DELETE FROM tables WHERE name = ?", table))


def _append(game_id: str, length: int, records: tuple[bytes, ...]) -> Work[None]:
    """Add records to a game of which so many are known; ``Fenced`` if there are others."""
    rows = [(seq, record, game_id) for seq, record in enumerate(records, length + 1)]

    def work(database: sqlite3.Connection) -> None:
        if length == 0:
            database.execute("INSERT OR IGNORE INTO games (id) VALUES (?)", (game_id,))
        try:
            written = database.executemany(
                "INSERT INTO records SELECT number, ?, ? FROM games WHERE id = ?", rows
            ).rowcount
        except sqlite3.IntegrityError:
            written = 0
        if written != len(rows):
            raise Fenced(f"another writer appended to game {game_id}; open it again")

    return work


def _length_of(game_id: str) -> Work[int]:
    def work(database: sqlite3.Connection) -> int:
        query = "SELECT max(seq) FROM records JOIN games ON game = number WHERE id = ?"
        longest: int | None = database.execute(query, (game_id,)).fetchone()[0]
        return longest or 0

    return work


def _statement(text: str, *values: str | bytes) -> Work[None]:
    def work(database: sqlite3.Connection) -> None:
        database.execute(text, values).close()

    return work
