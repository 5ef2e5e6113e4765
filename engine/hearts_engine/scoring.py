"""Points of a deal, the moon, and when the game is over."""

from __future__ import annotations

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.rules import MOST_DEALS, Rules


def score_deal(
    deal: int, taken: tuple[CardSet, ...], totals: tuple[int, ...], rules: Rules
) -> DealScored:
    """The result of a deal from the penalty cards that each seat took.

    A seat that took every penalty card shot the moon: it gets nothing, every other seat the
    points of the whole deal.
    """
    points = tuple(rules.value_of(cards) for cards in taken)
    moon = moon_shooter(taken, rules)
    if moon is None:
        scores = points
    else:
        scores = tuple(0 if seat == moon else rules.penalty_total for seat in range(rules.players))
    new_totals = tuple(total + score for total, score in zip(totals, scores, strict=True))
    return DealScored(deal, points, moon, scores, new_totals)


def moon_shooter(taken: tuple[CardSet, ...], rules: Rules) -> Seat | None:
    """The seat that owns every penalty card dealt, if one does."""
    return next((Seat(s) for s, cards in enumerate(taken) if cards == rules.penalties), None)


def end_of_game(scored: DealScored, rules: Rules) -> GameEnded | None:
    """The end, if it has come: a seat at the target or beyond, and one seat alone lowest.

    A game also ends with the last deal that its chain of secrets can give.
    """
    totals = scored.totals
    decided = max(totals) >= rules.target and totals.count(min(totals)) == 1
    if not decided and scored.deal < MOST_DEALS:
        return None
    return GameEnded(totals, tuple(1 + sum(other < total for other in totals) for total in totals))
