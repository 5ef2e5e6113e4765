"""Pages in a terminal, one after the other."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from hearts_client.foyer.page import Done, Page
from hearts_client.screen.keypress import Pressed
from hearts_client.screen.least import is_too_small, too_small
from hearts_client.screen.lines import Size, drawn, filled
from hearts_client.screen.stderrfile import stderr_to
from hearts_client.screen.surface import Surface, application
from hearts_client.settings import Settings

T = TypeVar("T")
P = TypeVar("P")

Updates = AsyncIterator[Callable[[P], P]]
"""What becomes of a page by itself while it is looked at."""


@dataclass(frozen=True, slots=True)
class Foyer:
    """The terminal in which pages are shown, and how they look there."""

    settings: Settings = Settings()
    stderr_file: Path | None = None
    """Takes what is written to file descriptor 2 meanwhile; none: left alone."""
    input: Input | None = None
    """None: the terminal's."""
    output: Output | None = None
    """None: the terminal's."""

    def under(self, settings: Settings) -> Foyer:
        """The same under other settings."""
        return replace(self, settings=settings)

    async def show(self, page: Page[T], updates: Updates[Any] | None = None) -> T | None:
        """Show a page until it comes to something; none if the person went back.

        The terminal is as it was before when this returns or raises.
        """
        with stderr_to(self.stderr_file):
            return await _Shown(self, page).run(updates)


class _Shown(Generic[T]):
    """The one holder of the page that changes."""

    def __init__(self, foyer: Foyer, page: Page[T]) -> None:
        self._page = page
        surface = Surface(self._fragments, self._press, lambda: foyer.settings)
        self._app: Application[T | None] = application(surface, foyer.input, foyer.output)

    async def run(self, updates: Updates[Any] | None) -> T | None:
        async with asyncio.TaskGroup() as group:
            following = None if updates is None else group.create_task(self._follow(updates))
            try:
                return await self._app.run_async(set_exception_handler=False)
            finally:
                if following is not None:
                    following.cancel()

    async def _follow(self, updates: Updates[Any]) -> None:
        async for update in updates:
            self._page = update(self._page)
            self._app.invalidate()

    def _size(self) -> Size:
        size = self._app.output.get_size()
        return Size(size.columns, size.rows)

    def _fragments(self) -> StyleAndTextTuples:
        size = self._size()
        lines = too_small(size, "Esc") if is_too_small(size) else self._page.lines(size)
        return drawn(filled(lines, size))

    def _press(self, key: Pressed) -> None:
        step: Page[Any] | Done[Any] = self._page.pressed(key, self._size())
        if not isinstance(step, Done):
            self._page = step
            self._app.invalidate()
        elif not self._app.is_done:
            self._app.exit(result=step.answer)
