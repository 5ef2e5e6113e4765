"""How much better medium plays than easy, and how fast both choose.

Two of each sit at a table; every deal is played in all six seatings, so that the cards favour
nobody. The interval is over deals. Run ``python bench/bots.py --deals 300``.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from statistics import mean, stdev
from time import perf_counter

from hearts_bots.arena import open_table, play_deal, shuffled
from hearts_bots.bot import Bot
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.view import SeatView

RULES = Rules()


@dataclass(slots=True)
class Timed:
    """A bot under a stopwatch."""

    bot: Bot
    choices: int = 0
    seconds: float = 0.0

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        """What the bot passes."""
        started = perf_counter()
        cards = self.bot.choose_pass(view)
        self._stop(started)
        return cards

    def choose_play(self, view: SeatView) -> Card:
        """What the bot plays."""
        started = perf_counter()
        card = self.bot.choose_play(view)
        self._stop(started)
        return card

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """How the bot has its moon scored."""
        started = perf_counter()
        choice = self.bot.choose_moon(view)
        self._stop(started)
        return choice

    def _stop(self, started: float) -> None:
        self.seconds += perf_counter() - started
        self.choices += 1


def points_of(bots: dict[str, Timed], deal: int, seed: str) -> dict[str, float]:
    """The mean points that a seat of each level was given for a deal, over the six seatings."""
    deck = shuffled(RULES.deck, f"{seed} {deal}")
    points = dict.fromkeys(bots, 0)
    seatings = sorted(set(permutations((*bots, *bots))))
    for seating in seatings:
        players = [bots[level] for level in seating]
        scored = play_deal(open_table(RULES, seed, deal), players, deck)
        for level, score in zip(seating, scored.scores, strict=True):
            points[level] += score
    return {level: total / (2 * len(seatings)) for level, total in points.items()}


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--better", choices=LEVELS, default="medium")
    parser.add_argument("--worse", choices=LEVELS, default="easy")
    args = parser.parse_args()
    bots = {level: Timed(house_bot(level, args.seed)) for level in (args.better, args.worse)}
    rows = [points_of(bots, deal, args.seed) for deal in range(1, args.deals + 1)]
    for level, bot in bots.items():
        points = mean(row[level] for row in rows)
        print(f"{level:8} {points:6.2f} points a deal {bot.choices / bot.seconds:9,.0f} choices/s")
    gains = [row[args.worse] - row[args.better] for row in rows]
    half = 1.96 * stdev(gains) / sqrt(len(gains))
    print(f"{args.better} is better by {mean(gains):.2f} ± {half:.2f} (95 %, {len(rows)} deals)")


if __name__ == "__main__":
    main()
