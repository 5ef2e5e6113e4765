"""The lobby through breaks: what was asked for is done once, and whoever asked hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from grpc import StatusCode

from hearts_client.connection import ServerError, connected
from hearts_client.lobby import Lobby
from hearts_client.patience import Patience
from hearts_client.ticket import Ticket
from hearts_engine.events import SeatKind
from hearts_engine.ruletext import parse_rules
from hearts_server.app import Listening, serving
from hearts_server.policy import Policy
from hearts_server.testing.cable import Cable, cable_to
from hearts_server.testing.premises import premises_of
from hearts_server.testing.stores import TroubledStore

RULES = parse_rules("black_lady deals=1")


@dataclass(frozen=True)
class Far:
    """A server at the other end of a cable."""

    listening: Listening
    cable: Cable
    lobby: Lobby
    store: TroubledStore

    async def cut_before_the_reply(self, request: Awaitable[object]) -> None:
        """Let a request be done whose reply gets lost."""
        self.store.hold_appends()
        asking = asyncio.ensure_future(request)
        await self.store.append_is_held()
        self.cable.cut()
        self.store.let_appends_go()
        await asking


@asynccontextmanager
async def far(attempts: int) -> AsyncGenerator[Far, None]:
    store = TroubledStore()

    async def pause(_: float) -> None:
        await asyncio.sleep(0)

    async with (
        serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as listening,
        cable_to(listening.host, listening.port) as cable,
        connected(cable.address) as channel,
    ):
        lobby = Lobby(channel, listening.address, Patience(attempts, pause))
        yield Far(listening, cable, lobby, store)


def test_whoever_sits_down_while_the_connection_breaks_has_one_seat_and_its_token() -> None:
    asyncio.run(_one_seat())


async def _one_seat() -> None:
    async with far(attempts=1_000) as place:
        table = await place.lobby.create(RULES)
        tickets: list[Ticket] = []

        async def join() -> None:
            tickets.append(await place.lobby.join(table.name, "Ann", SeatKind.PERSON))

        await place.cut_before_the_reply(join())
        assert len((await place.lobby.table(table.name)).seats) == 1
        await place.lobby.leave(tickets[0])


def test_a_table_that_is_opened_while_the_connection_breaks_is_one_table() -> None:
    asyncio.run(_one_table())


async def _one_table() -> None:
    async with far(attempts=1_000) as place:
        await place.cut_before_the_reply(place.lobby.create(RULES))
        assert len(await place.lobby.tables()) == 1


def test_without_patience_a_break_is_told_at_once() -> None:
    asyncio.run(_told_at_once())


async def _told_at_once() -> None:
    async with far(attempts=0) as place:
        table = await place.lobby.create(RULES)
        with pytest.raises(ServerError) as told:
            await place.cut_before_the_reply(place.lobby.join(table.name, "Ann", SeatKind.PERSON))
        assert told.value.code is StatusCode.UNAVAILABLE
