"""Nothing counts, and nobody hears of it, before it is on disk; a store may fail at any time."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import pytest
from google.rpc.code_pb2 import UNAVAILABLE
from grpc import StatusCode

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.log import Fenced, Unavailable, Unknown
from hearts_replays.memory import MemoryStore
from hearts_server.testing.callers import (
    PATIENCE,
    SeatStream,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.entries import entries
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore

RULES = parse_rules("black_lady target=1")
FULL = Unavailable("the disk is full")


@asynccontextmanager
async def started(venue: Venue) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    table = await venue.table(RULES)
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


async def hears_nothing(streams: Sequence[SeatStream]) -> None:
    """The next thing that each hears is the answer to its own heartbeat, of a log that stands."""
    for stream in streams:
        assert await stream.pulse() == (stream.seq, stream.head)


def test_nobody_hears_of_a_move_before_it_is_on_disk() -> None:
    asyncio.run(_durable_first())


async def _durable_first() -> None:
    store = TroubledStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        store.hold_appends()
        await streams[0].send(streams[0].choice(at_random(random.Random(1))))
        await store.append_is_held()
        await hears_nothing(streams[1:])
        store.let_appends_go()
        await everyone_hears(streams)
        assert streams[0].received[-1].update.HasField("acknowledgement")


def test_a_newcomer_is_not_shown_a_move_that_is_not_on_disk() -> None:
    asyncio.run(_durable_for_newcomers())


async def _durable_for_newcomers() -> None:
    store = TroubledStore()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        store.hold_appends()
        async with asyncio.TaskGroup() as tasks:
            joining = tasks.create_task(venue.sit(table.name, "Ben"))
            await store.append_is_held()
            request = lobby_pb2.GetTableRequest(table=table.name)
            assert len((await venue.lobby.GetTable(request)).table.seats) == 1
            assert not joining.done()
            store.let_appends_go()
        assert joining.result().seat != sitter.seat


def test_a_store_that_is_unavailable_refuses_the_command_and_changes_nothing() -> None:
    asyncio.run(_unavailable())


async def _unavailable() -> None:
    store, chance = TroubledStore(), at_random(random.Random(2))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        store.trouble = FULL
        request = streams[0].choice(chance)
        refusal = await streams[0].refusal(request)
        assert (refusal.code, refusal.reason) == (UNAVAILABLE, "STORE_UNAVAILABLE")
        await hears_nothing(streams)
        store.trouble = None
        await streams[0].send(request)
        await everyone_hears(streams)
        await play_on(streams, chance)
        for stream in streams:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER


def test_a_log_that_has_another_owner_halts_its_table_and_no_other() -> None:
    asyncio.run(_halted())


async def _halted() -> None:
    store, chance = TroubledStore(), at_random(random.Random(3))
    async with (
        open_venue(premises_of(store)) as venue,
        started(venue) as streams,
        started(venue) as others,
    ):
        store.trouble = Fenced("another writer")
        for _ in range(2):
            refusal = await streams[0].refusal(streams[0].choice(chance))
            assert (refusal.code, refusal.reason) == (UNAVAILABLE, "TABLE_HALTED")
            store.trouble = None
        await hears_nothing(streams)
        await play_on(others, chance, at_most=20)


def test_a_table_that_halted_goes_on_though_nobody_asks_for_it() -> None:
    asyncio.run(_goes_on_by_itself())


async def _goes_on_by_itself() -> None:
    store, clock = TroubledStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, started(venue) as streams:
        store.lost_replies, store.unreadable = 1, Unavailable("nothing can be read")
        await streams[0].send(streams[0].choice(at_random(random.Random(9))))
        for stream in streams:
            await stream.rest()
        assert playing(venue) == 0
        await clock.is_waited_for()
        clock.advance(timedelta(seconds=1))
        await clock.is_waited_for()
        assert playing(venue) == 0, "the store still fails"
        store.unreadable = None
        clock.advance(timedelta(seconds=2))
        await until_playing(venue)


def test_a_game_that_cannot_be_taken_up_at_the_start_is_when_it_can() -> None:
    asyncio.run(_taken_up_after_the_start())


async def _taken_up_after_the_start() -> None:
    inner, clock = MemoryStore(), VirtualClock()
    async with open_venue(premises_of(inner)) as venue, started(venue):
        pass
    store = TroubledStore(inner)
    store.unreadable = Unavailable("nothing can be read")
    async with open_venue(premises_of(store, clock)) as venue:
        await clock.is_waited_for()
        assert playing(venue) == 0
        store.unreadable = None
        clock.advance(timedelta(seconds=1))
        await until_playing(venue)


def playing(venue: Venue) -> int:
    return venue.listening.lobby.census()["playing"]


async def until_playing(venue: Venue) -> None:
    async with asyncio.timeout(PATIENCE):
        while not playing(venue):  # noqa: ASYNC110
            await asyncio.sleep(0)


def test_a_move_that_is_on_disk_is_told_though_the_store_could_not_say_so() -> None:
    asyncio.run(_written_after_all())


async def _written_after_all() -> None:
    inner = MemoryStore()
    store, chance = TroubledStore(inner), at_random(random.Random(7))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        for _ in range(6):
            store.lost_replies = 1
            await play_on(streams, chance, at_most=1)
            assert store.lost_replies == 0
        await play_on(streams, chance)
        for stream in streams:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
    (log,) = inner.games.values()
    assert audit(log).finding is None


def test_a_move_that_is_not_on_disk_is_refused_and_can_be_made_again() -> None:
    asyncio.run(_not_written())


async def _not_written() -> None:
    store, chance = TroubledStore(), at_random(random.Random(8))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        request = streams[0].choice(chance)
        store.trouble = Unknown("the disk went away")
        refusal = await streams[0].refusal(request)
        assert (refusal.code, refusal.reason) == (UNAVAILABLE, "STORE_UNAVAILABLE")
        await hears_nothing(streams)
        store.trouble = None
        await streams[0].send(request)
        await everyone_hears(streams)
        assert streams[0].received[-1].update.HasField("acknowledgement")
        await play_on(streams, chance, at_most=8)


@pytest.mark.parametrize("written", [True, False], ids=["written", "not written"])
def test_a_log_that_cannot_be_looked_at_is_taken_up_when_it_can(*, written: bool) -> None:
    asyncio.run(_taken_up_later(written=written))


async def _taken_up_later(*, written: bool) -> None:
    inner = MemoryStore()
    store, chance = TroubledStore(inner), at_random(random.Random(9))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        request = streams[0].choice(chance)
        store.lost_replies = 1 if written else 0
        store.trouble = None if written else Unknown("the disk went away")
        store.unreadable = Unavailable("nothing can be read")
        await streams[0].send(request)
        for stream in streams:
            (told,) = await stream.rest()
            assert told.detached.cause == pb.Detached.CAUSE_DRAINING
        async with venue.stream(streams[0].sitter) as early:
            assert (await denied(early.attach())).code == StatusCode.UNAVAILABLE
        store.trouble = store.unreadable = None
        async with AsyncExitStack() as stack:
            again = [await stack.enter_async_context(venue.stream(s.sitter)) for s in streams]
            for old, new in zip(streams, again, strict=True):
                attached = await new.attach(old.seq, old.head)
                assert bool(attached.records) == written
            await again[0].send(request)
            done = (await again[0].next()).update.acknowledgement
            assert done.repeated == written
            for other in again[1:] if not written else ():
                await other.next()
            await play_on(again, chance)
    (log,) = inner.games.values()
    assert audit(log).finding is None


def test_a_log_that_another_process_wrote_to_is_never_written_to_again() -> None:
    asyncio.run(_fenced())


async def _fenced() -> None:
    store, chance = MemoryStore(), at_random(random.Random(4))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        ((game_id, records),) = store.games.items()
        await (await store.logs.open(game_id)).append([b"from elsewhere"])
        refusal = await streams[0].refusal(streams[0].choice(chance))
        assert refusal.reason == "TABLE_HALTED"
        assert store.games[game_id] == [*records, b"from elsewhere"]


def test_a_house_bot_goes_on_when_the_store_works_again() -> None:
    asyncio.run(_house_bots_go_on())


async def _house_bots_go_on() -> None:
    store, clock = TroubledStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        async with venue.stream(sitter) as stream:
            await stream.attach()
            store.trouble, store.good_appends = FULL, 1
            await venue.start(sitter)
            await stream.next()
            await clock.is_waited_for(3)
            await hears_nothing([stream])
            store.trouble = None
            clock.advance(timedelta(seconds=1))
            for _ in range(3):
                assert len((await stream.next()).update.records) == 1


def test_a_game_is_over_even_if_that_cannot_be_noted_beside_its_log() -> None:
    asyncio.run(_over_all_the_same())


async def _over_all_the_same() -> None:
    inner = MemoryStore()
    store, chance = TroubledStore(inner), at_random(random.Random(5))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        store.trouble, store.good_appends = FULL, math.inf
        await play_on(streams, chance)
        for stream in streams:
            (told,) = await stream.rest()
            assert told.detached.cause == pb.Detached.CAUSE_GAME_OVER
        sitter = streams[0].sitter
    async with open_venue(premises_of(inner, draws=Draws("again"))) as venue:
        async with venue.stream(sitter) as late:
            assert (await late.attach()).view.HasField("ended")
            (told,) = await late.rest()
        assert told.detached.cause == pb.Detached.CAUSE_GAME_OVER
        request = lobby_pb2.PlayAgainRequest(table=sitter.table, seat_token=sitter.token)
        assert (await venue.lobby.PlayAgain(request)).seat == sitter.seat


def test_the_lobby_says_that_the_store_fails_and_no_table_or_seat_is_half_there() -> None:
    asyncio.run(_lobby_fails())


async def _lobby_fails() -> None:
    store = TroubledStore()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        tables = await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
        store.trouble = FULL
        for call in (venue.table(RULES), venue.sit(table.name), venue.add_house_bot(sitter)):
            told = await denied(call)
            assert (told.code, told.reason) == (StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
        store.trouble = None
        assert await venue.lobby.ListTables(lobby_pb2.ListTablesRequest()) == tables
        assert (await venue.sit(table.name, "Ben")).seat == 1


def test_whoever_repeats_a_request_that_failed_halfway_sits_on_one_seat() -> None:
    asyncio.run(_one_seat())


async def _one_seat() -> None:
    store, request = TroubledStore(), "one request, secret and random"
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        store.hold_appends()
        sitting = asyncio.ensure_future(denied(venue.sit(table.name, request_id=request)))
        await store.append_is_held()  # the token is kept by now
        store.trouble = FULL
        store.let_appends_go()
        assert (await sitting).reason == "STORE_UNAVAILABLE"
        store.trouble = None
        seats = [(await venue.sit(table.name, request_id=request)).seat for _ in range(3)]
        assert seats == [0, 0, 0]
        (listed,) = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
        assert len(listed.seats) == 1


def test_a_game_that_was_over_when_the_server_died_is_listed_no_more_and_keeps_no_secret() -> None:
    asyncio.run(_over_when_it_died())


async def _over_when_it_died() -> None:
    inner = MemoryStore()
    store, chance = TroubledStore(inner), at_random(random.Random(5))
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        store.trouble, store.good_appends = FULL, math.inf
        await play_on(streams, chance)
    (game_id,) = inner.games
    assert await inner.secrets.get(game_id) is not None
    for life in ("second", "third"):
        async with open_venue(premises_of(inner, draws=Draws(life))) as venue:
            found = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
            assert await inner.secrets.get(game_id) is None
            listed = [table.status for table in found]
    assert not listed


class Counting(TroubledStore):
    """A store whose logs take so many appends and no more; its tables can be written all along."""

    appends_left: float = math.inf

    async def before_append(self) -> None:
        if not self.appends_left:
            raise FULL
        self.appends_left -= 1


def test_a_crash_while_the_next_game_is_opened_loses_no_house_bot() -> None:
    asyncio.run(_loses_no_bot())


async def _loses_no_bot() -> None:
    inner = MemoryStore()
    store, chance = Counting(inner), at_random(random.Random(6))
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await venue.start(sitter)
            while not stream.received[-1].HasField("detached"):
                if stream.prompt:
                    request, stream.prompt = stream.choice(chance), None
                    await stream.send(request)
                await stream.next()
        request_again = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=sitter.token)
        store.appends_left = 1
        told = await denied(venue.lobby.PlayAgain(request_again))
        assert told.reason == "STORE_UNAVAILABLE"
    async with open_venue(premises_of(inner, draws=Draws("again"))) as venue:
        again = (await venue.lobby.PlayAgain(request_again)).table
        assert len(again.seats) == 4


def test_one_damaged_table_does_not_hide_the_others(caplog: pytest.LogCaptureFixture) -> None:
    asyncio.run(_damaged())
    said = entries(caplog.records, "table_unreadable")
    assert {entry["reason"] for entry in said} == {"LOG_DAMAGED"}


async def _damaged() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        damaged, sound = await venue.table(RULES), await venue.table(RULES)
        sitter = await venue.sit(damaged.name)
    store.games[damaged.game_id][1] = b"\xff\xff"
    async with open_venue(premises_of(store, draws=Draws("again"))) as venue:
        listed = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
        assert [table.name for table in listed] == [sound.name]
        async with venue.stream(sitter) as stream:
            told = await denied(stream.attach())
        assert (told.code, told.reason) == (StatusCode.DATA_LOSS, "LOG_DAMAGED")
