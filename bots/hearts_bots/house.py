"""The house bots by level."""

from __future__ import annotations

from typing import Final

from hearts_bots.bot import Bot
from hearts_bots.easy import Easy
from hearts_bots.medium import Medium

LEVELS: Final = ("easy", "medium")
"""From the weakest to the strongest."""


def house_bot(level: str, seed: str) -> Bot:
    """The house bot of a level; ``ValueError`` naming the levels for any other."""
    match level:
        case "easy":
            return Easy(seed)
        case "medium":
            return Medium()
        case _:
            raise ValueError(f"{level!r} is not a level; choose among {', '.join(LEVELS)}")
