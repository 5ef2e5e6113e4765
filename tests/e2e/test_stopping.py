"""`hearts serve` told to stop: everyone hears of it, nothing is lost, and the exit code is 0."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from grpc import aio

from hearts_cli.testing import StartHearts
from hearts_client.lobby import Lobby
from hearts_engine.events import SeatKind
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.callers import SeatStream, Sitter, at_random, play_on


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_every_stream_is_told_that_the_server_stops_and_goes_on_with_the_next(
    number: int, start: StartHearts, tmp_path: Path
) -> None:
    data = ("--data", tmp_path)
    first = start("serve", "--port", "0", *data)
    address = first.until("listening on").rsplit(" ", 1)[1]

    def stop() -> None:
        first.kill(number)
        assert first.end() == 0
        start("serve", "--port", address.rsplit(":", 1)[1], *data).until("taken up again")

    asyncio.run(_through_a_stop(address, stop))


async def _through_a_stop(address: str, stop: Callable[[], None]) -> None:
    choose = at_random(random.Random(1))
    async with aio.insecure_channel(address) as channel:
        sitters = await _sit_down(Lobby(channel, address))
        streams = [SeatStream(channel, sitter) for sitter in sitters]
        for stream in streams:
            await stream.attach()
        await play_on(streams, choose, at_most=9)
        stopping = asyncio.create_task(asyncio.to_thread(stop))
        for stream in streams:
            *_, told = await stream.rest()
            assert told.detached.cause == pb.Detached.CAUSE_DRAINING
        await stopping
    async with aio.insecure_channel(address) as channel:
        again = [SeatStream(channel, sitter) for sitter in sitters]
        for stream, before in zip(again, streams, strict=True):
            attached = await stream.attach(before.seq, before.head)
            assert attached.view.seat == before.sitter.seat
        await play_on(again, choose)
        for stream in again:
            *_, told = await stream.rest()
            assert told.detached.cause == pb.Detached.CAUSE_GAME_OVER
        for stream in (*streams, *again):
            stream.cancel()


async def _sit_down(lobby: Lobby) -> list[Sitter]:
    """Four seats of a game that is about to begin."""
    table = await lobby.create(parse_rules("black_lady deals=1"), start_when_full=True)
    sitters: list[Sitter] = []
    for name in ("Ann", "Ben", "Cleo", "Dan"):
        ticket = await lobby.join(table.name, name, SeatKind.BOT, takes_part=False)
        sitters.append(Sitter(ticket.table, ticket.seat, ticket.token))
    return sitters
