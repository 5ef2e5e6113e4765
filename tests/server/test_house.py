"""House bots: one that fails costs one decision; a table that fails costs nobody else anything."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Collection

import pytest

from hearts_engine.cards import PACK, Card
from hearts_engine.events import MoonChosen
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_server import house
from hearts_server.testing.callers import SeatStream, Sitter, Venue, at_random, open_venue
from hearts_server.testing.entries import entries
from hearts_server.testing.premises import premises_of
from hearts_server.testing.sightings import sightings
from hearts_wire.records import decode_record

HEARTS = ",".join(f"{rank}H" for rank in "23456789TJQK")
RULES = parse_rules(f"black_lady removed={HEARTS} queen_value=0 moon=choose deals=4 tie=shared")
"""Whoever takes the one heart has shot the moon, so bots are asked for all that there is."""


class Cheat:
    """Passes and plays what it does not hold."""

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        return [card for card in PACK if card not in view.hand][:3]

    def choose_play(self, view: SeatView) -> Card:
        return next(card for card in PACK if card not in view.hand)

    def choose_moon(self, view: SeatView) -> str:
        return "both"


class Repeater:
    """Names one card three times, and plays what the rules forbid where it can."""

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        return [next(iter(view.hand))] * 3

    def choose_play(self, view: SeatView) -> Card:
        return next(iter(view.hand - view.legal), next(iter(view.legal)))

    def choose_moon(self, view: SeatView) -> None:
        return None


class Broken:
    """Fails at everything."""

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        raise ZeroDivisionError

    def choose_play(self, view: SeatView) -> Card:
        raise ZeroDivisionError

    def choose_moon(self, view: SeatView) -> MoonChoice:
        raise ZeroDivisionError


@pytest.mark.parametrize("bot", [Cheat, Repeater, Broken])
def test_a_bot_that_fails_plays_its_lowest_legal_cards_and_the_game_goes_on(
    bot: Callable[[], Cheat | Repeater | Broken],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def seated(*_: object) -> Cheat | Repeater | Broken:
        return bot()

    monkeypatch.setattr(house, "house_bot", seated)
    caplog.set_level(logging.INFO)
    log = asyncio.run(_game_with_house_bots())
    assert audit(log).finding is None
    events = [decode_record(data).event for data in log]
    shooters = {event.seat for event in events if isinstance(event, MoonChosen)}
    assert shooters & {1, 2, 3}, "a house bot must have been asked how to score its moon"
    assert {said["seat"] for said in entries(caplog.records, "house_seat_failed")} == {1, 2, 3}
    said = pb.Detached(message=f"{caplog.text} {entries(caplog.records)}")
    assert list(sightings(said)) == [], "what a seat holds has no place in a log line"


async def _game_with_house_bots() -> list[bytes]:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        sitter = await _seated(venue)
        stream = SeatStream(venue.channel, sitter)
        await stream.attach()
        await venue.start(sitter)
        await _to_the_end(stream)
        return store.games[next(iter(store.games))]


async def _seated(venue: Venue) -> Sitter:
    table = await venue.table(RULES)
    sitter = await venue.sit(table.name)
    for _ in range(3):
        await venue.add_house_bot(sitter)
    return sitter


async def _to_the_end(stream: SeatStream) -> None:
    choose, detached = at_random(random.Random(1)), False
    while not detached:
        if stream.prompt:
            request, stream.prompt = stream.choice(choose), None
            await stream.send(request)
        detached = (await stream.next()).HasField("detached")
    await stream.rest()


def test_a_table_that_fails_lets_its_streams_come_back_and_leaves_others_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(_table_fails(monkeypatch))
    (said,) = entries(caplog.records, "table_failed")
    assert said["table"] == "oak-1"
    assert "ZeroDivisionError at " in str(said["trace"])


async def _table_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> object:
        raise ZeroDivisionError

    async with open_venue(premises_of()) as venue:
        mine = await venue.table(RULES)
        sitter, other = await venue.sit(mine.name), await _seated(venue)
        async with venue.stream(sitter) as stream, venue.stream(other) as beside:
            await stream.attach()
            await beside.attach()
            with monkeypatch.context() as patch:
                patch.setattr(house, "house_bot", fails)
                await venue.add_house_bot(sitter)
                told = await stream.rest()
            assert told[-1].detached.cause == pb.Detached.CAUSE_DRAINING
            assert await beside.pulse() == (beside.seq, beside.head)
            async with venue.stream(sitter) as again:
                attached = await again.attach(stream.seq, stream.head)
                assert (attached.seq, len(attached.records)) == (stream.seq, 0)
                for _ in range(2):
                    await venue.add_house_bot(sitter)
                await venue.start(sitter)
                await _to_the_end(again)
