"""Which tables there are besides those in memory, and whose game is over."""

from __future__ import annotations

from collections.abc import Container, Iterable

from hearts_replays.log import TableStore
from hearts_server.facts import TableFacts


class Register:
    """What the store has of tables, as far as it is this process's to look at."""

    def __init__(self, tables: TableStore, *, everyone: bool) -> None:
        """``everyone``: of earlier processes' tables too."""
        self._tables = tables
        self._everyone = everyone
        self._own: set[str] = set()
        self._finished: set[str] = set()
        """The names of tables whose game is over, as far as that was looked up."""

    def add(self, name: str) -> None:
        """Note a table that this process opened."""
        self._own.add(name)

    def reopen(self, name: str) -> None:
        """Note that a table is in memory: its game may be another one soon."""
        self._finished.discard(name)

    async def facts(self, name: str) -> TableFacts | None:
        """What is kept of the table of this name; none if there is none to look at."""
        if not self._everyone and name not in self._own:
            return None
        data = await self._tables.get(name)
        return None if data is None else TableFacts.from_bytes(data)

    def unfinished(self, stored: Iterable[tuple[str, bytes]], besides: Container[str]) -> set[str]:
        """The names of those among all that is stored, besides these, whose game is not over.

        What is known to be over is not read again: there may be thousands.
        """
        names = set[str]()
        for name, data in stored:
            if name in self._finished or name in besides:
                continue
            if TableFacts.from_bytes(data).over:
                self._finished.add(name)
            else:
                names.add(name)
        return names
