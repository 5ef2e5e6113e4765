"""`--rules`: tables of 3 to 10 seats, by any rules, through the command that people type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hearts_cli.testing import StartHearts, StartTerminal
from hearts_engine.ruletext import parse_rules


def count(lines: list[str], word: str) -> int:
    """How many lines begin with this word."""
    return sum(line.split(" ", 1)[0] == word for line in lines)


@pytest.mark.parametrize(
    ("rules", "seats", "tricks"),
    [
        ("black_maria deals=1 tie=shared", 3, 17),
        ("cancellation deals=1 tie=shared moon=none", 6, 17),
        ("cancellation players=10 deals=1 tie=shared moon=none", 10, 10),
    ],
)
def test_one_command_plays_a_game_for_any_number_of_seats_and_its_log_audits(
    start: StartHearts, tmp_path: Path, rules: str, seats: int, tricks: int
) -> None:
    data = ("--data", tmp_path)
    game = start("play", "--auto", "--plain", "--rules", rules, "--seed", "demo", *data)
    assert game.end() == 0, game.lines
    assert count(game.lines, "SEAT") == seats
    assert count(game.lines, "TRICK") == tricks
    assert count(game.lines, "CARD") == tricks * (seats - 1)
    totals = next(line.split()[2:] for line in game.lines if line.startswith("SCORES total"))
    assert len(totals) == seats
    assert sum(map(int, totals)) == parse_rules(rules).penalty_total
    assert game.lines[-1] == "audit: clean"
    audited = start("audit", "last", *data)
    assert audited.end() == 0
    assert audited.lines[0].startswith("clean")


def test_the_target_on_its_own_overrides_that_of_the_rules(
    start: StartHearts, tmp_path: Path
) -> None:
    asked = ("--rules", "five target=80", "--target", "1")
    assert start("play", "--auto", *asked, "--data", tmp_path).end() == 0
    assert listed(start, tmp_path)["rules"] == "five target=1"


def test_lists_say_what_was_played(start: StartHearts, tmp_path: Path) -> None:
    rules = "three bonus=TD:5 target=1"
    assert start("play", "--auto", "--rules", rules, "--data", tmp_path).end() == 0
    people = start("replays", "--data", tmp_path)
    assert people.end() == 0
    assert rules in people.lines[0]
    assert listed(start, tmp_path)["rules"] == rules


def test_a_broken_off_game_is_offered_again_by_its_rules(
    terminal: StartTerminal, tmp_path: Path
) -> None:
    first = terminal("play", "--plain", "--rules", "three target=5", "--data", tmp_path)
    first.shows("YOUR PASS")
    first.kill()
    second = terminal("play", "--plain", "--data", tmp_path)
    second.shows("three target=5, deal 1")


def test_a_server_s_tables_play_by_its_rules(start: StartHearts, tmp_path: Path) -> None:
    server = start(
        "serve", "--port", "0", "--rules", "three target=1", "--data", tmp_path / "server"
    )
    address = server.until("listening on").rsplit(" ", 1)[1]
    for number in range(2):
        data = tmp_path / str(number)
        seat = start("join", address, "--auto", "--fill", "easy", "--data", data)
        assert seat.end() == 0
        assert count(seat.lines, "SEAT") == 3
        assert seat.lines[-1] == "audit: clean"


def test_whoever_joins_for_other_rules_gets_a_table_of_these(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path / "server")
    address = server.until("listening on").rsplit(" ", 1)[1]
    rules = ("--rules", "three target=1")
    first = start("join", address, "--auto", *rules, "--data", tmp_path / "first")
    first.until("2 seats are free")
    second = start(
        "join", address, "--auto", *rules, "--fill", "easy", "--data", tmp_path / "second"
    )
    assert (first.end(), second.end()) == (0, 0)
    sat = [next(line for line in seat.lines if "you sit" in line) for seat in (first, second)]
    assert all("at elm-1" in line for line in sat)


def test_a_table_s_own_rules_cannot_be_chosen(start: StartHearts, tmp_path: Path) -> None:
    arguments = ("join", "127.0.0.1:9", "oak-1", "--rules", "three", "--data", tmp_path)
    seat = start(*arguments)
    assert seat.end() == 2
    assert "name it, or say those" in seat.lines[-1]


@pytest.mark.parametrize(
    ("verb", "rules", "sentence"),
    [
        (("play", "--auto"), "whist", "'whist' is not a preset; choose among black_lady"),
        (("serve",), "black_lady players=5", "do not divide among them"),
        (("join", "127.0.0.1:9"), "omnibus moon=sometimes", "choose among add, subtract"),
    ],
)
def test_rules_that_cannot_be_played_are_refused_before_anything_is_opened(
    start: StartHearts, tmp_path: Path, verb: tuple[str, ...], rules: str, sentence: str
) -> None:
    refused = start(*verb, "--rules", rules, "--data", tmp_path)
    assert refused.end() == 2
    assert sentence in " ".join(refused.lines)
    assert list(tmp_path.iterdir()) == []


def listed(start: StartHearts, data: Path) -> dict[str, Any]:
    """The one game of a data folder, as machines get it."""
    machines = start("replays", "--json", "--data", data)
    assert machines.end() == 0
    games: list[dict[str, Any]] = json.loads("\n".join(machines.lines))
    assert len(games) == 1
    return games[0]
