"""Whether only a tie keeps a game going, and how that is said."""

from __future__ import annotations

from dataclasses import replace

from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Seat
from hearts_engine.events import DealScored
from hearts_engine.options import Tie
from hearts_engine.rules import Rules
from hearts_engine.scoring import end_of_game


def tied_seats(scored: DealScored, rules: Rules) -> tuple[Seat, ...]:
    """The seats that share the fewest points where this deal would otherwise be the last.

    Empty where the game goes on anyway, or ends.
    """
    if rules.tie is not Tie.EXTRA_HAND or end_of_game(scored, rules) is not None:
        return ()
    if end_of_game(scored, replace(rules, tie=Tie.SHARED)) is None:
        return ()
    fewest = min(scored.totals)
    return tuple(Seat(seat) for seat, total in enumerate(scored.totals) if total == fewest)


def tie_sentence(scored: DealScored, rules: Rules, names: SeatNames) -> str:
    """``You and Ben share the fewest: another deal``; empty where no tie keeps the game going."""
    tied = tied_seats(scored, rules)
    if not tied:
        return ""
    return (
        f"{names.listed(s for s in names.clockwise() if s in tied)} share the fewest: another deal"
    )
