"""A client that is gone without a word, like a laptop that was closed, is noticed."""

from __future__ import annotations

import asyncio
import random

import pytest
from grpc import aio

from hearts_server import app
from hearts_server.app import serving
from hearts_server.testing.callers import GENEROUS, SeatStream, Venue
from hearts_server.testing.chaos import Chaos, let_loose
from hearts_server.testing.premises import premises_of

FASTER = 50
"""Times as fast as servers notice it, which do after 30 seconds."""

SECONDS = 20.0
"""Sooner than gRPC notices by itself."""


def test_a_seat_whose_owner_is_gone_without_a_word_is_not_taken_for_connected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faster = tuple((name, value // FASTER) for name, value in app.KEEPALIVE)
    monkeypatch.setattr(app, "_OPTIONS", faster)
    asyncio.run(_gone())


async def _gone() -> None:
    async with (
        serving(premises_of(), "127.0.0.1", 0, GENEROUS) as listening,
        let_loose(Chaos((listening.host, listening.port), random.Random(1))) as chaos,
        aio.insecure_channel(chaos.address) as channel,
        aio.insecure_channel(listening.address) as other_channel,
        asyncio.timeout(SECONDS),
    ):
        chaos.calm = True
        venue = Venue(listening, channel)
        sitter = await venue.sit((await venue.table()).name)
        stream = SeatStream(channel, sitter)
        await stream.attach()
        other = SeatStream(other_channel, await venue.sit(sitter.table, "Ben"))
        await other.attach()
        while list(other.presence.connected) != [sitter.seat, other.sitter.seat]:
            await other.hears("presence")
        chaos.silence()
        while list(other.presence.connected) != [other.sitter.seat]:
            await other.hears("presence")
        stream.cancel()
        other.cancel()
