"""Text measured in terminal cells."""

from __future__ import annotations

from prompt_toolkit.utils import get_cwidth


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
