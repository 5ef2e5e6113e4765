"""The score of a game as rows and sentences."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_client.seatnames import SeatNames
from hearts_client.wording import counted
from hearts_engine.cards import Seat
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.view import SeatView


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One deal, or the totals."""

    label: str
    """``deal 3``, or ``total``."""
    numbers: tuple[int, ...]
    """By seat."""
    note: str = ""
    """Who shot the moon, or that the deal is not over."""


def score_rows(view: SeatView, names: SeatNames) -> tuple[ScoreRow, ...]:
    """A row for each deal scored, then the totals."""
    deals = (
        ScoreRow(f"deal {scored.deal}", scored.scores, _moon_note(scored, names))
        for scored in view.scored
    )
    return (*deals, ScoreRow("total", view.totals))


def running_row(view: SeatView) -> ScoreRow | None:
    """The deal that is being played; none between deals."""
    if view.deal == len(view.scored):
        return None
    return ScoreRow(f"deal {view.deal}", view.points, "so far, not in the total")


def points_sentence(numbers: tuple[int, ...], names: SeatNames) -> str:
    """``You 4, Ann 0, Ben 9, Cy 13``, clockwise from one's own seat."""
    return ", ".join(f"{names.name(seat)} {numbers[seat]}" for seat in names.clockwise())


def winners_sentence(ended: GameEnded, names: SeatNames) -> str:
    """Who won, and with how many points."""
    winners = tuple(Seat(seat) for seat, place in enumerate(ended.places) if place == 1)
    if not winners:  # only a log that no audit passes
        return "nobody wins"
    points = ended.totals[winners[0]]
    verb = "wins" if len(winners) == 1 and winners[0] != names.me else "win"
    return f"{names.listed(winners)} {verb} with {counted(points, 'point')}"


def _moon_note(scored: DealScored, names: SeatNames) -> str:
    return "" if scored.moon is None else f"moon: {names.name(scored.moon)}"
