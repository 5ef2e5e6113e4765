"""`hearts serve` and `hearts join`: separate processes around one table."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from hearts_cli.testing import StartHearts, StartTerminal


def address_in(line: str) -> str:
    """Where a server says that it listens."""
    return line.rsplit(" ", 1)[1]


def test_four_processes_and_a_server_finish_a_game_that_each_audits(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    seats = [
        start("join", address, "--auto", "--name", f"Bot {number}", "--data", tmp_path / "seats")
        for number in range(4)
    ]
    assert [seat.end() for seat in seats] == [0, 0, 0, 0]
    assert {seat.lines[-1] for seat in seats} == {"audit: clean"}
    assert all("South, West, North and East took part" in seat.lines[-2] for seat in seats)
    heads = {line for seat in seats for line in seat.lines if line.startswith("head after")}
    assert len(heads) == 1, "all four read the same head aloud"
    server.kill(signal.SIGTERM)
    assert server.end() == 0


def test_a_server_gives_as_much_time_as_it_was_told_to(start: StartHearts, tmp_path: Path) -> None:
    arguments = {"usual": (), "slow": ("--clock", "90"), "none": ("--clock", "none")}
    given: list[int] = []
    for name, clock in arguments.items():
        server = start("serve", "--port", "0", *clock, "--data", tmp_path / name)
        tables = start("tables", address_in(server.until("listening on")), "--json")
        assert tables.end() == 0
        given += [table["turn_seconds"] for table in json.loads("\n".join(tables.lines))]
    assert given == [45, 90, 0]


def test_a_killed_server_takes_its_table_up_again_and_nobody_loses_a_card(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--target", "200", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    port = address.rsplit(":", 1)[1]
    seats = [
        start("join", address, "--auto", "--name", f"Bot {number}", "--data", tmp_path / "seats")
        for number in range(4)
    ]
    for kill in range(3):
        seats[0].until("TRICK 5")
        server.kill()
        server = start("serve", "--port", port, "--data", tmp_path / "server")
        server.until("taken up again")
        assert kill < 3
    assert [seat.end() for seat in seats] == [0, 0, 0, 0]
    assert {seat.lines[-1] for seat in seats} == {"audit: clean"}
    assert any(line.startswith("OFFLINE") for line in seats[1].lines)


def test_a_killed_client_takes_its_seat_again(start: StartHearts, tmp_path: Path) -> None:
    server = start("serve", "--port", "0", "--target", "200", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    arguments = ("join", address, "--auto", "--data", tmp_path / "seat")
    first = start(*arguments, "--fill", "easy")
    first.until("TRICK 3")
    first.kill()
    second = start(*arguments)
    assert second.end() == 0
    assert "taking up your seat at oak-1 again" in second.lines[0]
    assert second.lines[-1] == "audit: clean"


def test_two_servers_on_one_data_folder_leave_each_other_s_games_alone(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path)
    server.until("is open")
    game = start("play", "--auto", "--target", "1", "--data", tmp_path)
    assert game.end() == 0
    assert game.lines[-1] == "audit: clean"
    second = start("serve", "--port", "0", "--data", tmp_path)
    second.until("another process owns this data folder")
    assert "taken up again" not in second.until("is open")


def test_a_port_in_use_is_said_in_a_sentence(start: StartHearts, tmp_path: Path) -> None:
    first = start("serve", "--port", "0", "--data", tmp_path / "first")
    port = address_in(first.until("listening on")).rsplit(":", 1)[1]
    second = start("serve", "--port", port, "--data", tmp_path / "second")
    assert second.end() == 2
    assert "choose another port" in second.lines[-1]


def test_a_server_that_is_not_there_exits_with_3(start: StartHearts, tmp_path: Path) -> None:
    seat = start("join", "127.0.0.1:9", "--auto", "--data", tmp_path)
    assert seat.end() == 3
    assert "no server answers" in seat.lines[-1]


def test_a_table_that_is_not_there_exits_with_3_and_says_so(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    seat = start("join", address, "pine-9", "--auto", "--data", tmp_path / "seat")
    assert seat.end() == 3
    assert "no table here is called 'pine-9'; free seats: oak-1" in seat.lines[-1]


def test_whoever_leaves_before_the_start_gives_the_seat_back(
    start: StartHearts, terminal: StartTerminal, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--target", "1", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    early = terminal("join", address, "--plain", "--name", "Early", "--data", tmp_path / "early")
    early.shows("3 seats are free")
    early.shows("SEAT")
    early.type("quit\n")
    early.shows("is free again")
    assert early.end() == 0
    late = start("join", address, "--auto", "--fill", "easy", "--data", tmp_path / "late")
    assert late.end() == 0
    assert late.lines[-1] == "audit: clean"
    assert not any("Early" in line for line in late.lines)


def test_every_table_of_a_server_goes_to_its_target(start: StartHearts, tmp_path: Path) -> None:
    server = start("serve", "--port", "0", "--target", "1", "--data", tmp_path / "server")
    address = address_in(server.until("listening on"))
    for game in range(2):
        seat = start("join", address, "--auto", "--fill", "easy", "--data", tmp_path / str(game))
        assert seat.end() == 0
        assert "RULES Standard, to 1" in seat.lines


@pytest.mark.parametrize(
    "address", ["nohost", "127.0.0.1:abc", "127.0.0.1:99999", ":4246", "a:1#aaaa"]
)
def test_an_address_that_is_none_exits_with_2_and_shows_one(
    start: StartHearts, tmp_path: Path, address: str
) -> None:
    seat = start("join", address, "--auto", "--data", tmp_path)
    assert seat.end() == 2
    assert any(says in seat.lines[-1] for says in ("HOST:PORT", "copy the invite again"))
