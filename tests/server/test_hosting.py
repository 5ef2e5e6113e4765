"""What the host of a table may do, and nobody else; and who is host when the host is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from random import Random
from typing import Final

import pytest
from google.rpc.code_pb2 import FAILED_PRECONDITION
from grpc import StatusCode

from hearts_engine.cards import Seat
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    ClocksStarted,
    ClocksStopped,
    LogSealed,
    SeatAway,
    SeatLeft,
    SeatsFrozen,
    SeatTaken,
    StopCause,
)
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2, view_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_server.clocks import later
from hearts_server.testing.callers import (
    SeatStream,
    Sitter,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
)
from hearts_server.testing.company import (
    BOT_TURN,
    PASS,
    PLAY,
    TIMED,
    TURN,
    Opened,
    answers,
    asked,
    bot_at,
    deciders,
    leave,
    legal,
    opened,
    people,
    plays_on,
)
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import Draws, VirtualClock, premises_of

PERSON: Final = events_pb2.SEAT_KIND_PERSON
REQUEST: Final = "a request of sixteen characters or more"


async def add(venue: Venue, table: str, token: str, seat: int | None = None) -> int:
    """Seat a house bot, and where."""
    request = lobby_pb2.AddHouseBotRequest(table=table, token=token, seat=seat, level="easy")
    return (await venue.lobby.AddHouseBot(request)).seat


async def remove(venue: Venue, table: str, token: str, seat: int) -> None:
    await venue.lobby.RemoveSeat(lobby_pb2.RemoveSeatRequest(table=table, token=token, seat=seat))


async def start(venue: Venue, table: str, token: str) -> None:
    await venue.lobby.StartTable(lobby_pb2.StartTableRequest(table=table, token=token))


async def pause(venue: Venue, table: str, token: str) -> None:
    await venue.lobby.PauseTable(lobby_pb2.PauseTableRequest(table=table, token=token))


async def resume(venue: Venue, table: str, token: str) -> None:
    await venue.lobby.ResumeTable(lobby_pb2.ResumeTableRequest(table=table, token=token))


async def hand_over(venue: Venue, table: str, token: str, seat: int) -> None:
    await venue.lobby.HandOver(lobby_pb2.HandOverRequest(table=table, token=token, seat=seat))


async def host_of(venue: Venue, table: str) -> int | None:
    """The seat with the host's powers."""
    listed = (await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table))).table
    return listed.host if listed.HasField("host") else None


async def sit_with(venue: Venue, table: Opened, name: str) -> Sitter:
    """Sit down with the host token in hand."""
    request = lobby_pb2.JoinTableRequest(
        table=table.name, name=name, kind=PERSON, host_token=table.host_token
    )
    response = await venue.lobby.JoinTable(request)
    return Sitter(table.name, Seat(response.seat), response.seat_token)


POWERS: Final[dict[str, Callable[[Venue, str, str], Awaitable[object]]]] = {
    "add a bot": add,
    "remove": lambda venue, table, token: remove(venue, table, token, 0),
    "start": start,
    "pause": pause,
    "resume": resume,
    "hand over": lambda venue, table, token: hand_over(venue, table, token, 1),
}


@pytest.mark.parametrize("power", POWERS)
def test_who_is_not_the_host_is_told_who_is(power: str) -> None:
    asyncio.run(_not_the_host(POWERS[power]))


async def _not_the_host(use: Callable[[Venue, str, str], Awaitable[object]]) -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue)
        await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        before = store.log
        told = await denied(use(venue, table.name, ben.token))
        assert (told.code, told.reason) == (StatusCode.PERMISSION_DENIED, "NOT_THE_HOST")
        assert "Ann" in told.sentence
        told = await denied(use(venue, table.name, "0" * 32))
        assert (told.code, told.reason) == (StatusCode.UNAUTHENTICATED, "BAD_TOKEN")
        told = await denied(use(venue, table.name, ""))
        assert told.reason == "BAD_TOKEN"
        assert store.log == before


def test_the_first_who_sits_down_is_host_unless_who_opened_the_table_does() -> None:
    asyncio.run(_first())


async def _first() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue)
        assert await host_of(venue, table.name) is None
        await venue.sit(table.name, "Ann", seat=2)
        assert await host_of(venue, table.name) == 2
        owner = await sit_with(venue, table, "Olga")
        assert await host_of(venue, table.name) == owner.seat


