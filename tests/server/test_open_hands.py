"""Tables that show every hand to whoever watches, and say so before anyone sits down."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass
from functools import cache

import pytest

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.events import GameOpened, HandDealt, KittyDealt, PassChosen
from hearts_engine.evolve import replay
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import follow, visible
from hearts_proto.v1 import lobby_pb2
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.memory import MemoryStore
from hearts_server.testing.callers import Venue, at_random, everyone_hears, open_venue, play_on
from hearts_server.testing.premises import premises_of
from hearts_server.testing.spectators import WatchStream, watching
from hearts_wire.records import decode_record
from hearts_wire.rules import encode_rules
from hearts_wire.views import decode_view

PLAIN = "black_lady deals=1"
KITTY = "five removed=none kitty=last_trick deals=1"


@dataclass(frozen=True)
class Evening:
    """A game at such a table, and what was told of it."""

    log: tuple[bytes, ...]
    spectator: WatchStream
    told: tuple[list[bytes], ...]
    """The records that each seat was told."""


@cache
def evening(text: str) -> Evening:
    return asyncio.run(_evening(parse_rules(text)))


async def opened(venue: Venue, rules: Rules) -> lobby_pb2.Table:
    request = lobby_pb2.CreateTableRequest(rules=encode_rules(rules), open_hands=True)
    return (await venue.lobby.CreateTable(request)).table


async def _evening(rules: Rules) -> Evening:
    store, chance = MemoryStore(), random.Random(3)
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue, rules)
        async with (
            watching(venue, table.name) as spectator,
            venue.seated(table.name, (b"",) * rules.players) as streams,
        ):
            await spectator.attached()
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(chance))
            await spectator.rest()
            for stream in streams:
                await stream.rest()
    told = [
        [data for m in stream.received for data in (*m.attached.records, *m.update.records)]
        for stream in streams
    ]
    return Evening(tuple(store.games[table.game_id]), spectator, tuple(told))


def events_of(records: list[bytes]) -> list[object]:
    return [decode_record(data).event for data in records]


@pytest.mark.parametrize("text", [PLAIN, KITTY])
def test_a_spectator_is_told_every_hand_and_pass_as_it_happens(text: str) -> None:
    game = evening(text)
    shown = events_of(game.spectator.records)
    hidden_from_all = [e for e in events_of(list(game.log)) if isinstance(e, KittyDealt)]
    assert shown == [e for e in events_of(list(game.log)) if e not in hidden_from_all]
    assert any(isinstance(event, HandDealt) for event in shown)
    assert any(isinstance(event, PassChosen) for event in shown)
    assert bool(hidden_from_all) == (text == KITTY)


@pytest.mark.parametrize("text", [PLAIN, KITTY])
def test_a_seat_is_told_no_more_there_than_elsewhere(text: str) -> None:
    game = evening(text)
    for seat, told in enumerate(game.told):
        own = [data for data in game.log if visible_to(Seat(seat), decode_record(data).event)]
        assert told == own


def test_a_spectator_knows_every_hand_at_every_moment() -> None:
    game = evening(PLAIN)
    events = [decode_record(data).event for data in game.log]
    for message in game.spectator.received:
        told = message.attached if message.HasField("attached") else message.update
        if told.seq:
            seen = visible(events[: told.seq], None)
            now, known = replay(events[: told.seq]), replay(seen)
            assert now is not None
            assert known is not None
            assert known.play.hands == now.play.hands
            assert decode_view(told.view) == follow(None, seen)


def test_such_a_game_says_so_in_its_first_record_and_audits_clean() -> None:
    game = evening(PLAIN)
    first = decode_record(game.log[0]).event
    assert isinstance(first, GameOpened)
    assert first.open_hands
    assert audit(game.log).clean
    assert game.spectator.head == EMPTY_CHAIN.extended(game.log).head


def test_everyone_sees_that_hands_are_open_before_sitting_down() -> None:
    asyncio.run(_shown())


async def _shown() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue, parse_rules(PLAIN))
        closed = await venue.table()
        tables = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
    assert {each.name: each.open_hands for each in tables} == {
        table.name: True,
        closed.name: False,
    }


def test_the_next_game_at_such_a_table_is_open_too() -> None:
    asyncio.run(_next_game())


async def _next_game() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue, parse_rules(PLAIN))
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(4)))
            ann = streams[0].sitter
        request = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=ann.token)
        again = (await venue.lobby.PlayAgain(request)).table
    assert again.game_id != table.game_id
    assert again.open_hands


def test_who_comes_back_to_watch_such_a_game_misses_no_hand() -> None:
    asyncio.run(_comes_back())


async def _comes_back() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue, parse_rules(KITTY))
        async with venue.seated(table.name, (b"",) * 5) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(5)), at_most=8)
            log = store.games[table.game_id]
            for seq in range(len(log) + 1):
                after = seq, EMPTY_CHAIN.extended(log[:seq]).head
                async with watching(venue, table.name, after) as spectator:
                    await spectator.attached()
                shown = [d for d in log[seq:] if not isinstance(_event(d), KittyDealt)]
                assert spectator.records == shown


def _event(data: bytes) -> object:
    return decode_record(data).event
