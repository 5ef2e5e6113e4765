"""Companies that play at a server of any health, table after table, until it is enough."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from pathlib import Path
from typing import Final

from hearts_cli.endurance.company import Company, Plan
from hearts_cli.endurance.tap import Tally
from hearts_engine.cards import PACK
from hearts_engine.ruletext import parse_rules

# A pack of these alone: each seat is dealt one card, and whoever takes the heart shoots the moon.
_FOUR_LEFT = ",".join(str(card) for card in PACK if str(card) not in {"3C", "4C", "5C", "AH"})

# Everything that a seat can be asked is asked: entropy, passes, cards, claims and moons.
GAMES: Final = tuple(
    map(
        parse_rules,
        (
            "black_lady target=40",
            "black_lady target=26 finish=early",
            "omnibus target=26",
            f"plain_hearts deals=12 moon=choose removed={_FOUR_LEFT}",
            "black_lady deals=2 pass_cycle=scatter,shuffle",
        ),
    )
)

MOST_GAMES: Final = 3
"""At one table, before the next is opened."""


async def crowd(
    address: str, notes: Path, tables: int, seed: str, enough: asyncio.Event
) -> Counter[str]:
    """Play at so many tables at once until it is enough and all games are over; what happened.

    Raises ``Lost`` or ``ServerError`` when a seat cannot play on.
    """
    tally = Tally()
    async with asyncio.TaskGroup() as tasks:
        for number in range(tables):
            chance = random.Random(f"{seed}/{number}")  # noqa: S311  (no secret)
            company = Company(address, notes, chance, tally)
            tasks.create_task(_play_on(company, enough), name=f"company {number}")
    return tally.counts


async def _play_on(company: Company, enough: asyncio.Event) -> None:
    while not enough.is_set():
        await company.play(_any_plan(company.chance), enough)
        company.tally.counts["tables"] += 1


def _any_plan(chance: random.Random) -> Plan:
    rules, games = chance.choice(GAMES), chance.randint(1, MOST_GAMES)
    return Plan(rules, games, starts_by_itself=chance.random() < 0.5)
