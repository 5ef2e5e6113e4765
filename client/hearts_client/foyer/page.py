"""What every screen of the foyer is: lines for a size, and what a key makes of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar, final

from hearts_client.celltext import wrapped
from hearts_client.screen.keypress import Pressed
from hearts_client.screen.lines import BLANK, Line, Size, cells, joined, line, painted

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@final
@dataclass(frozen=True, slots=True)
class Done(Generic[T_co]):
    """What a person made of a page; no answer if they went back instead."""

    answer: T_co | None


class Page(Protocol[T_co]):
    """One screen that asks for something."""

    def lines(self, size: Size) -> list[Line]:
        """The whole screen."""
        ...

    def pressed(self, key: Pressed, size: Size) -> Page[T_co] | Done[T_co]:
        """The page after a key, or what it came to."""
        ...


Next: TypeAlias = "Page[T] | Done[T]"


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around the middle of a page."""

    title: str
    hints: tuple[tuple[str, str], ...]
    """Keys that apply, each with what it does; the first stays whatever the width."""
    note: str = ""
    """A sentence above the keys."""

    def room(self, size: Size) -> int:
        """The lines there are for the middle."""
        return size.rows - 4 - len(self._note(size))

    def around(self, middle: Sequence[Line], size: Size) -> list[Line]:
        """The whole screen with this in the middle, cut off where it does not fit."""
        room = self.room(size)
        filled = [*middle, *([BLANK] * room)][:room]
        head = [line(f" {self.title}", "class:status")]
        body = [BLANK, *filled, *self._note(size), BLANK]
        columns = size.columns
        return [
            *painted(head, columns, "bar"),
            *painted(body, columns, "board"),
            *painted([self._bar(columns)], columns, "bar"),
        ]

    def _note(self, size: Size) -> list[Line]:
        return [line(f" {part}", "class:message") for part in wrapped(self.note, size.columns - 2)]

    def _bar(self, columns: int) -> Line:
        bar = BLANK
        for key, does in self.hints:
            longer = joined(bar, line(f" {key}", "class:hint"), line(f" {does} "))
            if cells(longer) > columns:
                break
            bar = longer
        return bar


def window(cursor: int, count: int, room: int) -> range:
    """The entries to show of a list that may not fit: those around the cursor."""
    start = max(0, min(cursor - room // 2, count - room))
    return range(start, min(count, start + max(room, 0)))
