"""A text to read, page by page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Never

from prompt_toolkit.utils import get_cwidth

from hearts_client.celltext import wrapped
from hearts_client.foyer.page import Done, Frame, Next
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Line, Size, line

_HINTS: Final = (("Esc", "back"), ("Space", "next page"), ("Up Down", "move"), ("Home End", "ends"))


@dataclass(frozen=True, slots=True)
class Reader:
    """Lines of text, from some line on."""

    title: str
    text: tuple[str, ...]
    top: int = 0

    def lines(self, size: Size) -> list[Line]:
        """The whole screen."""
        frame = Frame(self._heading(), _HINTS)
        room, width = frame.room(size), size.columns - 2
        told = (part for text in self.text[self.top :] for part in _broken(text, width))
        return frame.around([line(f" {part}") for part in islice(told, room)], size)

    def pressed(self, key: Pressed, size: Size) -> Next[Never]:
        """The text after a key, or none any more."""
        page = max(1, Frame(self.title, _HINTS).room(size) - 1)
        match key:
            case Key.ESCAPE | Key.QUIT | Key.ENTER:
                return Done(None)
            case Key.UP:
                return self._at(self.top - 1)
            case Key.DOWN:
                return self._at(self.top + 1)
            case Key.SPACE | Key.RIGHT:
                return self._at(self.top + page)
            case Key.LEFT | Key.BACKSPACE:
                return self._at(self.top - page)
            case Key.HOME:
                return self._at(0)
            case Key.END:
                return self._at(len(self.text) - page)
            case _:
                return self

    def _at(self, top: int) -> Reader:
        return replace(self, top=max(0, min(top, len(self.text) - 1)))

    def _heading(self) -> str:
        return f"{self.title}  {100 * (self.top + 1) // max(1, len(self.text))} %"


def _broken(text: str, width: int) -> tuple[str, ...]:
    """A line as it is where it fits, so that columns stay columns; else on several."""
    return (text,) if get_cwidth(text) <= width else wrapped(text, width)
