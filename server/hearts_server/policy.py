"""What whoever runs a server has decided for all of its tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from hearts_engine.rules import Rules
from hearts_server.limits import Limits
from hearts_server.patience import MOON_TIME


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
    moon_time: timedelta = MOON_TIME
    """How long a seat may take to choose how its moon is scored, where the rules leave that to
    it, before that is done by itself; after a restart it has the full time again."""
    limits: Limits = Limits()
    """How much is let in."""
