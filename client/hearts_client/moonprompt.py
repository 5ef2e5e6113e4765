"""What the shooter of a moon chooses between, with the arithmetic of both."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_client.dealscore import moon_scores_sentence, tally_of
from hearts_client.scoreboard import points_sentence, winners_sentence
from hearts_client.seatnames import SeatNames
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.options import MoonChoice
from hearts_engine.scoring import automatic_choice, end_of_game, score_deal
from hearts_engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Prospect:
    """What one choice leads to."""

    choice: MoonChoice
    scored: DealScored
    ended: GameEnded | None
    """The end of the game, if it comes with it."""
    scores: str
    """``0 for You, 26 for every other seat``"""
    condition: str
    """What it hangs on besides; empty if on nothing."""


UNSEEN_KITTY = ", if the kitty holds no bonus"


def prospects(view: SeatView, names: SeatNames) -> tuple[Prospect, ...]:
    """What adding and what subtracting leads to, as far as this seat knows what was taken."""
    tally = tally_of(view, view.totals)
    scored = {choice: score_deal(tally, choice) for choice in MoonChoice}
    return tuple(
        Prospect(
            choice,
            result,
            end_of_game(result, view.rules),
            moon_scores_sentence(tally, choice, names),
            UNSEEN_KITTY if _kitty_may_matter(view) else "",
        )
        for choice, result in scored.items()
    )


def _kitty_may_matter(view: SeatView) -> bool:
    """Whether another seat took a kitty in which a bonus card may lie."""
    unseen = view.kitty_seat is not None and not view.kitty
    return unseen and view.rules.bonus is not None


def prospect_sentence(prospect: Prospect, names: SeatNames) -> str:
    """``add: 0 for You, 26 for every other seat; totals You 9, Ann 40; the game goes on``."""
    totals = points_sentence(prospect.scored.totals, names)
    return f"{prospect.choice}: {prospect.scores}; totals {totals}; {what_then(prospect, names)}"


def short_prospect(prospect: Prospect, names: SeatNames) -> str:
    """``a: add: 0 for You, 26 for every other seat; the game goes on``, with the key to type."""
    key, then = prospect.choice[0], what_then(prospect, names)
    return f"{key}: {prospect.choice}: {prospect.scores}; {then}"


def what_then(prospect: Prospect, names: SeatNames) -> str:
    """``the game goes on``, or who wins it."""
    if prospect.ended is None:
        return f"the game goes on{prospect.condition}"
    return f"the game is over, {winners_sentence(prospect.ended, names)}{prospect.condition}"


def moon_prompt(view: SeatView, seconds: int | None) -> str:
    """The question on the screen, and what comes of it if it is not answered in time."""
    prompt = "your moon: a to add, s to subtract"
    return prompt if seconds is None else f"{prompt}; {by_itself_sentence(view, seconds)}"


def by_itself_sentence(view: SeatView, seconds: int) -> str:
    """``done by itself in 30 s (as auto would: add)``."""
    choice = automatic_choice(tally_of(view, view.totals))
    condition = UNSEEN_KITTY if _kitty_may_matter(view) else ""
    return f"done by itself in {seconds} s (as auto would: {choice}{condition})"
