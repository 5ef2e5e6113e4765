"""Seats that do as little as seats can: they parse what they hear, and answer with a legal card."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from grpc import aio

from hearts_proto.v1 import events_pb2, lobby_pb2, lobby_pb2_grpc
from hearts_proto.v1 import table_pb2 as pb
from load.rally import Rally
from load.reference import HELLO, SEATS

PLAY: Final = "/hearts.v1.TableService/Play"
MOVE: Final = bytes(8)
"""What a seat of a reference sends: about as much as a card takes."""

_OWN_CONNECTION: Final = (("grpc.use_local_subchannel_pool", 1),)

Channels = list[aio.Channel]
"""The connections of a table's seats."""

Seat = Coroutine[Any, Any, None]
"""What a seat does, from its attach to the end of the game."""

Opening = Callable[[Rally, Channels], Coroutine[Any, Any, list[Seat]]]
"""Opens a table."""


@asynccontextmanager
async def connections(port: int, tables: int) -> AsyncGenerator[list[Channels], None]:
    """Connections to a port of this machine, one for each seat of so many tables."""
    target = f"127.0.0.1:{port}"
    found = [
        [aio.insecure_channel(target, options=_OWN_CONNECTION) for _ in range(SEATS)]
        for _ in range(tables)
    ]
    try:
        yield found
    finally:
        for channels in found:
            for channel in channels:
                await channel.close()


def stream_of(channel: aio.Channel, method: str) -> Any:
    """A call whose messages are bytes; the types know none that is not generated."""
    call: Any = channel.stream_stream
    return call(method)()


def reference(method: str, number: int, size: int) -> Opening:
    """Opens a table of a reference, whose answers have so many bytes."""

    async def opened(rally: Rally, channels: Channels) -> list[Seat]:
        streams = [stream_of(channel, method) for channel in channels]
        for stream in streams:
            await stream.write(HELLO.pack(number, size))
            await stream.read()
        await rally.send(streams[0], MOVE)
        return [_repeat(rally, stream, seat) for seat, stream in enumerate(streams)]

    return opened


async def _repeat(rally: Rally, stream: Any, seat: int) -> None:
    """Move whenever it is this seat's turn."""
    place = 0
    with cancelled_at_last(stream):
        while (await stream.read()) is not aio.EOF:
            place += 1
            rally.messages += 1
            rally.heard(place)
            if place % SEATS == seat:
                await rally.send(stream, MOVE)


def game(delivery: pb.Delivery.ValueType) -> Opening:
    """Opens a table whose seats hear of everything at once, or when it is their turn."""

    async def opened(rally: Rally, channels: Channels) -> list[Seat]:
        lobby = lobby_pb2_grpc.LobbyServiceStub(channels[0])
        request = lobby_pb2.CreateTableRequest(start_when_full=True)
        table = (await lobby.CreateTable(request)).table.name
        tokens = [await _token(channel, table) for channel in channels]
        streams = [
            await _attached(rally, channel, delivery, table, token)
            for channel, token in zip(channels, tokens, strict=True)
        ]
        return [_answer(rally, stream, delivery) for stream in streams]

    return opened


async def _token(channel: aio.Channel, table: str) -> str:
    """What opens a seat of the table."""
    lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
    bot = events_pb2.SEAT_KIND_BOT
    return (
        await lobby.JoinTable(lobby_pb2.JoinTableRequest(table=table, name="Bot", kind=bot))
    ).seat_token


async def _attached(
    rally: Rally, channel: aio.Channel, delivery: pb.Delivery.ValueType, table: str, token: str
) -> Any:
    """The stream of a seat, whose first prompt is answered."""
    stream = stream_of(channel, PLAY)
    attach = pb.Attach(table=table, seat_token=token, delivery=delivery)
    await stream.write(pb.PlayRequest(attach=attach).SerializeToString())
    attached = pb.PlayResponse.FromString(await stream.read()).attached
    if attached.HasField("prompt"):
        await rally.send(stream, answer_to(attached.prompt))
    return stream


async def _answer(rally: Rally, stream: Any, delivery: pb.Delivery.ValueType) -> None:
    """Answer every prompt. A seat that is told on its turn hears of a move when it is asked."""
    live = delivery == pb.DELIVERY_LIVE
    with cancelled_at_last(stream):
        while (data := await stream.read()) is not aio.EOF:
            told = pb.PlayResponse.FromString(data)
            assert not told.HasField("refusal"), told.refusal.message
            rally.messages += 1
            rally.size += len(data)
            asked = told.update.HasField("prompt")
            if asked or (live and told.update.seq):
                rally.heard(told.update.seq)
            if asked:
                await rally.send(stream, answer_to(told.update.prompt))


@contextmanager
def cancelled_at_last(stream: Any) -> Generator[None, None, None]:
    """A stream that is cancelled however the block is left; it would stay open otherwise."""
    try:
        yield
    finally:
        stream.cancel()


def answer_to(prompt: pb.Prompt) -> bytes:
    """The first of the legal cards, or the first three to pass."""
    legal = prompt.view.legal
    if prompt.ask == pb.ASK_PASS:
        passing = pb.ChoosePass(prompt_seq=prompt.prompt_seq, cards=legal[:3])
        return pb.PlayRequest(choose_pass=passing).SerializeToString()
    playing = pb.PlayCard(prompt_seq=prompt.prompt_seq, card=legal[0])
    return pb.PlayRequest(play_card=playing).SerializeToString()


async def keep_playing(
    rally: Rally, channels: Channels, opening: Opening, seats: list[Seat]
) -> None:
    """Play this game to its end, and then one after the other."""
    while True:
        async with asyncio.TaskGroup() as tasks:
            for seat in seats:
                tasks.create_task(seat)
        rally.begin_again()
        seats = await opening(rally, channels)
