"""However calls end, nothing of them stays behind: no task, no receiver, no memory."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from grpc import aio

from hearts_proto.v1 import lobby_pb2, table_pb2_grpc
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.subscriber import Subscriber
from hearts_server.testing.cable import Cable, cable_to
from hearts_server.testing.callers import SeatStream, Sitter, Venue, open_venue
from hearts_server.testing.premises import premises_of
from hearts_server.testing.stores import TroubledStore

CALLS = 8
"""Of each kind."""

SECONDS = 30.0


@dataclass(frozen=True)
class Crowd:
    """Calls of every kind from the other end of a cable, all in progress."""

    near: Venue
    far: Venue
    cable: Cable
    store: TroubledStore
    sitter: Sitter
    streams: list[SeatStream]
    watching: list[Any]
    joining: list[asyncio.Task[Sitter]]

    def cut(self) -> None:
        """Break the connection of all of them."""
        self.cable.cut()

    def cancel(self) -> None:
        """Drop each of them."""
        for stream in self.streams:
            stream.cancel()
        for call in self.watching:
            call.cancel()
        for join in self.joining:
            join.cancel()


async def gather_crowd(near: Venue, far: Venue, cable: Cable, store: TroubledStore) -> Crowd:
    table = (await near.table()).name
    sitter = await near.sit(table)
    streams = [SeatStream(far.channel, sitter) for _ in range(3 * CALLS)]
    for stream in streams[:CALLS]:
        await stream.attach()  # each ends the one before
    for stream in streams[CALLS : 2 * CALLS]:
        await stream.open()  # and never attaches
    stub: table_pb2_grpc.TableServiceAsyncStub = table_pb2_grpc.TableServiceStub(far.channel)
    watching: list[Any] = []
    for _ in range(CALLS):
        watching.append(stub.Watch(pb.WatchRequest(table=table)))
        watching.append(far.lobby.WatchTables(lobby_pb2.WatchTablesRequest()))
    for call in watching:
        await call.read()
    store.hold_appends()
    names = [f"Ben {number}" for number in range(CALLS)]
    joining = [asyncio.create_task(far.sit(table, name)) for name in names]
    await store.append_is_held()
    return Crowd(near, far, cable, store, sitter, streams, watching, joining)


def running() -> Counter[str]:
    """What the loop has to do, by the name of its coroutine."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    return Counter(getattr(task.get_coro(), "__qualname__", "") for task in tasks)


def receivers() -> int:
    """How many there are in memory."""
    gc.collect()
    return sum(isinstance(thing, Subscriber) for thing in gc.get_objects())


async def turns() -> AsyncIterator[None]:
    """Turns of the loop, until the test takes too long."""
    async with asyncio.timeout(SECONDS):
        while True:
            await asyncio.sleep(0)
            yield


@pytest.mark.parametrize("drop", [Crowd.cut, Crowd.cancel], ids=["cut off", "cancelled"])
def test_nothing_stays_behind_of_calls_that_are(drop: Callable[[Crowd], None]) -> None:
    asyncio.run(_nothing_stays(drop))


async def _nothing_stays(drop: Callable[[Crowd], None]) -> None:
    store = TroubledStore()
    premises = premises_of(store)
    async with (
        open_venue(premises) as near,
        cable_to(near.listening.host, near.listening.port) as cable,
    ):
        await near.table()  # whatever starts with the first call is there from here on
        before, in_memory = running(), receivers()
        async with aio.insecure_channel(cable.address) as channel:
            crowd = await gather_crowd(near, Venue(near.listening, channel), cable, store)
            assert premises.meters.attached + premises.meters.watching > CALLS
            assert receivers() > in_memory + CALLS
            drop(crowd)
            store.let_appends_go()
            for join in crowd.joining:
                with suppress(aio.AioRpcError, asyncio.CancelledError):
                    await join
        sitter = crowd.sitter
        table = await near.listening.lobby.get(sitter.table)
        del crowd
        async for _ in turns():
            if not (premises.meters.attached or premises.meters.watching or table.receivers):
                break
        async for _ in turns():
            left = running() - before
            left.pop("Table.run", None)
            left.pop("Lobby._run", None)
            if not left:
                break
        assert receivers() == in_memory
        async with near.stream(sitter) as stream:
            assert (await stream.attach()).seq, "the table goes on"
