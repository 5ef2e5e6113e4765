"""What four seats cost at the least: bare streams of grpc.aio, without a game between them.

Each request goes to all four seats of its table, as so many bytes. The durable kind appends the
request to a database first, whose commits are on disk; all that is pending shares one.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from struct import Struct
from typing import Any, Final

import grpc
from grpc import aio

BARE: Final = "/bench.Reference/Bare"
DURABLE: Final = "/bench.Reference/Durable"
SEATS: Final = 4
HELLO: Final = Struct("!II")
"""The first request of a stream: the table's number, and the size of each answer in bytes."""


@dataclass(slots=True)
class Circle:
    """The streams of a table, and who may write to them."""

    contexts: list[Any] = field(default_factory=list[Any])
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class Log:
    """A group-committed append: whatever came up in one turn of the loop is one transaction."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._pending: list[tuple[bytes, asyncio.Future[None]]] = []

    async def append(self, record: bytes) -> None:
        """Return when the record is on disk."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        if not self._pending:
            loop.call_soon(self._commit)
        self._pending.append((record, done))
        await done

    def _commit(self) -> None:
        group, self._pending = self._pending, []
        self._database.execute("BEGIN IMMEDIATE")
        rows = ((record,) for record, _ in group)
        self._database.executemany("INSERT INTO records (record) VALUES (?)", rows)
        self._database.execute("COMMIT")
        for _, done in group:
            done.set_result(None)


async def _keep_nothing(_: bytes) -> None:
    """Append to no log."""


async def _fan_out(
    circles: dict[int, Circle],
    keep: Callable[[bytes], Awaitable[None]],
    _: object,
    context: Any,
) -> None:
    """One seat's stream: it is welcomed, and what it sends goes to everyone at its table."""
    number, size = HELLO.unpack(await context.read())
    circle, answer = circles[number], bytes(size)
    circle.contexts.append(context)
    await context.write(b"")
    while (request := await context.read()) is not aio.EOF:
        async with circle.turn:
            await keep(request)
            for other in circle.contexts:
                await other.write(answer)


@asynccontextmanager
async def references(folder: Path) -> AsyncGenerator[int, None]:
    """The port on which both kinds of streams are served until the block is left."""
    with closing(sqlite3.connect(folder / "reference.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = FULL")
        database.execute("CREATE TABLE records (seq INTEGER PRIMARY KEY, record BLOB)")
        server = aio.server()
        kinds = {"Bare": _keep_nothing, "Durable": Log(database).append}
        handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
            name: grpc.stream_stream_rpc_method_handler(
                partial(_fan_out, defaultdict(Circle), keep)
            )
            for name, keep in kinds.items()
        }
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("bench.Reference", handlers),)
        )
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        try:
            yield port
        finally:
            await server.stop(None)
