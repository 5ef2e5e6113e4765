"""What a slow connection delivers when its client has long come back on another one."""

from __future__ import annotations

import asyncio
import random

from grpc import StatusCode

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.callers import (
    SeatStream,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of

RULES = parse_rules("black_lady target=1")


async def attach_as(stream: SeatStream, client_run: int, attempt: int) -> pb.PlayResponse:
    """Attach as a client that counts its attaches, and what the table says to that."""
    sitter = stream.sitter
    attach = pb.Attach(table=sitter.table, seat_token=sitter.token)
    attach.client_run, attach.attempt = client_run, attempt
    await stream.send(pb.PlayRequest(attach=attach))
    return await stream.next()


def test_an_attach_that_comes_late_takes_the_seat_from_nobody() -> None:
    asyncio.run(_comes_late())


async def _comes_late() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(RULES)
        async with venue.seated(table.name) as streams:
            sitter = streams[0].sitter
            async with venue.stream(sitter) as newer:
                assert (await attach_as(newer, 7, 3)).HasField("attached")
                for attempt in (1, 2):
                    async with venue.stream(sitter) as late:
                        told = await denied(attach_as(late, 7, attempt))
                    assert told.code is StatusCode.ABORTED
                    assert told.reason == "NOT_ATTACHED_ANY_MORE"
                others = (newer, *streams[1:])
                await venue.start(sitter)
                await everyone_hears(others)
                await play_on(others, at_random(random.Random(1)), at_most=6)


def test_another_terminal_of_the_owner_takes_the_seat_however_seldom_it_attached() -> None:
    asyncio.run(_another_terminal())


async def _another_terminal() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        async with venue.stream(sitter) as first, venue.stream(sitter) as second:
            await attach_as(first, 7, 30)
            assert (await attach_as(second, 8, 1)).HasField("attached")
            *_, told = await first.rest()
            assert told.detached.cause == pb.Detached.CAUSE_SUPERSEDED
        async with venue.stream(sitter) as third, venue.stream(sitter) as fourth:
            await attach_as(third, 7, 31)
            assert (await fourth.attach()).seq, "who tells no number is always the newest"
            *_, told = await third.rest()
            assert told.detached.cause == pb.Detached.CAUSE_SUPERSEDED


def test_a_late_attach_may_have_a_seat_that_nobody_holds_until_its_client_comes_back() -> None:
    asyncio.run(_nobody_holds())


async def _nobody_holds() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(RULES)
        sitter = await venue.sit(table.name)
        async with venue.stream(sitter) as late, venue.stream(sitter) as again:
            assert (await attach_as(late, 7, 4)).HasField("attached")
            assert (await attach_as(again, 7, 5)).HasField("attached")
            *_, told = await late.rest()
            assert told.detached.cause == pb.Detached.CAUSE_SUPERSEDED
