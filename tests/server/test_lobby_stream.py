"""Whoever reads the lobby sees every change of every table, and no table pays for that."""

from __future__ import annotations

import asyncio
import random
from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial

import pytest
from grpc import StatusCode

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_replays.memory import MemoryStore
from hearts_server.errors import Refused
from hearts_server.heartbeats import SILENCE
from hearts_server.metronome import BEAT
from hearts_server.noticeboard import Listing, Noticeboard, Reader, is_shown
from hearts_server.testing.callers import (
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.spectators import reading_the_lobby, watching
from hearts_wire.records import decode_record

SEATING = lobby_pb2.TABLE_STATUS_SEATING
PLAYING = lobby_pb2.TABLE_STATUS_PLAYING
OVER = lobby_pb2.TABLE_STATUS_OVER


def test_a_reader_sees_the_tables_that_are_there_and_then_what_becomes_of_them() -> None:
    asyncio.run(_whole_life())


async def _whole_life() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        old = await venue.table()
        async with reading_the_lobby(venue) as reader:
            assert list(reader.tables) == [old.name]
            new = await venue.table(parse_rules("black_lady target=10"))
            clock.advance(BEAT)
            await reader.next()
            assert list(reader.tables) == [old.name, new.name]
            assert reader.tables[new.name].status == SEATING
            async with venue.seated(new.name) as streams:
                clock.advance(BEAT)
                await reader.next()
                shown = reader.tables[new.name]
                assert [seat.name for seat in shown.seats] == ["Ann 0", "Ann 1", "Ann 2", "Ann 3"]
                assert (list(shown.connected), shown.host) == ([0, 1, 2, 3], 0)
                await venue.start(streams[0].sitter)
                await everyone_hears(streams)
                clock.advance(BEAT)
                await reader.next()
                assert reader.tables[new.name].status == PLAYING
                before = len(reader.received)
                await play_on(streams, at_random(random.Random(1)))
                for stream in streams:
                    await stream.rest()
            clock.advance(BEAT)
            await reader.next()
            while new.name in reader.tables:
                assert reader.tables[new.name].status == OVER
                clock.advance(BEAT)
                await reader.next()
            assert list(reader.tables) == [old.name]
            assert len(reader.received) <= before + 3, "cards are none of the lobby's business"


def test_what_a_reader_has_seen_is_what_the_list_says() -> None:
    asyncio.run(_same_as_the_list())


async def _same_as_the_list() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, reading_the_lobby(venue) as reader:
        table, other = await venue.table(), await venue.table()
        ann = await venue.sit(table.name)
        for sitter in (ann, await venue.sit(other.name)):
            await venue.add_house_bot(sitter)
        async with watching(venue, table.name) as spectator, venue.stream(ann) as stream:
            await spectator.attached()
            await stream.attach()
            clock.advance(BEAT)
            await reader.next()
            listed = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
        assert list(reader.tables.values()) == list(listed)
        assert reader.tables[table.name].watchers == 1


def test_a_busy_table_is_shown_a_few_times_a_second_at_most() -> None:
    asyncio.run(_busy())


async def _busy() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, reading_the_lobby(venue) as reader:
        table = await venue.table()
        for seconds in range(1, 4):
            for _ in range(10):
                ann = await venue.sit(table.name)
                request = lobby_pb2.LeaveTableRequest(table=table.name, seat_token=ann.token)
                await venue.lobby.LeaveTable(request)
            clock.advance(BEAT)
            await reader.next()
            assert len(reader.received) == seconds + 1


def test_a_seat_that_can_be_taken_over_is_shown() -> None:
    asyncio.run(_vacant())


async def _vacant() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, AsyncExitStack() as stack:
        table = await venue.table(start_when_full=True)
        host = await venue.sit(table.name, "Ann")
        ben = await venue.sit(table.name, "Ben")
        for _ in range(2):
            await venue.add_house_bot(host)
        reader = await stack.enter_async_context(reading_the_lobby(venue))
        vacant_before = list(reader.tables[table.name].vacant)
        leaving = lobby_pb2.RemoveSeatRequest(table=table.name, token=host.token, seat=ben.seat)
        await venue.lobby.RemoveSeat(leaving)
        clock.advance(BEAT)
        await reader.next()
        vacant = list(reader.tables[table.name].vacant)
        assert ben.seat in set(vacant) - set(vacant_before)
        request = lobby_pb2.TakeOverSeatRequest(
            table=table.name, name="Cy", seat=ben.seat, kind=events_pb2.SEAT_KIND_PERSON
        )
        await venue.lobby.TakeOverSeat(request)
        clock.advance(BEAT)
        await reader.next()
        shown = reader.tables[table.name]
        assert "Cy" in [seat.name for seat in shown.seats]
        assert list(shown.vacant) == vacant_before


def test_a_reader_of_a_lobby_where_nothing_changes_gets_signs_of_life() -> None:
    asyncio.run(_silence())


async def _silence() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, reading_the_lobby(venue) as reader:
        for _ in range(3):
            clock.advance(SILENCE)
            assert await reader.next() == lobby_pb2.WatchTablesResponse()


def test_a_reader_is_told_when_the_server_stops() -> None:
    asyncio.run(_draining())


async def _draining() -> None:
    async with open_venue(premises_of()) as venue, reading_the_lobby(venue) as reader:
        await venue.listening.lobby.close()
        told = await denied(reader.next())
        assert (told.code, told.reason) == (StatusCode.UNAVAILABLE, "DRAINING")


def test_no_card_is_an_event_that_the_lobby_shows() -> None:
    shown = asyncio.run(_kinds_shown())
    assert shown == {"SeatTaken", "SeatsFrozen", "LogSealed"}


async def _kinds_shown() -> set[str]:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(parse_rules("black_lady target=10"))
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(2)))
        events = [decode_record(data).event for data in store.games[table.game_id]]
    return {type(event).__name__ for event in events if is_shown(event)}


