"""The terminal at hand: what it can do, and questions to the person in front of it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property

import click

from hearts_cli.lines import InputLines
from hearts_cli.suitprobe import suits_are_narrow
from hearts_client.cardnames import CardStyle, SuitChoice, terminal_style
from hearts_client.settings import Settings


def _is_a_tty() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


@dataclass(frozen=True)
class Terminal:
    """Keyboard and screen, or the pipes in their place."""

    plain: bool
    """Lines were asked for."""
    watching: bool
    """Nobody is to be asked anything."""
    settings: Settings = Settings()
    is_a_tty: bool = field(default_factory=_is_a_tty)
    """Whether keyboard and screen are there."""

    @property
    def by_lines(self) -> bool:
        """Whether to play by lines: asked for, or all that the terminal can do."""
        dumb = os.environ.get("TERM", "") in ("", "dumb")
        return self.plain or self.watching or dumb or not self.is_a_tty

    @property
    def card_style(self) -> CardStyle:
        """How cards are best shown on the full screen here; asks the terminal where it matters."""
        style = terminal_style(os.environ.get("TERM", ""), sys.stdout.encoding)
        asks = self.settings.suits is SuitChoice.AUTO and self._is_real
        wide = style is CardStyle.SYMBOLS and asks and _suits_are_narrow() is False
        return CardStyle.LETTERS if wide else style

    @property
    def _is_real(self) -> bool:
        return sys.stdin.isatty() and sys.stdout.isatty()

    @property
    def spoken_style(self) -> CardStyle:
        """How lines name cards."""
        return CardStyle.WORDS if self.settings.say else CardStyle.LETTERS

    @property
    def can_ask(self) -> bool:
        """Whether a person is there to answer questions."""
        return not self.watching and self.is_a_tty

    @cached_property
    def lines(self) -> InputLines | None:
        """The lines typed or piped in; none where nobody is to be asked."""
        return None if self.watching else InputLines(sys.stdin)

    async def agrees(self, question: str) -> bool:
        """Ask a question until it is answered yes, which Enter also means, or no.

        Raises ``Abort`` when the person leaves instead.
        """
        while True:
            answer = await self._answer_to(question, "yes or no", "[Y/n]")
            if answer is None:
                raise click.Abort
            if answer.strip().lower() in ("", "y", "yes"):
                return True
            if answer.strip().lower() in ("n", "no"):
                return False

    async def chooses(self, question: str, most: int) -> int:
        """Ask for a number from 1 to this until one is given.

        Raises ``Abort`` when the person leaves instead.
        """
        while True:
            answer = await self._answer_to(question, f"1 to {most}", f"[1-{most}]")
            if answer is None:
                raise click.Abort
            number = answer.strip()
            if number.isascii() and number.isdecimal() and 1 <= int(number) <= most:
                return int(number)

    async def secret(self, question: str) -> str:
        """Ask for what nobody is to read from the screen.

        Raises ``Abort`` when the person leaves instead.
        """
        answer = await _ask_on_screen(question, secret=True)
        if answer is None:
            raise click.Abort
        return answer

    async def _answer_to(self, question: str, by_lines: str, on_screen: str) -> str | None:
        """A line; none if the person leaves. What can be answered is said in either form."""
        if self.by_lines and self.lines is not None:
            click.echo(f"{question} {by_lines}")
            return await self.lines.next()
        return await _ask_on_screen(f"{question} {on_screen} ")


def _forget_typed() -> None:
    """Drop what was typed before a question: keys that skipped a game's end answer nothing."""
    # Imported here: as above, and not every system has it.
    from prompt_toolkit.application import get_app_session  # noqa: PLC0415
    from prompt_toolkit.input.typeahead import clear_typeahead  # noqa: PLC0415

    with suppress(ImportError, OSError, ValueError):
        import termios  # noqa: PLC0415

        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    clear_typeahead(get_app_session().input)


@cache
def _suits_are_narrow() -> bool | None:
    """As the terminal says, asked once."""
    return suits_are_narrow()


async def _ask_on_screen(question: str, *, secret: bool = False) -> str | None:
    # Imported here: only a person at a full screen needs it.
    from prompt_toolkit import PromptSession  # noqa: PLC0415

    session: PromptSession[str] = PromptSession()
    _forget_typed()
    try:
        return await session.prompt_async(question, is_password=secret)
    except (EOFError, KeyboardInterrupt):
        return None
