"""The cards left over: when a trick's taker gets them too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from hearts_engine.cards import Card
from hearts_engine.options import Kitty
from hearts_engine.rules import Rules


def comes_with(cards: Iterable[Card], rules: Rules, *, last: bool) -> bool:
    """Whether a kitty not yet taken goes along with a trick of these cards, carried ones counted.

    ``last`` says that no trick follows.
    """
    match rules.kitty:
        case Kitty.NONE:
            return False
        case Kitty.FIRST_TRICK:
            return True
        case Kitty.LAST_TRICK:
            return last
        case Kitty.FIRST_PENALTY:
            return last or any(rules.points[card] for card in cards)
        case _:
            assert_never(rules.kitty)
