"""A stream on which nothing happens is seen to live; what may wait is done once for a burst."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from hearts_server.clocks import later
from hearts_server.heartbeats import LOOK, SILENCE, Heartbeats
from hearts_server.logbook import Entry
from hearts_server.metronome import BEAT, METRONOME, Metronome
from hearts_server.testing.callers import open_venue
from hearts_server.testing.premises import MIDNIGHT, VirtualClock, premises_of

SECOND = timedelta(seconds=1)


def test_a_silent_stream_of_a_seat_gets_a_sign_of_life_with_the_head() -> None:
    asyncio.run(_silent())


async def _silent() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        ann = await venue.sit((await venue.table()).name)
        async with venue.stream(ann) as stream:
            attached = await stream.attach()
            for _ in range(3):
                clock.advance(SILENCE)
                told = (await stream.hears("heartbeat")).heartbeat
                assert (told.seq, told.head) == (attached.seq, attached.head)
            assert [told.WhichOneof("kind") for told in stream.received].count("heartbeat") == 3


def test_a_stream_gets_its_sign_of_life_only_when_it_was_silent_for_so_long() -> None:
    clock, pulses = VirtualClock(), list[int]()
    heartbeats = Heartbeats(clock)
    with heartbeats.kept(lambda: pulses.append(clock.now())) as line:
        for _ in range(80):
            if clock.now() < later(MIDNIGHT, 40 * SECOND):
                line.wrote()
            clock.advance(SECOND)
            heartbeats.beat()
    assert len(pulses) == 2
    first, second = pulses
    assert later(MIDNIGHT, 39 * SECOND + SILENCE) <= first
    assert first <= later(MIDNIGHT, 40 * SECOND + SILENCE + LOOK)
    assert later(first, SILENCE) <= second <= later(first, SILENCE + LOOK)


def test_a_stream_that_has_ended_is_looked_after_no_more() -> None:
    clock, pulses = VirtualClock(), list[int]()
    heartbeats = Heartbeats(clock)
    with heartbeats.kept(lambda: pulses.append(1)):
        pass
    clock.advance(SILENCE)
    heartbeats.beat()
    assert not pulses


def test_what_is_asked_for_many_times_before_a_beat_is_done_once_at_it() -> None:
    done = asyncio.run(_beaten())
    assert done == ["once", "always", "always", "once", "always"]


async def _beaten() -> list[str]:
    clock, metronome, done = VirtualClock(), Metronome(), list[str]()

    def once() -> None:
        done.append("once")

    beat = asyncio.create_task(metronome.run(clock, lambda: done.append("always")), name=METRONOME)
    for asked in (3, 0, 2):
        await asyncio.sleep(0)
        for _ in range(asked):
            metronome.at_next_beat(once)
        clock.advance(BEAT)
        await asyncio.sleep(0)
    beat.cancel()
    return done


def test_what_fails_at_a_beat_is_noted_and_stops_nothing_else(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done = asyncio.run(_fails())
    assert done == ["after", "after"]
    assert [record.msg for record in caplog.records] == [Entry.BEAT_FAILED] * 2


async def _fails() -> list[str]:
    clock, metronome, done = VirtualClock(), Metronome(), list[str]()

    def fail() -> None:
        raise ZeroDivisionError

    always = (fail, lambda: done.append("after"))
    beat = asyncio.create_task(metronome.run(clock, *always), name=METRONOME)
    for _ in range(2):
        await asyncio.sleep(0)
        clock.advance(BEAT)
        await asyncio.sleep(0)
    beat.cancel()
    return done
