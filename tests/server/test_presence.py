"""Everyone at a table knows who is connected, who watches and who is host."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

from hearts_engine.cards import Seat
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.limits import Limits
from hearts_server.metronome import BEAT
from hearts_server.policy import Policy
from hearts_server.rollcall import AT_ONCE
from hearts_server.testing.callers import SeatStream, Venue, open_venue
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.spectators import watching


async def hears(stream: SeatStream, **wanted: object) -> pb.Presence:
    """What a stream is told of presence, once it says this."""
    presence = (await stream.hears("presence")).presence
    while any(_field(presence, name) != value for name, value in wanted.items()):
        presence = (await stream.hears("presence")).presence
    return presence


def _field(presence: pb.Presence, name: str) -> object:
    match name:
        case "connected":
            return list(presence.connected)
        case "watchers":
            return presence.watchers
        case _:
            return presence.host if presence.HasField("host") else None


def test_whoever_attaches_is_told_who_is_there_and_those_who_are_there_that_they_came() -> None:
    asyncio.run(_comes())


async def _comes() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann, ben = [await venue.sit(table.name, name) for name in ("Ann", "Ben")]
        async with venue.stream(ann) as first, venue.stream(ben) as second:
            await first.attach()
            await hears(first, connected=[0], watchers=0, host=0)
            await second.attach()
            await hears(second, connected=[0, 1], host=0)
            await hears(first, connected=[0, 1])
            second.cancel()
            await hears(first, connected=[0])


def test_seats_are_told_how_many_watch_and_spectators_who_sits() -> None:
    asyncio.run(_watched())


async def _watched() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name)
        async with venue.stream(ann) as stream:
            await stream.attach()
            async with watching(venue, table.name) as spectator:
                presence = (await spectator.hears("presence")).presence
                assert (list(presence.connected), presence.watchers) == ([0], 1)
                await hears(stream, watchers=1)
            await hears(stream, watchers=0)


def test_everyone_is_told_who_is_host_now() -> None:
    asyncio.run(_handed_over())


async def _handed_over() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann, _ = [await venue.sit(table.name, name) for name in ("Ann", "Ben")]
        async with venue.stream(ann) as stream, watching(venue, table.name) as spectator:
            await stream.attach()
            await hears(stream, host=0)
            await venue.lobby.HandOver(
                lobby_pb2.HandOverRequest(table=table.name, token=ann.token, seat=1)
            )
            await hears(stream, host=1)
            while (await spectator.hears("presence")).presence.host != 1:
                pass


def test_of_a_crowd_that_comes_at_once_only_the_sum_is_told() -> None:
    asyncio.run(_crowd())


async def _crowd() -> None:
    clock, count = VirtualClock(), 40
    policy = Policy(resumes=True, limits=Limits(watchers=count))
    async with open_venue(premises_of(clock=clock), policy) as venue, AsyncExitStack() as stack:
        table = await venue.table()
        ann = await venue.sit(table.name)
        stream = await stack.enter_async_context(venue.stream(ann))
        await stream.attach()
        await _all_come(stack, venue, table.name, count)
        clock.advance(BEAT)
        times = 1
        while (await stream.hears("presence")).presence.watchers < count:
            times += 1
        assert times <= AT_ONCE.count + 1


async def _all_come(stack: AsyncExitStack, venue: Venue, table: str, count: int) -> None:
    for _ in range(count):
        spectator = await stack.enter_async_context(watching(venue, table))
        await spectator.attached()


def test_a_seat_that_is_told_on_its_turn_only_is_not_told_who_comes_and_goes() -> None:
    asyncio.run(_on_turn())


async def _on_turn() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann, ben = [await venue.sit(table.name, name) for name in ("Ann", "Ben")]
        async with venue.stream(ann) as league, venue.stream(ben) as person:
            attach = pb.Attach(table=table.name, seat_token=ann.token, delivery=pb.DELIVERY_ON_TURN)
            await league.send(pb.PlayRequest(attach=attach))
            await league.next()
            await person.attach()
            await hears(person, connected=[0, 1])
            await league.pulse()
            assert league.presence == pb.Presence()


def test_the_lobby_shows_who_is_connected_and_how_many_watch() -> None:
    asyncio.run(_in_the_lobby())


async def _in_the_lobby() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name)
        await venue.sit(table.name, "Ben")
        async with venue.stream(ann) as stream, watching(venue, table.name) as spectator:
            await stream.attach()
            await spectator.attached()
            request = lobby_pb2.GetTableRequest(table=table.name)
            shown = (await venue.lobby.GetTable(request)).table
        assert (list(shown.connected), shown.watchers, shown.host) == ([Seat(0)], 1, 0)
