"""What a table plays by: whatever was asked for, listed as such, or refused with what is wrong."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace

import pytest
from grpc import StatusCode

from hearts_engine.errors import BadRules
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2, rules_pb2
from hearts_server.hosting import HOUSE_NAMES
from hearts_server.testing.callers import (
    GENEROUS,
    Denied,
    Sitter,
    Venue,
    at_random,
    denied,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of
from hearts_wire.rules import decode_rules


async def listed(venue: Venue) -> dict[str, Rules]:
    """The rules of every table that the lobby lists."""
    answer = await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
    return {table.name: decode_rules(table.rules) for table in answer.tables}


def test_the_lobby_lists_the_rules_that_each_table_was_asked_to_play_by() -> None:
    asyncio.run(_lists())


async def _lists() -> None:
    async with open_venue(premises_of()) as venue:
        asked = {(await venue.table(rules)).name: rules for rules in PRESETS.values()}
        assert await listed(venue) == asked


def test_a_table_for_which_nothing_was_asked_plays_by_what_is_usual_here() -> None:
    asyncio.run(_usual())


async def _usual() -> None:
    usual, other = parse_rules("five removed=none kitty=last_trick"), parse_rules("spot")
    policy = replace(GENEROUS, usual_rules=usual)
    async with open_venue(premises_of(), policy) as venue:
        plain, asked = await venue.table(), await venue.table(other)
        assert await listed(venue) == {plain.name: usual, asked.name: other}
        assert (await venue.sit(plain.name, seat=4)).seat == 4


UNPLAYABLE: dict[str, rules_pb2.Rules] = {
    "players=5: 52 cards": rules_pb2.Rules(players=5),
    "players=11: 3 to 10": rules_pb2.Rules(players=11),
    "decks=3: 1 to 2": rules_pb2.Rules(decks=3),
    "pass_count=9: 1 to 4": rules_pb2.Rules(pass_count=9),
    "nobody sits across with 3 seats": rules_pb2.Rules(
        players=3, removed=[0], pass_cycle=[rules_pb2.DIRECTION_ACROSS]
    ),
    "removed: QS scores": rules_pb2.Rules(removed=[36, 37, 38, 39]),
    "only with a moon": rules_pb2.Rules(moon=rules_pb2.MOON_NONE, sun_double=True),
}


@pytest.mark.parametrize("sentence", UNPLAYABLE)
def test_rules_that_cannot_be_played_open_no_table_and_are_told_what_is_wrong(
    sentence: str,
) -> None:
    told, tables = asyncio.run(_refused(UNPLAYABLE[sentence]))
    assert told.code is StatusCode.INVALID_ARGUMENT
    assert sentence in told.sentence
    assert not tables


async def _refused(rules: rules_pb2.Rules) -> tuple[Denied, dict[str, Rules]]:
    async with open_venue(premises_of()) as venue:
        request = lobby_pb2.CreateTableRequest(rules=rules)
        return await denied(venue.lobby.CreateTable(request)), await listed(venue)


def test_what_is_said_of_unplayable_rules_is_what_the_rules_say_themselves() -> None:
    told, _ = asyncio.run(_refused(rules_pb2.Rules(players=5)))
    with pytest.raises(BadRules) as refusal:
        Rules(players=5)
    assert told.sentence.endswith(str(refusal.value))


@pytest.mark.parametrize("seats", range(3, 11))
def test_a_table_has_as_many_seats_as_its_rules_say(seats: int) -> None:
    asyncio.run(_fills(seats))


async def _fills(seats: int) -> None:
    rules = parse_rules(f"cancellation players={seats}")
    async with open_venue(premises_of()) as venue:
        table = await venue.table(rules)
        last = await venue.sit(table.name, HOUSE_NAMES[-1], seat=seats - 1)
        beyond = await denied(venue.sit(table.name, seat=seats))
        assert beyond.code is StatusCode.INVALID_ARGUMENT
        for seat in range(seats - 1):
            assert await venue.add_house_bot(last) == seat
        assert (await denied(venue.sit(table.name))).reason == "SEAT_OCCUPIED"
        answer = await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table.name))
        assert len({taken.name for taken in answer.table.seats}) == seats
        async with venue.stream(last) as stream:
            await stream.attach()
            await venue.start(last)
            while stream.prompt is None:
                await stream.next()
            assert len(stream.prompt.view.ready) == seats


def test_the_next_game_at_a_table_is_played_by_the_same_rules() -> None:
    asyncio.run(_plays_again())


async def _plays_again() -> None:
    rules = parse_rules("five removed=none kitty=last_trick pass_cycle=shuffle deals=1 tie=shared")
    async with open_venue(premises_of()) as venue:
        table = await venue.table(rules)
        async with venue.seated(table.name, (b"",) * 5) as streams:
            await venue.start(streams[0].sitter)
            for stream in streams:
                await stream.next()
            await play_on(streams, at_random(random.Random(1)))
            for stream in streams:
                await stream.rest()
            again = [await _again(venue, stream.sitter) for stream in streams]
        assert decode_rules(again[-1].rules) == rules
        assert again[-1].game_id != table.game_id
        assert again[-1].status == lobby_pb2.TABLE_STATUS_PLAYING
        assert {taken.kind for taken in again[-1].seats} == {events_pb2.SEAT_KIND_PERSON}


async def _again(venue: Venue, sitter: Sitter) -> lobby_pb2.Table:
    request = lobby_pb2.PlayAgainRequest(table=sitter.table, seat_token=sitter.token)
    return (await venue.lobby.PlayAgain(request)).table
