"""The one thread that writes to a database: all that is pending goes into one transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread
from time import perf_counter
from typing import Final, Generic, Protocol, TypeVar

from hearts_replays.log import LogError, Unavailable, Unknown

LARGEST_GROUP: Final = 1024
"""Jobs in one transaction; bounds how long the first of them waits for the last."""

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], T]
"""What to do inside a transaction. May raise ``LogError``, which undoes this work alone.

It may be done a second time, after what it did the first time was undone."""

Committed = Callable[[int, float], None]
"""Is told, in the writer's thread, of how many jobs a transaction was and its seconds."""

_Telling = Callable[[], None]
"""Tells a caller, in its own loop, what became of its work."""


def unnoted(_jobs: int, _seconds: float) -> None:
    """Let a transaction pass without a note."""


class _Job(Protocol):
    @property
    def loop(self) -> asyncio.AbstractEventLoop: ...

    def attempt(self, database: sqlite3.Connection) -> _Telling: ...

    def attempt_apart(self, database: sqlite3.Connection) -> _Telling: ...

    def failure(self, kind: type[LogError], message: str) -> _Telling: ...


class Writer:
    """A thread with a database connection of its own, which must be in autocommit mode.

    Commits take their time in that thread while callers wait for futures, and what they ask for
    meanwhile is committed together, next.
    """

    def __init__(self, database: sqlite3.Connection, committed: Committed = unnoted) -> None:
        self._database = database
        self._committed = committed
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = False
        # A daemon: a process that ends without closing has promised nobody what is pending.
        self._thread = Thread(target=self._run, name="store-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Work[T]) -> T:
        """What this work returned; done after all that was asked for before, and committed.

        Raises the ``LogError`` that the work raised, ``Unavailable`` or ``Unknown``.
        """
        if self._closed:
            raise Unavailable("the store is closed; open it again")
        outcome: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.put(_Asked(work, outcome))
        return await outcome

    async def close(self) -> None:
        """Commit what is pending, then let go of the connection."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            group = self._pending()
            jobs = [job for job in group if job]
            going_on = len(jobs) == len(group)
            if jobs:
                began = perf_counter()
                tellings = self._commit(jobs)
                self._committed(len(jobs), perf_counter() - began)
                _tell(jobs, tellings)
        self._database.close()

    def _pending(self) -> list[_Job | None]:
        """The jobs that wait, in order, at least one; none at the end if no more will come."""
        group = [self._jobs.get()]
        with suppress(Empty):
            while group[-1] and len(group) < LARGEST_GROUP:
                group.append(self._jobs.get_nowait())
        return group

    def _commit(self, jobs: Sequence[_Job]) -> list[_Telling]:
        kind: type[LogError] = Unavailable
        try:
            self._database.execute("BEGIN IMMEDIATE")
            tellings = self._attempt(jobs)
            kind = Unknown
            self._database.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  (a dead writer would leave every table waiting)
            self._roll_back()
            if _wrote_nothing(error):
                kind = Unavailable
            return [job.failure(kind, f"the store failed: {error}") for job in jobs]
        return tellings

    def _attempt(self, jobs: Sequence[_Job]) -> list[_Telling]:
        """Do the jobs; only where one is refused does each get a savepoint, which costs time."""
        database = self._database
        try:
            return [job.attempt(database) for job in jobs]
        except LogError:
            database.execute("ROLLBACK")
            database.execute("BEGIN IMMEDIATE")
            return [job.attempt_apart(database) for job in jobs]

    def _roll_back(self) -> None:
        if self._database.in_transaction:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")


@dataclass(frozen=True, slots=True)
class _Asked(Generic[T]):
    """A job whose outcome somebody waits for."""

    work: Work[T]
    outcome: asyncio.Future[T]

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return self.outcome.get_loop()

    def attempt(self, database: sqlite3.Connection) -> _Telling:
        return partial(self._return, self.work(database))

    def attempt_apart(self, database: sqlite3.Connection) -> _Telling:
        """Do the work; a refusal is its caller's alone, and leaves nothing of it."""
        database.execute("SAVEPOINT job")
        try:
            result = self.work(database)
        except LogError as refusal:
            database.execute("ROLLBACK TO job")
            telling = partial(self._raise, refusal)
        else:
            telling = partial(self._return, result)
        database.execute("RELEASE job")
        return telling

    def failure(self, kind: type[LogError], message: str) -> _Telling:
        return partial(self._raise, kind(message))

    def _return(self, result: T) -> None:
        if not self.outcome.done():  # it is done if the caller was cancelled
            self.outcome.set_result(result)

    def _raise(self, error: LogError) -> None:
        if not self.outcome.done():
            self.outcome.set_exception(error)


# A commit that failed so has left nothing on disk that recovery after a crash could take for it.
_HARMLESS: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY})


def _wrote_nothing(error: Exception) -> bool:
    code: object = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in _HARMLESS


def _tell(jobs: Iterable[_Job], tellings: Iterable[_Telling]) -> None:
    """Wake each loop once, for all its callers."""
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[_Telling]] = defaultdict(list)
    for job, telling in zip(jobs, tellings, strict=True):
        by_loop[job.loop].append(telling)
    for loop, its_tellings in by_loop.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_tell_all, its_tellings)


def _tell_all(tellings: Iterable[_Telling]) -> None:
    for telling in tellings:
        telling()