def look(name: str) -> Listing:
    return Listing(name=name)


def test_a_table_that_rings_while_nobody_reads_costs_nothing_and_is_shown_to_nobody() -> None:
    board = Noticeboard()
    board.ring("oak-1")
    with board.reading() as reader:
        board.post(fail_to_look)
        assert unread(reader) == {}


def watched_by(watchers: int, name: str) -> Listing:
    return Listing(name=name, watchers=watchers)


def fail_to_look(name: str) -> Listing:
    raise AssertionError(name)


def unread(reader: Reader) -> dict[str, Listing | None]:
    reader.pulse()
    return dict(asyncio.run(reader.changes()))


def test_a_slow_reader_is_told_of_each_table_once_as_it_is_by_then() -> None:
    board = Noticeboard()
    with board.reading() as reader:
        for number in range(1000):
            board.ring("oak-1")
            board.ring(f"elm-{number % 5}")
            board.post(partial(watched_by, number))
        changes = unread(reader)
    assert len(changes) == 6
    assert changes["oak-1"] == Listing(name="oak-1", watchers=999)


def test_a_table_is_looked_at_once_for_all_readers() -> None:
    board, looks = Noticeboard(), list[str]()

    def note(name: str) -> Listing:
        looks.append(name)
        return look(name)

    with board.reading() as first, board.reading() as second:
        for _ in range(3):
            board.ring("oak-1")
        board.post(note)
        assert unread(first) == unread(second) == {"oak-1": look("oak-1")}
    assert looks == ["oak-1"]


def test_a_table_that_is_gone_is_gone_until_it_rings_again() -> None:
    board = Noticeboard()
    with board.reading() as reader:
        board.ring("oak-1")
        board.take_down("oak-1")
        board.post(look)
        assert unread(reader) == {"oak-1": None}
        board.take_down("oak-1")
        board.ring("oak-1")
        board.post(look)
        assert unread(reader) == {"oak-1": look("oak-1")}


def test_a_table_that_cannot_be_looked_at_just_now_is_not_said_to_be_gone() -> None:
    board = Noticeboard()
    with board.reading() as reader:
        board.ring("oak-1")
        board.post(lambda _: None)
        assert unread(reader) == {}


def test_a_closed_board_is_read_by_nobody() -> None:
    board = Noticeboard()
    with board.reading() as reader:
        board.close()
        with pytest.raises(Refused, match="server stops"):
            unread(reader)


def test_changes_come_within_a_second() -> None:
    assert timedelta(milliseconds=200) <= BEAT <= timedelta(seconds=1)
