"""Which attach of a client one is, so that what arrives late is known to be older."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Attempt:
    """One of the attaches that a client made for a seat."""

    run: int = 0
    """Which client, and since when it runs; zero: not told."""
    number: int = 0
    """Counts its attaches."""

    @property
    def is_again(self) -> bool:
        """Whether a client that runs came back by itself: that says nothing of its owner."""
        return self.run != 0 and self.number > 1

    def is_before(self, other: Attempt) -> bool:
        """Whether the same client made the other later."""
        return self.run != 0 and self.run == other.run and self.number < other.number


NO_ATTEMPT: Final = Attempt()
"""Before no other: whoever does not tell is the newest."""
