"""Companies that play at a server of any health, table after table, until it is enough."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hearts_cli.endurance.company import Company, Plan
from hearts_cli.endurance.tap import Tally
from hearts_engine.cards import PACK
from hearts_engine.rules import Rules
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


@dataclass(frozen=True, slots=True)
class Crowd:
    """Companies at so many tables at once."""

    address: str
    notes: Path
    """The folder in which every seat writes down what it was told."""
    tables: int
    seed: str
    """What their choices follow from."""
    games: Sequence[Rules] = GAMES

    async def play(self, enough: asyncio.Event) -> Counter[str]:
        """Play until it is enough and all games are over; what happened.

        Raises ``Lost`` or ``ServerError`` when a seat cannot play on.
        """
        tally = Tally()
        async with asyncio.TaskGroup() as tasks:
            for number in range(self.tables):
                chance = random.Random(f"{self.seed}/{number}")  # noqa: S311  (no secret)
                company = Company(self.address, self.notes, chance, tally)
                tasks.create_task(self._play_on(company, enough), name=f"company {number}")
        return tally.counts

    async def _play_on(self, company: Company, enough: asyncio.Event) -> None:
        while not enough.is_set():
            await company.play(self._any_plan(company.chance), enough)
            company.tally.counts["tables"] += 1

    def _any_plan(self, chance: random.Random) -> Plan:
        rules, games = chance.choice(self.games), chance.randint(1, MOST_GAMES)
        return Plan(rules, games, starts_by_itself=chance.random() < 0.5)
