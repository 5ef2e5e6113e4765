"""A whole game at the full screen of a pseudo-terminal, through a resize and a killed server."""

from __future__ import annotations

import re
from pathlib import Path

from hearts_cli.testing import StartHearts, StartTerminal, Terminal

RIGHT, ENTER, SPACE, TAB = "\x1b[C", "\r", " ", "\t"
ALTERNATE_ON, ALTERNATE_OFF = b"\x1b[?1049h", b"\x1b[?1049l"


def test_a_game_goes_on_over_a_resize_and_a_killed_server_and_the_terminal_comes_back(
    start: StartHearts, terminal: StartTerminal, tmp_path: Path
) -> None:
    serve = ("serve", "--port", "0", "--clock", "none", "--data", tmp_path / "server")
    server = start(*serve, "--rules", "black_lady deals=1 tie=shared")
    port = re.findall(r":(\d+)", server.until("listening on"))[-1]
    join = ("join", f"127.0.0.1:{port}", "--fill", "easy", "--set", "pace=fast")
    screen = terminal(*join, "--data", tmp_path / "ann")
    screen.shows("Space marks a card")
    screen.type(SPACE + RIGHT + SPACE + RIGHT + SPACE + ENTER)
    screen.shows("received")
    play_tricks(screen, 4)
    screen.resize(60, 20)
    screen.shows("cards in trick")
    play_tricks(screen, 2)
    server.kill()
    screen.shows("connection lost")
    again = ("serve", "--port", port, "--clock", "none", "--data", tmp_path / "server")
    start(*again).until("listening on")
    screen.shows("back at the table")
    screen.resize(120, 40)
    screen.shows("What happened")
    while "audit:" not in screen.text:
        play_tricks(screen, 1)
    screen.shows("audit: clean")
    screen.shows("play again")
    screen.type("n\r")
    assert screen.end() == 0
    assert screen.raw.count(ALTERNATE_ON) == screen.raw.count(ALTERNATE_OFF) >= 1


def play_tricks(screen: Terminal, count: int) -> None:
    """Play the first legal card whenever one is due; any key goes on from what is held."""
    for _ in range(count):
        text = screen.shows_one_of("Enter play", "next legal", "any key", "audit:")
        if "audit:" in text:
            return
        screen.type(SPACE if "any key" in text else TAB if "next legal" in text else ENTER)
        screen.changes(text)
