"""A network between clients and a server that fails in every way that a network can.

Each connection has a fate: after so much traffic something happens to it. Bytes are never changed
and never come out of order, for TCP sees to that; but they may come late, in part, or never.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

LONGEST_LIFE: Final = 60
"""Pieces of data that a connection may carry before its fate overtakes it."""

LONGEST_DELAY: Final = 0.02
"""Seconds that a piece of data may take on a slow connection."""

SLOW: Final = 0.2
"""How many connections are slow."""

LONGEST_STALL: Final = 0.5
"""Seconds for which a connection may be stalled before its client's end breaks."""

AFTERLIFE: Final = 0.3
"""Seconds for which the server keeps an end whose other end its client has given up."""

_PIECE: Final = 65_536


class Fate(Enum):
    """What happens to a connection in the end."""

    CUT = "cut"
    """Both ends break at once."""
    CUT_WITHIN_A_MESSAGE = "cut within a message"
    """Both ends break, when one had only part of what was on its way."""
    CLIENT_CUT_OFF = "client cut off"
    """Only the client's end breaks. The server hears of it after the client is back, on another
    connection, and late on the old one what the client had sent."""
    STALLED = "stalled"
    """Nothing arrives any more, for a while; then the client is cut off."""
    DEAD = "dead"
    """Nothing arrives any more, and nobody is told: the client has to notice by itself."""
    SERVER_GONE = "server gone"
    """Both ends break, and the next to come finds nobody there."""


NOTICED: Final = tuple(fate for fate in Fate if fate is not Fate.DEAD)
"""The fates that clients notice at once."""


class Chaos:
    """Forwards connections to a server until the fate of each; in a calm network they have none."""

    def __init__(
        self,
        target: tuple[str, int],
        chance: random.Random,
        possible: Sequence[Fate] = NOTICED,
        longest_life: int = LONGEST_LIFE,
    ) -> None:
        self._target = target
        self._chance = chance
        self._possible = possible
        self._longest_life = longest_life
        self._listener: asyncio.Server | None = None
        self._links: set[_Link] = set()
        self._turned_away = 0
        self._struck = asyncio.Event()
        self._gone = asyncio.Event()
        self.calm = False
        """Whether connections are left alone from here on."""
        self.fates = Counter[str]()
        """How often what happened."""

    @property
    def address(self) -> str:
        """Where clients connect instead."""
        assert self._listener is not None, "nothing is forwarded yet"
        host, port = self._listener.sockets[0].getsockname()
        return f"{host}:{port}"

    async def has_struck(self, times: int) -> None:
        """Return when so many connections have met their fate."""
        while self.fates.total() < times:
            self._struck.clear()
            await self._struck.wait()

    async def listen(self) -> None:
        """Let clients connect."""
        self._listener = await asyncio.start_server(self._join, "127.0.0.1", 0)

    async def end(self) -> None:
        """Break what is left, and let nobody connect any more."""
        if self._listener is not None:
            self._listener.close()
        for link in tuple(self._links):
            link.cut()
        while self._links:
            self._gone.clear()
            await self._gone.wait()

    def silence(self) -> None:
        """Let nothing arrive any more on the connections there are, and tell nobody."""
        for link in self._links:
            link.silence()

    def strikes(self, fate: Fate) -> None:
        """A connection has met its fate."""
        self.fates[fate.value] += 1
        if fate is Fate.SERVER_GONE:
            self._turned_away += self._chance.randint(1, 3)
        self._struck.set()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._turned_away:
            self._turned_away -= 1
            writer.transport.abort()
            return
        try:
            far_reader, far_writer = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        link = self._link(writer, far_writer)
        self._links.add(link)
        try:
            await link.carry(reader, far_reader)
        finally:
            self._links.discard(link)
            self._gone.set()

    def _link(self, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> _Link:
        chance = self._chance
        life = _Life(chance.choice(self._possible), chance.randint(1, self._longest_life))
        return _Link(self, client, server, life, chance)


@dataclass(slots=True)
class _Life:
    """How much a connection may carry yet, in pieces, and what happens to it then."""

    fate: Fate
    left: int


class _Link:
    """One connection, from its beginning to its fate."""

    def __init__(
        self,
        chaos: Chaos,
        client: asyncio.StreamWriter,
        server: asyncio.StreamWriter,
        life: _Life,
        chance: random.Random,
    ) -> None:
        self._chaos = chaos
        self._client = client
        self._server = server
        self._chance = chance
        self._life = life
        self._delay = LONGEST_DELAY if chance.random() < SLOW else 0.0
        self._silent = False
        self._late = b""

    async def carry(
        self, from_client: asyncio.StreamReader, from_server: asyncio.StreamReader
    ) -> None:
        """Forward both directions until the connection is gone."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._carry_up(from_client))
                tasks.create_task(self._carry_down(from_server))
        finally:
            self.cut()

    def cut(self) -> None:
        """Break both ends, without a word."""
        self._client.transport.abort()
        self._server.transport.abort()

    def silence(self) -> None:
        """Let nothing arrive any more, at neither end."""
        self._silent = True

    async def _carry_up(self, reader: asyncio.StreamReader) -> None:
        await self._forward_all(reader, self._server)
        if self._silent:  # the client has given up; the server has not heard of it
            await asyncio.sleep(self._chance.uniform(0, AFTERLIFE))
            self._server.write(self._late)
            await asyncio.sleep(self._chance.uniform(0, AFTERLIFE))
        self.cut()

    async def _carry_down(self, reader: asyncio.StreamReader) -> None:
        await self._forward_all(reader, self._client)
        self.cut()

    async def _forward_all(self, reader: asyncio.StreamReader, to: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                if self._delay:
                    await asyncio.sleep(self._chance.uniform(0, self._delay))
                await self._forward(piece, to)

    async def _forward(self, piece: bytes, to: asyncio.StreamWriter) -> None:
        self._life.left -= 1
        if self._life.left == 0 and not self._chaos.calm:
            self._strike(piece, to)
        elif not self._silent:
            to.write(piece)
            await to.drain()
        elif to is self._server:
            self._late += piece

    def _strike(self, piece: bytes, to: asyncio.StreamWriter) -> None:
        self._chaos.strikes(self._life.fate)
        match self._life.fate:
            case Fate.CUT | Fate.SERVER_GONE:
                self.cut()
            case Fate.CUT_WITHIN_A_MESSAGE:
                to.write(piece[: self._chance.randrange(len(piece))])
                to.close()
            case Fate.CLIENT_CUT_OFF:
                self._keep_silent(piece, to)
                self._client.transport.abort()
            case Fate.STALLED:
                self._keep_silent(piece, to)
                stall = self._chance.uniform(0, LONGEST_STALL)
                asyncio.get_running_loop().call_later(stall, self._client.transport.abort)
            case Fate.DEAD:
                self._keep_silent(piece, to)
            case _:
                assert_never(self._life.fate)

    def _keep_silent(self, piece: bytes, to: asyncio.StreamWriter) -> None:
        self.silence()
        if to is self._server:
            self._late = piece


@asynccontextmanager
async def let_loose(chaos: Chaos) -> AsyncGenerator[Chaos, None]:
    """Let clients connect through chaos until the block is left."""
    await chaos.listen()
    try:
        yield chaos
    finally:
        await chaos.end()
