"""A server that stops and starts again on its store goes on as if nothing had happened."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from grpc import StatusCode, aio

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.log import Store
from hearts_replays.memory import MemoryStore
from hearts_replays.sqlite import SqliteStore
from hearts_server.app import serving
from hearts_server.policy import Policy
from hearts_server.testing.callers import (
    GENEROUS,
    Choose,
    SeatStream,
    Sitter,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import Draws, premises_of

DRAINING = pb.Detached.CAUSE_DRAINING
RULES = parse_rules("black_lady target=30")

OpenStore = Callable[[], Store]


@pytest.fixture(params=["memory", "sqlite"])
def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> OpenStore:
    """Opens one and the same store, again and again, each time after it was closed."""
    if request.param == "sqlite":
        return lambda: SqliteStore.open(tmp_path)
    memory = MemoryStore()

    def reopened() -> Store:
        memory.reopen()
        return memory

    return reopened


class Lives:
    """A server that is started and stopped on one store, each life with chances of its own."""

    def __init__(self, open_store: OpenStore) -> None:
        self._open_store = open_store
        self._count = 0
        self._stack = AsyncExitStack()

    async def start(self) -> Venue:
        self._count += 1
        store = self._open_store()
        self._stack.push_async_callback(store.close)
        premises = premises_of(store, draws=Draws(f"life {self._count}"))
        return await self._stack.enter_async_context(open_venue(premises))

    async def stop(self) -> None:
        await self._stack.aclose()


def test_a_game_goes_on_after_a_restart_to_a_clean_end(open_store: OpenStore) -> None:
    asyncio.run(_goes_on(open_store))


async def _goes_on(open_store: OpenStore) -> None:
    lives, chance = Lives(open_store), at_random(random.Random(1))
    venue = await lives.start()
    table = await venue.table(RULES)
    async with venue.seated(table.name, [b"e" * 32, b"f" * 32, b"", b""]) as first:
        streams = first
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        for moves in (1, 1, 3, 30, 100):
            await play_on(streams, chance, at_most=moves)
            await lives.stop()
            venue = await lives.start()
            streams = await _all_again(venue, streams)
        await play_on(streams, chance)
        for stream in streams:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
    await lives.stop()
    store = open_store()
    records = await (await store.logs.open(table.game_id)).read()
    await store.close()
    assert audit(records).finding is None


async def _all_again(venue: Venue, before: tuple[SeatStream, ...]) -> tuple[SeatStream, ...]:
    """The same seats on new streams: nothing missed, and asked just what they were asked."""
    again: list[SeatStream] = []
    for old in before:
        new = SeatStream(venue.channel, old.sitter)
        attached = await new.attach(old.seq, old.head)
        assert not attached.records
        assert (new.seq, new.head, _seq_of(new)) == (old.seq, old.head, _seq_of(old))
        again.append(new)
    return tuple(again)


def _seq_of(stream: SeatStream) -> int | None:
    return None if stream.prompt is None else stream.prompt.prompt_seq


def test_an_answer_whose_acknowledgement_was_lost_is_not_done_twice(open_store: OpenStore) -> None:
    asyncio.run(_acknowledged_later(open_store))


async def _acknowledged_later(open_store: OpenStore) -> None:
    lives, chance = Lives(open_store), at_random(random.Random(2))
    venue = await lives.start()
    table = await venue.table(RULES)
    async with venue.seated(table.name) as first:
        streams = first
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        await play_on(streams, chance, at_most=4)
        turn = next(seat for seat, stream in enumerate(streams) if stream.prompt)
        request = streams[turn].choice(chance)
        await streams[turn].send(request)
        await everyone_hears([s for seat, s in enumerate(streams) if seat != turn])
        await lives.stop()
        venue = await lives.start()
        streams = tuple([SeatStream(venue.channel, old.sitter) for old in streams])
        for stream in streams:
            await stream.attach()
        request.request_id = 9
        await streams[turn].send(request)
        done = (await streams[turn].next()).update
        assert (done.acknowledgement.request_id, done.acknowledgement.repeated) == (9, True)
        request.play_card.card = (request.play_card.card + 1) % 52
        assert (await streams[turn].refusal(request)).reason == "ANSWERED_OTHERWISE"
        await play_on(streams, chance, at_most=5)
    await lives.stop()


def test_house_bots_go_on_after_a_restart(open_store: OpenStore) -> None:
    asyncio.run(_house_bots(open_store))


async def _house_bots(open_store: OpenStore) -> None:
    lives, chance = Lives(open_store), at_random(random.Random(3))
    venue = await lives.start()
    sitter = await _with_house_bots(venue)
    for _ in range(5):
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await _play_alone(stream, chance, 3)
        await lives.stop()
        venue = await lives.start()
    async with venue.stream(sitter) as stream:
        await stream.attach()
        await _play_alone(stream, chance, 1000)
        assert stream.received[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
    await lives.stop()


async def _with_house_bots(venue: Venue) -> Sitter:
    """One seat of a game that has started, among house bots."""
    table = await venue.table(RULES)
    sitter = await venue.sit(table.name)
    for _ in range(3):
        await venue.add_house_bot(sitter)
    await venue.start(sitter)
    return sitter


async def _play_alone(stream: SeatStream, choose: Choose, answers: int) -> None:
    """Answer so many prompts, with whatever others do in between, or play to the end."""
    for _ in range(answers):
        while not stream.prompt:
            if (await stream.next()).HasField("detached"):
                return
        request = stream.choice(choose)
        await stream.send(request)
        while not (await stream.next()).update.HasField("acknowledgement"):
            pass


def test_the_lobby_lists_what_goes_on_and_not_what_is_over(open_store: OpenStore) -> None:
    asyncio.run(_listed(open_store))


async def _listed(open_store: OpenStore) -> None:
    lives = Lives(open_store)
    venue = await lives.start()
    over, running, seating = [await venue.table(RULES) for _ in range(3)]
    for table in (over, running):
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            moves = None if table is over else 5
            await play_on(streams, at_random(random.Random(4)), at_most=moves)
    await lives.stop()
    venue = await lives.start()
    listed = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
    assert {(table.name, table.status) for table in listed} == {
        (running.name, lobby_pb2.TABLE_STATUS_PLAYING),
        (seating.name, lobby_pb2.TABLE_STATUS_SEATING),
    }
    await lives.stop()


def test_a_repeated_creation_opens_nothing_new_even_after_a_restart(open_store: OpenStore) -> None:
    asyncio.run(_created_once(open_store))


async def _created_once(open_store: OpenStore) -> None:
    lives = Lives(open_store)
    venue = await lives.start()
    table = await venue.table(RULES, request_id="once".ljust(16, "-"))
    assert await venue.table(RULES, request_id="once".ljust(16, "-")) == table
    await lives.stop()
    venue = await lives.start()
    assert await venue.table(RULES, request_id="once".ljust(16, "-")) == table
    assert (await venue.table(RULES, request_id="twice".ljust(16, "-"))).name != table.name
    await lives.stop()


def test_a_process_that_does_not_own_the_folder_leaves_its_tables_alone() -> None:
    asyncio.run(_leaves_alone())


async def _leaves_alone() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as owner:
        sitter = await owner.sit((await owner.table(RULES)).name)
        guest_premises = premises_of(store, draws=Draws("guest"))
        async with open_venue(guest_premises, replace(GENEROUS, resumes=False)) as guest:
            assert not (await guest.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
            async with guest.stream(sitter) as stream:
                assert (await denied(stream.attach())).code is StatusCode.NOT_FOUND
            assert (await guest.table(RULES)).name != sitter.table


def test_streams_are_told_that_the_server_stops() -> None:
    asyncio.run(_told_of_the_stop())


async def _told_of_the_stop() -> None:
    async with AsyncExitStack() as stack:
        listening = await stack.enter_async_context(
            serving(premises_of(), "127.0.0.1", 0, Policy(resumes=True))
        )
        async with aio.insecure_channel(listening.address) as channel:
            venue = Venue(listening, channel)
            table = await venue.table(RULES)
            async with venue.seated(table.name) as streams:
                await stack.aclose()
                for stream in streams:
                    (told,) = await stream.rest()
                    assert told.detached.cause == DRAINING


def test_nothing_is_opened_while_the_server_stops() -> None:
    asyncio.run(_opens_nothing())


async def _opens_nothing() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(RULES)
        await venue.listening.lobby.close()
        for call in (
            venue.table(RULES),
            venue.sit(table.name),
            venue.lobby.ListTables(lobby_pb2.ListTablesRequest()),
        ):
            told = await denied(call)
            assert (told.code, told.reason) == (StatusCode.UNAVAILABLE, "DRAINING")
