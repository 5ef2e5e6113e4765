"""Support for tests: random rules that can be played, every option at stake.

As pure as the rest of the package: chance comes in as an argument, a ``random.Random`` say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, Card
from hearts_engine.errors import BadRules
from hearts_engine.options import (
    CardPoints,
    Exact,
    Finish,
    FirstForced,
    FirstTrick,
    HeartValue,
    Kitty,
    LastCancelled,
    Moon,
    Opening,
    QueenDump,
    QueenOnlyLead,
    Reach,
    Tie,
    Twins,
)
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules

T = TypeVar("T")

CHOICES: Final[dict[str, tuple[object, ...]]] = {
    "players": tuple(range(3, 11)),
    "decks": (1, 1, 2),
    "kitty": tuple(Kitty),
    "keep_top_spades": (False, True),
    "opening": tuple(Opening),
    "first_trick": tuple(FirstTrick),
    "first_forced": tuple(FirstForced),
    "must_break": (True, False),
    "queen_breaks": (False, True),
    "queen_only_lead": tuple(QueenOnlyLead),
    "queen_dump": tuple(QueenDump),
    "twins": tuple(Twins),
    "last_cancelled": tuple(LastCancelled),
    "heart_value": tuple(HeartValue),
    "queen_value": (13, 0, 1, 25, 26, 50),
    "bonus_floor": (False, True),
    "no_tricks_bonus": (0, 0, 5),
    "moon": tuple(Moon),
    "moon_needs_bonus": (False, False, True),
    "sun": ("none", "none", "double", 39),
    "target": (26, 50, 100, 129, 500),
    "reach": tuple(Reach),
    "deals": (None, None, 1, 2, 5),
    "exact": tuple(Exact),
    "tie": tuple(Tie),
    "finish": tuple(Finish),
}
"""The values that each option of a single value is drawn from."""


class Choosing(Protocol):
    """What this module asks of a ``random.Random``."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of these."""
        ...


def random_rules(chance: Choosing) -> Rules:
    """Rules that can be played, drawn until they can be."""
    while True:
        try:
            return Rules(**_draw(chance))  # type: ignore[arg-type]  # CHOICES gives each its type
        except BadRules:
            continue


def _draw(chance: Choosing) -> dict[str, object]:
    """A value for every option, which may not go together."""
    options = {name: chance.choice(values) for name, values in CHOICES.items()}
    players, decks = options["players"], options["decks"]
    assert isinstance(players, int), "seats are counted"
    assert isinstance(decks, int), "packs are counted"
    cycle = tuple(chance.choice(tuple(Direction)) for _ in range(chance.choice((1, 2, 4))))
    scatters = Direction.SCATTER in cycle
    extra = {chance.choice(PACK) for _ in range(chance.choice((0, 0, 1, 2)))}
    short = 52 * decks % players if options["kitty"] is Kitty.NONE else chance.choice((0, 1, 4))
    return options | {
        "removed": tuple(sorted(chance.choice(PACK) for _ in range(short))),
        "pass_count": players - 1 if scatters else chance.choice((1, 2, 3, 4)),
        "pass_cycle": cycle,
        "extra_penalty": tuple(
            CardPoints(card, chance.choice((1, 7, 10))) for card in sorted(extra) if _is_free(card)
        ),
        "bonus": chance.choice(
            (None, None, CardPoints(chance.choice(PACK), chance.choice((5, 10))))
        ),
    }


def _is_free(card: Card) -> bool:
    """Whether no option of its own sets the price of a card."""
    return card != QUEEN_OF_SPADES and not card.is_heart