def test_who_opened_a_table_needs_no_seat_to_run_it() -> None:
    asyncio.run(_without_a_seat())


async def _without_a_seat() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue)
        name, token = table.name, table.host_token
        ann = await venue.sit(name, "Ann", seat=1)
        for _ in range(3):
            await add(venue, name, token)
        await remove(venue, name, token, 3)
        assert await add(venue, name, token) == 3
        await start(venue, name, token)
        await pause(venue, name, token)
        await resume(venue, name, token)
        await hand_over(venue, name, token, 1)
        assert await host_of(venue, name) == 1
        async with venue.stream(ann) as stream:
            await stream.attach()
            await plays_on(stream)
    assert audit(store.log).finding is None


def test_a_host_token_opens_no_seat() -> None:
    asyncio.run(_opens_no_seat())


async def _opens_no_seat() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue)
        await venue.sit(table.name)
        async with venue.stream(Sitter(table.name, Seat(0), table.host_token)) as stream:
            told = await denied(stream.attach())
            assert told.reason == "BAD_TOKEN"
        told = await denied(leave(venue, Sitter(table.name, Seat(0), table.host_token)))
        assert told.reason == "BAD_TOKEN"


def test_who_asks_again_for_the_table_gets_a_token_that_works_and_the_old_one_is_worthless() -> (
    None
):
    asyncio.run(_asks_again())


async def _asks_again() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        first = await opened(venue, request_id=REQUEST)
        second = await opened(venue, request_id=REQUEST)
    async with open_venue(premises_of(store, draws=Draws("again"))) as venue:
        third = await opened(venue, request_id=REQUEST)
        assert first.name == second.name == third.name
        assert first.game_id == third.game_id
        assert len({first.host_token, second.host_token, third.host_token}) == 3
        for old in (first, second):
            told = await denied(add(venue, old.name, old.host_token))
            assert told.reason == "BAD_TOKEN"
        await add(venue, third.name, third.host_token)
        await venue.sit(third.name, "Ann", seat=2)
        await sit_with(venue, first, "Mallory")
        assert await host_of(venue, third.name) == 2, "the old token gives no powers"


def test_who_is_removed_before_the_start_is_told_so_and_the_seat_is_free() -> None:
    asyncio.run(_removed_before())


async def _removed_before() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue)
        ann = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        async with venue.stream(ben) as stream:
            await stream.attach()
            await remove(venue, table.name, ann.token, ben.seat)
            told = (await stream.hears("detached")).detached
            assert told.cause == pb.Detached.CAUSE_REMOVED
        assert store.events[-1] == SeatLeft(ben.seat)
        async with venue.stream(ben) as stream:
            assert (await denied(stream.attach())).reason == "BAD_TOKEN"
        assert (await venue.sit(table.name, "Cleo")).seat == ben.seat


def test_a_house_bot_is_exchanged_for_a_better_one_before_the_start() -> None:
    asyncio.run(_exchanged())


async def _exchanged() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue)
        ann = await venue.sit(table.name, "Ann")
        for _ in range(3):
            await venue.add_house_bot(ann, "easy")
        await remove(venue, table.name, ann.token, 2)
        assert await venue.add_house_bot(ann, "medium") == 2
        levels = [event.bot for event in store.events if isinstance(event, SeatTaken)]
        assert levels == ["", "easy", "easy", "easy", "medium"]
        async with venue.stream(ann) as stream:
            await stream.attach()
            await venue.start(ann)
            await plays_on(stream)
    assert audit(store.log).finding is None


def test_who_is_removed_from_a_game_is_played_for_at_once_and_cannot_come_back() -> None:
    asyncio.run(_removed_in_play())


async def _removed_in_play() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue) as streams:
        host = streams[0].sitter
        victim = asked(streams)
        if victim.sitter is host:
            await answers(streams)
            victim = asked(streams)
        seat, name = victim.sitter.seat, host.table
        await remove(venue, name, host.token, seat)
        told = (await victim.hears("detached")).detached
        assert told.cause == pb.Detached.CAUSE_REMOVED
        await store.until(lambda events: deciders(events, seat) == [Agent.AUTOPILOT])
        assert store.all_of(SeatAway) == [SeatAway(seat, Absence.REMOVED)]
        async with venue.stream(victim.sitter) as again:
            assert (await denied(again.attach())).reason == "BAD_TOKEN"
        assert (await denied(leave(venue, victim.sitter))).reason == "BAD_TOKEN"
        listed = await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=name))
        assert list(listed.table.vacant) == [seat]


