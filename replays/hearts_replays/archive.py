"""The games in a data folder, to read: for lists and exports beside whoever writes there."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from hearts_replays.database import connect_to_read
from hearts_replays.log import Unavailable


class Archive:
    """What a data folder keeps, as it stands on disk at each call.

    Raises ``Unavailable`` where the file cannot be read.
    """

    def __init__(self, database: sqlite3.Connection | None) -> None:
        self._database = database

    @classmethod
    def open(cls, folder: Path) -> Archive:
        """The games of this folder, none if nothing was ever kept in it.

        Raises ``LogError`` if the folder cannot be read.
        """
        try:
            return cls(connect_to_read(folder))
        except sqlite3.Error as error:
            raise Unavailable(f"the games in {folder} cannot be read: {error}") from error

    def games(self) -> tuple[str, ...]:
        """The ids of all games, the newest first."""
        rows: list[tuple[str]] = self._rows("SELECT id FROM games ORDER BY number DESC")
        return tuple(game_id for (game_id,) in rows)

    def records(self, game_id: str, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        """A game's records after the first ``after``, as appended; none if it is not known."""
        rows: list[tuple[bytes]] = self._rows(
            "SELECT record FROM records JOIN games ON game = number"
            " WHERE id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (game_id, after, -1 if limit is None else limit),
        )
        return tuple(record for (record,) in rows)

    def secret(self, game_id: str) -> bytes | None:
        """The secret of a game that is not over, if it is kept here."""
        rows: list[tuple[bytes]] = self._rows(
            "SELECT secret FROM secrets WHERE game = ?", (game_id,)
        )
        return rows[0][0] if rows else None

    def tables(self) -> tuple[tuple[str, bytes], ...]:
        """Every table with its facts, by name."""
        rows: list[tuple[str, bytes]] = self._rows("SELECT name, facts FROM tables ORDER BY name")
        return tuple(rows)

    def table(self, name: str) -> bytes | None:
        """The facts of one table, if it is kept here."""
        rows: list[tuple[bytes]] = self._rows("SELECT facts FROM tables WHERE name = ?", (name,))
        return rows[0][0] if rows else None

    def _rows(self, query: str, values: tuple[str | int, ...] = ()) -> list[Any]:
        if self._database is None:
            return []
        try:
            return self._database.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise Unavailable(f"the games cannot be read: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        if self._database is not None:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
