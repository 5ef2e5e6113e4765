"""Text measured in terminal cells, and made safe to show."""

from __future__ import annotations

import unicodedata
from typing import Final

from prompt_toolkit.utils import get_cwidth

_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Unicode categories of control, format (bidi and zero-width) and undefined characters."""

_SIGN_SELECTORS: Final = "\ufe0e\ufe0f\u034f"
"""Marks without a width of their own that change what others look like."""

_MOST_MARKS: Final = 2
"""Combining marks in a row that a name may have; more would run over the lines around it."""


def cleaned(text: str) -> str:
    """The text without control, bidi and zero-width characters, on one line.

    >>> cleaned("An" + chr(0x202E) + "n" + chr(27) + "[2J")
    'Ann[2J'
    """
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", text):
        category = unicodedata.category(character)
        if category in _UNSAFE or character in _SIGN_SELECTORS:
            continue
        marks = marks + 1 if category in {"Mn", "Me"} else 0
        if marks <= _MOST_MARKS:
            kept.append(" " if category == "Zs" else character)
    return "".join(kept).strip()


def clipped(text: str, width: int) -> str:
    """The text in at most this many cells; what is cut off is marked by a final ``~``."""
    if get_cwidth(text) <= width:
        return text
    kept, used = "", 0
    for character in text:
        used += get_cwidth(character)
        if used > width - 1:
            break
        kept += character
    return kept + "~" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """The text in exactly this many cells, clipped or filled with blanks on the right."""
    fitting = clipped(text, width)
    return fitting + " " * (width - get_cwidth(fitting))


def padded_left(text: str, width: int) -> str:
    """The text at the right end of exactly this many cells."""
    fitting = clipped(text, width)
    return " " * (width - get_cwidth(fitting)) + fitting


def wrapped(text: str, width: int) -> tuple[str, ...]:
    """The text on lines of at most this many cells, broken at blanks where that is possible."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and get_cwidth(longer) > width:
            lines.append(line)
            longer = word
        line = clipped(longer, width)
    return (*lines, line) if line else tuple(lines)
