"""What cards cost: the scales for hearts, the queen of spades, and other penalty cards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, Rank
from hearts_engine.options import CardPoints, HeartValue


def card_points(hearts: HeartValue, queen: int, others: Iterable[CardPoints]) -> tuple[int, ...]:
    """What each card, by its index, costs the seat that takes it."""
    points = [heart_points(card.rank, hearts) if card.is_heart else 0 for card in PACK]
    points[QUEEN_OF_SPADES] = queen
    for card, cost in others:
        points[card] = cost
    return tuple(points)


def heart_points(rank: Rank, scale: HeartValue) -> int:
    """What the heart of this rank costs."""
    match scale:
        case HeartValue.ONE:
            return 1
        case HeartValue.SPOT:
            return int(rank)
        case HeartValue.FACE5:
            return max(1, rank - 9)
        case HeartValue.COURT10:
            return 15 if rank is Rank.ACE else min(int(rank), 10)
        case _:
            assert_never(scale)
