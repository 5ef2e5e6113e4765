"""What is said at a table: heard by everyone there, harmless to their screens, kept nowhere."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest
from grpc import StatusCode

from hearts_engine.events import Absence
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.memory import MemoryStore
from hearts_server.limits import Limits
from hearts_server.policy import Policy
from hearts_server.testing.callers import SeatStream, Sitter, everyone_hears, open_venue
from hearts_server.testing.premises import MIDNIGHT, VirtualClock, premises_of
from hearts_server.testing.spectators import WatchStream, watching

INVALID = StatusCode.INVALID_ARGUMENT.value[0]
EXHAUSTED = StatusCode.RESOURCE_EXHAUSTED.value[0]


def text(line: str, request_id: int = 0) -> pb.PlayRequest:
    return pb.PlayRequest(request_id=request_id, say=pb.Say(text=line))


def phrase(number: pb.Phrase.ValueType) -> pb.PlayRequest:
    return pb.PlayRequest(say=pb.Say(phrase=number))


def test_what_a_seat_says_is_heard_at_the_whole_table_by_spectators_too() -> None:
    asyncio.run(_heard())


async def _heard() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams, watching(venue, table.name) as spectator:
            await spectator.attached()
            everyone: list[SeatStream | WatchStream] = [*streams, spectator]
            await streams[2].send(text("my hearts are broken"))
            for listener in everyone:
                said = (await listener.hears("said")).said
                assert (said.seat, said.name, said.time) == (2, "Ann 2", MIDNIGHT)
                assert (said.text, said.phrase) == ("my hearts are broken", 0)
            await streams[0].send(phrase(pb.PHRASE_WELL_PLAYED))
            for listener in everyone:
                said = (await listener.hears("said")).said
                assert (said.seat, said.text, said.phrase) == (0, "", pb.PHRASE_WELL_PLAYED)


@pytest.mark.parametrize("number", pb.Phrase.values()[1:])
def test_every_phrase_can_be_said(number: pb.Phrase.ValueType) -> None:
    asyncio.run(_says(number))


async def _says(number: pb.Phrase.ValueType) -> None:
    async with open_venue(premises_of()) as venue:
        ann = await venue.sit((await venue.table()).name)
        async with venue.stream(ann) as stream:
            await stream.attach()
            await stream.send(phrase(number))
            assert (await stream.hears("said")).said.phrase == number


def test_what_is_said_cannot_move_a_listeners_screen_or_hide_in_it() -> None:
    asyncio.run(_cleaned())


async def _cleaned() -> None:
    async with open_venue(premises_of()) as venue:
        ann = await venue.sit((await venue.table()).name)
        async with venue.stream(ann) as stream:
            await stream.attach()
            await stream.send(text("  good\x1b[2J\u202e\u200b  luck\nall\x07 "))
            assert (await stream.hears("said")).said.text == "good[2J luck all"


NOTHING_TO_SAY = {
    "nothing": pb.Say(),
    "both": pb.Say(text="hello", phrase=pb.PHRASE_HELLO),
    "no phrase": pb.Say(phrase=99),  # type: ignore[arg-type]  # that is the point
    "too much": pb.Say(text="x" * 201),
    "blanks": pb.Say(text="  \u200b \x07"),
}


@pytest.mark.parametrize("name", NOTHING_TO_SAY)
def test_what_cannot_be_said_is_refused_and_heard_by_nobody(name: str) -> None:
    asyncio.run(_refused(NOTHING_TO_SAY[name]))


async def _refused(say: pb.Say) -> None:
    async with open_venue(premises_of()) as venue:
        ann = await venue.sit((await venue.table()).name)
        async with venue.stream(ann) as stream:
            await stream.attach()
            refusal = await stream.refusal(pb.PlayRequest(request_id=7, say=say))
            assert (refusal.request_id, refusal.code) == (7, INVALID)
            await stream.send(text("x" * 200))
            assert (await stream.next()).said.text == "x" * 200


def test_a_seat_that_says_too_much_is_refused_until_a_moment_later_whatever_stream_it_uses() -> (
    None
):
    asyncio.run(_too_much())


async def _too_much() -> None:
    clock = VirtualClock()
    policy = Policy(resumes=True, limits=Limits(chat_a_minute=3))
    async with open_venue(premises_of(clock=clock), policy) as venue:
        table = await venue.table()
        ann, ben = [await venue.sit(table.name, name) for name in ("Ann", "Ben")]
        async with venue.stream(ann) as first:
            await first.attach()
            for _ in range(3):
                await first.send(text("hello"))
                assert (await first.next()).said.text == "hello"
            refusal = await first.refusal(text("hello"))
            assert (refusal.code, refusal.reason) == (EXHAUSTED, "CHAT_TOO_FAST")
        async with venue.stream(ann) as again, venue.stream(ben) as other:
            await again.attach()
            assert (await again.refusal(text("hello"))).reason == "CHAT_TOO_FAST"
            await other.attach()
            await other.send(text("hi"))
            assert (await other.next()).said.seat == ben.seat
            clock.advance(timedelta(seconds=20))
            await again.send(text("hello"))
            assert (await again.hears("said")).said.seat == ben.seat
            assert (await again.hears("said")).said.seat == ann.seat


def test_what_is_said_is_in_no_log_and_told_to_nobody_who_comes_later() -> None:
    asyncio.run(_not_kept())


async def _not_kept() -> None:
    store, secret = MemoryStore(), "only for those who were there"
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams:
            before = await streams[0].pulse()
            await streams[0].send(text(secret))
            await everyone_hears(streams)
            assert await streams[0].pulse() == before
            async with watching(venue, table.name) as spectator:
                attached = await spectator.attached()
        assert secret.encode() not in attached.SerializeToString()
        assert all(secret.encode() not in data for data in store.games[table.game_id])


def test_whoever_says_something_is_there_and_decides_for_their_seat_again() -> None:
    asyncio.run(_is_back())


async def _is_back() -> None:
    clock = VirtualClock()
    policy = Policy(resumes=True, turn_seconds=15)
    async with open_venue(premises_of(clock=clock), policy) as venue:
        opened = await venue.table()
        table = await venue.listening.lobby.get(opened.name)
        async with venue.seated(opened.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            while not any(away := table.journal.state.game.presence.away):
                clock.advance(timedelta(seconds=30))
                await streams[0].hears("update")
            absent = next(seat for seat, reason in enumerate(away) if reason is not None)
            assert away[absent] is Absence.MISSED
            await streams[absent].send(text("wait, I am here"))
            await streams[absent].hears("said")
            assert table.journal.state.game.presence.away[absent] is None


def test_a_stream_that_lost_its_seat_says_nothing_for_it() -> None:
    asyncio.run(_lost())


async def _lost() -> None:
    async with open_venue(premises_of()) as venue:
        ann = await venue.sit((await venue.table()).name)
        table = await venue.listening.lobby.get(ann.table)
        async with venue.stream(ann) as older:
            await older.attach()
            (held,) = table.receivers
            async with venue.stream(Sitter(ann.table, ann.seat, ann.token)) as newer:
                await newer.attach()
                with pytest.raises(Exception, match="does not hold the seat any more"):
                    await table.say("who am I", held)
                await newer.pulse()
                assert not any(message.HasField("said") for message in newer.received)
