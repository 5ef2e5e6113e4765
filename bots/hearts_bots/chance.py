"""A bot's carelessness: numbers that look random and are the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

from hearts_engine.view import SeatView

T = TypeVar("T")


def roll(seed: str, view: SeatView, purpose: str, sides: int) -> int:
    """A number from 0 to ``sides - 1``, fixed by the seed, the moment and the purpose.

    The moment is the seat, the deal and the number of tricks taken in it, so that a bot that
    resumes a game elsewhere rolls the same again.
    """
    moment = (seed, str(view.seat), str(view.deal), str(len(view.tricks)), purpose)
    digest = sha256("\0".join(moment).encode()).digest()
    return int.from_bytes(digest[:8], "big") % sides


def pick(seed: str, view: SeatView, purpose: str, items: Sequence[T]) -> T:
    """One of the items; the caller gives them in an order that is always the same."""
    return items[roll(seed, view, purpose, len(items))]
