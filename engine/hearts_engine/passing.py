"""Who passes to whom, and what may be passed."""

from __future__ import annotations

from enum import StrEnum

from hearts_engine.cards import Seat


class Direction(StrEnum):
    """Where the passed cards go; the value is its text in rules."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    HOLD = "hold"


def taker(giver: Seat, direction: Direction, players: int) -> Seat:
    """The seat that receives what ``giver`` passes; on hold, the giver itself."""
    match direction:
        case Direction.LEFT:
            step = 1
        case Direction.RIGHT:
            step = players - 1
        case Direction.ACROSS:
            step = players // 2
        case Direction.HOLD:
            step = 0
    return Seat((giver + step) % players)


def direction_of(deal: int, cycle: tuple[Direction, ...]) -> Direction:
    """The direction of a deal, counted from 1; the cycle repeats through the game."""
    return cycle[(deal - 1) % len(cycle)]
