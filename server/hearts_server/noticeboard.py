"""Which tables have changed, for those who read the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from hearts_proto.v1.lobby_pb2 import Table
from hearts_server.errors import draining

Changes = Mapping[str, Table | None]
"""The tables that have changed, by name; none: it is gone."""


class Reader:
    """What one reader has not read yet: of each table the newest, so never more than there are."""

    def __init__(self) -> None:
        self._unread: dict[str, Table | None] = {}
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
        self._rung: set[str] = set()

    def ring(self, table: str) -> None:
        """Note that the table of this name is new, gone, or other than before."""
        if self._readers:
            self._rung.add(table)

    def post(self, look: Callable[[str], Table | None]) -> None:
        """Tell every reader how the tables that rang look by now."""
        if not self._rung:
            return
        rung, self._rung = self._rung, set()
        changes = {name: look(name) for name in sorted(rung)}
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