def test_removing_a_seat_twice_is_done_once() -> None:
    asyncio.run(_removed_twice())


async def _removed_twice() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue) as streams:
        host = streams[0].sitter
        for _ in range(2):
            await remove(venue, host.table, host.token, 2)
        assert store.all_of(SeatAway) == [SeatAway(Seat(2), Absence.REMOVED)]


def test_who_left_can_be_removed_and_then_has_no_way_back() -> None:
    asyncio.run(_left_and_removed())


async def _left_and_removed() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue) as streams:
        host = streams[0].sitter
        await leave(venue, streams[2].sitter)
        await remove(venue, host.table, host.token, 2)
        assert store.all_of(SeatAway) == [
            SeatAway(Seat(2), Absence.LEFT),
            SeatAway(Seat(2), Absence.REMOVED),
        ]
        async with venue.stream(streams[2].sitter) as again:
            assert (await denied(again.attach())).reason == "BAD_TOKEN"


@pytest.mark.parametrize("seat", [3, 9], ids=["an empty seat", "no seat"])
def test_nobody_is_removed_from_where_nobody_sits(seat: int) -> None:
    asyncio.run(_nobody_there(seat))


async def _nobody_there(seat: int) -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue)
        told = await denied(remove(venue, table.name, table.host_token, seat))
        assert told.code == StatusCode.FAILED_PRECONDITION
        told = await denied(hand_over(venue, table.name, table.host_token, seat))
        assert told.code == StatusCode.FAILED_PRECONDITION


def test_a_house_bot_in_a_game_cannot_be_removed_but_taken_over() -> None:
    asyncio.run(_house_bot_stays())


async def _house_bot_stays() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue)
        ann = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(ann)
        await venue.start(ann)
        told = await denied(remove(venue, table.name, ann.token, 1))
        assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "PLAYED_FOR_NOBODY")


def test_only_a_full_table_is_started_and_only_once() -> None:
    asyncio.run(_started_once())


async def _started_once() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue)
        ann = await venue.sit(table.name)
        assert (await denied(start(venue, table.name, ann.token))).reason == "SEAT_EMPTY"
        for _ in range(3):
            await venue.add_house_bot(ann)
        await start(venue, table.name, ann.token)
        assert (await denied(start(venue, table.name, ann.token))).reason == "WRONG_PHASE"
        assert len(store.all_of(SeatsFrozen)) == 1


def test_nobody_decides_in_a_pause_and_afterwards_everyone_has_all_of_the_time() -> None:
    asyncio.run(_paused())


async def _paused() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        people(venue, PASS) as streams,
    ):
        host = streams[0].sitter
        clock.advance(TURN)
        requests = [stream.choice(legal) for stream in streams]
        await pause(venue, host.table, host.token)
        for stream in streams:
            assert not (await stream.next()).update.HasField("prompt")
        assert clock.waiting == 0, "no clock runs"
        clock.advance(timedelta(hours=3))
        for stream, request in zip(streams, requests, strict=True):
            refusal = await stream.refusal(request)
            assert (refusal.code, refusal.reason) == (FAILED_PRECONDITION, "PAUSED")
        assert store.all_of(ClocksStopped) == [ClocksStopped(StopCause.HOST)]
        assert (await denied(pause(venue, host.table, host.token))).reason == "WRONG_PHASE"
        await resume(venue, host.table, host.token)
        for stream in streams:
            prompt = (await stream.next()).update.prompt
            assert prompt.deadline == later(clock.now(), 2 * TURN)
        assert isinstance(store.events[-1], ClocksStarted)
        for stream, request in zip(streams, requests, strict=True):
            await stream.send(request)
            await everyone_hears(streams)
        await answers(streams)
        assert (await denied(resume(venue, host.table, host.token))).reason == "WRONG_PHASE"


def test_house_bots_and_the_autopilot_stand_still_in_a_pause_and_go_on_after_it() -> None:
    asyncio.run(_bots_paused())


