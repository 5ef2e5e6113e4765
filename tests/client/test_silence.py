"""A connection that falls silent, though nobody ended it, is noticed and replaced."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

from grpc import aio

from hearts_client.connection import KEEPALIVE
from hearts_client.lobby import Lobby
from hearts_client.news import Joined, News, Offline
from hearts_client.session import Session
from hearts_engine.events import SeatKind
from hearts_replays.receipt_book import ReceiptBook
from hearts_server.app import serving
from hearts_server.policy import Policy
from hearts_server.testing.chaos import Chaos, let_loose
from hearts_server.testing.premises import premises_of

FASTER = 50
"""Times as fast as people's clients notice it, which do after 15 seconds."""

SECONDS = 20.0
"""Sooner than gRPC notices by itself: it lets a minute go by."""


def sped_up() -> list[tuple[str, int]]:
    """The options of every client, their times cut."""
    return [(name, value // FASTER if name.endswith("_ms") else value) for name, value in KEEPALIVE]


def test_a_session_whose_connection_has_fallen_silent_comes_back_on_another(
    tmp_path: Path,
) -> None:
    asyncio.run(_comes_back(tmp_path))


async def _comes_back(folder: Path) -> None:
    premises = premises_of()
    async with (
        serving(premises, "127.0.0.1", 0, Policy(resumes=True)) as listening,
        let_loose(Chaos((listening.host, listening.port), random.Random(1))) as chaos,
        aio.insecure_channel(chaos.address, options=sped_up()) as channel,
        asyncio.timeout(SECONDS),
    ):
        chaos.calm = True
        lobby = Lobby(channel, listening.address)
        ticket = await lobby.join((await lobby.create()).name, "Ann", SeatKind.PERSON)
        with ReceiptBook.open(folder / "b", ticket.game_id, ticket.seat, ticket.entropy) as book:
            session = Session(channel, ticket, book)
            news = session.news()
            run = asyncio.ensure_future(session.run())
            await _until(Joined, news)
            chaos.silence()
            await _until(Offline, news)
            await _until(Joined, news)
            run.cancel()


async def _until(kind: type[News], news: AsyncIterator[News]) -> None:
    async for item in news:
        if isinstance(item, kind):
            return
    raise AssertionError("the session is over")
