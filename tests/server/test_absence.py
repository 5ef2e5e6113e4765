"""Who goes away holds nobody up, and finds the seat as it was left to the last moment."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    EntropyWithheld,
    Event,
    GameClosed,
    LogSealed,
    PassChosen,
    PlayBegan,
    SeatAway,
    SeatBack,
    SecretRevealed,
    StopCause,
)
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2, replay_pb2, replay_pb2_grpc, view_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_server.clocks import later
from hearts_server.metronome import BEAT
from hearts_server.testing.callers import (
    GENEROUS,
    SeatStream,
    Sitter,
    Venue,
    denied,
    open_venue,
    play_on,
)
from hearts_server.testing.company import (
    BOT_TURN,
    PASS,
    PLAY,
    TIMED,
    TURN,
    answers,
    asked,
    bot_at,
    deciders,
    everyone_is_gone,
    leave,
    legal,
    nobody_is_there,
    opened,
    people,
    plays_on,
)
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_server.testing.spectators import LobbyReader, WatchStream, reading_the_lobby
from hearts_server.upkeep import ABSENCE_TIME, RETURN_TIME

DAY: Final = timedelta(days=1)
SEALED: Final = view_pb2.PHASE_SEALED
LONG: Final = parse_rules("black_lady target=25")


def kinds(events: list[Event]) -> set[type[Event]]:
    """What happened at all."""
    return {type(event) for event in events}


async def removed(stream: SeatStream) -> None:
    """The stream ends, because its seat was left."""
    assert (await stream.hears("detached")).detached.cause == pb.Detached.CAUSE_REMOVED


def test_who_leaves_when_a_card_is_due_is_played_for_at_once() -> None:
    asyncio.run(_leaves_in_play())


async def _leaves_in_play() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, people(venue) as streams:
        stream = asked(streams)
        seat = stream.sitter.seat
        await leave(venue, stream.sitter)
        await removed(stream)
        await store.until(lambda events: deciders(events, seat) == [Agent.AUTOPILOT])
        assert store.all_of(SeatAway) == [SeatAway(seat, Absence.LEFT)]


def test_who_leaves_before_the_pass_does_not_keep_the_others_from_playing() -> None:
    asyncio.run(_leaves_in_pass())


async def _leaves_in_pass() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        people(venue, PASS) as streams,
    ):
        await leave(venue, streams[2].sitter)
        await store.until(lambda events: PassChosen in kinds(events))
        (passed,) = (event for event in store.events if isinstance(event, PassChosen))
        assert (passed.seat, passed.by) == (Seat(2), Agent.AUTOPILOT)
        for stream in streams[:2] + streams[3:]:
            await stream.send(stream.choice(legal))
        await store.until(lambda events: PlayBegan in kinds(events))


def test_who_leaves_before_revealing_has_withheld_and_the_deal_is_made() -> None:
    asyncio.run(_leaves_in_entropy())


async def _leaves_in_entropy() -> None:
    store, clock = HeardStore(), VirtualClock()
    entropy = [b"a" * 32, b"b" * 32, b"", b""]
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        people(venue, PLAY, entropy) as streams,
    ):
        await leave(venue, streams[0].sitter)
        assert store.events[-2:] == [SeatAway(Seat(0), Absence.LEFT), EntropyWithheld(Seat(0))]
        await removed(streams[0])
        await streams[1].next()
        await streams[1].send(streams[1].answer(()))
        await streams[1].next()
    await _to_its_end(store, clock, [stream.sitter for stream in streams[1:]])


async def _to_its_end(store: HeardStore, clock: VirtualClock, sitters: list[Sitter]) -> None:
    """These seats come back after a restart, and play to a clean end."""
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises, TIMED) as venue, asyncio.TaskGroup() as tasks:
        for sitter in sitters:
            stream = SeatStream(venue.channel, sitter)
            await stream.attach()
            tasks.create_task(plays_on(stream))
    assert isinstance(store.events[-1], LogSealed)
    assert audit(store.log).finding is None


def test_who_comes_back_finds_the_seat_its_own_in_the_first_thing_it_is_shown() -> None:
    asyncio.run(_comes_back())


async def _comes_back() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, people(venue) as streams:
        stream = asked(streams)
        seat = stream.sitter.seat
        await leave(venue, stream.sitter)
        await store.until(lambda events: bool(deciders(events, seat)))
        async with venue.stream(stream.sitter) as again:
            attached = await again.attach()
            assert set(attached.view.away) <= {events_pb2.ABSENCE_UNSPECIFIED}
            assert store.all_of(SeatBack) == [SeatBack(seat)]
            others = [other for other in streams if other is not stream]
            for other in others:
                while other.seq < again.seq:
                    await other.next()
            present = [again, *others]
            while again.prompt is None:
                await answers(present)
            await answers(present)
        assert deciders(store.events, seat) == [Agent.AUTOPILOT, Agent.SEAT]


def test_coming_and_going_at_every_turn_never_has_a_card_played_for_who_is_there() -> None:
    asyncio.run(_comes_and_goes())


async def _comes_and_goes() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table = await opened(venue)
        sitter = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        await venue.start(sitter)
        while not isinstance(store.events[-1], LogSealed):
            async with venue.stream(sitter) as stream:
                attached = await stream.attach()
                assert not any(attached.view.away) or attached.view.phase == SEALED
                if stream.prompt is not None:
                    await stream.send(stream.choice(legal))
                if not isinstance(store.events[-1], LogSealed):
                    await leave(venue, sitter)
    at_home = True
    for event in store.events:
        match event:
            case SeatAway():
                at_home = False
            case SeatBack():
                at_home = True
            case CardPlayed(seat, _, by) | PassChosen(seat, _, by) if seat == sitter.seat:
                assert (by is Agent.SEAT) == at_home
            case _:
                pass
    assert len(store.all_of(SeatBack)) > 1
    assert audit(store.log).finding is None


def test_leaving_while_an_answer_is_on_its_way_does_it_before_or_not_at_all() -> None:
    asyncio.run(_races())


async def _races() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue) as streams:
        stream = asked(streams)
        seat = stream.sitter.seat
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(stream.send(stream.choice(legal)))
            tasks.create_task(leave(venue, stream.sitter))
        await stream.hears("detached")
        await store.until(lambda events: bool(deciders(events, seat)))
        acknowledged = any(r.update.HasField("acknowledgement") for r in stream.received)
        first = deciders(store.events, seat)[0]
        assert first is (Agent.SEAT if acknowledged else Agent.AUTOPILOT)


def test_leaving_twice_changes_nothing_more() -> None:
    asyncio.run(_leaves_twice())


async def _leaves_twice() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue) as streams:
        stream = next(stream for stream in streams if stream.prompt is None)
        for _ in range(2):
            await leave(venue, stream.sitter)
        assert store.all_of(SeatAway) == [SeatAway(stream.sitter.seat, Absence.LEFT)]


def test_a_game_that_all_people_left_is_played_to_its_end() -> None:
    asyncio.run(_all_leave())


async def _all_leave() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        reading_the_lobby(venue) as lobby,
    ):
        async with people(venue, PASS) as streams:
            name = streams[0].sitter.table
            lobby.tables[name] = lobby_pb2.Table()
            for stream in streams:
                await leave(venue, stream.sitter)
            await store.until(lambda events: isinstance(events[-1], LogSealed))
        assert clock.waiting == 0, "no alarm is left"
        await is_gone(lobby, clock, name)
    assert audit(store.log).finding is None


async def is_gone(lobby: LobbyReader, clock: VirtualClock, name: str) -> None:
    """Those who read the lobby hear that a table is gone which ended with nobody there."""
    while name in lobby.tables:
        clock.advance(BEAT)
        await lobby.next()


def test_a_bots_clock_goes_on_while_no_person_is_there_and_a_persons_does_not() -> None:
    asyncio.run(_clocks_apart())


async def _clocks_apart() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await opened(venue, PASS)
        sitter = await venue.sit(table.name)
        bots = [await bot_at(venue, table.name, f"bot {number}") for number in (1, 2, 3)]
        await venue.start(sitter)
        assert store.events[-1] != ClocksStarted()
        await everyone_is_gone(venue, clock, table.name)
        await store.hears(ClocksStopped(StopCause.ABSENCE))
        await clock.is_waited_for()
        clock.advance(2 * BOT_TURN)
        await store.until(lambda events: sum(isinstance(e, PassChosen) for e in events) == 3)
        clock.advance(timedelta(hours=20))
        async with venue.stream(sitter) as stream:
            attached = await stream.attach()
            assert attached.prompt.ask == pb.ASK_PASS
            assert attached.prompt.deadline == later(clock.now(), 2 * TURN)
        passes = [event for event in store.events if isinstance(event, PassChosen)]
        assert {event.seat for event in passes} == {bot.seat for bot in bots}


def test_a_restart_stops_the_clocks_and_who_is_asked_has_all_of_the_time() -> None:
    asyncio.run(_restarts())


async def _restarts() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, people(venue) as streams:
        waited_for = asked(streams)
        clock.advance(TURN - timedelta(seconds=1))
        assert waited_for.prompt is not None
        before = waited_for.prompt
    assert not isinstance(store.events[-1], ClocksStopped), "it was killed, so to speak"
    clock.advance(timedelta(minutes=5))
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises, TIMED) as venue, venue.stream(waited_for.sitter) as stream:
        attached = await stream.attach(waited_for.seq, waited_for.head)
        assert store.events[-2:] == [ClocksStopped(StopCause.RESTART), ClocksStarted()]
        assert attached.prompt.prompt_seq == before.prompt_seq
        assert attached.prompt.deadline == later(clock.now(), TURN)
        await stream.send(stream.choice(legal))
        assert (await stream.next()).update.HasField("acknowledgement")


def test_a_table_of_bots_alone_goes_on_after_a_restart_without_a_call() -> None:
    asyncio.run(_bots_alone())


async def _bots_alone() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await opened(venue, LONG)
        for _ in range(4):
            await venue.lobby.AddHouseBot(
                lobby_pb2.AddHouseBotRequest(table=table.name, token=table.host_token, level="easy")
            )
        await venue.lobby.StartTable(
            lobby_pb2.StartTableRequest(table=table.name, token=table.host_token)
        )
        await store.grows_beyond(40)
    assert not isinstance(store.events[-1], LogSealed)
    async with open_venue(premises_of(store, clock, Draws("again")), TIMED):
        await store.until(lambda events: isinstance(events[-1], LogSealed))
    assert ClocksStopped(StopCause.RESTART) in store.events
    assert audit(store.log).finding is None


async def unattended(
    venue: Venue, store: HeardStore, clock: VirtualClock
) -> tuple[list[Sitter], str]:
    """A game in the middle of a deal from which all connections have dropped."""
    async with people(venue, PASS) as streams:
        await play_on(streams, legal, at_most=7)
        sitters = [stream.sitter for stream in streams]
    await everyone_is_gone(venue, clock, sitters[0].table)
    await store.hears(ClocksStopped(StopCause.ABSENCE))
    return sitters, sitters[0].table


def test_a_game_that_nobody_attends_for_a_day_ends_with_its_secret_and_can_be_audited() -> None:
    asyncio.run(_given_up())


async def _given_up() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        reading_the_lobby(venue) as lobby,
    ):
        sitters, name = await unattended(venue, store, clock)
        lobby.tables[name] = lobby_pb2.Table()
        spectator = WatchStream(venue.channel, pb.WatchRequest(table=name))
        await spectator.attached()
        await clock.is_waited_for()
        clock.advance(DAY - timedelta(seconds=1))
        assert GameClosed not in kinds(store.events)
        clock.advance(timedelta(seconds=1))
        await store.until(lambda events: isinstance(events[-1], LogSealed))
        assert store.events[-2] == GameClosed(CloseCause.UNATTENDED)
        assert isinstance(store.events[-3], SecretRevealed)
        told = await spectator.rest()
        assert told[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
        assert "given up" in told[-1].detached.message
        async with venue.stream(sitters[0]) as stream:
            attached = await stream.attach()
            assert attached.seq == len(store.log)
            last = (await stream.rest())[-1].detached
            assert last.cause == pb.Detached.CAUSE_GAME_OVER
        await is_gone(lobby, clock, name)
        stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(
            venue.channel
        )
        games = (await stub.ListGames(replay_pb2.ListGamesRequest())).games
        assert [game.table for game in games] == [name]
        assert clock.waiting == 0, "no alarm is left"
    report = audit(store.log)
    assert report.finding is None


def test_a_day_counts_from_the_last_one_who_was_there() -> None:
    asyncio.run(_last_there())


async def _last_there() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        sitters, _ = await unattended(venue, store, clock)
        clock.advance(DAY - timedelta(hours=1))
        async with venue.stream(sitters[0]) as stream:
            await stream.attach()
            clock.advance(timedelta(seconds=10))
            await stream.pulse()
        await everyone_is_gone(venue, clock, sitters[0].table)
        await store.until(lambda events: isinstance(events[-1], ClocksStopped))
        clock.advance(DAY - timedelta(seconds=10))
        async with venue.stream(sitters[0]) as stream:
            attached = await stream.attach()
            assert attached.view.phase != 0
            assert GameClosed not in kinds(store.events)


def test_a_game_that_starts_after_days_of_waiting_has_its_whole_day() -> None:
    asyncio.run(_starts_late())


async def _starts_late() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await opened(venue)
        sitters = [await venue.sit(table.name, f"Ann {seat}") for seat in range(4)]
        clock.advance(3 * DAY)
        await venue.start(sitters[0])
        await everyone_is_gone(venue, clock, table.name)
        await store.hears(ClocksStopped(StopCause.ABSENCE))
        clock.advance(DAY - timedelta(seconds=10))
        async with venue.stream(sitters[0]) as stream:
            await stream.attach()
            assert GameClosed not in kinds(store.events)


def test_the_next_game_has_its_whole_day_however_long_ago_the_last_one_ended() -> None:
    asyncio.run(_next_game())


async def _next_game() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        async with people(venue) as streams:
            sitters = [stream.sitter for stream in streams]
            await play_on(streams, legal)
        clock.advance(3 * DAY)
        for sitter in sitters:
            again = lobby_pb2.PlayAgainRequest(table=sitter.table, seat_token=sitter.token)
            await venue.lobby.PlayAgain(again)
        await everyone_is_gone(venue, clock, sitters[0].table)
        await store.hears(ClocksStopped(StopCause.ABSENCE))
        clock.advance(DAY - timedelta(seconds=10))
        async with venue.stream(sitters[0]) as stream:
            await stream.attach()
            assert GameClosed not in kinds(store.events)


def test_a_server_that_was_off_for_a_week_lets_people_come_back_to_their_game() -> None:
    asyncio.run(_off_for_a_week())


async def _off_for_a_week() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        sitters, _ = await unattended(venue, store, clock)
    clock.advance(timedelta(days=7))
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises, TIMED) as venue:
        await clock.is_waited_for()
        clock.advance(RETURN_TIME - timedelta(seconds=1))
        async with venue.stream(sitters[0]) as stream:
            await stream.attach()
            clock.advance(timedelta(seconds=10))
            assert (await stream.pulse())[0] == len(store.log)
    assert GameClosed not in kinds(store.events)
    await _to_its_end(store, clock, sitters)


def test_restarts_do_not_keep_a_game_that_nobody_comes_back_to() -> None:
    asyncio.run(_restarts_again_and_again())


async def _restarts_again_and_again() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        await unattended(venue, store, clock)
    since = clock.now()
    for number in range(4):
        clock.advance(timedelta(hours=5))
        premises = premises_of(store, clock, Draws(f"life {number}"))
        async with open_venue(premises, TIMED) as venue:
            await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
            await clock.is_waited_for()
    clock.advance(timedelta(hours=3, minutes=59))
    async with open_venue(premises_of(store, clock, Draws("last")), TIMED):
        await clock.is_waited_for()
        clock.advance(RETURN_TIME)
        await store.until(lambda events: isinstance(events[-1], LogSealed))
    assert clock.now() <= later(later(since, DAY), RETURN_TIME)


def test_a_server_for_one_person_waits_for_ever() -> None:
    asyncio.run(_for_ever())


async def _for_ever() -> None:
    store, clock = HeardStore(), VirtualClock()
    policy = replace(GENEROUS, close_after=None)
    async with open_venue(premises_of(store, clock), policy) as venue:
        async with people(venue) as streams:
            sitter = asked(streams).sitter
        clock.advance(timedelta(days=365))
        async with venue.stream(sitter) as stream:
            attached = await stream.attach()
            assert attached.prompt.ask == pb.ASK_CARD
    assert GameClosed not in kinds(store.events)


def test_a_seat_that_was_left_is_nobody_elses() -> None:
    asyncio.run(_not_anybodys())


async def _not_anybodys() -> None:
    async with open_venue(premises_of(), TIMED) as venue, people(venue) as streams:
        await leave(venue, streams[1].sitter)
        request = lobby_pb2.TakeOverSeatRequest(
            table=streams[1].sitter.table, name="Eve", seat=1, kind=events_pb2.SEAT_KIND_PERSON
        )
        told = await denied(venue.lobby.TakeOverSeat(request))
        assert told.reason == "SEAT_OCCUPIED"


def test_a_moment_without_a_connection_is_not_noted_and_gives_nobody_more_time() -> None:
    asyncio.run(_a_moment_away())


async def _a_moment_away() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        async with people(venue) as streams:
            due = asked(streams)
            assert due.prompt is not None
            deadline = due.prompt.deadline
        table = await venue.listening.lobby.get(due.sitter.table)
        for _ in range(3):
            await nobody_is_there(table)
            clock.advance(ABSENCE_TIME - timedelta(seconds=1))
            async with venue.stream(due.sitter) as stream:
                attached = await stream.attach()
                assert attached.prompt.deadline == deadline
    assert not {ClocksStopped, ClocksStarted} & set(kinds(store.events))


def test_time_runs_out_for_nobody_while_all_are_gone_if_only_for_a_moment() -> None:
    asyncio.run(_gone_at_the_end_of_the_turn())


async def _gone_at_the_end_of_the_turn() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        async with people(venue) as streams:
            due = asked(streams)
            clock.advance(TURN - timedelta(seconds=2))
        await nobody_is_there(await venue.listening.lobby.get(due.sitter.table))
        clock.advance(timedelta(seconds=3))
        await store.hears(ClocksStopped(StopCause.ABSENCE))
        async with venue.stream(due.sitter) as stream:
            attached = await stream.attach()
            assert attached.prompt.deadline == later(clock.now(), TURN)
    assert store.events[-2:] == [ClocksStopped(StopCause.ABSENCE), ClocksStarted()]
