"""The file that a data folder keeps everything in, and connections to it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from hearts_replays.log import LogError, Unavailable

FILE_NAME: Final = "hearts.sqlite3"

_LOCK_NAME: Final = "opening.lock"

VERSION: Final = 1
"""Of the tables below; 0 stands for a file without them."""

# Games have numbers so that the records of each lie together and the newest games at the end.
_TABLES: Final = (
    "CREATE TABLE games (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE)",
    """CREATE TABLE records (
        game INTEGER, seq INTEGER, record BLOB NOT NULL, PRIMARY KEY (game, seq)
    ) WITHOUT ROWID""",
    "CREATE TABLE secrets (game TEXT PRIMARY KEY, secret BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE tables (name TEXT PRIMARY KEY, facts BLOB NOT NULL) WITHOUT ROWID",
    f"PRAGMA user_version = {VERSION}",
)


def connect(
    folder: Path,
    patience: timedelta,
    connection: type[sqlite3.Connection] = sqlite3.Connection,
) -> sqlite3.Connection:
    """A connection to write with, in autocommit mode, whose commits are on disk.

    Makes the file, for this user alone since it holds secrets, if there is none. ``patience`` is
    how long to wait for another process that writes. Raises ``LogError`` if a newer program made
    the file, ``Unavailable`` if others keep opening it, and ``sqlite3.Error`` or
    ``OSError`` if it cannot be used.
    """
    path = folder / FILE_NAME
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    database = sqlite3.connect(
        path,
        timeout=patience.total_seconds(),
        isolation_level=None,
        check_same_thread=False,  # made here, used by one other thread
        factory=connection,
    )
    try:
        # SQLite waits for nobody when it turns a new file to WAL; processes that start at the
        # same time would fail there.
        with FileLock(folder / _LOCK_NAME, timeout=patience.total_seconds()):
            _prepare(database, path)
    except Timeout as error:
        database.close()
        raise Unavailable(f"another process is opening {path}; try again") from error
    except BaseException:
        database.close()
        raise
    return database


def connect_to_read(folder: Path) -> sqlite3.Connection | None:
    """A connection that cannot write, or none if nothing was ever kept in this folder.

    Raises ``LogError`` if a newer program made the file, and ``sqlite3.Error`` if it cannot be
    read.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return None
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
    )
    try:
        version = _version_of(database, path)
    except BaseException:
        database.close()
        raise
    if version == 0:
        database.close()
        return None
    return database


def _prepare(database: sqlite3.Connection, path: Path) -> None:
    _run(database, "PRAGMA journal_mode = WAL")
    _run(database, "PRAGMA synchronous = FULL")
    _run(database, "PRAGMA fullfsync = ON")  # macOS: fsync alone stops at the drive's cache
    if _version_of(database, path) == VERSION:
        return
    _run(database, "BEGIN IMMEDIATE")
    if _version_of(database, path) == 0:  # no other process was faster
        for statement in _TABLES:
            _run(database, statement)
    _run(database, "COMMIT")


def _version_of(database: sqlite3.Connection, path: Path) -> int:
    with closing(database.execute("PRAGMA user_version")) as rows:
        version: int = rows.fetchone()[0]
    if version > VERSION:
        raise LogError(f"{path} was made by a newer program; use that, or another data folder")
    return version


def _run(database: sqlite3.Connection, statement: str) -> None:
    database.execute(statement).close()
