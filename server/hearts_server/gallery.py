"""How many watch at each table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from hearts_server.excess import too_many_watchers


class Gallery:
    """Places for spectators, so many at each table."""

    def __init__(self, most: int) -> None:
        self._most: Final = most
        self._taken = Counter[str]()

    @contextmanager
    def place(self, table: str) -> Generator[None, None, None]:
        """A place at the table of this name, until the block is left; ``Refused`` if none is free.

        It is taken before anything is waited for, so that no crowd can come in at once.
        """
        if self._taken[table] >= self._most:
            raise too_many_watchers(self._most)
        self._taken[table] += 1
        try:
            yield
        finally:
            self._taken[table] -= 1
            if not self._taken[table]:
                del self._taken[table]
