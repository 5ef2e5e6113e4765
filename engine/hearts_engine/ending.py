"""When a deal may end early: no card that is left can change any score."""

from __future__ import annotations

from hearts_engine.play import Play
from hearts_engine.rules import Rules
from hearts_engine.takings import outstanding, takings


def is_settled(play: Play, rules: Rules) -> bool:
    """Whether after a trick every score of the deal is fixed, whoever takes the rest."""
    if outstanding(play, rules):
        return False
    without_trick = sum(not taking.tricks for taking in takings(play, rules))
    no_tricks_bonus_open = rules.no_tricks_bonus > 0 and without_trick > 0
    sun_open = rules.sun != "none" and without_trick >= rules.players - 1
    return not no_tricks_bonus_open and not sun_open
