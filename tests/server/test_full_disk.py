"""A disk without room freezes the tables on it, says so, and costs nobody a card."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, ClassVar

from google.rpc.code_pb2 import UNAVAILABLE
from grpc import StatusCode

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.archive import Archive
from hearts_replays.audit import audit
from hearts_replays.sqlite import SqliteStore
from hearts_server.testing.callers import (
    SeatStream,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import Draws, premises_of

RULES = parse_rules("black_lady deals=2")
PLENTY = 1_000_000


class Disk(sqlite3.Connection):
    """A database whose file may only grow so far."""

    made: ClassVar[list[Disk]] = []

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.made.append(self)

    def fill(self) -> None:
        """Leave no room for another page."""
        self._limit(1)  # SQLite takes it for as many pages as there are

    def make_room(self) -> None:
        """Leave room again."""
        self._limit(PLENTY)

    def _limit(self, pages: int) -> None:
        self.execute(f"PRAGMA max_page_count = {pages}").close()


@asynccontextmanager
async def opened(folder: Path) -> AsyncGenerator[tuple[SqliteStore, Disk], None]:
    store = SqliteStore.open(folder, timedelta(), Disk)
    try:
        yield store, Disk.made.pop()
    finally:
        await store.close()


def test_a_full_disk_freezes_the_table_until_there_is_room(tmp_path: Path) -> None:
    asyncio.run(_until_there_is_room(tmp_path))
    _audits_clean(tmp_path)


async def _until_there_is_room(folder: Path) -> None:
    choose = at_random(random.Random(1))
    async with opened(folder) as (store, disk), open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            disk.fill()
            stuck, request = await _until_refused(streams)
            for stream in streams:
                assert await stream.pulse() == (stream.seq, stream.head)
            assert (await stuck.refusal(request)).reason == "STORE_UNAVAILABLE"
            told = await denied(venue.table(RULES))
            assert (told.code, told.reason) == (StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
            disk.make_room()
            await stuck.send(request)
            await everyone_hears(streams)
            await play_on(streams, choose)
            for stream in streams:
                assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER


def test_a_game_that_met_a_full_disk_goes_on_after_a_restart(tmp_path: Path) -> None:
    asyncio.run(_after_a_restart(tmp_path))
    _audits_clean(tmp_path)


async def _after_a_restart(folder: Path) -> None:
    async with opened(folder) as (store, disk), open_venue(premises_of(store)) as venue:
        table = await venue.table(RULES)
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            disk.fill()
            await _until_refused(streams)
            left = [(stream.sitter, stream.seq, stream.head) for stream in streams]
    premises = premises_of(SqliteStore.open(folder), draws=Draws("again"))
    async with open_venue(premises) as venue:
        again = [SeatStream(venue.channel, sitter) for sitter, _, _ in left]
        for stream, (_, seq, head) in zip(again, left, strict=True):
            assert not (await stream.attach(seq, head)).records
        await play_on(again, at_random(random.Random(2)))
        for stream in again:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
    await premises.store.close()


async def _until_refused(streams: tuple[SeatStream, ...]) -> tuple[SeatStream, pb.PlayRequest]:
    """Play until the disk has no more room; who could not play, and what."""
    choose = at_random(random.Random(1))
    while True:
        asked = next(stream for stream in streams if stream.prompt)
        request = asked.choice(choose)
        await asked.send(request)
        response = await asked.next()
        if response.HasField("refusal"):
            refusal = response.refusal
            assert (refusal.code, refusal.reason) == (UNAVAILABLE, "STORE_UNAVAILABLE")
            assert "full" in refusal.message
            return asked, request
        await everyone_hears([stream for stream in streams if stream is not asked])


def _audits_clean(folder: Path) -> None:
    with Archive.open(folder) as archive:
        (game,) = archive.games()
        assert audit(archive.records(game)).finding is None
