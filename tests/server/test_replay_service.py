"""Finished games can be looked at by anyone; a running one tells nothing."""

from __future__ import annotations

import asyncio
import random

import pytest
from grpc import StatusCode

from hearts_cli.replays import summary_json
from hearts_client.archive import RemoteArchive
from hearts_engine.events import CloseCause
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import replay_pb2, replay_pb2_grpc
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_replays.testing import Plan, whole_log
from hearts_server.testing.callers import (
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of

RULES = parse_rules("black_lady target=1")


def replays(venue: Venue) -> replay_pb2_grpc.ReplayServiceAsyncStub:
    stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(venue.channel)
    return stub


async def play(venue: Venue, at_most: int | None = None) -> str:
    """The id of a game that was played, to its end or so far."""
    table = await venue.table(RULES)
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        await play_on(streams, at_random(random.Random(1)), at_most)
    return table.game_id


async def log_of(venue: Venue, game_id: str) -> list[bytes]:
    request = replay_pb2.GetGameRequest(game_id=game_id)
    return [data async for part in replays(venue).GetGame(request) for data in part.records]


def test_a_finished_game_is_given_as_it_was_stored() -> None:
    asyncio.run(_finished())


async def _finished() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        game_id = await play(venue)
        log = await log_of(venue, game_id)
        assert log == store.games[game_id]
        assert audit(log).finding is None


def test_a_game_that_was_given_up_is_listed_as_such_and_nobody_won_it() -> None:
    asyncio.run(_given_up())


async def _given_up() -> None:
    log = whole_log(random.Random(1), Plan(given_up=100))
    assert log.state is not None
    store, game_id = MemoryStore(), log.state.game.opened.game_id
    store.games[game_id] = log.records
    async with open_venue(premises_of(store)) as venue:
        (game,) = await RemoteArchive(venue.channel, "here").summaries()
        assert (game.game_id, game.closed, game.winners) == (game_id, CloseCause.UNATTENDED, ())
        assert summary_json(game)["closed"] == "unattended"
        assert await log_of(venue, game_id) == log.records


@pytest.mark.parametrize("moves", [0, 2, 30])
def test_nothing_of_a_running_game_is_given_or_listed(moves: int) -> None:
    asyncio.run(_running(moves))


async def _running(moves: int) -> None:
    async with open_venue(premises_of()) as venue:
        game_id = await play(venue, at_most=moves)
        told = await denied(log_of(venue, game_id))
        assert (told.code, told.reason) == (StatusCode.NOT_FOUND, "NO_SUCH_GAME")
        listed = await replays(venue).ListGames(replay_pb2.ListGamesRequest())
        assert not listed.games


@pytest.mark.parametrize("game_id", ["", "f" * 32, "../secrets", "x" * 50_000])
def test_a_game_that_does_not_exist_is_not_found(game_id: str) -> None:
    asyncio.run(_not_found(game_id))


async def _not_found(game_id: str) -> None:
    async with open_venue(premises_of()) as venue:
        told = await denied(log_of(venue, game_id))
        assert (told.code, told.reason) == (StatusCode.NOT_FOUND, "NO_SUCH_GAME")


def test_pages_hold_every_finished_game_once_newest_first() -> None:
    asyncio.run(_pages())


async def _pages() -> None:
    async with open_venue(premises_of()) as venue:
        played = [await play(venue, at_most) for at_most in (None, 3, None, None, 3, None)]
        finished = [played[index] for index in (5, 3, 2, 0)]
        for size in (1, 2, 3, 4, 0):
            listed, token = list[str](), ""
            while True:
                page = await replays(venue).ListGames(
                    replay_pb2.ListGamesRequest(page_size=size, page_token=token)
                )
                assert len(page.games) <= (size or 100)
                listed += [game.game_id for game in page.games]
                token = page.next_page_token
                if not token:
                    break
            assert listed == finished
        told = await denied(
            replays(venue).ListGames(replay_pb2.ListGamesRequest(page_token="elsewhere"))
        )
        assert (told.code, told.reason) == (StatusCode.INVALID_ARGUMENT, "BAD_PAGE_TOKEN")
