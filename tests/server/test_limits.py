"""What is too much is refused with a sentence, changes nothing, and ends nobody else's game."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest
from google.rpc.code_pb2 import RESOURCE_EXHAUSTED
from grpc import StatusCode, aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from hearts_engine.rules import Rules
from hearts_proto.v1 import events_pb2, lobby_pb2, replay_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1.replay_pb2_grpc import ReplayServiceStub
from hearts_replays.memory import MemoryStore
from hearts_server.limits import LOCAL, MOST, BadLimit, Limits, limit_names
from hearts_server.policy import Policy
from hearts_server.testing.callers import (
    Denied,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.company import leave
from hearts_server.testing.premises import VirtualClock, premises_of

Check = aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]

SECOND = timedelta(seconds=1)
EXHAUSTED = StatusCode.RESOURCE_EXHAUSTED


@asynccontextmanager
async def limited(
    *texts: str, clock: VirtualClock | None = None, store: MemoryStore | None = None
) -> AsyncGenerator[Venue, None]:
    """A server with some of its limits set."""
    limits = Limits()
    for text in texts:
        limits = limits.but(text)
    policy = Policy(resumes=True, allow_fixed_seed=True, limits=limits)
    async with open_venue(premises_of(store, clock), policy) as venue:
        yield venue


async def tables_of(venue: Venue) -> list[str]:
    listed = await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
    return [table.name for table in listed.tables]


def too_much(told: Denied, reason: str) -> bool:
    return (told.code, told.reason) == (EXHAUSTED, reason) and 20 < len(told.sentence) < 120


def test_a_table_too_many_is_refused_until_a_game_is_over() -> None:
    asyncio.run(_tables())


async def _tables() -> None:
    async with limited("tables=2") as venue:
        table = await venue.table(Rules(target=1))
        await venue.table(request_id="x" * 20)
        assert too_much(await denied(venue.table()), "TOO_MANY_TABLES")
        assert len(await tables_of(venue)) == 2
        await venue.table(request_id="x" * 20)  # a repeat opens nothing
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(1)))
        await venue.table()
        assert too_much(await denied(venue.table()), "TOO_MANY_TABLES")


def test_tables_of_an_earlier_process_count_and_finished_ones_do_not() -> None:
    asyncio.run(_tables_after_a_restart())


async def _tables_after_a_restart() -> None:
    store = MemoryStore()
    async with limited(store=store) as venue:
        table = await venue.table(Rules(target=1))
        await venue.table()
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(1)))
    async with limited("tables=2", store=store) as venue:
        await venue.table()
        assert too_much(await denied(venue.table()), "TOO_MANY_TABLES")


def test_a_peer_that_opens_tables_too_fast_has_to_wait() -> None:
    asyncio.run(_tables_too_fast())


async def _tables_too_fast() -> None:
    clock = VirtualClock()
    async with limited("local-tables-a-minute=2", clock=clock) as venue:
        await venue.table()
        await venue.table()
        assert too_much(await denied(venue.table()), "TABLES_TOO_FAST")
        assert len(await tables_of(venue)) == 2
        clock.advance(30 * SECOND)
        await venue.table()
        assert too_much(await denied(venue.table()), "TABLES_TOO_FAST")


def test_a_peer_that_holds_all_the_seats_it_may_gets_another_when_it_leaves_one() -> None:
    asyncio.run(_seats())


async def _seats() -> None:
    async with limited("local-seats=2") as venue:
        table = await venue.table()
        ann, ben = await venue.sit(table.name), await venue.sit(table.name, "Ben")
        assert too_much(await denied(venue.sit(table.name, "Cleo")), "TOO_MANY_SEATS")
        listed = await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table.name))
        assert [seat.name for seat in listed.table.seats] == ["Ann", "Ben"]
        leave = lobby_pb2.LeaveTableRequest(table=table.name, seat_token=ben.token)
        await venue.lobby.LeaveTable(leave)
        await venue.sit(table.name, "Cleo")
        assert too_much(await denied(venue.sit(table.name, "Dan")), "TOO_MANY_SEATS")
        await venue.add_house_bot(ann)


def test_seats_of_games_that_are_over_do_not_count() -> None:
    asyncio.run(_seats_of_old())


async def _seats_of_old() -> None:
    async with limited("local-seats=4") as venue:
        for _ in range(3):
            table = await venue.table(Rules(target=1))
            async with venue.seated(table.name) as streams:
                await venue.start(streams[0].sitter)
                await everyone_hears(streams)
                await play_on(streams, at_random(random.Random(1)))


def test_a_repeated_join_does_not_count_twice() -> None:
    asyncio.run(_repeated_join())


async def _repeated_join() -> None:
    async with limited("local-seats=2") as venue:
        table = await venue.table()
        sitters = [await venue.sit(table.name, request_id="x" * 20) for _ in range(5)]
        assert {sitter.seat for sitter in sitters} == {0}
        await venue.sit(table.name, "Ben")


def test_a_stream_too_many_is_refused_and_those_that_are_open_go_on() -> None:
    asyncio.run(_streams())


async def _streams() -> None:
    clock = VirtualClock()
    async with limited("local-streams=3", clock=clock) as venue:
        table = await venue.table()
        ann, ben = await venue.sit(table.name), await venue.sit(table.name, "Ben")
        async with venue.stream(ann) as first, venue.stream(ben) as second:
            await first.attach()
            await second.attach()
            async with venue.stream(ann):
                await clock.is_waited_for()  # it is in, and has its five seconds
                assert too_much(await denied(venue.table()), "TOO_MANY_STREAMS")
                async with venue.stream(ann) as fourth:
                    assert too_much(await denied(fourth.attach()), "TOO_MANY_STREAMS")
                assert await first.pulse() == await second.pulse()
            await is_let_in(venue)


async def is_let_in(venue: Venue) -> None:
    """Returns when the server has noticed that a call of this peer has ended."""
    while True:
        try:
            await tables_of(venue)
        except aio.AioRpcError as error:
            assert error.code() is EXHAUSTED  # noqa: PT017  (it is asked again)
        else:
            return


def test_a_peer_that_calls_too_often_has_to_wait_whatever_it_calls() -> None:
    asyncio.run(_calls())


async def _calls() -> None:
    clock = VirtualClock()
    async with limited("local-calls-a-second=3", clock=clock) as venue:
        table = await venue.table()
        sitter = await venue.sit(table.name)
        async with venue.stream(sitter) as stream:
            before = await stream.attach()
            check: Check = venue.channel.unary_unary(
                "/grpc.health.v1.Health/Check",
                request_serializer=HealthCheckRequest.SerializeToString,
                response_deserializer=HealthCheckResponse.FromString,
            )
            replays = ReplayServiceStub(venue.channel)
            async with venue.stream(sitter) as another:
                for call in (
                    tables_of(venue),
                    venue.table(),
                    another.next(),
                    check(HealthCheckRequest()),
                    replays.ListGames(replay_pb2.ListGamesRequest()),
                    replays.GetGame(replay_pb2.GetGameRequest()).read(),
                ):
                    assert too_much(await denied(call), "TOO_MANY_CALLS")
            assert await stream.pulse() == (before.seq, before.head)
            clock.advance(SECOND)
            assert await tables_of(venue) == [table.name]


def test_a_seat_that_sends_too_fast_is_told_so_and_keeps_its_stream() -> None:
    asyncio.run(_commands())


async def _commands() -> None:
    clock = VirtualClock()
    async with limited("local-commands-a-second=4", clock=clock) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            hasty, others = streams[0], streams[1:]
            head = [await hasty.pulse() for _ in range(4)][-1]
            asked = hasty.choice(at_random(random.Random(1)))
            asked.request_id = 7
            refused = await hasty.refusal(asked)
            assert (refused.code, refused.reason) == (RESOURCE_EXHAUSTED, "TOO_MANY_COMMANDS")
            assert refused.request_id == 7
            assert "4 requests a second; wait a second" in refused.message
            assert await others[0].pulse() == head, "nothing has changed"
            clock.advance(SECOND)
            await hasty.send(asked)
            await everyone_hears(streams)
            assert hasty.received[-1].update.acknowledgement.request_id == 7


def test_a_new_stream_does_not_make_a_seat_faster() -> None:
    asyncio.run(_commands_over_streams())


async def _commands_over_streams() -> None:
    async with limited("local-commands-a-second=4") as venue:
        sitter = await venue.sit((await venue.table()).name)
        for _ in range(4):
            async with venue.stream(sitter) as stream:
                await stream.attach()
                await stream.pulse()
        async with venue.stream(sitter) as stream:
            await stream.attach()
            refused = await stream.refusal(pb.PlayRequest(heartbeat=pb.Heartbeat()))
            assert refused.reason == "TOO_MANY_COMMANDS"


@pytest.mark.parametrize("flood", [pb.PlayRequest().SerializeToString(), b"\xff\xff"])
def test_a_flood_is_read_no_faster_than_it_may_be_and_others_play_on(flood: bytes) -> None:
    asyncio.run(_flood(flood))


async def _flood(flood: bytes) -> None:
    clock = VirtualClock()
    async with limited("local-commands-a-second=20", clock=clock) as venue:
        table = await venue.table(Rules(target=1))
        mallory = await venue.sit((await venue.table()).name)
        async with venue.stream(mallory) as stream, venue.seated(table.name) as streams:
            await stream.attach()
            for _ in range(300):
                await stream.send_bytes(flood)
            await clock.is_waited_for()  # nothing of mallory's is read any more
            told = [(await stream.next()).refusal.reason for _ in range(20)]
            assert "MALFORMED" in told or "TOO_MANY_COMMANDS" in told
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(1)), at_most=30)
            clock.advance(SECOND)
            for _ in range(20):
                assert (await stream.next()).HasField("refusal"), "the stream has not ended"


def test_the_largest_request_is_what_the_operator_says() -> None:
    asyncio.run(_size())


async def _size() -> None:
    async with limited("message-bytes=5000") as venue:
        told = await denied(venue.table(request_id="x" * 5_000))
        assert told.code is EXHAUSTED
        assert (await denied(venue.table(request_id="x" * 4_000))).reason == "MALFORMED"


def test_a_name_and_a_request_id_are_as_long_as_the_operator_says() -> None:
    asyncio.run(_lengths())


async def _lengths() -> None:
    async with limited("name-length=5", "request-id-length=20") as venue:
        table = await venue.table(request_id="x" * 20)
        told = await denied(venue.table(request_id="x" * 21))
        assert told.reason == "MALFORMED"
        assert "16 to 20" in told.sentence
        await venue.sit(table.name, "Annie")
        told = await denied(venue.sit(table.name, "Annika"))
        assert (told.code, told.reason) == (StatusCode.INVALID_ARGUMENT, "BAD_NAME")
        assert "1 to 5 characters" in told.sentence


def test_a_name_is_cleaned_before_anyone_sees_it() -> None:
    asyncio.run(_cleaned())


async def _cleaned() -> None:
    async with limited() as venue:
        table = await venue.table()
        name = "\u202eAnn\x1b[2J\u200b\n"
        await venue.sit(table.name, name, request_id="x" * 20)
        again = await venue.sit(table.name, name, request_id="x" * 20)
        listed = await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table.name))
        assert [seat.name for seat in listed.table.seats] == ["Ann[2J"]
        assert again.seat == 0, "a repeat of the same request"


def test_wrong_passcodes_make_a_peer_wait_twice_as_long_each_time() -> None:
    asyncio.run(_passcodes())


async def _passcodes() -> None:
    clock = VirtualClock()
    async with limited("passcode-tries=2", clock=clock) as venue:
        create = lobby_pb2.CreateTableRequest(passcode="open sesame")
        table, other = [(await venue.lobby.CreateTable(create)).table.name for _ in range(2)]

        def knock(passcode: str, at: str = table) -> Awaitable[object]:
            person = events_pb2.SEAT_KIND_PERSON
            request = lobby_pb2.JoinTableRequest(
                table=at, name="Eve", kind=person, passcode=passcode
            )
            return venue.lobby.JoinTable(request)

        for passcode in ("", "open", "", "sesame"):
            reason = "WRONG_PASSCODE" if passcode else "PASSCODE_NEEDED"
            assert (await denied(knock(passcode))).reason == reason
        for wait in (1, 2, 4):
            told = await denied(knock("open sesame"))
            assert too_much(told, "TOO_MANY_TRIES"), "not even the right one"
            assert f"try again in {wait} s" in told.sentence
            clock.advance(wait * SECOND)
            if wait < 4:
                assert (await denied(knock("open"))).reason == "WRONG_PASSCODE"
        assert (await denied(knock("open", at=other))).reason == "WRONG_PASSCODE"
        await knock("open sesame")
        assert (await denied(knock("open"))).reason == "WRONG_PASSCODE", "it counts anew"
        await knock("open sesame")


def test_who_leaves_and_comes_back_again_and_again_makes_the_log_no_longer() -> None:
    asyncio.run(_goes_and_comes())


async def _goes_and_comes() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with limited("goings-a-minute=3", clock=clock, store=store) as venue:
        table = await venue.table()
        ann, ben = [await venue.sit(table.name, name) for name in ("Ann", "Ben")]
        for _ in range(2):
            await venue.add_house_bot(ann)
        await venue.start(ann)

        async def goes_and_comes() -> None:
            await leave(venue, ann)
            async with venue.stream(ann) as stream:
                await stream.attach()

        for _ in range(3):
            await goes_and_comes()
        before = len(store.games[table.game_id])
        for _ in range(5):
            told = await denied(goes_and_comes())
            assert (told.code, told.reason) == (EXHAUSTED, "TOO_MANY_GOINGS")
        assert len(store.games[table.game_id]) == before
        await leave(venue, ben)
        clock.advance(timedelta(minutes=1))
        await leave(venue, ann)


def test_a_table_that_nobody_comes_back_to_is_closed_if_it_has_not_started() -> None:
    asyncio.run(_idle())


async def _idle() -> None:
    clock, store = VirtualClock(), MemoryStore()
    async with limited("idle-minutes=10", clock=clock, store=store) as venue:
        empty, left, attended, playing, joined = [await venue.table() for _ in range(5)]
        sitter = await venue.sit(left.name)
        ann = await venue.sit(attended.name)
        async with venue.stream(ann) as stream, venue.seated(playing.name) as streams:
            await stream.attach()
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            for each in streams:
                each.cancel()
            clock.advance(timedelta(minutes=9))
            await venue.sit(joined.name)
            assert len(await tables_of(venue)) == 5
            clock.advance(timedelta(minutes=1))
            assert await tables_of(venue) == [attended.name, playing.name, joined.name]
            assert len(await store.tables.all()) == 3
            told = await denied(venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=empty.name)))
            assert told.reason == "NO_SUCH_TABLE"
            async with venue.stream(sitter) as late:
                assert (await denied(late.attach())).reason == "NO_SUCH_TABLE"
            assert (await stream.pulse())[0] == 2


def test_the_last_table_that_one_could_sit_down_at_stays() -> None:
    asyncio.run(_last_idle())


async def _last_idle() -> None:
    clock = VirtualClock()
    async with limited("idle-minutes=10", clock=clock) as venue:
        tables = [(await venue.table()).name for _ in range(3)]
        clock.advance(timedelta(days=30))
        assert await tables_of(venue) == tables[:1]
        await venue.sit(tables[0])


def test_an_idle_table_of_an_earlier_process_has_its_full_time_again() -> None:
    asyncio.run(_idle_after_a_restart())


async def _idle_after_a_restart() -> None:
    clock, store = VirtualClock(), MemoryStore()
    async with limited("idle-minutes=10", clock=clock, store=store) as venue:
        tables = [(await venue.table()).name for _ in range(3)]
    clock.advance(timedelta(days=1))
    async with limited("idle-minutes=10", clock=clock, store=store) as venue:
        assert await tables_of(venue) == sorted(tables)
        clock.advance(timedelta(minutes=10))
        assert len(await tables_of(venue)) == 1


def test_limits_for_others_do_not_bind_this_machine() -> None:
    asyncio.run(_others())


async def _others() -> None:
    few = ("seats=1", "streams=1", "tables-a-minute=1", "calls-a-second=1", "commands-a-second=1")
    async with limited(*few) as venue:
        tables = [await venue.table() for _ in range(3)]
        async with venue.seated(tables[0].name) as streams:
            for stream in streams * 3:
                await stream.pulse()


@pytest.mark.parametrize("name", limit_names())
def test_every_limit_can_be_set_by_its_name_and_no_other_changes(name: str) -> None:
    before = Limits().by_name()
    after = Limits().but(f"{name}={before[name] - 1}").by_name()
    assert after == {**before, name: before[name] - 1}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("tables", "write a number, tables=2000"),
        ("tables=", "write a number, tables=2000"),
        ("tables=many", "write a number"),
        ("tables=-1", "write a number"),
        ("tables=٣", "write a number"),
        ("tables=0", "tables: 1 to 1000000, not 0"),
        ("local-seats=0", "seats: 1 to 1000000, not 0"),
        (f"seats={MOST + 1}", "seats: 1 to 1000000"),
        ("name-length=33", "name-length: 1 to 32"),
        ("request-id-length=15", "request-id-length: 16 to"),
        ("message-bytes=10", "message-bytes: 4096 to"),
        ("", "there are tables, watchers,"),
        ("cards=3", "'cards' is no limit; there are tables,"),
        ("local-tables=3", "is no limit"),
    ],
)
def test_a_limit_that_cannot_be_is_refused_with_what_can(text: str, sentence: str) -> None:
    with pytest.raises(BadLimit) as refusal:
        Limits().but(text)
    assert sentence in str(refusal.value)


def test_a_league_of_a_thousand_tables_on_this_machine_meets_no_limit() -> None:
    assert Limits().tables >= 1_000
    assert LOCAL.tables_a_minute >= 1_000
    assert min(LOCAL.seats, LOCAL.streams) >= 4 * 1_000
