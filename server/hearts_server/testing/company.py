"""People at a table on clocks, and what each of them does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from hearts_engine.cards import Card, Seat
from hearts_engine.events import Agent, CardPlayed, Event, GameOpened
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_server.table import Table
from hearts_server.testing.callers import (
    GENEROUS,
    SeatStream,
    Sitter,
    Venue,
    everyone_hears,
)
from hearts_server.testing.premises import VirtualClock
from hearts_server.upkeep import ABSENCE_TIME
from hearts_wire.records import decode_record
from hearts_wire.rules import encode_rules

TURN: Final = timedelta(seconds=30)
BOT_TURN: Final = timedelta(seconds=20)
TIMED: Final = replace(GENEROUS, turn_seconds=30, bot_seconds=20)
"""A server whose tables have clocks."""

PLAY: Final = parse_rules("plain_hearts deals=1 tie=shared")
"""A game of one deal, which begins with a card."""

PASS: Final = parse_rules("black_lady target=1")
"""A short game, which begins with a pass."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A table, as whoever opened it knows it."""

    name: str
    game_id: str
    host_token: str


async def opened(
    venue: Venue, rules: Rules = PLAY, *, passcode: str = "", request_id: str = ""
) -> Opened:
    """A new table, or the same again."""
    request = lobby_pb2.CreateTableRequest(
        rules=encode_rules(rules), passcode=passcode, request_id=request_id
    )
    response = await venue.lobby.CreateTable(request)
    return Opened(response.table.name, response.table.game_id, response.host_token)


async def bot_at(venue: Venue, table: str, name: str) -> Sitter:
    """Somebody's bot, which has sat down."""
    request = lobby_pb2.JoinTableRequest(table=table, name=name, kind=events_pb2.SEAT_KIND_BOT)
    response = await venue.lobby.JoinTable(request)
    return Sitter(table, Seat(response.seat), response.seat_token)


async def leave(venue: Venue, sitter: Sitter) -> None:
    """Get up."""
    request = lobby_pb2.LeaveTableRequest(table=sitter.table, seat_token=sitter.token)
    await venue.lobby.LeaveTable(request)


@asynccontextmanager
async def people(
    venue: Venue, rules: Rules = PLAY, entropy: Sequence[bytes] = (b"",) * 4
) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """Four people in a game that has started."""
    table = await venue.table(rules)
    async with venue.seated(table.name, entropy) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def legal(view: SeatView) -> tuple[Card, ...]:
    """The lowest of what is legal, as many as are asked for."""
    count = view.rules.pass_count if view.phase is Phase.PASSING else 1
    return tuple(view.legal)[:count]


def asked(streams: Sequence[SeatStream]) -> SeatStream:
    """The one that a card is due from."""
    (one,) = (stream for stream in streams if stream.prompt is not None)
    return one


async def answers(streams: Sequence[SeatStream]) -> None:
    """Whoever is asked answers, and everyone hears of it."""
    stream = asked(streams)
    await stream.send(stream.choice(legal))
    await everyone_hears(streams)


async def plays_on(stream: SeatStream) -> None:
    """Answer whatever is asked of one seat, until its stream ends."""
    over = False
    while not over:
        if stream.prompt is not None:
            request, stream.prompt = stream.choice(legal), None
            await stream.send(request)
        over = (await stream.next()).HasField("detached")


def deciders(events: Iterable[Event], seat: Seat) -> list[Agent]:
    """Who played each card of a seat."""
    return [event.by for event in events if isinstance(event, CardPlayed) and event.seat == seat]


def state_after(log: Sequence[bytes]) -> State:
    """The game as it stands after these records."""
    first, *rest = (decode_record(data).event for data in log)
    assert isinstance(first, GameOpened)
    state = evolve(None, first)
    for event in rest:
        state = evolve(state, event)
    return state


async def everyone_is_gone(venue: Venue, clock: VirtualClock, name: str) -> None:
    """Let time pass at a table whose connections have dropped until it stands still there."""
    await nobody_is_there(await venue.listening.lobby.get(name))
    clock.advance(ABSENCE_TIME)


async def nobody_is_there(table: Table) -> None:
    """Return when a table has taken note that all connections have dropped."""
    # A table tells nobody outside that a stream of it has ended.
    while table.connected:  # noqa: ASYNC110
        await asyncio.sleep(0)
    await table.in_turn(_nothing)


async def _nothing() -> None:
    """Only wait for one's turn."""
