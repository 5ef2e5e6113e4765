"""One thing to tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A word for programs and a sentence for people."""

    word: str
    """Never changes from one version to the next: ``TRICK 3``."""
    sentence: str
    """``Ann leads 9C``"""

    def __str__(self) -> str:
        return f"{self.word} {self.sentence}"
