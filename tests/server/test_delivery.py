"""Who is told when: a bot in a league once a turn, a person at once, and both of everything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final

import pytest

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.events import (
    Absence,
    ClocksStarted,
    ClocksStopped,
    DealScored,
    Event,
    GameEnded,
    SeatAway,
    SeatBack,
    SeatsFrozen,
    SeatTakenOver,
)
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import follow, observe
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import EMPTY_CHAIN
from hearts_server.heartbeats import LOOK, SILENCE
from hearts_server.metronome import BEAT
from hearts_server.testing.callers import SeatStream, Venue, everyone_hears, open_venue
from hearts_server.testing.company import TIMED, TURN, leave, legal, state_after
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_wire.records import decode_record

RULES: Final = parse_rules("black_lady deals=2 tie=shared")
AT_ONCE: Final = (
    *(ClocksStarted, ClocksStopped, DealScored, GameEnded, SeatAway, SeatBack),
    *(SeatsFrozen, SeatTakenOver),
)
"""What nobody is left waiting for."""


@asynccontextmanager
async def company(
    venue: Venue, deliveries: Sequence[pb.Delivery.ValueType]
) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """Four people who are told as they like, in a game that has started."""
    table = await venue.table(RULES)
    sitters = [await venue.sit(table.name, f"Ann {seat}", seat=seat) for seat in range(4)]
    streams = [SeatStream(venue.channel, sitter) for sitter in sitters]
    for stream, delivery in zip(streams, deliveries, strict=True):
        await attach(stream, delivery)
    await venue.start(streams[0].sitter)
    await everyone_hears(streams)
    yield tuple(streams)
    for stream in streams:
        stream.cancel()


async def attach(
    stream: SeatStream, delivery: pb.Delivery.ValueType, after: tuple[int, bytes] = (0, b"")
) -> pb.Attached:
    """Attach, and what the table says to that."""
    request = pb.Attach(
        table=stream.sitter.table,
        seat_token=stream.sitter.token,
        delivery=delivery,
        after_seq=after[0],
        after_head=after[1],
    )
    await stream.send(pb.PlayRequest(attach=request))
    return (await stream.next()).attached


LIVE: Final = pb.DELIVERY_LIVE
ON_TURN: Final = pb.DELIVERY_ON_TURN


async def plays(stream: SeatStream, at_most: int | None = None) -> None:
    """Answer what is asked of one seat, to the end of the game or so many times."""
    sent = 0
    while at_most is None or sent < at_most:
        if stream.prompt is not None:
            request, stream.prompt = stream.choice(legal, sent + 1), None
            await stream.send(request)
            sent += 1
        elif (await stream.next()).HasField("detached"):
            return


async def all_play(streams: Sequence[SeatStream]) -> None:
    """Play the game to its end, each as fast as it is asked."""
    async with asyncio.TaskGroup() as tasks:
        for stream in streams:
            tasks.create_task(plays(stream))


def updates(stream: SeatStream) -> list[pb.Update]:
    """Every update that came."""
    return [response.update for response in stream.received if response.HasField("update")]


def shown(stream: SeatStream) -> list[bytes]:
    """Every record that came, in order."""
    told = [(*each.attached.records, *each.update.records) for each in stream.received]
    return [data for records in told for data in records]


def events_of(update: pb.Update) -> list[Event]:
    """What an update tells."""
    return [decode_record(data).event for data in update.records]


def for_seat(log: Sequence[bytes], seat: Seat) -> list[bytes]:
    """What a seat may see of a log."""
    return [data for data in log if visible_to(seat, decode_record(data).event)]


def test_a_bot_that_is_told_on_its_turn_misses_nothing_and_sees_it_in_order() -> None:
    asyncio.run(_misses_nothing())


async def _misses_nothing() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store)) as venue,
        company(venue, [ON_TURN, LIVE, ON_TURN, LIVE]) as streams,
    ):
        await all_play(streams)
        log = store.log
        for stream in streams:
            seat = stream.sitter.seat
            assert shown(stream) == for_seat(log, seat)
            events = (decode_record(data).event for data in shown(stream))
            assert follow(seat, events) == observe(state_after(log), seat)
            for told in updates(stream):
                assert told.head == EMPTY_CHAIN.extended(log[: told.seq]).head


def test_a_bot_gets_one_message_a_turn_and_else_only_what_cannot_wait() -> None:
    asyncio.run(_one_a_turn())


async def _one_a_turn() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store)) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        await all_play(streams)
        bot, person = updates(streams[0]), updates(streams[1])
    for told in bot:
        urgent = any(isinstance(event, AT_ONCE) for event in events_of(told))
        assert told.HasField("prompt") or urgent, events_of(told)
    prompts = [told.prompt.prompt_seq for told in bot if told.HasField("prompt")]
    assert len(prompts) == len(set(prompts)) == 2 * 14, "a pass and 13 cards a deal"
    assert len(bot) < len(person) / 2


def test_an_acknowledgement_comes_with_the_next_turn_and_none_is_lost() -> None:
    asyncio.run(_acknowledged())


async def _acknowledged() -> None:
    async with (
        open_venue(premises_of()) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        await all_play(streams)
        for stream in streams:
            done = [
                told.acknowledgement.request_id
                for told in updates(stream)
                if told.HasField("acknowledgement")
            ]
            asked = sum(told.HasField("prompt") for told in updates(stream))
            assert done == list(range(1, asked + 1))


def test_a_person_gets_one_message_for_each_command_whoever_gave_it() -> None:
    asyncio.run(_one_a_command())


async def _one_a_command() -> None:
    async with open_venue(premises_of()) as venue, company(venue, [LIVE] * 4) as streams:
        await all_play(streams)
        done = sum(told.HasField("acknowledgement") for s in streams for told in updates(s))
        start = 1
        assert [len(updates(stream)) for stream in streams] == [done + start] * 4


def test_what_cannot_wait_brings_all_that_waited() -> None:
    asyncio.run(_cannot_wait())


async def _cannot_wait() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store), TIMED) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot, leaver = streams[0], streams[1]
        await leaver.send(leaver.choice(legal))
        await leaver.next()
        await leave(venue, leaver.sitter)
        told = (await bot.next()).update
        assert [type(event).__name__ for event in events_of(told)] == ["SeatReady", "SeatAway"]
        host = bot.sitter
        await venue.lobby.PauseTable(
            lobby_pb2.PauseTableRequest(table=host.table, token=host.token)
        )
        assert isinstance(events_of((await bot.next()).update)[-1], ClocksStopped)
        await venue.lobby.ResumeTable(
            lobby_pb2.ResumeTableRequest(table=host.table, token=host.token)
        )
        told = (await bot.next()).update
        assert isinstance(events_of(told)[-1], ClocksStarted)
        assert told.prompt.ask == pb.ASK_PASS, "it is asked again"


def test_a_seat_that_is_played_for_is_told_so_at_once() -> None:
    asyncio.run(_told_away())


async def _told_away() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot = streams[0]
        playing = [asyncio.ensure_future(plays(stream)) for stream in streams[1:]]
        missed = 0
        while not any(isinstance(e, SeatAway) for t in updates(bot) for e in events_of(t)):
            if bot.prompt is not None or not missed:
                bot.prompt = None
                missed += 1
                await clock.is_waited_for()
                clock.advance(2 * TURN)
            await bot.next()
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert missed == 2
        assert store.all_of(SeatAway) == [SeatAway(Seat(0), Absence.MISSED)]


@pytest.mark.parametrize("delivery", [LIVE, ON_TURN], ids=["live", "on turn"])
def test_a_refusal_comes_at_once(delivery: pb.Delivery.ValueType) -> None:
    asyncio.run(_refused(delivery))


async def _refused(delivery: pb.Delivery.ValueType) -> None:
    async with (
        open_venue(premises_of()) as venue,
        company(venue, [delivery, LIVE, LIVE, LIVE]) as streams,
    ):
        stream = streams[0]
        refusal = await stream.refusal(stream.answer((), 7))
        assert (refusal.request_id, refusal.reason) == (7, "WRONG_PASS_COUNT")


def test_what_is_said_and_who_is_there_does_not_wake_a_bot() -> None:
    asyncio.run(_not_woken())


async def _not_woken() -> None:
    async with (
        open_venue(premises_of()) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        await streams[1].send(pb.PlayRequest(say=pb.Say(text="hello")))
        await streams[2].hears("said")
        streams[3].cancel()
        await streams[2].hears("presence")
        await streams[0].send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        assert (await streams[0].hears("heartbeat")).HasField("heartbeat")
        kinds = {response.WhichOneof("kind") for response in streams[0].received}
        assert kinds == {"attached", "update", "heartbeat"}
        assert list(streams[0].presence.connected) == []


def test_a_heartbeat_never_says_more_than_was_told() -> None:
    asyncio.run(_consistent())


async def _consistent() -> None:
    clock = VirtualClock()
    async with (
        open_venue(premises_of(clock=clock)) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot = streams[0]
        await streams[1].send(streams[1].choice(legal))
        for stream in streams[1:]:
            await stream.next()
        await bot.send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        pulse = (await bot.hears("heartbeat")).heartbeat
        assert (pulse.seq, pulse.head) == (bot.seq, bot.head) == (streams[1].seq, streams[1].head)
        await streams[2].send(streams[2].choice(legal))
        for stream in streams[1:]:
            await stream.next()
        for _ in range((SILENCE + LOOK) // BEAT):
            clock.advance(BEAT)
            await streams[3].pulse()
        pulse = (await bot.hears("heartbeat")).heartbeat
        assert pulse.seq == bot.seq == streams[2].seq


def test_a_bot_that_attaches_again_after_what_it_was_told_last_gets_what_was_held_back() -> None:
    asyncio.run(_attaches_again())


async def _attaches_again() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store)) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot = streams[0]
        answer = bot.choice(legal, 1)
        await bot.send(answer)
        for stream in streams[1:]:
            await stream.next()
            await stream.send(stream.choice(legal))
        again = SeatStream(venue.channel, bot.sitter)
        attached = await attach(again, ON_TURN, (bot.seq, bot.head))
        seen = [*shown(bot), *attached.records]
        assert seen == for_seat(store.log[: attached.seq], Seat(0))
        await again.send(answer)
        told = await again.hears("update")
        assert told.update.acknowledgement.repeated
        again.cancel()


def test_a_bot_that_is_superseded_or_removed_was_told_everything_before() -> None:
    asyncio.run(_told_before_the_end())


async def _told_before_the_end() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store)) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot = streams[0]
        await bot.send(bot.choice(legal, 1))
        await streams[1].next()
        again = SeatStream(venue.channel, bot.sitter)
        await attach(again, ON_TURN)
        rest = await bot.rest()
        assert rest[-1].detached.cause == pb.Detached.CAUSE_SUPERSEDED
        assert updates(bot)[-1].acknowledgement.request_id == 1
        assert shown(bot) == for_seat(store.log, Seat(0))
        again.cancel()


def test_an_answer_that_is_repeated_while_its_acknowledgement_waits_is_acknowledged_twice() -> None:
    asyncio.run(_repeated())


async def _repeated() -> None:
    async with (
        open_venue(premises_of()) as venue,
        company(venue, [ON_TURN, LIVE, LIVE, LIVE]) as streams,
    ):
        bot = streams[0]
        await bot.send(bot.choice(legal, 1))
        await streams[1].next()
        await bot.send(bot.choice(legal, 2))
        done = [(await bot.next()).update.acknowledgement for _ in range(2)]
        assert [(each.request_id, each.repeated) for each in done] == [(1, False), (2, True)]
