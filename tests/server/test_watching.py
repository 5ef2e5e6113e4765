"""Spectators: told what everyone may know and nothing else, and no burden to the table."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import pytest
from grpc import StatusCode, aio

from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import Chance, random_choice
from hearts_engine.view import follow, visible
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.memory import MemoryStore
from hearts_server.heartbeats import SILENCE, Heartbeats
from hearts_server.limits import Limits
from hearts_server.notices import Pulse
from hearts_server.peers import Peers
from hearts_server.policy import Policy
from hearts_server.table import Table
from hearts_server.table_service import TableService
from hearts_server.telling import PARTING_TIME
from hearts_server.testing.callers import (
    PATIENCE,
    Denied,
    SeatStream,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.spectators import WatchStream, records_in, watching
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

GAME_OVER = pb.Detached.CAUSE_GAME_OVER
DRAINING = pb.Detached.CAUSE_DRAINING
TOO_SLOW = pb.Detached.CAUSE_TOO_SLOW
NARROW = (
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 16_384),
    ("grpc.use_local_subchannel_pool", 1),
)
"""Of a channel that buffers little, on a connection of its own."""


@asynccontextmanager
async def started(
    venue: Venue, rules: str = "black_lady target=30"
) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    table = await venue.table(parse_rules(rules))
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def table_of(streams: tuple[SeatStream, ...]) -> str:
    return streams[0].sitter.table


def is_public(data: bytes) -> bool:
    return bool(visible([decode_record(data).event], None))


def test_a_spectator_is_told_every_public_record_of_a_whole_game_once_and_how_it_ended() -> None:
    asyncio.run(_whole_game())


async def _whole_game() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(parse_rules("black_lady target=30"))
        async with watching(venue, table.name) as spectator, venue.seated(table.name) as streams:
            await spectator.attached()
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(1)))
            rest = await spectator.rest()
        (log,) = store.games.values()
    assert rest[-1].detached.cause == GAME_OVER
    assert spectator.records == [data for data in log if is_public(data)]
    assert (spectator.seq, spectator.head) == (len(log), EMPTY_CHAIN.extended(log).head)


def test_the_view_of_a_spectator_is_what_the_records_it_was_told_come_to() -> None:
    spectator, log = asyncio.run(_views())
    events = [decode_record(data).event for data in log]
    checked = 0
    for message in spectator.received:
        told = message.attached if message.HasField("attached") else message.update
        if told.HasField("view"):
            checked += 1
            assert decode_view(told.view) == follow(None, visible(events[: told.seq], None))
        assert not told.HasField("prompt")
    assert checked > 100


async def _views() -> tuple[WatchStream, list[bytes]]:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        async with watching(venue, table_of(streams)) as spectator:
            await spectator.attached()
            await play_on(streams, at_random(random.Random(2)))
            await spectator.rest()
        (log,) = store.games.values()
    return spectator, log


def test_a_spectator_that_comes_back_is_told_exactly_what_it_missed() -> None:
    asyncio.run(_comes_back())


async def _comes_back() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        await play_on(streams, at_random(random.Random(3)), at_most=12)
        (log,) = store.games.values()
        for seq in range(len(log) + 1):
            head = EMPTY_CHAIN.extended(log[:seq]).head
            async with watching(venue, table_of(streams), (seq, head)) as spectator:
                attached = await spectator.attached()
            assert list(attached.records) == [data for data in log[seq:] if is_public(data)]
            assert (attached.seq, attached.head) == (len(log), EMPTY_CHAIN.extended(log).head)


async def refused(venue: Venue, table: str, after: tuple[int, bytes] = (0, b"")) -> Denied:
    async with watching(venue, table, after) as spectator:
        return await denied(spectator.next())


def test_a_spectator_with_a_head_that_is_not_in_the_log_is_told_so() -> None:
    asyncio.run(_wrong_head())


async def _wrong_head() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        for after in ((3, bytes(32)), (1000, streams[0].head), (2, streams[0].head)):
            told = await refused(venue, table_of(streams), after)
            assert (told.code, told.reason) == (StatusCode.DATA_LOSS, "HEAD_NOT_IN_LOG")
        told = await refused(venue, table_of(streams), (3, b"short"))
        assert (told.code, told.reason) == (StatusCode.INVALID_ARGUMENT, "MALFORMED")
        told = await refused(venue, "elm-99")
        assert (told.code, told.reason) == (StatusCode.NOT_FOUND, "NO_SUCH_TABLE")


def test_nobody_watches_a_table_with_a_passcode_who_does_not_know_it() -> None:
    asyncio.run(_passcode())


async def _passcode() -> None:
    async with open_venue(premises_of()) as venue:
        request = lobby_pb2.CreateTableRequest(passcode="open sesame")
        table = (await venue.lobby.CreateTable(request)).table
        told = await refused(venue, table.name)
        assert (told.code, told.reason) == (StatusCode.PERMISSION_DENIED, "PASSCODE_NEEDED")
        async with watching(venue, table.name, passcode="open says me") as spectator:
            told = await denied(spectator.next())
            assert (told.code, told.reason) == (StatusCode.PERMISSION_DENIED, "WRONG_PASSCODE")
        async with watching(venue, table.name, passcode="open sesame") as spectator:
            assert (await spectator.attached()).view.opened.table == table.name


def test_no_more_may_watch_than_the_limit_and_one_that_goes_makes_room() -> None:
    asyncio.run(_limit())


async def _limit() -> None:
    policy = Policy(resumes=True, limits=Limits(watchers=3))
    async with open_venue(premises_of(), policy) as venue, AsyncExitStack() as stack:
        table = await venue.table()
        crowd = [await stack.enter_async_context(watching(venue, table.name)) for _ in range(3)]
        for spectator in crowd:
            await spectator.attached()
        told = await refused(venue, table.name)
        assert (told.code, told.reason) == (StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS")
        crowd[0].cancel()
        while (await venue.lobby.GetTable(get(table.name))).table.watchers == 3:
            pass
        async with watching(venue, table.name) as spectator:
            assert (await spectator.attached()).seq == 1
        other = await venue.table()
        async with watching(venue, other.name) as elsewhere:
            assert (await elsewhere.attached()).seq == 1


def get(name: str) -> lobby_pb2.GetTableRequest:
    return lobby_pb2.GetTableRequest(table=name)


def test_a_crowd_may_watch_one_table_where_that_is_allowed() -> None:
    asyncio.run(_crowd())


async def _crowd() -> None:
    policy = Policy(resumes=True, limits=Limits(watchers=100))
    async with open_venue(premises_of(), policy) as venue, started(venue) as streams:
        table = await venue.listening.lobby.get(table_of(streams))
        async with AsyncExitStack() as stack:
            crowd = [
                await stack.enter_async_context(watching(venue, table_of(streams)))
                for _ in range(100)
            ]
            for spectator in crowd:
                await spectator.attached()
            assert table.receivers.watchers == 100
            await play_on(streams, at_random(random.Random(4)), at_most=3)
            for spectator in crowd:
                await spectator.sees(streams[0].seq)
                assert spectator.head == streams[0].head


def test_a_slow_spectator_delays_nobody_is_dropped_and_resumes_without_a_gap() -> None:
    asyncio.run(_slow())


async def _slow() -> None:
    chance, store = random.Random(5), MemoryStore()
    async with (
        open_venue(premises_of(store)) as venue,
        started(venue, "black_lady target=1000") as streams,
        aio.insecure_channel(venue.listening.address, options=NARROW) as channel,
        watching(Venue(venue.listening, channel), table_of(streams)) as slow,
    ):
        await slow.attached()
        table = await venue.listening.lobby.get(table_of(streams))
        (receiver,) = (held for held in table.receivers if held.seat is None)
        while not receiver.closed:
            await answer_for_anyone(table, chance)
            await streams[1].next()
        told = await slow.rest()
        assert told[-1].detached.cause == TOO_SLOW
        async with watching(venue, table_of(streams), (slow.seq, slow.head)) as again:
            await again.attached()
        (log,) = store.games.values()
        assert [*slow.records, *again.records] == [data for data in log if is_public(data)]


async def answer_for_anyone(table: Table, chance: Chance) -> None:
    """Let the first seat that is asked choose at random, whoever is attached for it."""
    command = random_choice(table.journal.state, chance)
    assert isinstance(command, ChoosePass | PlayCard)
    await table.in_turn(partial(table.do, command))


def test_who_comes_to_watch_a_game_that_is_over_is_shown_it_and_sent_off() -> None:
    asyncio.run(_too_late())


async def _too_late() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        await play_on(streams, at_random(random.Random(6)))
        async with watching(venue, table_of(streams)) as spectator:
            attached = await spectator.attached()
            (told,) = await spectator.rest()
        (log,) = store.games.values()
    assert attached.view.HasField("ended")
    assert list(attached.records) == [data for data in log if is_public(data)]
    assert told.detached.cause == GAME_OVER


def test_after_a_game_its_spectators_may_watch_the_next_one_and_not_by_mistake() -> None:
    asyncio.run(_next_game())


async def _next_game() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        name = table_of(streams)
        first = (await venue.lobby.GetTable(get(name))).table.game_id
        async with watching(venue, name, game_id=first) as spectator:
            await spectator.attached()
            await play_on(streams, at_random(random.Random(7)))
            assert (await spectator.rest())[-1].detached.cause == GAME_OVER
        ann = streams[0].sitter
        request = lobby_pb2.PlayAgainRequest(table=name, seat_token=ann.token)
        second = (await venue.lobby.PlayAgain(request)).table.game_id
        async with watching(venue, name, game_id=first) as spectator:
            told = await denied(spectator.next())
            assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "GAME_ENDED")
        async with watching(venue, name) as spectator:
            assert (await spectator.attached()).view.opened.game_id == second


def test_a_spectator_is_told_when_the_server_stops() -> None:
    asyncio.run(_draining())


async def _draining() -> None:
    async with AsyncExitStack() as stack:
        venue = await stack.enter_async_context(open_venue(premises_of()))
        table = await venue.table()
        spectator = await stack.enter_async_context(watching(venue, table.name))
        await spectator.attached()
        closing = asyncio.create_task(venue.listening.lobby.close())
        told = await spectator.rest()
        await closing
    assert told[-1].detached.cause == DRAINING


def test_a_spectator_of_a_table_where_nothing_happens_gets_signs_of_life() -> None:
    asyncio.run(_silence())


async def _silence() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        table = await venue.table()
        async with watching(venue, table.name) as spectator:
            attached = await spectator.attached()
            for _ in range(3):
                clock.advance(SILENCE)
                told = (await spectator.hears("heartbeat")).heartbeat
                assert (told.seq, told.head) == (attached.seq, attached.head)


class StuckContext:
    """A call whose reader takes nothing."""

    def __init__(self) -> None:
        self.writing = asyncio.Event()

    def peer(self) -> str:
        return "nobody"

    async def write(self, _: bytes) -> None:
        self.writing.set()
        await asyncio.Event().wait()


def test_the_stream_of_a_spectator_that_takes_nothing_ends_by_itself() -> None:
    asyncio.run(_stuck())


async def _stuck() -> None:
    clock = VirtualClock()
    premises = premises_of(clock=clock)
    async with open_venue(premises) as venue, asyncio.timeout(PATIENCE):
        opened = await venue.table()
        lobby, context = venue.listening.lobby, StuckContext()
        service = TableService(lobby, Heartbeats(clock), premises.meters, Peers(Limits(), clock))
        watch = service.Watch(pb.WatchRequest(table=opened.name), context)
        handler = asyncio.create_task(watch)
        await context.writing.wait()
        table = await lobby.get(opened.name)
        (receiver,) = table.receivers
        while not receiver.closed:
            receiver.tell(Pulse(1, b""))
        await clock.is_waited_for()
        clock.advance(PARTING_TIME)
        await handler
        assert not table.receivers


@pytest.mark.parametrize("count", [1, 5])
def test_a_spectator_that_drops_its_stream_leaves_nothing_behind(count: int) -> None:
    asyncio.run(_drops(count))


async def _drops(count: int) -> None:
    premises = premises_of()
    async with open_venue(premises) as venue, started(venue) as streams:
        table = await venue.listening.lobby.get(table_of(streams))
        for _ in range(count):
            async with watching(venue, table_of(streams)) as spectator:
                await spectator.attached()
        while (await venue.lobby.GetTable(get(table_of(streams)))).table.watchers:
            pass
        assert premises.meters.watching == 0
        assert len(table.receivers) == 4


def test_all_who_keep_up_are_told_the_same() -> None:
    asyncio.run(_same())


async def _same() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        async with AsyncExitStack() as stack:
            crowd = [
                await stack.enter_async_context(watching(venue, table_of(streams)))
                for _ in range(3)
            ]
            for spectator in crowd:
                await spectator.attached()
            await play_on(streams, at_random(random.Random(8)), at_most=20)
            for spectator in crowd:
                await spectator.sees(streams[0].seq)
        updates = [
            [message for message in spectator.received if records_in(message)]
            for spectator in crowd
        ]
        assert updates[0] == updates[1] == updates[2]
