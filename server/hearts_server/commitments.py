"""What seats committed to before the start, held against what they reveal. Pure."""

from __future__ import annotations

from hearts_engine.commands import RevealEntropy
from hearts_engine.state import Game
from hearts_replays.fairness import commit
from hearts_server.errors import entropy_mismatch


def require_committed(game: Game, command: RevealEntropy) -> None:
    """Refuse entropy that is not what the seat committed to.

    A seat that could reveal something else would choose the deal after seeing the others' part.
    A seat without a commitment owes nothing, which the rules refuse by themselves.
    """
    taken = game.seats[command.seat]
    if taken and taken.commitment and commit(command.entropy) != taken.commitment:
        raise entropy_mismatch()
