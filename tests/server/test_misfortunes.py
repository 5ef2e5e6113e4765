"""What fails at the worst moment costs a moment: no table waits, or stays, for ever."""

from __future__ import annotations

import asyncio
import random
import threading
import time
from datetime import timedelta

import pytest
from grpc import StatusCode

from hearts_bots.bot import Bot
from hearts_engine.cards import Seat
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_replays.log import Fenced, Unavailable
from hearts_server import house
from hearts_server.clocks import SystemClock
from hearts_server.notices import Prompt
from hearts_server.testing.callers import (
    PATIENCE,
    SeatStream,
    Venue,
    at_random,
    denied,
    open_venue,
)
from hearts_server.testing.entries import entries
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.commands import SeatCommand

RULES = parse_rules("plain_hearts deals=1 tie=shared")
FULL = Unavailable("the disk is full")
choose = at_random(random.Random(1))


class AppendsFail(TroubledStore):
    """Fails to append, after so many appends that it does."""

    def __init__(self) -> None:
        super().__init__()
        self.good: int | None = None
        """None: it fails never."""

    async def before_append(self) -> None:
        await super().before_append()
        if self.good is not None:
            if self.good <= 0:
                raise FULL
            self.good -= 1


async def with_house_bots(venue: Venue) -> tuple[lobby_pb2.Table, SeatStream]:
    """A table of one person, not attached, and three house bots."""
    table = await venue.table(RULES)
    ann = await venue.sit(table.name)
    for _ in range(3):
        await venue.add_house_bot(ann)
    return table, SeatStream(venue.channel, ann)


def test_a_table_that_fills_has_started_if_its_last_seat_is_taken() -> None:
    asyncio.run(_fills())


async def _fills() -> None:
    store = AppendsFail()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES, start_when_full=True)
        for seat in range(3):
            await venue.sit(table.name, f"Ann {seat}")
        store.good = 1
        await venue.sit(table.name, "Dora")
        at = await venue.listening.lobby.get(table.name)
        assert at.journal.state.phase is Phase.PLAYING


def test_a_house_bot_that_somebody_could_not_take_over_from_plays_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asyncio.run(_not_taken_over(monkeypatch))


async def _not_taken_over(monkeypatch: pytest.MonkeyPatch) -> None:
    think = house._decision  # pyright: ignore[reportPrivateUsage]
    thinks, may_answer = threading.Event(), threading.Event()

    def slowly(bot: Bot, seat: Seat, prompt: Prompt) -> SeatCommand:
        thinks.set()
        may_answer.wait(PATIENCE)
        return think(bot, seat, prompt)

    store, clock = AppendsFail(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, asyncio.timeout(PATIENCE):
        table, stream = await with_house_bots(venue)
        monkeypatch.setattr(house, "_decision", slowly)
        await stream.attach()
        await venue.start(stream.sitter)
        playing = asyncio.create_task(_play_along(stream))
        await asyncio.to_thread(thinks.wait, PATIENCE)
        at = await venue.listening.lobby.get(table.name)
        (asked,) = at.journal.prompts.open
        store.good = 0
        take = lobby_pb2.TakeOverSeatRequest(
            table=table.name, name="Eve", kind=events_pb2.SEAT_KIND_PERSON, seat=asked
        )
        assert (await denied(venue.lobby.TakeOverSeat(take))).reason == "STORE_UNAVAILABLE"
        store.good = None
        before = at.journal.seq
        may_answer.set()
        await clock.is_waited_for()
        clock.advance(house.RETRY_TIME)
        while at.journal.seq == before:
            await at.in_turn(_nothing)
        playing.cancel()
        stream.cancel()


async def _play_along(stream: SeatStream) -> None:
    while True:
        if stream.prompt is not None:
            await stream.send(stream.choice(choose))
        await stream.next()


async def _nothing() -> None:
    """Only wait for the table's turn."""


def test_a_table_that_has_halted_is_asked_by_its_bots_once_a_moment(
    caplog: pytest.LogCaptureFixture,
) -> None:
    asyncio.run(_halted(caplog))


async def _halted(caplog: pytest.LogCaptureFixture) -> None:
    store, clock = TroubledStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, asyncio.timeout(PATIENCE):
        _, stream = await with_house_bots(venue)
        await stream.attach()
        await venue.start(stream.sitter)
        while stream.prompt is None:
            await stream.next()
        store.good_appends, store.trouble = 1, Fenced("another process")
        await stream.send(stream.choice(choose))
        for _ in range(3):
            await clock.is_waited_for()
            assert len(entries(caplog.records, "house_seat_refused")) == 1
            clock.advance(house.RETRY_TIME)
        stream.cancel()


def test_house_bots_keep_no_table_open_that_everybody_has_forgotten() -> None:
    asyncio.run(_forgotten())


async def _forgotten() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        last = await venue.table()
        opened = await venue.lobby.CreateTable(lobby_pb2.CreateTableRequest())
        add = lobby_pb2.AddHouseBotRequest(table=opened.table.name, token=opened.host_token)
        await venue.lobby.AddHouseBot(add)
        clock.advance(timedelta(hours=2))
        listed = await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
        assert [table.name for table in listed.tables] == [last.name]
        get = lobby_pb2.GetTableRequest(table=opened.table.name)
        assert (await denied(venue.lobby.GetTable(get))).code is StatusCode.NOT_FOUND


def test_a_host_who_pauses_and_goes_holds_nobody_up() -> None:
    asyncio.run(_host_goes())


async def _host_goes() -> None:
    async with open_venue(premises_of()) as venue, asyncio.timeout(PATIENCE):
        table = await venue.table(RULES)
        async with venue.seated(table.name) as streams:
            host, guest = streams[:2]
            await venue.start(host.sitter)
            pause = lobby_pb2.PauseTableRequest(table=table.name, token=host.sitter.token)
            await venue.lobby.PauseTable(pause)
            resume = lobby_pb2.ResumeTableRequest(table=table.name, token=guest.sitter.token)
            assert (await denied(venue.lobby.ResumeTable(resume))).reason == "NOT_THE_HOST"
            host.cancel()
            while host.sitter.seat in guest.presence.connected:
                await guest.hears("presence")
            await venue.lobby.ResumeTable(resume)
            resume.token = "nobody's"
            assert (await denied(venue.lobby.ResumeTable(resume))).reason == "BAD_TOKEN"


def test_a_clock_that_is_set_back_makes_no_turn_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SystemClock()
    before = clock.now()
    wall = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: wall() - 3_600_000_000_000)
    assert before <= clock.now() <= before + 60_000_000
    monkeypatch.setattr(time, "time_ns", lambda: wall() + 3_600_000_000_000)
    assert clock.now() >= before + 3_599_000_000, "it is set forward like any"
