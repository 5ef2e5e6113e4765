"""The door: what `hearts` alone opens, walked through by keys."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import Output

from hearts_cli.front.door import stand_at_the_door
from hearts_client.settings import Settings, Theme

DOWN, ESCAPE, ENTER, CTRL_Q = "\x1b[B", "\x1b", "\r", "\x11"


class Terminal(Protocol):
    """The terminal of conftest."""

    keyboard: PipeInput
    output: Output

    def type(self, keys: str) -> None: ...
    async def shows(self, text: str) -> str: ...


OpenTerminal = Callable[[int, int], AbstractContextManager[Terminal]]
Walk = Callable[[Terminal], Awaitable[None]]


@pytest.fixture
def walk(
    terminal: OpenTerminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Walk], Path]:
    """Walks from the door until it is left; the folder in which everything is kept."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("HEARTS_CONFIG", str(tmp_path / "settings.toml"))

    def begin(steps: Walk) -> Path:
        async def main() -> int:
            with terminal(80, 24) as screen, create_app_session(screen.keyboard, screen.output):
                door = asyncio.create_task(stand_at_the_door(Settings(), tmp_path))
                await screen.shows("Hearts Table")
                await steps(screen)
                return await door

        assert asyncio.run(main()) == 0
        return tmp_path

    return begin


def test_a_newcomer_is_at_a_table_after_a_few_keys(walk: Callable[[Walk], Path]) -> None:
    async def steps(screen: Terminal) -> None:
        screen.type(ENTER)
        await screen.shows("A game against house bots")
        screen.type(DOWN * 3 + ENTER)
        await screen.shows("Space marks a card")
        screen.type(CTRL_Q + "y")
        await screen.shows("Go on")
        screen.type(ENTER)
        await screen.shows("Space marks a card")
        screen.type(CTRL_Q + "y")
        await screen.shows("Go on")
        screen.type(ESCAPE)

    walk(steps)


def test_rules_that_cannot_be_played_are_told_before_anything_is_opened(
    walk: Callable[[Walk], Path],
) -> None:
    async def steps(screen: Terminal) -> None:
        screen.type(ENTER)
        await screen.shows("A game against house bots")
        screen.type(DOWN + "players=99")
        await screen.shows("players")
        screen.type(DOWN * 2 + ENTER + ESCAPE)
        await screen.shows("Past games")
        screen.type(ESCAPE)

    assert not list((walk(steps) / "seats").glob("*.json"))


def test_rules_are_read_and_past_games_looked_for_without_leaving_the_screen(
    walk: Callable[[Walk], Path],
) -> None:
    async def steps(screen: Terminal) -> None:
        screen.type("5")
        await screen.shows("omnibus")
        screen.type(DOWN * 4 + ENTER)
        await screen.shows("Rules of omnibus")
        screen.type(ESCAPE)
        await screen.shows("preset")
        screen.type(ESCAPE)
        await screen.shows("Settings")
        screen.type("4")
        await screen.shows("no game has been played to its end here")
        screen.type(ESCAPE)
        await screen.shows("Settings")
        screen.type(ESCAPE)

    walk(steps)


def test_settings_are_kept_in_the_file_and_hold_at_once(walk: Callable[[Walk], Path]) -> None:
    async def steps(screen: Terminal) -> None:
        screen.type("6")
        await screen.shows("Keep these")
        screen.type("\x1b[C" + DOWN * 12 + ENTER)
        await screen.shows("Past games")
        screen.type("6")
        await screen.shows(f"<{Theme.FELT.value}>")
        screen.type(ESCAPE)
        await screen.shows("Past games")
        screen.type(ESCAPE)

    assert (walk(steps) / "settings.toml").read_text() == 'theme = "felt"\n'
