"""Lines from the keyboard or a pipe, for a loop that must not wait for them."""

from __future__ import annotations

import asyncio
import threading
from typing import TextIO


class InputLines:
    """Reads lines in a thread of its own, one at a time, as they are asked for."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        # A daemon: nobody can wake it from reading a keyboard that is not touched any more.
        threading.Thread(target=self._read, name="input", daemon=True).start()

    async def next(self) -> str | None:
        """The next line, without its end; none when there are no more."""
        return await self._lines.get()

    def _read(self) -> None:
        for line in self._source:
            self._tell(line.rstrip("\r\n"))
        self._tell(None)

    def _tell(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            return  # the loop is gone, and with it whoever wanted the line
