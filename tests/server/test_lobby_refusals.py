"""What the lobby is asked for in vain: a clear refusal, and every table as it was."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import replace
from typing import Any

import pytest
from grpc import StatusCode, aio

from hearts_engine.cards import Card
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2, lobby_pb2, rules_pb2
from hearts_server.testing.callers import (
    Denied,
    Sitter,
    Venue,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of

MEBIBYTE = 1024 * 1024

Call = Callable[[Venue, Sitter], Awaitable[object]]


def create(**fields: Any) -> Call:
    return lambda venue, _: venue.lobby.CreateTable(lobby_pb2.CreateTableRequest(**fields))


def join(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "name": "Ben", "kind": PERSON, **fields}
        return venue.lobby.JoinTable(lobby_pb2.JoinTableRequest(**asked))

    return call


def bot(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "token": sitter.token, **fields}
        return venue.lobby.AddHouseBot(lobby_pb2.AddHouseBotRequest(**asked))

    return call


def remove(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "token": sitter.token, **fields}
        return venue.lobby.RemoveSeat(lobby_pb2.RemoveSeatRequest(**asked))

    return call


def start(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "token": sitter.token, **fields}
        return venue.lobby.StartTable(lobby_pb2.StartTableRequest(**asked))

    return call


def leave(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "seat_token": sitter.token, **fields}
        return venue.lobby.LeaveTable(lobby_pb2.LeaveTableRequest(**asked))

    return call


def again(**fields: Any) -> Call:
    def call(venue: Venue, sitter: Sitter) -> Awaitable[object]:
        asked: dict[str, Any] = {"table": sitter.table, "seat_token": sitter.token, **fields}
        return venue.lobby.PlayAgain(lobby_pb2.PlayAgainRequest(**asked))

    return call


def look(table: str) -> Call:
    return lambda venue, _: venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table))


def get_bytes(venue: Venue, _: Sitter) -> Awaitable[object]:
    method: aio.UnaryUnaryMultiCallable[bytes, bytes] = venue.channel.unary_unary(
        "/hearts.v1.LobbyService/GetTable"
    )
    return method(b"\xff\xff\xff")


PERSON = events_pb2.SEAT_KIND_PERSON
MALFORMED = (StatusCode.INVALID_ARGUMENT, "MALFORMED")
BAD_NAME = (StatusCode.INVALID_ARGUMENT, "BAD_NAME")
BAD_TOKEN = (StatusCode.UNAUTHENTICATED, "BAD_TOKEN")
NO_TABLE = (StatusCode.NOT_FOUND, "NO_SUCH_TABLE")

LOBBY: dict[str, tuple[Call, tuple[StatusCode, str]]] = {
    "a look at an unknown table": (look("oak-99"), NO_TABLE),
    "a look at a table of an endless name": (look("x" * 50_000), NO_TABLE),
    "bytes that are no message": (get_bytes, MALFORMED),
    "a seat at an unknown table": (join(table="oak-99"), NO_TABLE),
    "a seat that is taken": (join(seat=0), (StatusCode.FAILED_PRECONDITION, "SEAT_OCCUPIED")),
    "a fifth seat": (join(seat=4), (StatusCode.INVALID_ARGUMENT, "NO_SUCH_SEAT")),
    "a thousandth seat": (join(seat=1000), MALFORMED),
    "a seat for nobody in particular": (join(kind=events_pb2.SEAT_KIND_UNSPECIFIED), MALFORMED),
    "a seat for a house bot": (join(kind=events_pb2.SEAT_KIND_HOUSE), MALFORMED),
    "a seat for a kind that does not exist": (join(kind=9), MALFORMED),
    "half a commitment": (join(commitment=bytes(16)), MALFORMED),
    "a seat by a request that can be guessed": (join(request_id="x" * 15), MALFORMED),
    "a seat by an endless request": (join(request_id="x" * 129), MALFORMED),
    "a table by a request that can be guessed": (create(request_id="1"), MALFORMED),
    "no name": (join(name=""), BAD_NAME),
    "a name of nothing but blanks": (join(name="   "), BAD_NAME),
    "an endless name": (join(name="x" * 33), BAD_NAME),
    "a name of which nothing can be seen": (join(name="\u200b\u202e\u3164"), BAD_NAME),
    "a name that costs more to clean than it is worth": (join(name="\u200b" * 20_000), BAD_NAME),
    "a house bot of no level": (bot(level="godlike"), MALFORMED),
    "a house bot with a bad token": (bot(token="x"), BAD_TOKEN),
    "a house bot on a taken seat": (
        bot(seat=0),
        (StatusCode.FAILED_PRECONDITION, "SEAT_OCCUPIED"),
    ),
    "sending away who is not there": (
        remove(seat=3),
        (StatusCode.FAILED_PRECONDITION, "SEAT_EMPTY"),
    ),
    "sending away from a seat that is none": (
        remove(seat=9),
        (StatusCode.FAILED_PRECONDITION, "SEAT_EMPTY"),
    ),
    "sending away with a bad token": (remove(token="x"), BAD_TOKEN),
    "a start with empty seats": (start(), (StatusCode.FAILED_PRECONDITION, "SEAT_EMPTY")),
    "a start with a bad token": (start(token="x"), BAD_TOKEN),
    "leaving with a bad token": (leave(seat_token="x"), BAD_TOKEN),
    "playing again with a bad token": (again(seat_token="x"), BAD_TOKEN),
    "playing again with half a commitment": (again(commitment=b"x"), MALFORMED),
    "rules for five": (create(rules=rules_pb2.Rules(players=5)), MALFORMED),
    "rules that pass nine": (create(rules=rules_pb2.Rules(pass_count=9)), MALFORMED),
    "rules without an end": (create(rules=rules_pb2.Rules(target=1_000_000)), MALFORMED),
    "rules that end as nobody knows": (
        create(rules=rules_pb2.Rules.FromString(b"\x28\x63")),
        MALFORMED,
    ),
    "rules with an option of another version": (
        create(rules=rules_pb2.Rules.FromString(b"\xf8\x07\x01")),
        MALFORMED,
    ),
    "an endless seed": (create(fixed_seed="x" * 65), MALFORMED),
}


@pytest.mark.parametrize("name", LOBBY)
def test_what_the_lobby_cannot_do_is_refused_and_changes_nothing(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    call, expected = LOBBY[name]
    told = asyncio.run(_asked_in_vain(call))
    assert (told.code, told.reason) == expected
    assert 0 < len(told.sentence) < 200
    # gRPC's poller may have something to say of loops that earlier tests have closed.
    ours = [record for record in caplog.records if record.name.startswith("hearts")]
    assert not ours, "a caller's mistake is no incident"


async def _asked_in_vain(call: Call) -> Denied:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        sitter = await venue.sit(table.name)
        async with venue.stream(sitter) as stream:
            before = await stream.attach()
            tables = await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
            told = await denied(call(venue, sitter))
            assert await stream.pulse() == (before.seq, before.head)
            assert await venue.lobby.ListTables(lobby_pb2.ListTablesRequest()) == tables
    return told


def test_a_token_opens_nothing_at_another_table() -> None:
    told = asyncio.run(_wrong_table())
    assert (told.code, told.reason) == BAD_TOKEN


async def _wrong_table() -> Denied:
    async with open_venue(premises_of()) as venue:
        mine, other = await venue.table(), await venue.table()
        sitter = await venue.sit(mine.name)
        await venue.sit(other.name)
        async with venue.stream(replace(sitter, table=other.name)) as stream:
            return await denied(stream.attach())


def test_a_call_of_a_mebibyte_is_refused_and_changes_nothing() -> None:
    told = asyncio.run(_asked_in_vain(join(name="x" * MEBIBYTE)))
    assert told.code is StatusCode.RESOURCE_EXHAUSTED


def test_nobody_sits_down_when_the_game_has_started() -> None:
    asyncio.run(_after_the_start())


async def _after_the_start() -> None:
    wrong_phase = (StatusCode.FAILED_PRECONDITION, "WRONG_PHASE")
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            for call in (join(seat=1), start(), again(), bot(seat=1)):
                told = await denied(call(venue, streams[0].sitter))
                assert (told.code, told.reason) == wrong_phase
            told = await denied(join()(venue, streams[0].sitter))
            assert (told.code, told.reason) == (wrong_phase[0], "SEAT_OCCUPIED")
            await play_on(streams, lowest, at_most=5)


def lowest(view: SeatView) -> Collection[Card]:
    return tuple(view.legal)[: view.rules.pass_count if not all(view.ready) else 1]
