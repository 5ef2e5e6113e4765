"""Callers that only look: at one table, and at the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from grpc import aio

from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.callers import PATIENCE, Venue

WATCH: Final = "/hearts.v1.TableService/Watch"
WATCH_TABLES: Final = "/hearts.v1.LobbyService/WatchTables"


class WatchStream:
    """A stream of a spectator: what came, and what holds after it."""

    def __init__(self, channel: aio.Channel, request: pb.WatchRequest) -> None:
        watch: aio.UnaryStreamMultiCallable[pb.WatchRequest, pb.WatchResponse] = (
            channel.unary_stream(
                WATCH,
                request_serializer=pb.WatchRequest.SerializeToString,
                response_deserializer=pb.WatchResponse.FromString,
            )
        )
        self._call = watch(request)
        self.received: list[pb.WatchResponse] = []
        self.seq, self.head = 0, b""

    async def next(self) -> pb.WatchResponse:
        """The next message; ``AioRpcError`` if the stream ended in one."""
        response = await self._read()
        assert response is not None, "the stream has ended"
        return response

    async def attached(self) -> pb.Attached:
        """What the table says to the request."""
        return (await self.next()).attached

    async def hears(self, kind: str) -> pb.WatchResponse:
        """The next message of this kind; whatever else comes passes."""
        while (response := await self.next()).WhichOneof("kind") != kind:
            pass
        return response

    async def sees(self, seq: int) -> None:
        """Return when everything up to this record has come."""
        while self.seq < seq:
            await self.next()

    async def rest(self) -> tuple[pb.WatchResponse, ...]:
        """What comes until the stream ends."""
        before = len(self.received)
        while await self._read() is not None:
            pass
        return tuple(self.received[before:])

    @property
    def records(self) -> list[bytes]:
        """All records that came, in order."""
        return [data for message in self.received for data in records_in(message)]

    def cancel(self) -> None:
        """Drop the stream."""
        self._call.cancel()

    async def _read(self) -> pb.WatchResponse | None:
        async with asyncio.timeout(PATIENCE):
            response = await self._call.read()
        if not isinstance(response, pb.WatchResponse):
            return None
        self.received.append(response)
        if response.HasField("attached"):
            self.seq, self.head = response.attached.seq, response.attached.head
        elif response.HasField("update"):
            self.seq, self.head = response.update.seq, response.update.head
        return response


def records_in(message: pb.WatchResponse) -> tuple[bytes, ...]:
    """The records of a message."""
    return (*message.attached.records, *message.update.records)


@asynccontextmanager
async def watching(
    venue: Venue,
    table: str,
    after: tuple[int, bytes] = (0, b""),
    *,
    passcode: str = "",
    game_id: str = "",
) -> AsyncGenerator[WatchStream, None]:
    """A spectator's stream after a record, dropped when the block is left."""
    request = pb.WatchRequest(
        table=table, passcode=passcode, after_seq=after[0], after_head=after[1], game_id=game_id
    )
    stream = WatchStream(venue.channel, request)
    try:
        yield stream
    finally:
        stream.cancel()


@dataclass
class LobbyReader:
    """A stream of the lobby: what came, and the tables as they are after it."""

    call: aio.UnaryStreamCall[lobby_pb2.WatchTablesRequest, lobby_pb2.WatchTablesResponse]
    received: list[lobby_pb2.WatchTablesResponse] = field(
        default_factory=list[lobby_pb2.WatchTablesResponse]
    )
    tables: dict[str, lobby_pb2.Table] = field(default_factory=dict[str, lobby_pb2.Table])

    async def next(self) -> lobby_pb2.WatchTablesResponse:
        """The next message; ``AioRpcError`` if the stream ended in one."""
        async with asyncio.timeout(PATIENCE):
            response = await self.call.read()
        assert isinstance(response, lobby_pb2.WatchTablesResponse), "the stream has ended"
        self.received.append(response)
        self.tables.update({table.name: table for table in response.tables})
        for name in response.gone:
            self.tables.pop(name, None)
        return response


@asynccontextmanager
async def reading_the_lobby(venue: Venue) -> AsyncGenerator[LobbyReader, None]:
    """A stream of the lobby whose first message has been read, dropped when the block is left."""
    watch: aio.UnaryStreamMultiCallable[
        lobby_pb2.WatchTablesRequest, lobby_pb2.WatchTablesResponse
    ] = venue.channel.unary_stream(
        WATCH_TABLES,
        request_serializer=lobby_pb2.WatchTablesRequest.SerializeToString,
        response_deserializer=lobby_pb2.WatchTablesResponse.FromString,
    )
    reader = LobbyReader(watch(lobby_pb2.WatchTablesRequest()))
    try:
        await reader.next()
        yield reader
    finally:
        reader.call.cancel()
