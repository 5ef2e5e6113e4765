"""The moon of a deal whose shooter does not choose how it is scored."""

from __future__ import annotations

from hearts_engine.options import MoonChoice
from hearts_engine.scoring import Tally, automatic_choice
from hearts_engine.state import State
from hearts_engine.takings import takings


def choice_by_itself(state: State) -> MoonChoice:
    """How the moon of a deal that is played out is scored when clock or autopilot choose.

    They have no say of their own, so an audit finds any other choice of theirs.
    """
    rules, game = state.game.rules, state.game
    taken = takings(state.play, rules)
    return automatic_choice(Tally(state.exchange.deal, taken, game.totals, rules))
