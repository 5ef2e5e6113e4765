"""What whoever runs a server has decided for all of its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from hearts_engine.rules import Rules
from hearts_server.limits import Limits


@dataclass(frozen=True, slots=True)
class Policy:
    """How a lobby opens tables, and which it finds."""

    resumes: bool
    """Take up tables that an earlier process left in the store."""
    allow_fixed_seed: bool = False
    """Deal from texts that callers choose. Whoever knows the text knows every hand, so this is
    for a table without other people."""
    usual_rules: Rules = Rules()
    """What a table plays by for which nothing else was asked."""
    turn_seconds: int = 0
    """What a person has for a card where nothing else was asked; 0: as long as it takes."""
    bot_seconds: int = 0
    """What a bot has for a card."""
    close_after: timedelta | None = timedelta(days=1)
    """How long a game goes on that nobody is connected for; none: for ever."""
    limits: Limits = Limits()
    """How much is let in."""
