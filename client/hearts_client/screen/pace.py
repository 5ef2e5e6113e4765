"""How long the table shows what happened before it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from types import MappingProxyType
from typing import Final


class Hold(Enum):
    """How long something stays before the next thing is shown."""

    NONE = auto()
    CARD = auto()
    """Somebody else's card."""
    TRICK = auto()
    """A finished trick."""
    KEY = auto()
    """A result: until a key is pressed."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The two times of a table."""

    card: timedelta
    """After somebody else's card."""
    trick: timedelta | None
    """After a finished trick; none: until a key is pressed."""

    def time_for(self, hold: Hold) -> timedelta | None:
        """How long this hold lasts; none: until a key is pressed."""
        match hold:
            case Hold.NONE:
                return timedelta()
            case Hold.CARD:
                return self.card
            case Hold.TRICK:
                return self.trick
            case Hold.KEY:
                return None


def _pace(card: int, trick: int | None) -> Pace:
    held = None if trick is None else timedelta(milliseconds=trick)
    return Pace(timedelta(milliseconds=card), held)


PACES: Final = MappingProxyType(
    {
        "slow": _pace(1200, 2000),
        "normal": _pace(450, 900),
        "fast": _pace(120, 500),
        "instant": _pace(0, None),
    }
)
"""The paces by name."""
