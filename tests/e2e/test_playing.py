"""`hearts play`: one command plays a whole real game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hearts_cli.testing import PATIENCE, StartHearts, StartTerminal


def cards_of(lines: list[str]) -> list[str]:
    """What was dealt and played, without the order in which seats were ready."""
    return [line for line in lines if line.startswith(("HAND", "CARD", "TAKEN", "TOTALS"))]


def test_one_command_plays_a_game_to_100_and_its_log_audits(
    start: StartHearts, tmp_path: Path
) -> None:
    game = start("play", "--auto", "--plain", "--seed", "demo", "--data", tmp_path)
    assert game.end() == 0
    totals = next(line.split()[2:] for line in game.lines if line.startswith("SCORES total"))
    assert max(map(int, totals)) >= 100
    assert any(line.startswith("WINNER") for line in game.lines)
    assert len(next(line for line in game.lines if line.startswith("game ")).split()[1]) == 32
    assert game.lines[-1] == "audit: clean"


def test_the_same_seed_and_bots_give_the_same_cards_again(
    start: StartHearts, tmp_path: Path
) -> None:
    arguments = ("play", "--auto", "--plain", "--seed", "again", "--target", "30")
    first = start(*arguments, "--data", tmp_path / "first")
    second = start(*arguments, "--data", tmp_path / "second")
    assert (first.end(), second.end()) == (0, 0)
    assert cards_of(first.lines) == cards_of(second.lines)
    assert len(cards_of(first.lines)) > 52


def test_without_a_seed_no_two_games_are_alike(start: StartHearts, tmp_path: Path) -> None:
    arguments = ("play", "--auto", "--plain", "--target", "1", "--data", tmp_path)
    first, second = start(*arguments), start(*arguments)
    assert (first.end(), second.end()) == (0, 0)
    assert cards_of(first.lines) != cards_of(second.lines)
    assert "no one alone" in first.lines[-2]


def test_a_broken_off_game_is_offered_again_and_goes_on(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    arguments = ("play", "--plain", "--target", "1", "--data", tmp_path)
    first = terminal(*arguments)
    first.shows("YOUR PASS")
    hand = next(line for line in first.text.splitlines() if line.startswith("HAND"))
    first.kill()
    second = terminal(*arguments)
    second.shows("go on with your game of")
    second.type("yes\n")
    second.shows("YOUR PASS")
    assert hand in second.text


def test_a_broken_off_game_that_is_not_wanted_makes_room_for_a_new_one(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    arguments = ("play", "--plain", "--data", tmp_path)
    first = terminal(*arguments)
    first.shows("YOUR PASS")
    first.kill()
    second = terminal(*arguments)
    second.shows("go on with your game of")
    second.type("no\n")
    second.shows("TABLE elm-1")


def test_the_full_screen_takes_a_pass_and_leaves_the_terminal_as_it_was(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    game = terminal("play", "--data", tmp_path)
    game.shows("pass 3 cards")
    game.type(" \x1b[C \x1b[C ")
    game.shows("3 of 3 marked")
    game.type("\r")
    game.shows("trick 1 of 13")
    game.type("\x11")
    game.shows("leave")
    game.type("y")
    assert game.end() == 0
    assert b"\x1b[?1049l" in game.raw, "the alternate screen is left"
    assert game.raw.rfind(b"\x1b[?25h") > game.raw.rfind(b"\x1b[?25l"), "the cursor is shown"


def test_input_that_ends_while_a_card_is_due_is_said_and_exits_with_2(
    start: StartHearts, tmp_path: Path
) -> None:
    game = start("play", "--plain", "--data", tmp_path)
    assert game.end() == 2
    assert any(line.startswith("INPUT ended while a decision is due") for line in game.lines)
    assert "is kept" in game.lines[-1]


def test_whoever_has_seen_enough_of_a_game_in_a_pipe_gets_no_traceback(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "hearts_cli", "play", "--auto", "--data", tmp_path)
    sources = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": sources},
    ) as game:
        assert game.stdout is not None
        assert game.stderr is not None
        assert game.stdout.readline().startswith("TABLE")
        game.stdout.close()
        assert game.stderr.read() == ""
        assert game.wait(PATIENCE) != 0


def test_a_target_that_makes_no_game_is_refused_with_what_would_be_right(
    start: StartHearts, tmp_path: Path
) -> None:
    game = start("play", "--auto", "--target", "0", "--data", tmp_path)
    assert game.end() == 2
    assert "1 to 1000" in " ".join(game.lines)


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "a\nb", "\udcff"], ids=repr)
def test_a_name_that_no_table_takes_opens_no_game(
    start: StartHearts, tmp_path: Path, name: str
) -> None:
    game = start("play", "--auto", "--name", name, "--data", tmp_path)
    assert game.end() == 2
    assert "printable characters" in game.lines[-1]
    assert not (tmp_path / "hearts.sqlite3").exists()


def test_a_key_that_cannot_be_read_is_said_in_a_sentence(
    start: StartHearts, tmp_path: Path
) -> None:
    (tmp_path / "signing-key.pem").write_text("junk")
    for command in (("play", "--auto"), ("audit", "last")):
        refused = start(*command, "--data", tmp_path)
        assert refused.end() == 2
        assert "signing-key.pem" in refused.lines[-1]


def test_leaving_at_a_question_opens_no_game(terminal: StartTerminal, tmp_path: Path) -> None:
    first = terminal("play", "--plain", "--data", tmp_path)
    first.shows("YOUR PASS")
    first.kill()
    second = terminal("play", "--plain", "--data", tmp_path)
    second.shows("go on with your game of")
    second.type("what?\n")
    second.type("\x04")
    assert second.end() == 0
    third = terminal("play", "--plain", "--data", tmp_path)
    third.shows("go on with your game of")
