"""A cable between a client and a server that a test can cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress


class Cable:
    """Forwards connections until they are cut; new ones can be made at once, unless it is dead."""

    def __init__(self, host: str, port: int) -> None:
        self._target = host, port
        self._ends: set[asyncio.StreamWriter] = set()
        self._listener: asyncio.Server | None = None
        self.made = 0
        """How many connections were made through it."""

    @property
    def address(self) -> str:
        """Where clients connect instead."""
        assert self._listener is not None, "lay the cable first"
        host, port = self._listener.sockets[0].getsockname()
        return f"{host}:{port}"

    async def lay(self) -> None:
        """Let clients connect."""
        self._listener = await asyncio.start_server(self._join, "127.0.0.1", 0)

    def cut(self) -> None:
        """Break every connection, at once and without a word."""
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()

    async def remove(self) -> None:
        """Break every connection, and let nobody connect any more."""
        if self._listener is not None:
            self._listener.close()
        self.cut()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.made += 1
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        self._ends |= {writer, far_writer}
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_pump(reader, far_writer))
            tasks.create_task(_pump(far_reader, writer))


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@asynccontextmanager
async def cable_to(host: str, port: int) -> AsyncGenerator[Cable, None]:
    """A cable to this address, removed when the block is left."""
    cable = Cable(host, port)
    await cable.lay()
    try:
        yield cable
    finally:
        await cable.remove()
