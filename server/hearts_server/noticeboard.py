"""Which tables have changed, for those who read the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Final

from hearts_engine.events import (
    Event,
    GameClosed,
    LogSealed,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
)
from hearts_proto.v1 import lobby_pb2
from hearts_server.errors import draining

Listing = lobby_pb2.Table
"""A table as the lobby shows it."""

Changes = Mapping[str, Listing | None]
"""The tables that have changed, by name; none: it is gone."""

_SHOWN: Final = frozenset(
    {
        *(GameClosed, LogSealed, SeatAway, SeatBack, SeatLeft),
        *(SeatTaken, SeatTakenOver, SeatsFrozen),
    }
)


def is_shown(event: Event) -> bool:
    """Whether the lobby shows a table otherwise after this event; no card is such an event."""
    return type(event) in _SHOWN


class Reader:
    """What one reader has not read yet: of each table the newest, so never more than there are."""

    def __init__(self) -> None:
        self._unread: dict[str, Listing | None] = {}
        self._woken = asyncio.Event()
        self._closed = False

    def tell(self, changes: Changes) -> None:
        """Let these be read, in place of what was to be read of the same tables."""
        self._unread.update(changes)
        self._woken.set()

    def pulse(self) -> None:
        """Let there be something to read, be it nothing."""
        self._woken.set()

    def close(self) -> None:
        """Let nothing more be read."""
        self._closed = True
        self._woken.set()

    async def changes(self) -> Changes:
        """What has changed since the last time, as soon as there is something to read.

        Raises ``Refused`` when the server stops.
        """
        await self._woken.wait()
        self._woken.clear()
        if self._closed:
            raise draining()
        unread, self._unread = self._unread, {}
        return unread


class Noticeboard:
    """Where tables ring when what the lobby shows of them has changed.

    To ring costs one look at whether anyone reads; the tables that rang are looked at when the
    changes are posted, once for all readers and however often they rang.
    """

    def __init__(self) -> None:
        self._readers: set[Reader] = set()
        self._rung: dict[str, bool] = {}
        """The tables that have changed, and whether they are still there."""

    def ring(self, table: str) -> None:
        """Note that the table of this name is new, or other than before."""
        if self._readers:
            self._rung[table] = True

    def take_down(self, table: str) -> None:
        """Note that the table of this name is gone."""
        if self._readers:
            self._rung[table] = False

    def post(self, look: Callable[[str], Listing | None]) -> None:
        """Tell every reader how the tables that rang look by now.

        A table that cannot be looked at just now, but is not gone, keeps its place as it was.
        """
        if not self._rung:
            return
        rung, self._rung = self._rung, {}
        looks = {name: look(name) if there else None for name, there in sorted(rung.items())}
        changes = {name: seen for name, seen in looks.items() if seen or not rung[name]}
        for reader in self._readers:
            reader.tell(changes)

    @contextmanager
    def reading(self) -> Generator[Reader, None, None]:
        """A reader of everything that rings from here on, until the block is left."""
        reader = Reader()
        self._readers.add(reader)
        try:
            yield reader
        finally:
            self._readers.discard(reader)

    def close(self) -> None:
        """Let nobody read any more: the server stops."""
        for reader in self._readers:
            reader.close()
