"""A terminal without a terminal: what prompt_toolkit writes, drawn by pyte."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TextIO, cast

import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from hearts_client.testing import LocalSession
from hearts_engine.ruletext import parse_rules

SECONDS = 20
"""How long a condition may take on a busy machine before the test fails."""


class Terminal:
    """A screen, a keyboard, and a way to wait until the screen says something."""

    def __init__(self, columns: int, rows: int, keyboard: PipeInput) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.Stream(self.screen)
        self._drawn = asyncio.Event()
        self.written = ""
        self.keyboard = keyboard
        # As prompt_toolkit's create_output does for a real terminal.
        depth = ColorDepth.from_env()
        self.output = Vt100_Output(
            cast(TextIO, self),
            self._size,
            term="xterm-256color",
            default_color_depth=depth,
            enable_cpr=False,
        )

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        raise OSError("no file stands behind this terminal")

    def write(self, text: str) -> int:
        self.written += text
        self._stream.feed(text)
        return len(text)

    def flush(self) -> None:
        self._drawn.set()

    def _size(self) -> Size:
        return Size(rows=self.screen.lines, columns=self.screen.columns)

    def resize(self, columns: int, rows: int) -> None:
        """Another size; the next drawing sees it."""
        self.screen.resize(rows, columns)
        self.screen.reset()

    def text(self) -> str:
        """The screen, without blanks at the ends of lines."""
        return "\n".join(row.rstrip() for row in self.screen.display) + "\n"

    def style_of(self, text: str) -> pyte.screens.Char:
        """The first cell of the first place where this text stands."""
        for number, row in enumerate(self.screen.display):
            if text in row:
                return self.screen.buffer[number][row.index(text)]
        raise AssertionError(f"{text!r} is not on the screen:\n{self.text()}")

    def type(self, keys: str) -> None:
        self.keyboard.send_text(keys)

    async def until(self, condition: Callable[[str], bool]) -> str:
        """The screen as soon as it meets the condition."""
        try:
            async with asyncio.timeout(SECONDS):
                while not condition(self.text()):
                    self._drawn.clear()
                    await self._drawn.wait()
        except TimeoutError:
            pytest.fail(f"the screen never came to it:\n{self.text()}")
        return self.text()

    async def shows(self, text: str) -> str:
        return await self.until(lambda screen: text in screen)

    async def other_than(self, screen: str) -> str:
        return await self.until(lambda text: text != screen)


@contextmanager
def open_terminal(columns: int, rows: int) -> Generator[Terminal, None, None]:
    with create_pipe_input() as keyboard:
        yield Terminal(columns, rows, keyboard)


@pytest.fixture
def terminal() -> Callable[[int, int], object]:
    """``with terminal(80, 24) as t:``, inside the running loop."""
    return open_terminal


@pytest.fixture
def table() -> Callable[..., LocalSession]:
    """A seat at a table with three random opponents."""

    def seated(seed: int = 7, rules: str = "black_lady target=40") -> LocalSession:
        return LocalSession(parse_rules(rules), random.Random(seed))

    return seated
