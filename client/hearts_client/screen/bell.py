"""When the terminal's bell rings, where somebody wants it to. Pure."""

from __future__ import annotations

from hearts_client.screen.table_state import TableState
from hearts_client.settings import Bell
from hearts_engine.cards import Card
from hearts_engine.view import SeatView

QUEEN = Card.parse("QS")


def rings(before: TableState, after: TableState) -> bool:
    """Whether what has become of the screen is what the bell is for."""
    match after.settings.bell:
        case Bell.OFF:
            return False
        case Bell.TURN:
            return after.due is not None and after.due is not before.asked
        case Bell.QUEEN:
            return _queens(after.view) > _queens(before.view)


def _queens(view: SeatView | None) -> int:
    """How many queens of spades lie in tricks that somebody took, or on the table."""
    if view is None:
        return 0
    return sum(trick.cards.count(QUEEN) for trick in (*view.tricks, view.trick))
