"""How long a decision may still take."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeAlias

from hearts_client.news import Asked

Now: TypeAlias = Callable[[], int]
"""The wall clock: microseconds since 1970 UTC, as deadlines are told."""

_SECOND: Final = 1_000_000


def wall_clock() -> int:
    """The time of this machine."""
    return time.time_ns() // 1000


def seconds_left(asked: Asked | None, now: int) -> int | None:
    """Whole seconds, rounded up, until the table goes on by itself; none: it waits."""
    if asked is None or asked.deadline is None:
        return None
    return max(0, -(-(asked.deadline - now) // _SECOND))
