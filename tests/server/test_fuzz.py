"""Random, damaged and merely strange requests at every method of a running server.

Whatever comes, the server answers: never by an incident, never by silence. What it refuses has
changed nothing, and a game at another table goes on all the while. ``HEARTS_TIMES`` makes it long.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tracemalloc
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from grpc import StatusCode, aio
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.events import (
    ClocksStarted,
    ClocksStopped,
    Event,
    SeatAway,
    SeatKind,
    SeatTaken,
)
from hearts_engine.rules import Rules
from hearts_engine.testing_rules import random_rules
from hearts_proto.v1 import lobby_pb2, replay_pb2, table_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.memory import MemoryStore
from hearts_server.limits import LOCAL, MOST, Limits
from hearts_server.policy import Policy
from hearts_server.testing.callers import (
    PATIENCE,
    SeatStream,
    Sitter,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.mutations import DAMAGES, fields_of, mutated, varint
from hearts_server.testing.plausible import Known, Method, methods_of, plausible
from hearts_server.testing.premises import premises_of
from hearts_wire.records import decode_record
from hearts_wire.rules import decode_rules, encode_rules

TIMES = int(os.environ.get("HEARTS_TIMES", "1"))
"""How many times the usual number of requests."""

SERVICES: tuple[ServiceDescriptor, ...] = (
    lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"],
    table_pb2.DESCRIPTOR.services_by_name["TableService"],
    replay_pb2.DESCRIPTOR.services_by_name["ReplayService"],
    *map(
        descriptor_pool.Default().FindServiceByName,
        ("grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"),
    ),
)
METHODS = methods_of(SERVICES)

NEVER = {StatusCode.INTERNAL, StatusCode.UNKNOWN, StatusCode.DEADLINE_EXCEEDED}
"""Statuses of a server that was taken by surprise."""

SENTINEL = 2**63 + 7
"""Of a request that is always refused, so that what came before it is known to be answered."""

State = tuple[dict[str, int], dict[str, bytes]]


def _freely(tables: int) -> Policy:
    """So many tables, and every other freedom."""
    local = LOCAL.but({"calls_a_second": MOST, "commands_a_second": MOST, "tables_a_minute": MOST})
    limits = Limits(tables=tables, local=local)
    return Policy(resumes=True, allow_fixed_seed=True, limits=limits)


@dataclass(slots=True)
class Siege:
    """A server, what its attackers have heard, and what it answered."""

    venue: Venue
    store: MemoryStore
    known: Known
    codes: Counter[str] = field(default_factory=Counter[str])

    async def state(self) -> State:
        """How long each log is, and what is known of each table."""
        return {game: len(log) for game, log in self.store.games.items()}, dict(
            await self.store.tables.all()
        )

    async def send(self, method: Method, data: bytes) -> None:
        """One call; what is refused must have changed nothing."""
        before = await self.state()
        try:
            async with asyncio.timeout(PATIENCE):
                response = await self._answer(method, data)
        except TimeoutError:
            raise AssertionError(f"{method.path} does not answer {data.hex()[:300]}") from None
        except aio.AioRpcError as error:
            self.codes[error.code().name] += 1
            require_no_surprise(error, f"{method.path} {data.hex()}")
            self.require_same(before, await self.state(), f"{method.path} {data.hex()}")
        else:
            self.codes["OK"] += 1
            self.hear(response)

    async def _answer(self, method: Method, data: bytes) -> Message | None:
        """The response to a request, or the first of them."""
        read = GetMessageClass(method.response).FromString
        if method.takes_a_stream:
            both: aio.StreamStreamMultiCallable[bytes, Message] = self.venue.channel.stream_stream(
                method.path, response_deserializer=read
            )
            streams = both()
            try:
                await streams.write(data)
                await streams.done_writing()
                return _message(await streams.read())
            finally:
                streams.cancel()
        if method.gives_a_stream:
            down: aio.UnaryStreamMultiCallable[bytes, Message] = self.venue.channel.unary_stream(
                method.path, response_deserializer=read
            )
            stream = down(data)
            try:
                return _message(await stream.read())
            finally:
                stream.cancel()
        unary: aio.UnaryUnaryMultiCallable[bytes, Message] = self.venue.channel.unary_unary(
            method.path, response_deserializer=read
        )
        return await unary(data)

    def require_same(self, before: State, after: State, asked: str) -> None:
        """A refusal has changed nothing, except where a table goes on by itself."""
        if before == after:
            return
        games, tables = after
        changed = {game for game in games if games[game] != before[0].get(game)}
        assert tables == before[1] or changed, asked[:300]
        assert all(self.goes_on(game, before[0].get(game, 0)) for game in changed), asked[:300]

    def goes_on(self, game: str, length: int) -> bool:
        """Whether the house decides for someone, or what is new is only that clocks stand still."""
        events = [decode_record(data).event for data in self.store.games[game]]
        return any(map(_is_of_the_house, events)) or all(
            isinstance(event, ClocksStopped | ClocksStarted) for event in events[length:]
        )

    def hear(self, response: Message | None) -> None:
        """Learn from an answer what later requests can be about."""
        match response:
            case lobby_pb2.CreateTableResponse(table=table):
                self.known.hear("table", table.name)
                self.known.hear("game_id", table.game_id)
            case lobby_pb2.JoinTableResponse(seat_token=token):
                self.known.hear("seat_token", token)
            case _:
                pass


def require_no_surprise(error: aio.AioRpcError, asked: str) -> None:
    """A refusal is one that the server meant."""
    assert error.code() not in NEVER, f"{asked[:300]}: {error.details()}"


def _is_of_the_house(event: Event) -> bool:
    house = isinstance(event, SeatTaken) and event.kind is SeatKind.HOUSE
    return house or isinstance(event, SeatAway)


def _message(response: object) -> Message | None:
    return response if isinstance(response, Message) else None


@dataclass(slots=True)
class Bystanders:
    """Four who play at a table of their own, and open the next when their game is over."""

    venue: Venue
    chance: Random
    streams: tuple[SeatStream, ...] = ()
    moves: int = 0

    async def move(self) -> None:
        """One move, which all four hear of."""
        if not any(stream.prompt for stream in self.streams):
            await self._sit_down()
        await play_on(self.streams, at_random(self.chance), at_most=1)
        self.moves += 1

    async def _sit_down(self) -> None:
        self.leave()
        table = await self.venue.table(Rules(target=1))
        sitters = [await self.venue.sit(table.name, f"By {seat}") for seat in range(4)]
        self.streams = tuple(SeatStream(self.venue.channel, sitter) for sitter in sitters)
        for stream in self.streams:
            await stream.attach()
        await self.venue.start(sitters[0])
        await everyone_hears(self.streams)

    def leave(self) -> None:
        """Drop the streams."""
        for stream in self.streams:
            stream.cancel()


@asynccontextmanager
async def besieged(
    seed: str, tables: int = 40
) -> AsyncGenerator[tuple[Siege, Bystanders, list[Sitter]], None]:
    """A server with a table that fills, one where a game goes on, and bystanders elsewhere."""
    store, chance = MemoryStore(), Random(seed)
    async with open_venue(premises_of(store), _freely(tables)) as venue:
        siege, bystanders = Siege(venue, store, Known()), Bystanders(venue, chance)
        sitters = list[Sitter]()
        for seats in (2, 4):
            table = await venue.table()
            siege.hear(lobby_pb2.CreateTableResponse(table=table))
            sitters += [await venue.sit(table.name, f"Ann {seat}") for seat in range(seats)]
        await venue.start(sitters[2])
        for sitter in sitters:
            siege.known.hear("seat_token", sitter.token)
        siege.known.numbers["prompt_seq"] = list(range(1, 20))
        await bystanders.move()
        try:
            yield siege, bystanders, sitters
        finally:
            bystanders.leave()


@pytest.mark.parametrize("part", range(4))
def test_no_request_surprises_the_server_or_changes_what_it_refuses(part: int) -> None:
    siege, moves = asyncio.run(_every_method(f"every method {part}", 300 * TIMES))
    assert siege.codes["OK"] > 20
    assert siege.codes["INVALID_ARGUMENT"] > 50
    assert len(siege.codes) > 4, "requests get as far as tokens and rules"
    assert moves >= 6 * TIMES, "others went on"


async def _every_method(seed: str, times: int) -> tuple[Siege, int]:
    chance = Random(seed)
    async with besieged(seed) as (siege, bystanders, _):
        for number in range(times):
            method = chance.choice(METHODS)
            data = plausible(chance, method.request, siege.known).SerializeToString()
            if chance.random() < 0.7:
                data = mutated(chance, data)
            await siege.send(method, data)
            if number % 50 == 0:
                await bystanders.move()
        return siege, bystanders.moves


@pytest.mark.parametrize("part", range(2))
def test_no_message_on_a_stream_surprises_the_server_or_changes_what_it_refuses(part: int) -> None:
    told = asyncio.run(_streams(f"streams {part}", 25 * TIMES))
    assert told["MALFORMED"] > 50
    assert told["update"] > 0
    assert len(told) > 6


async def _streams(seed: str, times: int) -> Counter[str]:
    chance, told = Random(seed), Counter[str]()
    async with besieged(seed) as (siege, bystanders, sitters):
        for _ in range(times):
            async with siege.venue.stream(chance.choice(sitters)) as stream:
                await _stream(siege, stream, chance, told)
            await bystanders.move()
    return told


async def _stream(siege: Siege, stream: SeatStream, chance: Random, told: Counter[str]) -> None:
    """One stream, to its end if it comes."""
    try:
        await stream.attach()
        for _ in range(20):
            before = await siege.state()
            data = _for_a_stream(siege, stream, chance)
            await stream.send_bytes(data)
            kinds = await _told(stream)
            told.update(kinds)
            if not {"update", "attached", "detached"} & set(kinds):
                siege.require_same(before, await siege.state(), data.hex())
            if "detached" in kinds:
                return
    except aio.AioRpcError as error:
        told[error.code().name] += 1
        require_no_surprise(error, str(stream.sitter))


def _for_a_stream(siege: Siege, stream: SeatStream, chance: Random) -> bytes:
    """A request for a stream: right, merely plausible, or damaged."""
    if stream.prompt is not None and chance.random() < 0.3:
        request: Message = stream.choice(at_random(chance))
    else:
        request = plausible(chance, pb.PlayRequest.DESCRIPTOR, siege.known)
    data = request.SerializeToString()
    return mutated(chance, data) if chance.random() < 0.6 else data


async def _told(stream: SeatStream) -> list[str]:
    """What a stream is told until the sentinel is refused or the stream ends."""
    card = pb.PlayCard(prompt_seq=SENTINEL)
    await stream.send(pb.PlayRequest(request_id=SENTINEL, play_card=card))
    kinds = list[str]()
    while "detached" not in kinds:
        response = await stream.next()
        if response.refusal.request_id == SENTINEL:
            return kinds
        kind = response.WhichOneof("kind") or "nothing"
        kinds.append(response.refusal.reason if kind == "refusal" else kind)
    return kinds


@settings(max_examples=5 * TIMES)
@given(st.lists(st.binary(max_size=200), min_size=10, max_size=40), st.randoms())
def test_bytes_that_nobody_meant_anything_by_are_answered(
    messages: list[bytes], chance: Random
) -> None:
    asyncio.run(_meaningless(messages, chance))


async def _meaningless(messages: list[bytes], chance: Random) -> None:
    async with besieged("meaningless") as (siege, bystanders, _):
        for data in messages:
            await siege.send(chance.choice(METHODS), data)
        await bystanders.move()


def test_bytes_that_are_no_http_do_not_reach_anyone() -> None:
    asyncio.run(_no_http())


async def _no_http() -> None:
    chance = Random("no http")
    async with besieged("no http") as (siege, bystanders, _):
        listening = siege.venue.listening
        before = await siege.state()
        for number in range(20 * TIMES):
            reader, writer = await asyncio.open_connection(listening.host, listening.port)
            preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" if number % 2 else b""
            writer.write(preface + chance.randbytes(chance.choice((1, 50, 5_000))))
            if number % 3:
                writer.transport.abort()
            else:
                writer.write_eof()
                async with asyncio.timeout(PATIENCE):
                    await _to_the_end(reader)
                writer.close()
        assert await siege.state() == before
        await bystanders.move()


async def _to_the_end(reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(65_536):
            pass
    except ConnectionResetError:
        pass


def test_strangers_leave_no_more_behind_than_the_limits_allow() -> None:
    times = 200 * TIMES
    tracemalloc.start()
    try:
        grown = asyncio.run(_strangers(times))
    finally:
        tracemalloc.stop()
    assert grown < 30_000 + 20 * times, "bytes"


async def _strangers(times: int) -> int:
    """How much more memory is taken after many requests of people who hold no seat."""
    chance, grown = Random("strangers"), list[int]()
    methods = [each for each in METHODS if not each.takes_a_stream]
    for _ in range(500):  # so many rules are kept at the most
        decode_rules(encode_rules(random_rules(chance)))
    async with besieged("strangers", tables=5) as (siege, bystanders, _):
        with suppress(aio.AioRpcError):  # all the tables that there may be
            while True:
                await siege.venue.table()
        for number in range(2 * times + 1):
            if number % times == 0:
                grown.append(await _traced())
            siege.known = Known()
            method = chance.choice(methods)
            data = plausible(chance, method.request, siege.known).SerializeToString()
            await siege.send(method, mutated(chance, data))
        await bystanders.move()
    return grown[2] - grown[1]


async def _traced() -> int:
    """Bytes that are in use, once all calls have ended."""
    for _ in range(100):
        await asyncio.sleep(0)  # calls end in the loop
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.strip("_"))
def test_every_kind_of_damage_makes_messages_that_cannot_be_read_or_say_something_else(
    damage: Any,
) -> None:
    chance, changed, unreadable = Random(damage.__name__), 0, 0
    for _ in range(200):
        request = plausible(chance, pb.PlayRequest.DESCRIPTOR, Known())
        data = request.SerializeToString()
        damaged = damage(chance, data)
        changed += damaged != data
        try:
            pb.PlayRequest.FromString(damaged)
        except DecodeError:
            unreadable += 1
    assert changed > 20
    assert unreadable > 0 or damage.__name__ in {"_swap", "_drop", "_repeat", "_another_number"}


def test_the_fields_of_a_message_are_told_apart() -> None:
    chance = Random("fields")
    for _ in range(500):
        data = plausible(chance, pb.PlayRequest.DESCRIPTOR, Known()).SerializeToString()
        fields = fields_of(data)
        assert b"".join(fields) == data
        assert len(fields) == len(pb.PlayRequest.FromString(data).ListFields())


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**32, 2**64 - 1])
def test_numbers_are_written_as_protobuf_writes_them(number: int) -> None:
    written = pb.PlayRequest(request_id=number).SerializeToString()
    assert written == (b"\x08" + varint(number) if number else b"")
