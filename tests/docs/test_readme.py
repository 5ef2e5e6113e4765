"""The game that the README shows is the game that one gets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from prompt_toolkit.formatted_text import fragment_list_to_text

from hearts_cli.main import main
from hearts_client.cardnames import CardStyle
from hearts_client.news import Ask, Asked, Happened, Joined
from hearts_client.screen.lines import Size
from hearts_client.screen.render import draw
from hearts_client.screen.table_state import TableState, hurried, receive
from hearts_engine.cards import Seat
from hearts_engine.events import DealBegan, Event
from hearts_engine.evolve import replay
from hearts_engine.view import SeatView, observe, visible
from hearts_replays.archive import Archive
from hearts_wire.records import decode_record

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SHOWN = r"`hearts (play --auto [^`]+)`[^`]*^```text\n(.*?)^```"
SCREEN = r"^```text\n( oak-1 .*?)^```"
ANY_ORDER = ("READY", "CHOSEN", "YOUR PASS")
"""Seats choose their passes at once, so who is first depends on the machine."""
OWN = ("game ", "head ")
"""Every game has an id and a head of its own, the same seed or not."""
ENDING = re.compile(r"SCORES|WINNER|game |head |dealing|audit")
SOUTH = Seat(0)
TRICKS = 2
"""How many have been taken where the README's screen was taken down."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def output(folder: Path) -> str:
    """What the README's command prints."""
    ((command, _),) = re.findall(SHOWN, README, re.MULTILINE | re.DOTALL)
    arguments = [*command.split(), "--data", str(folder)]
    played = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert played.exit_code == 0
    return played.output


def test_the_readme_shows_the_lines_of_the_game_that_its_command_plays(output: str) -> None:
    ((_, block),) = re.findall(SHOWN, README, re.MULTILINE | re.DOTALL)
    fresh = _excerpt(output)
    assert fresh.splitlines()[-1] == "audit: clean"
    same = _comparable(block) == _comparable(fresh)
    assert same, f"the bots or the words have changed; put this into the README:\n{fresh}"


def test_the_readme_shows_the_screen_of_that_game(output: str, folder: Path) -> None:
    assert output
    (block,) = re.findall(SCREEN, README, re.MULTILINE | re.DOTALL)
    with Archive.open(folder) as archive:
        (game,) = archive.games()
        fresh = _screen([decode_record(data).event for data in archive.records(game)])
    same = _comparable(block) == _comparable(fresh)
    assert same, f"the bots or the screen have changed; put this into the README:\n{fresh}"


def test_the_readme_lists_the_presets_as_the_command_does() -> None:
    shown = r"`hearts rules list`:\n\n```text\n(.*?)^```"
    (block,) = re.findall(shown, README, re.MULTILINE | re.DOTALL)
    assert block == CliRunner().invoke(main, ["rules", "list"]).output


def _excerpt(output: str) -> str:
    """What the README shows of a game: its beginning, up to the first trick, and its end."""
    beginning = output[: output.index("TRICK 2 ")]
    end = [line for line in output.splitlines() if ENDING.match(line)]
    return "\n".join([f"{beginning}...", *end, ""])


def _comparable(excerpt: str) -> tuple[list[str], list[str]]:
    """The lines that must come in this order, and those that must come in any."""
    lines = [line for line in excerpt.splitlines() if not line.startswith(OWN)]
    any_order = sorted(line for line in lines if line.startswith(ANY_ORDER))
    return [line for line in lines if not line.startswith(ANY_ORDER)], any_order


def _screen(events: Sequence[Event]) -> str:
    """What South sees when it has to follow suit to the third trick."""
    begun = next(at for at, event in enumerate(events) if isinstance(event, DealBegan))
    due = next(at for at in range(len(events)) if _is_due(_view(events[:at])))
    view = _view(events[:due])
    before = _view(events[:begun])
    assert view is not None
    assert before is not None
    state = TableState(CardStyle.SYMBOLS)
    news = (
        Joined(before, visible(events[:begun], SOUTH), returned=False),
        Happened(visible(events[begun:due], SOUTH), view),
        Asked(Ask.CARD, view, None),
    )
    for item in news:
        state = hurried(receive(state, item))
    text = fragment_list_to_text(draw(state, Size(80, 24)))
    return "\n".join([*(line.rstrip() for line in text.splitlines()), ""])


def _view(events: Sequence[Event]) -> SeatView | None:
    state = replay(events)
    return None if state is None else observe(state, SOUTH)


def _is_due(view: SeatView | None) -> bool:
    if view is None or view.turn != SOUTH or len(view.tricks) < TRICKS:
        return False
    return bool(view.trick.cards) and view.legal != view.hand