async def _bots_paused() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table = await opened(venue, PASS)
        ann = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        for _ in range(2):
            await venue.add_house_bot(ann)
        await start(venue, table.name, ann.token)
        await pause(venue, table.name, ann.token)
        await leave(venue, ben)
        stopped = len(store.log)
        for _ in range(5):  # calls that go through the table's turn, as a bot's answer does
            assert (await denied(start(venue, table.name, ann.token))).reason == "WRONG_PHASE"
        assert len(store.log) == stopped
        async with venue.stream(ann) as stream:
            attached = await stream.attach()
            assert attached.view.stopped
            assert not attached.HasField("prompt")
            await resume(venue, table.name, ann.token)
            await plays_on(stream)
    assert isinstance(store.events[-1], LogSealed)
    assert audit(store.log).finding is None
    paused = store.events.index(ClocksStopped(StopCause.HOST))
    going_on = store.events.index(ClocksStarted())
    between = store.events[paused + 1 : going_on]
    assert between == [SeatAway(ben.seat, Absence.LEFT)]


def test_a_pause_stops_the_clocks_of_bots_too() -> None:
    asyncio.run(_bots_clocks_paused())


async def _bots_clocks_paused() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await opened(venue, PASS)
        bots = [await bot_at(venue, table.name, f"bot {number}") for number in range(4)]
        async with venue.stream(bots[1]) as stream:
            await stream.attach()
            await start(venue, table.name, bots[0].token)
            await stream.next()
            await pause(venue, table.name, bots[0].token)
            await stream.next()
            assert clock.waiting == 0, "no clock runs"
            clock.advance(timedelta(hours=1))
            await resume(venue, table.name, bots[0].token)
            prompt = (await stream.next()).update.prompt
            assert prompt.deadline == later(clock.now(), 2 * BOT_TURN)


def test_a_pause_outlasts_a_restart_and_who_comes_and_goes() -> None:
    asyncio.run(_pause_outlasts())


async def _pause_outlasts() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, people(venue) as streams:
        host, waited_for = streams[0].sitter, asked(streams)
        request = waited_for.choice(legal)
        await pause(venue, host.table, host.token)
        await everyone_hears(streams)
    clock.advance(timedelta(hours=12))
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises, TIMED) as venue:
        async with venue.stream(waited_for.sitter) as stream:
            attached = await stream.attach()
            assert not attached.HasField("prompt")
            assert (await stream.refusal(request)).reason == "PAUSED"
        async with venue.stream(waited_for.sitter) as stream:
            await stream.attach()
            await resume(venue, host.table, host.token)
            prompt = (await stream.next()).update.prompt
            assert prompt.deadline == later(clock.now(), TURN)
            await stream.send(request)
            assert (await stream.next()).update.HasField("acknowledgement")
    stops = [event for event in store.events if isinstance(event, ClocksStopped)]
    assert stops[0] == ClocksStopped(StopCause.HOST)
    assert StopCause.RESTART not in [stop.cause for stop in stops]


def test_who_is_handed_the_table_has_its_powers_and_who_gave_them_has_not() -> None:
    asyncio.run(_handed_over())


async def _handed_over() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue)
        ann = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        bot = await bot_at(venue, table.name, "Bot")
        async with venue.stream(ben) as stream:
            await stream.attach()
            await hand_over(venue, table.name, ann.token, ben.seat)
            while not (stream.presence.HasField("host") and stream.presence.host == ben.seat):
                await stream.hears("presence")
        told = await denied(add(venue, table.name, ann.token))
        assert told.reason == "NOT_THE_HOST"
        assert "Ben" in told.sentence
        house = await add(venue, table.name, ben.token)
        told = await denied(hand_over(venue, table.name, ben.token, house))
        assert told.reason == "SEAT_EMPTY", "a house bot cannot be host"
        await hand_over(venue, table.name, ben.token, bot.seat)
        await start(venue, table.name, bot.token)


def test_nobody_becomes_host_who_has_left() -> None:
    asyncio.run(_left_is_no_host())


