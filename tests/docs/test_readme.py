"""The game that the README shows is the game that one gets."""

from __future__ import annotations

import re
from pathlib import Path

from click.testing import CliRunner

from hearts_cli.main import main

README = Path(__file__).parents[2] / "README.md"
ANY_ORDER = ("READY", "CHOSEN", "YOUR PASS")
"""Seats choose their passes at once, so who is first depends on the machine."""
OWN = ("game ", "head ")
"""Every game has an id and a head of its own, the same seed or not."""
ENDING = re.compile(r"SCORES|WINNER|game |head |dealing|audit")


def test_the_readme_shows_the_game_that_its_command_plays(tmp_path: Path) -> None:
    page = README.read_text(encoding="utf-8")
    ((command, block),) = re.findall(
        r"`hearts (play --auto [^`]+)`[^`]*^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL
    )
    arguments = [*command.split(), "--data", str(tmp_path)]
    played = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert played.exit_code == 0
    assert played.output.splitlines()[-1] == "audit: clean"
    fresh = _excerpt(played.output)
    same = _comparable(block) == _comparable(fresh)
    assert same, f"the bots or the words have changed; put this into the README:\n{fresh}"


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
