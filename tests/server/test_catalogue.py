"""Whoever asks for games that are over, again and again, costs those who play nothing."""

from __future__ import annotations

import asyncio

import pytest

from hearts_proto.v1 import lobby_pb2, replay_pb2, replay_pb2_grpc
from hearts_replays.memory import MemoryStore
from hearts_server import catalogue as catalogues
from hearts_server import lobby as lobbies
from hearts_server.catalogue import Catalogue
from hearts_server.facts import TableFacts
from hearts_server.recent import Recent
from hearts_server.testing.callers import GENEROUS, PATIENCE, Venue, open_venue
from hearts_server.testing.company import opened, plays_on
from hearts_server.testing.premises import premises_of


async def played(venue: Venue) -> str:
    """A game of one person and house bots, to its end; the table's name."""
    table = await opened(venue)
    sitter = await venue.sit(table.name)
    for _ in range(3):
        await venue.add_house_bot(sitter)
    await venue.start(sitter)
    async with venue.stream(sitter) as stream:
        await stream.attach()
        await plays_on(stream)
    return table.name


async def until_let_go(venue: Venue, name: str) -> None:
    """Visit the table until nobody needs it in memory."""
    async with asyncio.timeout(PATIENCE):
        while any(venue.listening.lobby.census().values()):
            await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=name))


class Counted:
    """Counts how often something is called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, where: object, name: str) -> None:
        self.count = 0
        was = getattr(where, name)

        def counting(*arguments: object, **named: object) -> object:
            self.count += 1
            return was(*arguments, **named)

        monkeypatch.setattr(where, name, counting)


def test_a_game_that_is_over_is_summed_up_once_however_often_it_is_listed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        async with open_venue(premises_of(), GENEROUS) as venue:
            await played(venue)
            summed_up = Counted(monkeypatch, catalogues, "summarise")
            stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(
                venue.channel
            )
            for _ in range(3):
                assert len((await stub.ListGames(replay_pb2.ListGamesRequest())).games) == 1
            assert summed_up.count == 1

    asyncio.run(main())


def test_a_game_under_way_is_in_no_list_and_not_even_summed_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        store = MemoryStore()
        async with open_venue(premises_of(store), GENEROUS) as venue:
            await opened(venue)
            summed_up = Counted(monkeypatch, catalogues, "summarise")
            catalogue = Catalogue(store.logs)
            (game_id,) = await store.logs.games()
            assert await catalogue.sealed(game_id) is None
            assert await catalogue.sealed("no such game") is None
            assert summed_up.count == 0

    asyncio.run(main())


def test_a_table_that_is_over_is_taken_up_once_for_all_who_ask_about_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        async with open_venue(premises_of(), GENEROUS) as venue:
            name = await played(venue)
            await until_let_go(venue, name)
            reopened = Counted(monkeypatch, lobbies, "reopen_game")
            request = lobby_pb2.GetTableRequest(table=name)
            first = (await venue.lobby.GetTable(request)).table
            for _ in range(5):
                assert (await venue.lobby.GetTable(request)).table == first
            assert first.status == lobby_pb2.TABLE_STATUS_OVER
            assert reopened.count <= 1

    asyncio.run(main())


def test_a_list_of_tables_reads_what_is_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with open_venue(premises_of(), GENEROUS) as venue:
            name = await played(venue)
            await until_let_go(venue, name)
            read = list[bytes]()
            was = TableFacts.from_bytes

            def reading(data: bytes) -> TableFacts:
                read.append(data)
                return was(data)

            monkeypatch.setattr(TableFacts, "from_bytes", reading)
            for _ in range(4):
                assert not (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
            assert len(read) == 1

    asyncio.run(main())


def test_what_was_asked_for_last_is_remembered_longest() -> None:
    recent = Recent[int](2)
    recent.put("one", 1)
    recent.put("two", 2)
    assert recent.get("one") == 1
    recent.put("three", 3)
    assert (recent.get("one"), recent.get("two"), recent.get("three")) == (1, None, 3)
    assert len(recent) == 2
