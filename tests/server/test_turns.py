"""Whose turn at the table comes late asks with what holds then: a token given up opens nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from grpc import StatusCode

from hearts_proto.v1 import lobby_pb2
from hearts_server.table import Table
from hearts_server.testing.callers import PATIENCE, Sitter, Venue, denied, open_venue
from hearts_server.testing.premises import premises_of
from hearts_server.testing.stores import TroubledStore

REQUEST = "one request, secret and random"

Call = Callable[[Venue, Sitter], Awaitable[object]]


def leave(venue: Venue, who: Sitter) -> Awaitable[object]:
    request = lobby_pb2.LeaveTableRequest(table=who.table, seat_token=who.token)
    return venue.lobby.LeaveTable(request)


def add_bot(venue: Venue, who: Sitter) -> Awaitable[object]:
    request = lobby_pb2.AddHouseBotRequest(table=who.table, token=who.token)
    return venue.lobby.AddHouseBot(request)


def remove_bot(venue: Venue, who: Sitter) -> Awaitable[object]:
    request = lobby_pb2.RemoveSeatRequest(table=who.table, token=who.token, seat=3)
    return venue.lobby.RemoveSeat(request)


def start(venue: Venue, who: Sitter) -> Awaitable[object]:
    request = lobby_pb2.StartTableRequest(table=who.table, token=who.token)
    return venue.lobby.StartTable(request)


def play_again(venue: Venue, who: Sitter) -> Awaitable[object]:
    request = lobby_pb2.PlayAgainRequest(table=who.table, seat_token=who.token)
    return venue.lobby.PlayAgain(request)


async def attach(venue: Venue, who: Sitter) -> object:
    async with venue.stream(who) as stream:
        return await stream.attach()


async def _waits(table: Table, count: int) -> None:
    """Return when so many requests are before the table, the one that is being done included."""
    inbox = table._inbox  # pyright: ignore[reportPrivateUsage]
    # An inbox tells nobody that it grows.
    while inbox._unanswered < count:  # noqa: ASYNC110  # pyright: ignore[reportPrivateUsage]
        await asyncio.sleep(0)


@pytest.mark.parametrize("call", [leave, add_bot, remove_bot, start, play_again, attach])
def test_a_token_given_up_while_a_request_waits_opens_nothing(call: Call) -> None:
    asyncio.run(_gives_up_meanwhile(call))


async def _gives_up_meanwhile(call: Call) -> None:
    store = TroubledStore()
    async with open_venue(premises_of(store)) as venue, asyncio.timeout(PATIENCE):
        opened = await venue.table()
        ann, ben = [await venue.sit(opened.name, f"Ann {seat}", seat=seat) for seat in (0, 1)]
        await add_bot(venue, ann)
        await venue.lobby.AddHouseBot(
            lobby_pb2.AddHouseBotRequest(table=opened.name, token=ann.token, seat=3)
        )
        table = await venue.listening.lobby.get(opened.name)
        store.hold_appends()
        leaving = asyncio.ensure_future(leave(venue, ben))
        await store.append_is_held()
        # Whoever takes the seat and whoever comes back for it wait behind, in this order.
        sitting = asyncio.ensure_future(venue.sit(opened.name, "Eve", seat=1))
        await _waits(table, 2)
        late = asyncio.ensure_future(denied(call(venue, ben)))
        await _waits(table, 3)
        store.let_appends_go()
        await leaving
        eve = await sitting
        told = await late
        assert (told.code, told.reason) == (StatusCode.UNAUTHENTICATED, "BAD_TOKEN")
        async with venue.stream(eve) as stream:
            view = (await stream.attach()).view
            assert [seated.name for seated in view.seats if seated.seat == 1] == ["Eve"]
            assert len(view.seats) == 4


def test_a_request_to_sit_down_that_comes_again_leaves_the_stream_alone() -> None:
    asyncio.run(_leaves_stream_alone())


async def _leaves_stream_alone() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name, request_id=REQUEST)
        async with venue.stream(ann) as stream:
            attached = await stream.attach()
            assert await venue.sit(table.name, request_id=REQUEST) == ann
            assert await stream.pulse() == (attached.seq, attached.head)
