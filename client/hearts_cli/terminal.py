"""The terminal at hand: what it can do, and questions to the person in front of it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from functools import cached_property

import click

from hearts_cli.lines import InputLines


@dataclass(frozen=True)
class Terminal:
    """Keyboard and screen, or the pipes in their place."""

    plain: bool
    """Lines were asked for."""
    watching: bool
    """Nobody is to be asked anything."""

    @property
    def by_lines(self) -> bool:
        """Whether to play by lines: asked for, or all that the terminal can do."""
        dumb = os.environ.get("TERM", "") in ("", "dumb")
        return self.plain or self.watching or dumb or not self._is_a_tty

    @property
    def can_ask(self) -> bool:
        """Whether a person is there to answer questions."""
        return not self.watching and self._is_a_tty

    @cached_property
    def lines(self) -> InputLines | None:
        """The lines typed or piped in; none where nobody is to be asked."""
        return None if self.watching else InputLines(sys.stdin)

    async def agrees(self, question: str) -> bool:
        """Ask a yes-or-no question; anything but yes is a no."""
        if self.by_lines and self.lines is not None:
            click.echo(f"{question} yes or no")
            answer = await self.lines.next()
        else:
            answer = await _ask_on_screen(f"{question} [y/n] ")
        return (answer or "").strip().lower() in ("y", "yes")

    @property
    def _is_a_tty(self) -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty()


async def _ask_on_screen(question: str) -> str:
    # Imported here: only a person at a full screen needs it.
    from prompt_toolkit import PromptSession  # noqa: PLC0415

    session: PromptSession[str] = PromptSession()
    try:
        return await session.prompt_async(question)
    except (EOFError, KeyboardInterrupt):
        return ""
