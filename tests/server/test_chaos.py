"""The chaotic network of the tests does what it says: each fate, seen from both ends."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from hearts_server.testing.chaos import Chaos, Fate, let_loose

SECONDS = 10.0


@dataclass
class Far:
    """What a server behind the chaos heard, connection by connection."""

    chaos: Chaos
    heard: list[bytes] = field(default_factory=list[bytes])
    ended: asyncio.Queue[int] = field(default_factory=asyncio.Queue[int])
    """The number of a connection whose end the server was told."""

    opened: list[asyncio.StreamWriter] = field(default_factory=list[asyncio.StreamWriter])

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self.chaos.address.rsplit(":", 1)
        reader, writer = await asyncio.open_connection(host, int(port))
        self.opened.append(writer)
        return reader, writer

    def close(self) -> None:
        """Leave no connection open."""
        for writer in self.opened:
            writer.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send back what comes."""
        number = len(self.heard)
        self.heard.append(b"")
        try:
            while piece := await reader.read(1024):
                self.heard[number] += piece
                writer.write(piece)
        except OSError:
            pass
        self.ended.put_nowait(number)
        writer.transport.abort()


@asynccontextmanager
async def far(fate: Fate, longest_life: int) -> AsyncGenerator[Far, None]:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await place.serve(reader, writer)

    listener = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = listener.sockets[0].getsockname()
    chaos = Chaos((host, port), random.Random(1), (fate,), longest_life)
    async with asyncio.timeout(SECONDS), let_loose(chaos):
        place = Far(chaos)
        yield place
        place.close()
    listener.close()


async def everything(reader: asyncio.StreamReader, at_most: int = 1024) -> bytes:
    """What comes until the end, however that comes."""
    found = b""
    try:
        while len(found) < at_most and (piece := await reader.read(at_most)):
            found += piece
    except OSError:
        pass
    return found


def test_a_calm_network_carries_everything_both_ways() -> None:
    asyncio.run(_calm())


async def _calm() -> None:
    async with far(Fate.CUT, 1) as place:
        place.chaos.calm = True
        reader, writer = await place.connect()
        for _ in range(100):
            writer.write(b"card")
            assert await reader.readexactly(4) == b"card"
        writer.close()
        await place.ended.get()
        assert place.heard == [b"card" * 100]
        assert not place.chaos.fates


@pytest.mark.parametrize("fate", [Fate.CUT, Fate.SERVER_GONE, Fate.CUT_WITHIN_A_MESSAGE])
def test_both_ends_are_told_of_a_cut(fate: Fate) -> None:
    asyncio.run(_cut(fate))


async def _cut(fate: Fate) -> None:
    async with far(fate, 1) as place:
        reader, writer = await place.connect()
        writer.write(b"a whole message")
        assert await everything(reader) == b""
        await place.ended.get()
        whole_or_none = fate is not Fate.CUT_WITHIN_A_MESSAGE
        assert place.heard[0] == (b"" if whole_or_none else place.heard[0])
        assert b"a whole message".startswith(place.heard[0])
        assert len(place.heard[0]) < len(b"a whole message")
        assert place.chaos.fates == {fate.value: 1}


def test_who_comes_after_the_server_went_finds_nobody_for_a_while() -> None:
    asyncio.run(_gone())


async def _gone() -> None:
    async with far(Fate.SERVER_GONE, 1) as place:
        _, writer = await place.connect()
        writer.write(b"card")
        await place.ended.get()
        place.chaos.calm = True
        turned_away = 0
        while True:
            reader, writer = await place.connect()
            writer.write(b"card")
            if await everything(reader, at_most=4) == b"card":
                break
            turned_away += 1
        assert turned_away > 0


@pytest.mark.parametrize("fate", [Fate.CLIENT_CUT_OFF, Fate.STALLED])
def test_what_a_client_sent_before_it_was_cut_off_arrives_late(fate: Fate) -> None:
    asyncio.run(_late(fate))


async def _late(fate: Fate) -> None:
    async with far(fate, 1) as place:
        reader, writer = await place.connect()
        writer.write(b"old")
        assert await everything(reader) == b""
        assert place.ended.empty(), "the server has not heard of it"
        place.chaos.calm = True
        again, other = await place.connect()
        other.write(b"new")
        assert await again.readexactly(3) == b"new"
        assert await place.ended.get() == 0
        assert place.heard == [b"old", b"new"]


def test_nobody_is_told_that_a_connection_is_dead() -> None:
    asyncio.run(_dead())


async def _dead() -> None:
    async with far(Fate.DEAD, 1) as place:
        reader, writer = await place.connect()
        writer.write(b"old")
        await place.chaos.has_struck(1)
        place.chaos.calm = True
        again, other = await place.connect()
        other.write(b"new")
        assert await again.readexactly(3) == b"new"
        assert place.heard == [b"", b"new"]
        assert place.ended.empty()
        writer.transport.abort()
        assert await everything(reader) == b""
        assert await place.ended.get() == 0
