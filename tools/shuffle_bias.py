"""Count where the cards of many fair deals lie, and say whether chance alone would put them there.

Every card should lie at every place of the deck equally often. The decks come from the same
functions that deal at a table, game after game of 256 deals; the counts are held against an even
spread with a chi-square test. A run with one seed always says the same.

    python tools/shuffle_bias.py --deals 200000
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from statistics import NormalDist
from typing import Final, NamedTuple

from hearts_engine.cards import PACK, PACK_SIZE, Card
from hearts_engine.soundness import MOST_DEALS
from hearts_replays.fairness import deal_seed, fixed_secret, shuffle

LEAST_CHANCE: Final = 0.001
"""A shuffle without bias looks worse than this once in a thousand seeds."""

BATCH: Final = 2000


class Spread(NamedTuple):
    """How far from even the places of the cards are."""

    deals: int
    chi_square: float
    chance: float
    """How likely a spread at least this uneven is, without any bias."""
    first_stayed: int
    """How often the first card of the pack was dealt first."""
    last_stayed: int

    @property
    def is_even(self) -> bool:
        """Whether chance explains the whole and both ends of the pack."""
        ends = (self.first_stayed, self.last_stayed)
        return self.chance > LEAST_CHANCE and all(_is_usual(end, self.deals) for end in ends)


def decks(seed: str) -> Iterator[tuple[Card, ...]]:
    """The decks of one game after another, without end."""
    game = 0
    while True:
        game += 1
        name = f"{seed} {game}"
        for deal in range(1, MOST_DEALS + 1):
            secret = fixed_secret(name, deal)
            yield shuffle(PACK, deal_seed(name, deal, secret, (b"",) * 4))


def spread_of(all_decks: Iterator[tuple[Card, ...]], deals: int) -> Spread:
    """Where the cards of so many of these decks lie."""
    places = [Counter[Card]() for _ in PACK]
    left = deals
    while left:
        batch = list(islice(all_decks, min(left, BATCH)))
        for place, column in zip(places, zip(*batch, strict=True), strict=True):
            place.update(column)
        left -= len(batch)
    expected = deals / PACK_SIZE
    counts = (place[card] for place in places for card in PACK)
    chi_square = sum((count - expected) ** 2 for count in counts) / expected
    chance = chance_of(chi_square, (PACK_SIZE - 1) ** 2)
    return Spread(deals, chi_square, chance, places[0][PACK[0]], places[-1][PACK[-1]])


def chance_of(chi_square: float, freedom: int) -> float:
    """How likely chi-square is at least this, by the cube root that Wilson and Hilferty found."""
    spread = 2 / (9 * freedom)
    away = ((chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return NormalDist().cdf(-away)


def _is_usual(count: int, deals: int) -> bool:
    """Whether one card lies at one place as often as it may, four deviations to either side."""
    share = 1 / PACK_SIZE
    return abs(count - deals * share) < 4 * math.sqrt(deals * share * (1 - share))


def main() -> int:
    """Print the spread; 1 if chance does not explain it."""
    parser = argparse.ArgumentParser(description="Test the fair shuffle for bias.")
    parser.add_argument("--deals", type=int, default=20_000, help="how many deals to count")
    parser.add_argument("--seed", default="bias", help="any text, for other deals")
    options = parser.parse_args()
    started = time.monotonic()
    spread = spread_of(decks(options.seed), options.deals)
    print(
        f"{spread.deals} deals in {time.monotonic() - started:.1f} s: "
        f"chi-square {spread.chi_square:.0f} on {(PACK_SIZE - 1) ** 2} degrees of freedom, "
        f"p = {spread.chance:.3f}; first card stayed {spread.first_stayed} times, last card "
        f"{spread.last_stayed}, of {spread.deals / PACK_SIZE:.0f} expected"
    )
    return 0 if spread.is_even else 1


if __name__ == "__main__":
    sys.exit(main())
