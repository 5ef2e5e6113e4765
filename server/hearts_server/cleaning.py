"""Names and chat as they are kept: what cannot be seen, or moves what can be, is gone."""

from __future__ import annotations

import unicodedata
from typing import Final

from hearts_server.errors import Code, Refused

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories of control, format (bidi, zero-width) and undefined characters."""

_MARKS: Final = frozenset({"Mn", "Me"})

_IGNORABLE: Final = frozenset(
    {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u2800", "\u3164", "\uffa0"}
    | set(map(chr, range(0x180B, 0x1810)))
    | set(map(chr, range(0xFE00, 0xFE10)))
    | set(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters, marks and signs that show nothing of their own: joiners, fillers, selectors."""

_MOST_MARKS: Final = 2
"""Marks in a row on one letter; more would run over the lines around it."""

_MOST_FOR_ONE: Final = 8
"""Characters that are looked at for each that may stay; a flag of the kingdoms takes seven."""


def cleaned(text: str) -> str:
    """A text on one line, without control, bidi and zero-width characters.

    An emoji that is made of several joined ones becomes these, side by side: the joiner between
    them is a zero-width character like others.

    >>> cleaned("  An" + chr(0x202E) + "n" + chr(27) + "[2J ")
    'Ann[2J'
    """
    seen = "".join(map(_as_seen, text))
    kept = list[str]()
    marks = 0
    for character in unicodedata.normalize("NFC", seen):
        marks = marks + 1 if unicodedata.category(character) in _MARKS else 0
        if marks <= _MOST_MARKS:
            kept.append(character)
    return " ".join("".join(kept).split())


def _as_seen(character: str) -> str:
    """A character as it shows, whatever is blank as a space; empty if it does not show."""
    if character.isspace():
        return " "
    unseen = character in _IGNORABLE or unicodedata.category(character) in _UNSEEN
    return "" if unseen else character


def name_of(text: str, longest: int) -> str:
    """A seat's name as it is kept; ``Refused`` if nothing of it can be seen, or too much."""
    name = _cleaned_if_short(text, longest)
    if not 0 < len(name) <= longest:
        sentence = f"a name has 1 to {longest} characters that can be seen, not {len(name)}"
        raise Refused(Code.INVALID_ARGUMENT, "BAD_NAME", sentence)
    return name


def line_of(text: str, longest: int) -> str:
    """A line of chat as it is passed on; ``Refused`` if nothing of it can be seen, or too much."""
    line = _cleaned_if_short(text, longest)
    if not 0 < len(line) <= longest:
        sentence = f"a line has 1 to {longest} characters that can be seen, not {len(line)}"
        raise Refused(Code.INVALID_ARGUMENT, "BAD_LINE", sentence)
    return line


def _cleaned_if_short(text: str, longest: int) -> str:
    """The cleaned text; as it is if it is out of all proportion, for cleaning costs time."""
    return cleaned(text) if len(text) <= longest * _MOST_FOR_ONE else text
