"""A passcode guards a table, and guessing it takes for ever."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from grpc import StatusCode

from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_server.limits import Limits
from hearts_server.policy import Policy
from hearts_server.testing.callers import Denied, Venue, denied, open_venue
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.spectators import watching

RIGHT, WRONG = "open sesame", "open says me"
POLICY = Policy(resumes=True, limits=Limits(passcode_tries=3))


async def guarded(venue: Venue) -> str:
    request = lobby_pb2.CreateTableRequest(passcode=RIGHT)
    return (await venue.lobby.CreateTable(request)).table.name


def join(venue: Venue, table: str, passcode: str) -> asyncio.Future[lobby_pb2.JoinTableResponse]:
    request = lobby_pb2.JoinTableRequest(
        table=table, name="Ann", kind=events_pb2.SEAT_KIND_PERSON, passcode=passcode
    )
    return asyncio.ensure_future(venue.lobby.JoinTable(request))


async def watch(venue: Venue, table: str, passcode: str) -> Denied:
    async with watching(venue, table, passcode=passcode) as spectator:
        return await denied(spectator.next())


def test_whoever_guesses_has_to_wait_longer_each_time_to_sit_and_to_watch_alike() -> None:
    asyncio.run(_guesses())


async def _guesses() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock), POLICY) as venue:
        table = await guarded(venue)
        for _ in range(2):
            assert (await denied(join(venue, table, WRONG))).reason == "WRONG_PASSCODE"
        assert (await watch(venue, table, WRONG)).reason == "WRONG_PASSCODE"
        for seconds in (1, 2, 4):
            for told in (await denied(join(venue, table, RIGHT)), await watch(venue, table, RIGHT)):
                assert told.code is StatusCode.RESOURCE_EXHAUSTED
                assert told.reason == "TOO_MANY_TRIES"
                assert f"in {seconds} s" in told.sentence
            clock.advance(timedelta(seconds=seconds))
            assert (await watch(venue, table, WRONG)).reason == "WRONG_PASSCODE"
        clock.advance(timedelta(seconds=8))
        assert (await join(venue, table, RIGHT)).seat == 0
        assert (await watch(venue, table, WRONG)).reason == "WRONG_PASSCODE", "all is forgiven"


def test_many_guesses_at_once_are_no_more_than_one_after_the_other() -> None:
    asyncio.run(_at_once())


async def _at_once() -> None:
    async with open_venue(premises_of(), POLICY) as venue:
        table = await guarded(venue)
        told = await asyncio.gather(*(denied(join(venue, table, WRONG)) for _ in range(12)))
        assert [each.reason for each in told].count("WRONG_PASSCODE") == 3


def test_no_guess_at_one_table_makes_anyone_wait_at_another_or_without_a_passcode() -> None:
    asyncio.run(_elsewhere())


async def _elsewhere() -> None:
    async with open_venue(premises_of(), POLICY) as venue:
        table, other = await guarded(venue), await guarded(venue)
        for _ in range(4):
            await denied(join(venue, table, WRONG))
        assert (await denied(join(venue, table, ""))).reason == "PASSCODE_NEEDED"
        assert (await join(venue, other, RIGHT)).seat == 0
        free = await venue.table()
        assert (await join(venue, free.name, WRONG)).seat == 0
