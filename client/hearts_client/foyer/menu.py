"""A menu: a few things to do, each with a word on what comes of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from hearts_client.celltext import clipped
from hearts_client.foyer.page import Done, Frame, Next, window
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import BLANK, Line, Size, joined, line

T = TypeVar("T")

_LEAST_SAID: Final = 16
"""Cells below which a word on what comes of it says too little."""

_HINTS: Final = (
    ("Enter", "choose"),
    ("Up Down", "move"),
    ("1-9", "by number"),
    ("Esc", "back"),
)


@dataclass(frozen=True, slots=True)
class Item(Generic[T]):
    """Something to choose."""

    label: str
    says: str
    answer: T


@dataclass(frozen=True, slots=True)
class Menu(Generic[T]):
    """Some of these, one under the cursor."""

    title: str
    items: tuple[Item[T], ...]
    cursor: int = 0
    note: str = ""
    banner: tuple[Line, ...] = ()
    """Stands above the items where there is room."""
    hints: tuple[tuple[str, str], ...] = _HINTS

    def lines(self, size: Size) -> list[Line]:
        """The whole screen."""
        frame = Frame(self.title, self.hints, self.note)
        room = frame.room(size)
        banner = self.banner if room >= len(self.items) + len(self.banner) + 1 else ()
        head = [*banner, BLANK] if banner else []
        shown = window(self.cursor, len(self.items), room - len(head))
        return frame.around([*head, *(self._line(at, size.columns) for at in shown)], size)

    def pressed(self, key: Pressed, size: Size) -> Next[T]:
        """The menu after a key, or what was chosen."""
        del size
        count = len(self.items)
        match key:
            case Key.UP:
                return replace(self, cursor=(self.cursor - 1) % count)
            case Key.DOWN | Key.TAB:
                return replace(self, cursor=(self.cursor + 1) % count)
            case Key.HOME:
                return replace(self, cursor=0)
            case Key.END:
                return replace(self, cursor=count - 1)
            case Key.ENTER | Key.SPACE:
                return Done(self.items[self.cursor].answer)
            case Key.ESCAPE | Key.QUIT:
                return Done(None)
            case str() if key.isascii() and key.isdigit() and 1 <= int(key) <= count:
                return Done(self.items[int(key) - 1].answer)
            case _:
                return self

    def _line(self, at: int, columns: int) -> Line:
        item, here = self.items[at], at == self.cursor
        width = max(len(each.label) for each in self.items)
        room = columns - width - 9
        return joined(
            line(f"  {'>' if here else ' '}{at + 1}  ", "class:heading" if here else "class:log"),
            line(f"{item.label:{width}}", "class:cursor" if here else "class:legal"),
            line(f"  {clipped(item.says, room)}" if room >= _LEAST_SAID else "", "class:log"),
        )
