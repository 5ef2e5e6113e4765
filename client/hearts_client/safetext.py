"""What others have written, made safe to show: names, and what a server says."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of control, format (bidi and zero-width) and undefined characters."""

_SIGN_SELECTORS: Final = "\ufe0e\ufe0f\u034f"
"""Marks without a width of their own that change what others look like."""

_MOST_MARKS: Final = 2
"""Combining marks in a row that a name may have; more would run over the lines around it."""

LONGEST_TEXT: Final = 1_000
"""Characters of one text that are looked at; a server can send millions where a name should be."""

LONGEST_SENTENCE: Final = 300
"""Characters of what a server says that are shown."""


def cleaned(text: str) -> str:
    """The text without control, bidi and zero-width characters, on one line, if need be cut off.

    >>> cleaned("An" + chr(0x202E) + "n" + chr(27) + "[2J")
    'Ann[2J'
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text[:LONGEST_TEXT]):
        category = unicodedata.category(character)
        if category in _UNSAFE or character in _SIGN_SELECTORS:
            continue
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= _MOST_MARKS:
            kept.append(" " if category == "Zs" else character)
    return "".join(kept).strip()


def sentence(text: str) -> str:
    """What a server says, on one line and of bearable length."""
    return cleaned(text[:LONGEST_SENTENCE])
