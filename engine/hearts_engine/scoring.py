"""Points of a deal, the moon and the bonuses, and when the game is over."""

from __future__ import annotations

from typing import Final, NamedTuple

from hearts_engine.cards import SEATS, Seat
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.options import Exact, Moon, MoonChoice, Reach, Tie
from hearts_engine.rules import Rules
from hearts_engine.soundness import MOST_DEALS
from hearts_engine.takings import Taking

EXACT_LANDING: Final = 50
"""Points off for landing exactly on the target, where that is played."""


class Tally(NamedTuple):
    """All that the score of a deal depends on, but for a choice; the tuples are by seat."""

    deal: int
    """From 1, through the game."""
    taken: tuple[Taking, ...]
    """What each seat took."""
    totals: tuple[int, ...]
    """What each seat stood at before."""
    rules: Rules

    @property
    def moon(self) -> Seat | None:
        """The seat that shot the moon, if one did."""
        return moon_shooter(self.taken, self.rules)


def score_deal(tally: Tally, choice: MoonChoice | None = None) -> DealScored:
    """The result of a deal.

    ``choice`` is the shooter's, where the rules leave it to him; without one the moon is scored
    as it is by itself.
    """
    rules = tally.rules
    if choice is None and rules.moon in {Moon.AUTO, Moon.CHOOSE}:
        choice = automatic_choice(tally)
    if choice is None:
        choice = MoonChoice.SUBTRACT if rules.moon is Moon.SUBTRACT else MoonChoice.ADD
    return _scored(tally, choice)


def automatic_choice(tally: Tally) -> MoonChoice:
    """Add, unless that would end the game with the shooter not alone in first place."""
    moon = tally.moon
    ended = end_of_game(_scored(tally, MoonChoice.ADD), tally.rules)
    if moon is None or ended is None:
        return MoonChoice.ADD
    alone = ended.places[moon] == 1 and ended.places.count(1) == 1
    return MoonChoice.ADD if alone else MoonChoice.SUBTRACT


def moon_shooter(taken: tuple[Taking, ...], rules: Rules) -> Seat | None:
    """The seat that owns every penalty card dealt, if one does and the rules know a moon.

    Where the moon needs the bonus, it owns every bonus card too.
    """
    if rules.moon is Moon.NONE:
        return None
    needed = rules.counting if rules.moon_needs_bonus else rules.penalties
    shooters = (seat for seat, taking in zip(SEATS, taken, strict=False) if needed <= taking.cards)
    return next(shooters, None)


def moon_worth(taken: tuple[Taking, ...], rules: Rules) -> int:
    """The points of a moon: of all the penalty cards, unless one seat took all the tricks."""
    all_tricks = sum(taking.tricks > 0 for taking in taken) == 1
    if rules.sun == "none" or not all_tricks:
        return rules.penalty_total
    return 2 * rules.penalty_total if rules.sun == "double" else rules.sun


def _scored(tally: Tally, choice: MoonChoice) -> DealScored:
    deal, taken, totals, rules = tally
    moon = tally.moon
    points = tuple(rules.value_of(taking.cards) for taking in taken)
    base = points if moon is None else _moon_scores(moon, moon_worth(taken, rules), rules, choice)
    scores = tuple(
        _landed(total, _less_bonuses(score, taking, rules, moon), rules)
        for total, score, taking in zip(totals, base, taken, strict=True)
    )
    new_totals = tuple(total + score for total, score in zip(totals, scores, strict=True))
    return DealScored(deal, points, moon, scores, new_totals)


def _moon_scores(moon: Seat, worth: int, rules: Rules, choice: MoonChoice) -> tuple[int, ...]:
    own, others = (0, worth) if choice is MoonChoice.ADD else (-worth, 0)
    return tuple(own if seat == moon else others for seat in range(rules.players))


def _less_bonuses(score: int, taking: Taking, rules: Rules, moon: Seat | None) -> int:
    """The score with bonuses taken off; with a floor they cannot take it below zero."""
    off = rules.bonus_of(taking.cards)
    if moon is None and not taking.tricks:
        off += rules.no_tricks_bonus
    return max(score - off, min(score, 0)) if rules.bonus_floor else score - off


def _landed(total: int, score: int, rules: Rules) -> int:
    """The score of a deal that takes a seat from ``total``, with what an exact landing earns."""
    exact = rules.exact is Exact.EXACT_MINUS_50 and total + score == rules.target
    return score - EXACT_LANDING if exact else score


def end_of_game(scored: DealScored, rules: Rules) -> GameEnded | None:
    """The end, if it has come with this deal, with everyone's place.

    A game also ends with the last deal that its chain of secrets can give.
    """
    totals = scored.totals
    exact = tuple(total == rules.target for total in totals)
    if rules.exact is Exact.EXACT_WINS and any(exact):
        return GameEnded(
            totals, _places([(not hit, t) for hit, t in zip(exact, totals, strict=True)])
        )
    tied = rules.tie is Tie.EXTRA_HAND and totals.count(min(totals)) > 1
    if scored.deal < MOST_DEALS and (tied or not _is_over(scored, rules)):
        return None
    return GameEnded(totals, _places([(False, total) for total in totals]))


def _is_over(scored: DealScored, rules: Rules) -> bool:
    if rules.deals is not None:
        return scored.deal >= rules.deals
    highest = max(scored.totals)
    return highest > rules.target or (rules.reach is Reach.GE and highest == rules.target)


def _places(standing: list[tuple[bool, int]]) -> tuple[int, ...]:
    """The place of each seat, from 1: how many stand better; equal ones share theirs."""
    return tuple(1 + sum(other < own for other in standing) for own in standing)
