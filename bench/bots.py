"""How much better medium plays than easy, and how fast both choose.

Half of each sit at a table; every deal is played in many seatings, so that the cards favour
nobody. The interval is over deals. Run ``python bench/bots.py --deals 300``, or with
``--rules spot "omnibus players=5 removed=2C,2D"``, or ``--presets``.
"""

from __future__ import annotations

import argparse
from collections.abc import Collection
from dataclasses import dataclass
from math import sqrt
from statistics import mean, stdev
from time import perf_counter

from hearts_bots.arena import open_table, play_deal, shuffled
from hearts_bots.bot import Bot
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
from hearts_engine.presets import DEFAULT_PRESET, PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import SeatView


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


def seatings(players: int, levels: tuple[str, str]) -> list[tuple[str, ...]]:
    """Who sits where: by turns and in halves, turned around the table, and each way about."""
    patterns: set[tuple[str, ...]] = set()
    for one, other in (levels, levels[::-1]):
        by_turns = tuple(one if seat % 2 else other for seat in range(players))
        halves = tuple(one if 2 * seat < players else other for seat in range(players))
        for row in (by_turns, halves):
            patterns |= {(*row[turn:], *row[:turn]) for turn in range(players)}
    return sorted(patterns)


def points_of(bots: dict[str, Timed], rules: Rules, deal: int, seed: str) -> dict[str, float]:
    """The mean points that a seat of each level was given for a deal, over the seatings."""
    deck = shuffled(rules.deck, f"{seed} {deal}")
    better, worse = bots
    points: dict[str, list[int]] = {level: [] for level in bots}
    for seating in seatings(rules.players, (better, worse)):
        sitting = [bots[level] for level in seating]
        scored = play_deal(open_table(rules, seed, deal), sitting, deck)
        for level, score in zip(seating, scored.scores, strict=True):
            points[level].append(score)
    return {level: mean(scores) for level, scores in points.items()}


def compare(text: str, levels: tuple[str, str], deals: int, seed: str) -> None:
    """Print the comparison at tables with these rules."""
    better, worse = levels
    rules = parse_rules(text)
    bots = {level: Timed(house_bot(level, seed)) for level in levels}
    rows = [points_of(bots, rules, deal, seed) for deal in range(1, deals + 1)]
    print(text)
    for level, bot in bots.items():
        points = mean(row[level] for row in rows)
        print(
            f"  {level:8} {points:7.2f} points a deal {bot.choices / bot.seconds:9,.0f} choices/s"
        )
    gains = [row[worse] - row[better] for row in rows]
    half = 1.96 * stdev(gains) / sqrt(len(gains))
    print(f"  {better} is better by {mean(gains):.2f} ± {half:.2f} (95 %, {len(rows)} deals)")


def main() -> None:
    """Print the comparison, by rules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--better", choices=LEVELS, default="medium")
    parser.add_argument("--worse", choices=LEVELS, default="easy")
    parser.add_argument("--rules", nargs="+", default=[DEFAULT_PRESET])
    parser.add_argument("--presets", action="store_true", help="every preset instead")
    args = parser.parse_args()
    for text in PRESETS if args.presets else args.rules:
        compare(text, (args.better, args.worse), args.deals, args.seed)


if __name__ == "__main__":
    main()