async def _left_is_no_host() -> None:
    async with open_venue(premises_of(), TIMED) as venue, people(venue) as streams:
        host = streams[0].sitter
        await leave(venue, streams[2].sitter)
        told = await denied(hand_over(venue, host.table, host.token, 2))
        assert told.reason == "SEAT_AWAY"
        assert "has left" in told.sentence
        assert await host_of(venue, host.table) == host.seat


@pytest.mark.parametrize("under_way", [False, True], ids=["before the start", "under way"])
def test_when_the_host_leaves_the_next_person_is_host_and_bots_come_last(under_way: bool) -> None:  # noqa: FBT001
    asyncio.run(_host_leaves(under_way=under_way))


async def _host_leaves(*, under_way: bool) -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table = await opened(venue)
        bot = await bot_at(venue, table.name, "Bot")
        ann = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        await add(venue, table.name, bot.token)
        await hand_over(venue, table.name, bot.token, ann.seat)
        if under_way:
            await start(venue, table.name, ann.token)
        for leaving, next_one in ((ann, ben), (ben, bot), (bot, None)):
            await leave(venue, leaving)
            expected = None if next_one is None else next_one.seat
            assert await host_of(venue, table.name) == expected
    async with open_venue(premises_of(store, draws=Draws("again"))) as venue:
        assert await host_of(venue, table.name) is None


def test_where_nobody_is_host_who_comes_back_runs_the_table() -> None:
    asyncio.run(_no_host())


async def _no_host() -> None:
    async with open_venue(premises_of(), TIMED) as venue:
        table = await opened(venue, PASS)
        ann = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        for _ in range(2):
            await venue.add_house_bot(ann)
        await pause_after_start(venue, table, ann)
        await leave(venue, ann)
        await leave(venue, ben)
        assert await host_of(venue, table.name) is None
        async with venue.stream(ben) as stream:
            attached = await stream.attach()
            assert attached.view.phase == view_pb2.PHASE_PASSING
            await resume(venue, table.name, ben.token)
            await stream.next()


async def pause_after_start(venue: Venue, table: Opened, host: Sitter) -> None:
    """A game that is under way and stands still."""
    await start(venue, table.name, host.token)
    await pause(venue, table.name, host.token)


def test_removing_everyone_else_lets_the_host_play_on_against_bots() -> None:
    asyncio.run(_removes_all())


async def _removes_all() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue, PLAY) as streams:
        host = streams[0]
        for stream in streams[1:]:
            await remove(venue, host.sitter.table, host.sitter.token, stream.sitter.seat)
        await plays_on(host)
    assert audit(store.log).finding is None
    played = [event for event in store.events if isinstance(event, CardPlayed)]
    by = {(event.seat == 0, event.by) for event in played}
    assert by == {(True, Agent.SEAT), (False, Agent.AUTOPILOT)}


def test_a_host_who_removes_itself_is_out_and_the_next_is_host() -> None:
    asyncio.run(_removes_itself())


async def _removes_itself() -> None:
    async with open_venue(premises_of(), TIMED) as venue, people(venue) as streams:
        host: SeatStream = streams[0]
        await remove(venue, host.sitter.table, host.sitter.token, 0)
        assert await host_of(venue, host.sitter.table) == 1
        assert (await host.hears("detached")).detached.cause == pb.Detached.CAUSE_REMOVED


def test_a_table_whose_game_is_over_does_not_name_a_host_who_has_left_it() -> None:
    asyncio.run(_left_when_over())


async def _left_when_over() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(parse_rules("black_lady target=1"))
        ann = await venue.sit(table.name, "Ann")
        for _ in range(3):
            await venue.add_house_bot(ann)
        async with venue.stream(ann) as stream:
            await stream.attach()
            await venue.start(ann)
            while stream.prompt is None:
                await stream.next()
            while stream.prompt is not None:
                await stream.send(stream.choice(at_random(Random(1))))
                stream.prompt = None
                while stream.prompt is None and not await stream.ended():
                    pass
        asking = lobby_pb2.GetTableRequest(table=table.name)
        over = (await venue.lobby.GetTable(asking)).table
        assert (over.status, over.host) == (lobby_pb2.TABLE_STATUS_OVER, ann.seat)
        await venue.lobby.LeaveTable(
            lobby_pb2.LeaveTableRequest(table=table.name, seat_token=ann.token)
        )
        assert not (await venue.lobby.GetTable(asking)).table.HasField("host")
