"""How much better medium plays than easy, and how fast both choose.

Two of each sit at a table; every deal is played in all six seatings, so that the cards favour
nobody. Run ``python bench/bots.py --deals 300``.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import permutations
from math import sqrt
from statistics import mean, stdev
from time import perf_counter

from hearts_bots.arena import open_table, play_deal, shuffled
from hearts_bots.house import house_bot
from hearts_engine.rules import Rules

RULES = Rules()


def seatings(better: str, worse: str) -> list[tuple[str, ...]]:
    """The six ways to seat two bots of each level."""
    return sorted(set(permutations((better, better, worse, worse))))


def play(deal: int, seating: tuple[str, ...], seed: str) -> tuple[int, ...]:
    """The scores of one deal, by seat."""
    bots = [house_bot(level, f"{seed}-{seat}") for seat, level in enumerate(seating)]
    deck = shuffled(RULES.deck, f"{seed}-{deal}")
    return play_deal(open_table(RULES, seed, deal), bots, deck).scores


def measure(better: str, worse: str, deals: int, seed: str) -> list[dict[str, float]]:
    """For each deal, the mean points that a seat of each level was given."""
    table: list[dict[str, float]] = []
    for deal in range(1, deals + 1):
        points: Counter[str] = Counter()
        for seating in seatings(better, worse):
            for level, score in zip(seating, play(deal, seating, seed), strict=True):
                points[level] += score
        table.append({level: points[level] / 12 for level in (better, worse)})
    return table


def main() -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seed", default="bench")
    parser.add_argument("--better", default="medium")
    parser.add_argument("--worse", default="easy")
    args = parser.parse_args()
    started = perf_counter()
    table = measure(args.better, args.worse, args.deals, args.seed)
    seconds = perf_counter() - started
    gains = [row[args.worse] - row[args.better] for row in table]
    half = 1.96 * stdev(gains) / sqrt(len(gains))
    for level in (args.better, args.worse):
        print(f"{level:8} {mean(row[level] for row in table):6.2f} points a deal")
    print(f"difference {mean(gains):.2f} ± {half:.2f} (95 %, {len(gains)} deals in 6 seatings)")
    choices = len(table) * 6 * (52 + 3)
    print(f"{choices / seconds:,.0f} choices a second, the engine's work included")


if __name__ == "__main__":
    main()
