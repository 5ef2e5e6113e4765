"""Lines of styled text, measured in cells."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from hearts_client.celltext import clipped

Line: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of one line, each a style and its text."""


class Size(NamedTuple):
    """A terminal's size in cells."""

    columns: int
    rows: int


BLANK: Line = ()


def line(text: str, style: str = "") -> Line:
    """A line of one piece."""
    return ((style, text),) if text else BLANK


def joined(*lines: Line) -> Line:
    """These one after the other."""
    return tuple(piece for part in lines for piece in part)


def cells(content: Line) -> int:
    """How wide a line is."""
    return sum(get_cwidth(text) for _, text in content)


def fitted(content: Line, columns: int) -> Line:
    """The line in exactly this many cells, clipped or filled on the right."""
    kept: list[tuple[str, str]] = []
    left = columns
    for style, text in content:
        part = clipped(text, left)
        if part:
            kept.append((style, part))
        left -= get_cwidth(part)
        if part != text:
            break
    return (*kept, ("", " " * left)) if left > 0 else tuple(kept)


def centred(content: Line, columns: int) -> Line:
    """The line in the middle of this many cells."""
    before = max(0, (columns - cells(content)) // 2)
    return fitted(joined(line(" " * before), content), columns)


def apart(left: Line, right: Line, columns: int) -> Line:
    """One line at the left edge, the other at the right, the left clipped if it must be."""
    room = max(0, columns - cells(right))
    return fitted(joined(fitted(left, room), right), columns)


def painted(lines: Iterable[Line], columns: int, part: str) -> list[Line]:
    """These lines, each to the right edge, on what is behind a part of the screen."""
    behind = f"class:{part}"
    return [
        tuple((f"{behind} {style}".rstrip(), text) for style, text in fitted(content, columns))
        for content in lines
    ]


def filled(lines: list[Line], size: Size) -> list[Line]:
    """These lines as a whole screen: cut off or filled to its last cell."""
    whole = [fitted(content, size.columns) for content in lines[: size.rows]]
    return whole + [fitted(BLANK, size.columns)] * (size.rows - len(whole))


def drawn(lines: list[Line]) -> StyleAndTextTuples:
    """The lines as prompt_toolkit draws them."""
    fragments: StyleAndTextTuples = []
    for number, content in enumerate(lines):
        if number:
            fragments.append(("", "\n"))
        fragments.extend(content)
    return fragments
