"""Words that go with numbers."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """``1 point``, ``2 points``, ``no points``."""
    return f"{number or 'no'} {noun}{'' if number == 1 else 's'}"
