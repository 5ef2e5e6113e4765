"""A list to choose from, which may grow while it is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from prompt_toolkit.utils import get_cwidth

from hearts_client.celltext import padded
from hearts_client.foyer.page import Done, Frame, Next, window
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import BLANK, Line, Size, joined, line

T = TypeVar("T")

_HINTS: Final = (("Enter", "choose"), ("Up Down", "move"), ("Esc", "back"))
_GAP: Final = 2


@dataclass(frozen=True, slots=True)
class Row(Generic[T]):
    """An entry: its cells, and what choosing it means."""

    cells: tuple[str, ...]
    answer: T


@dataclass(frozen=True, slots=True)
class Listing(Generic[T]):
    """Rows under headings, one under the cursor."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[Row[T], ...] = ()
    empty: str = "nothing here"
    """What is said while there are no rows."""
    note: str = ""
    cursor: int = 0
    moved: bool = False
    """Whether the person has moved the cursor; until then it stays at the top."""

    def with_rows(self, rows: tuple[Row[T], ...], note: str = "") -> Listing[T]:
        """The list as it is now; the cursor stays on what it was moved to, if that is there."""
        chosen = self.rows[self.cursor].answer if self.rows and self.moved else None
        places = [at for at, row in enumerate(rows) if row.answer == chosen]
        cursor = places[0] if places else min(self.cursor, max(0, len(rows) - 1))
        if not self.moved:
            cursor = 0
        return replace(self, rows=rows, cursor=cursor, note=note)

    def lines(self, size: Size) -> list[Line]:
        """The whole screen."""
        frame = Frame(self.title, _HINTS, self.note)
        if not self.rows:
            return frame.around([BLANK, line(f"  {self.empty}", "class:log")], size)
        widths = self._widths(size.columns)
        shown = window(self.cursor, len(self.rows), frame.room(size) - 1)
        head = line(f"  {_cells(self.heads, widths)}", "class:heading")
        return frame.around([head, *(self._row(at, widths) for at in shown)], size)

    def pressed(self, key: Pressed, size: Size) -> Next[T]:
        """The list after a key, or what was chosen."""
        del size
        last = max(0, len(self.rows) - 1)
        match key:
            case Key.UP:
                return replace(self, cursor=max(0, self.cursor - 1), moved=True)
            case Key.DOWN | Key.TAB:
                return replace(self, cursor=min(last, self.cursor + 1), moved=True)
            case Key.HOME:
                return replace(self, cursor=0, moved=True)
            case Key.END:
                return replace(self, cursor=last, moved=True)
            case Key.ENTER | Key.SPACE if self.rows:
                return Done(self.rows[self.cursor].answer)
            case Key.ESCAPE | Key.QUIT:
                return Done(None)
            case _:
                return self

    def _widths(self, columns: int) -> list[int]:
        """The cells of each column: as wide as its widest entry, the last as far as there is room.

        Columns from the right go where there is no room at all.
        """
        table = [self.heads, *(row.cells for row in self.rows)]
        widths: list[int] = []
        left = columns - 3
        for column in zip(*table, strict=True):
            width = min(max(map(get_cwidth, column)), left)
            widths.append(max(0, width))
            left -= width + _GAP
        return widths

    def _row(self, at: int, widths: list[int]) -> Line:
        here = at == self.cursor
        text = _cells(self.rows[at].cells, widths)
        return joined(
            line(" >" if here else "  ", "class:heading"),
            line(text, "class:cursor" if here else ""),
        )


def _cells(cells: tuple[str, ...], widths: list[int]) -> str:
    told = (padded(text, width) for text, width in zip(cells, widths, strict=True) if width > 0)
    return (" " * _GAP).join(told)
