"""What a durable append costs, against a bare SQLite loop with the same settings.

Prints a table; every figure is the median of several runs, taken in turns in one process.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from hearts_replays.log import GameLog, Store
from hearts_replays.memory import MemoryStore
from hearts_replays.sqlite import SqliteStore

RUNS = 7
ALONE = 300
"""Commits in a run of one game alone."""
GAMES = 64
TOGETHER = 60
"""Appends of each game in a run of many."""
RECORD = os.urandom(40)


Contender = Callable[[Path, int, int], float]


def bare(folder: Path, group: int, commits: int) -> float:
    """Seconds for so many commits of so many records in the plainest way there is."""
    with closing(sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("PRAGMA fullfsync = ON")
        database.execute(
            "CREATE TABLE records (game, seq, record, PRIMARY KEY (game, seq)) WITHOUT ROWID"
        )
        began = perf_counter()
        for seq in range(commits):
            database.execute("BEGIN IMMEDIATE")
            database.executemany(
                "INSERT INTO records VALUES (?, ?, ?)",
                [(game, seq, RECORD) for game in range(group)],
            )
            database.execute("COMMIT")
        return perf_counter() - began


async def in_store(store: Store, games: int, appends: int) -> float:
    """Seconds for so many games at once to append so many records each, one by one."""
    handles = [await store.logs.open(f"g-{number}") for number in range(games)]
    for handle in handles:
        await handle.append([RECORD])
    began = perf_counter()
    async with asyncio.TaskGroup() as tables:
        for handle in handles:
            tables.create_task(play(handle, appends))
    seconds = perf_counter() - began
    await store.close()
    return seconds


async def play(game: GameLog, appends: int) -> None:
    """Append one record after another, as a table does move by move."""
    for _ in range(appends):
        await game.append([RECORD])


def stored(store: Callable[[Path], Store]) -> Contender:
    """Seconds through a store, for so many games and appends."""
    return lambda folder, games, appends: asyncio.run(in_store(store(folder), games, appends))


def on_disk(folder: Path) -> Store:
    """The store that a server uses."""
    return SqliteStore.open(folder, timedelta(seconds=5))


def in_memory(_: Path) -> Store:
    """What the machinery costs without a disk."""
    return MemoryStore()


def measured(contender: Contender, games: int, appends: int) -> float:
    """Seconds of one run in a fresh folder."""
    with TemporaryDirectory() as folder:
        return contender(Path(folder), games, appends)


def main() -> None:
    """Measure in turns and print the table."""
    contenders = {
        "bare sqlite3 loop": bare,
        "SqliteStore": stored(on_disk),
        "MemoryStore": stored(in_memory),
    }
    runs = [
        {
            name: (measured(contender, 1, ALONE), measured(contender, GAMES, TOGETHER))
            for name, contender in contenders.items()
        }
        for _ in range(RUNS)
    ]
    print(f"{'':20}{'alone, ms a commit':>20}{f'{GAMES} games, events/s':>22}")
    for name in contenders:
        alone = median(run[name][0] for run in runs) / ALONE * 1000
        together = GAMES * TOGETHER / median(run[name][1] for run in runs)
        print(f"{name:20}{alone:>20.3f}{together:>22,.0f}")


if __name__ == "__main__":
    main()
