"""The shuffle behind every fair deal puts no card at any place more often than another."""

import runpy
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hearts_engine.cards import PACK, Card
from hearts_replays.fairness import deal_seed, shuffle

BIAS: dict[str, Any] = runpy.run_path(
    str(Path(__file__).parents[2] / "tools" / "shuffle_bias.py"), run_name="shuffle_bias"
)


def test_hb_021_every_card_lies_at_every_place_equally_often() -> None:
    spread = BIAS["spread_of"](BIAS["decks"]("bias"), 40_000)
    assert spread.chance > 0.001, spread
    assert spread.is_even, spread


def full_range_swaps() -> Iterator[list[Card]]:
    chance = Random(1)
    while True:
        deck = list(PACK)
        for place in range(52):
            other = chance.randrange(52)
            deck[place], deck[other] = deck[other], deck[place]
        yield deck


def bytes_not_thrown_away() -> Iterator[list[Card]]:
    chance = Random(1)
    while True:
        deck = list(PACK)
        for place in range(51, 0, -1):
            other = chance.randrange(256) % (place + 1)
            deck[place], deck[other] = deck[other], deck[place]
        yield deck


def first_card_often_left() -> Iterator[list[Card]]:
    chance = Random(1)
    while True:
        rest = chance.sample(PACK[1:], k=51)
        place = 0 if chance.randrange(25) == 0 else chance.randrange(52)
        yield [*rest[:place], PACK[0], *rest[place:]]


@pytest.mark.parametrize(
    "shuffled", [full_range_swaps, bytes_not_thrown_away, first_card_often_left]
)
def test_a_biased_shuffle_would_be_found_out(shuffled: Any) -> None:
    assert not BIAS["spread_of"](shuffled(), 10_000).is_even


def test_every_bit_of_a_long_seed_changes_the_deal() -> None:
    seed = deal_seed("game", 1, bytes(range(32)), (b"",) * 4)
    assert 8 * len(seed) >= 226, "fewer bits than there are deals"
    number = int.from_bytes(seed, "big")
    others = [number ^ 1 << bit for bit in range(8 * len(seed))]
    decks = {shuffle(PACK, other.to_bytes(len(seed), "big")) for other in (number, *others)}
    assert len(decks) == 1 + len(others)
    assert all(sorted(deck) == list(PACK) for deck in decks)
