"""Whole games by every named set of rules, between a caller and house bots, to a clean audit."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from hearts_engine.events import (
    Agent,
    CardPlayed,
    CentreTaken,
    Event,
    GameEnded,
    KittyWon,
    MoonChosen,
    PassChosen,
)
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_server.testing.callers import at_random, open_venue
from hearts_server.testing.premises import premises_of
from hearts_wire.records import decode_record

LEVELS = ("easy", "medium")


async def played(rules: Rules) -> list[bytes]:
    """The log of a game of one who chooses at random, with house bots on all other seats."""
    store, choose = MemoryStore(), at_random(random.Random(1))
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(rules)
        sitter = await venue.sit(table.name, entropy=bytes(32))
        for seat in range(1, rules.players):
            assert await venue.add_house_bot(sitter, LEVELS[seat % 2]) == seat
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await venue.start(sitter)
            detached = False
            while not detached:
                if stream.prompt is not None:
                    request, stream.prompt = stream.choice(choose), None
                    await stream.send(request)
                detached = (await stream.next()).HasField("detached")
    return store.games[table.game_id]


def events_of(log: list[bytes]) -> list[Event]:
    """What happened, once an audit has found nothing."""
    report = audit(log)
    assert report.finding is None
    assert report.accepted == len(log)
    return [decode_record(data).event for data in log]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_whole_game_of_a_preset_is_played_and_audits_clean(preset: str) -> None:
    rules = PRESETS[preset]
    events = events_of(asyncio.run(played(rules)))
    (ended,) = (event for event in events if isinstance(event, GameEnded))
    assert max(ended.totals) >= rules.target
    assert ended.places.count(1) == 1
    decided = [event for event in events if isinstance(event, CardPlayed | PassChosen)]
    assert {event.seat for event in decided} == set(range(rules.players))
    assert {event.by for event in decided} == {Agent.SEAT}, "nothing was decided for anyone"


def _shared(events: list[Event], rules: Rules) -> bool:
    return {event.seat for event in events if isinstance(event, CentreTaken)} == set(
        range(rules.players)
    )


def _scattered(events: list[Event], _: Rules) -> bool:
    """Only what is scattered is written down in the order in which it was named."""
    chosen = [event.cards for event in events if isinstance(event, PassChosen)]
    return any(list(cards) != sorted(cards) for cards in chosen)


def _shared_and_scattered(events: list[Event], rules: Rules) -> bool:
    return _shared(events, rules) and _scattered(events, rules)


def _kitty_won(events: list[Event], rules: Rules) -> bool:
    return rules.kitty_size > 0 and any(isinstance(event, KittyWon) for event in events)


def _chosen(events: list[Event], _: Rules) -> bool:
    return any(isinstance(event, MoonChosen) for event in events)


ONE_HEART = ",".join(f"{rank}H" for rank in "23456789TJQK")
OPTIONS: dict[str, Callable[[list[Event], Rules], bool]] = {
    "black_lady pass_cycle=shuffle deals=2 tie=shared": _shared,
    "black_lady pass_cycle=scatter deals=2 tie=shared": _scattered,
    "five pass_cycle=shuffle,scatter pass_count=4 deals=4 tie=shared": _shared_and_scattered,
    "five removed=none kitty=last_trick deals=2 tie=shared": _kitty_won,
    "cancellation players=10 deals=2 tie=shared": _kitty_won,
    "cancellation players=7 kitty=first_penalty pass_cycle=shuffle pass_count=2 deals=1": _shared,
    f"plain_hearts removed={ONE_HEART} moon=choose deals=3 tie=shared": _chosen,
}


@pytest.mark.parametrize("text", OPTIONS)
def test_a_game_by_an_option_comes_to_what_it_is_about_and_audits_clean(text: str) -> None:
    rules = parse_rules(text)
    events = events_of(asyncio.run(played(rules)))
    assert isinstance(events[-2], GameEnded)
    assert OPTIONS[text](events, rules)
