"""A table with other people, by the command: leaving, coming back, taking over, watching."""

from __future__ import annotations

from pathlib import Path

from hearts_cli.testing import StartHearts, StartTerminal


def address_in(line: str) -> str:
    """Where a server says that it listens."""
    return line.rsplit(" ", 1)[1]


def test_a_game_goes_on_over_a_killed_client_a_take_over_and_a_return(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--target", "300", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    seat = ("join", address, "--auto", "--data", tmp_path / "ann")
    first = start(*seat, "--name", "Ann", "--fill", "easy")
    first.until("TRICK 2")
    watcher = start("watch", address, "--plain", "--data", tmp_path / "eve")
    watcher.until("you are a spectator")
    first.kill()
    guest = start(
        *("join", address, "--auto", "--name", "Bob", "--data", tmp_path / "bob"),
        *("--take-over", "north"),
    )
    guest.until("you sit North")
    again = start(*seat)
    again.until("taking up your seat")
    assert [each.end() for each in (guest, again, watcher)] == [0, 0, 0]
    assert (guest.lines[-1], again.lines[-1]) == ("audit: clean", "audit: clean")
    assert any(line.startswith("TAKEOVER") for line in watcher.lines)
    assert any(line.startswith("WINNER") for line in watcher.lines)
    assert watcher.lines[-1] == "CLOSED the game is over"


def test_a_seat_that_was_left_to_a_bot_is_taken_up_by_the_same_command(
    start: StartHearts, terminal: StartTerminal, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    seat = ("join", address, "--plain", "--data", tmp_path / "ann")
    first = terminal(*seat)
    first.shows("you sit South")
    other = terminal("join", address, "--fill", "easy", "--data", tmp_path / "bob")
    other.shows("pass 3 cards")  # which keeps the game from its end
    first.shows("YOUR PASS")
    first.type("quit\n")
    first.shows("leave to have a bot play it")
    first.type("leave\n")
    first.shows("a bot plays for you")
    assert first.end() == 0
    other.shows("(left: bot)")
    second = terminal(*seat)
    second.shows("taking up your seat")
    second.shows("the autopilot chose")
    other.shows("is back")


def test_the_host_pauses_and_says_something_on_the_screen(
    start: StartHearts, terminal: StartTerminal, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    game = terminal("join", address, "--fill", "easy", "--data", tmp_path / "ann")
    game.shows("pass 3 cards")
    game.type("z")
    game.shows("you paused the game")
    game.type("z")
    game.shows("pass 3 cards")
    game.type("mBrb, the DOOR\r")
    game.shows("You: Brb, the DOOR")


def test_a_table_with_a_passcode_refuses_whoever_does_not_know_it(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--target", "1", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    host = start(
        *("join", address, "--new", "--plain", "--auto", "--data", tmp_path / "ann"),
        HEARTS_PASSCODE="swordfish",
    )
    host.until("you sit South at elm-1")
    other = ("join", address, "elm-1", "--auto", "--data", tmp_path / "bob")
    wrong = start(*other, HEARTS_PASSCODE="sardine")
    assert wrong.end() == 3
    assert "not the passcode" in wrong.lines[-1]
    missing = start(*other)
    assert missing.end() == 3
    assert "asks for a passcode" in missing.lines[-1]
    right = start(*other, "--fill", "easy", HEARTS_PASSCODE="swordfish")
    assert right.end() == 0
    assert right.lines[-1] == "audit: clean"
