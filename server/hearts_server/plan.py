"""What a new table is to be like, and what it is called."""

from __future__ import annotations

import itertools
from collections.abc import Container
from dataclasses import dataclass

from hearts_engine.rules import Rules
from hearts_server.journal import Opening
from hearts_server.policy import Policy

TREES = ("oak", "elm", "ash", "fir", "yew", "birch", "cedar", "maple", "hazel", "rowan")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a new table is to be like."""

    rules: Rules | None = None
    """None: as is usual here."""
    fixed_seed: str | None = None
    """None: dealt fairly."""
    start_when_full: bool = False
    turn_seconds: int | None = None
    """None: as is usual here."""
    passcode: str = ""
    """Empty: open to everyone."""
    open_hands: bool = False
    """Every hand is shown to whoever watches."""

    def opening(self, name: str, policy: Policy) -> Opening:
        """The game that begins there, with what is usual at this server for all that is open."""
        return Opening(
            name,
            policy.usual_rules if self.rules is None else self.rules,
            self.fixed_seed,
            policy.turn_seconds if self.turn_seconds is None else self.turn_seconds,
            policy.bot_seconds,
            self.open_hands,
        )


AS_USUAL = Plan()
"""Whatever is usual at the server."""


def new_name(taken: Container[str]) -> str:
    """The first name that no table has: ``oak-1``, ``elm-1``, and so on."""
    numbered = (f"{tree}-{number}" for number in itertools.count(1) for tree in TREES)
    return next(name for name in numbered if name not in taken)
