"""`hearts replays`, `replay`, `export` and `audit`: a game long after it was played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hearts_cli.testing import StartHearts, StartTerminal


@pytest.fixture
def played(start: StartHearts, tmp_path: Path) -> Path:
    """A data folder with one short finished game."""
    data = tmp_path / "data"
    assert start("play", "--auto", "--target", "1", "--name", "Zoë", "--data", data).end() == 0
    return data


def test_a_finished_game_is_listed_for_people_and_for_machines(
    start: StartHearts, played: Path
) -> None:
    people = start("replays", "--data", played)
    assert people.end() == 0
    assert "Zoë" in people.lines[0]
    machines = start("replays", "--json", "--data", played)
    assert machines.end() == 0
    (game,) = json.loads("\n".join(machines.lines))
    assert people.lines[0].startswith(game["game_id"][:12])
    assert game["finished"] is True
    assert game["seats"][0]["name"] == "Zoë"


def test_a_game_is_told_by_the_beginning_of_its_id_or_as_the_last(
    start: StartHearts, played: Path
) -> None:
    listed = start("replays", "--data", played)
    listed.end()
    by_id = start("replay", listed.lines[0][:6], "--data", played)
    by_age = start("replay", "last", "--data", played)
    assert (by_id.end(), by_age.end()) == (0, 0)
    assert by_id.lines == by_age.lines
    assert any("Deal 1" in line for line in by_id.lines)


def test_an_exported_game_audits_on_a_machine_that_never_saw_it(
    start: StartHearts, played: Path, tmp_path: Path
) -> None:
    file = tmp_path / "game.hearts"
    assert start("export", "last", "-o", file, "--data", played).end() == 0
    audit = start("audit", file, "--data", tmp_path / "elsewhere")
    assert audit.end() == 0
    assert audit.lines[0].startswith("clean")
    assert "not known here" in "\n".join(audit.lines)


def test_one_altered_byte_is_a_finding_with_its_record(
    start: StartHearts, played: Path, tmp_path: Path
) -> None:
    file = tmp_path / "game.hearts"
    start("export", "last", "-o", file, "--data", played).end()
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
    audit = start("audit", file, "--json", "--data", tmp_path)
    assert audit.end() == 1
    (report,) = json.loads("\n".join(audit.lines))
    assert not report["clean"]
    assert report["finding"]["seq"] > 1


def test_a_file_that_is_no_log_exits_with_2(start: StartHearts, tmp_path: Path) -> None:
    file = tmp_path / "notes.hearts"
    file.write_text("dear diary")
    audit = start("audit", file, "--data", tmp_path)
    assert audit.end() == 2


def test_all_games_are_audited_and_those_running_counted_apart(
    start: StartHearts, terminal: StartTerminal, played: Path
) -> None:
    broken_off = terminal("play", "--plain", "--data", played)
    broken_off.shows("YOUR PASS")
    broken_off.kill()
    audit = start("audit", "--all", "--data", played)
    assert audit.end() == 0
    assert audit.lines[-1] == "1 clean, 1 running or abandoned, 0 with a finding"


def test_an_unfinished_game_named_alone_is_a_finding(
    start: StartHearts, terminal: StartTerminal, tmp_path: Path
) -> None:
    broken_off = terminal("play", "--plain", "--data", tmp_path)
    broken_off.shows("YOUR PASS")
    broken_off.kill()
    listed = start("replays", "--all", "--json", "--data", tmp_path)
    listed.end()
    (game,) = json.loads("\n".join(listed.lines))
    audit = start("audit", game["game_id"], "--data", tmp_path)
    assert audit.end() == 1
    assert "nobody has sealed the log" in audit.lines[0]
    for command in (("replay",), ("export", "-o", tmp_path / "peek.hearts")):
        peek = start(*command, game["game_id"], "--data", tmp_path)
        assert peek.end() == 2
        assert "shows all hands" in peek.lines[-1]
    assert start("replay", game["game_id"], "--unfinished", "--data", tmp_path).end() == 0


def test_the_key_that_sealed_can_be_required(start: StartHearts, played: Path) -> None:
    audit = start("audit", "last", "--json", "--data", played)
    audit.end()
    (report,) = json.loads("\n".join(audit.lines))
    right = report["seal"]["fingerprint"]
    wrong = right[::-1] if right != right[::-1] else f"0{right[1:]}"
    assert start("audit", "last", "--key", right, "--data", played).end() == 0
    assert start("audit", "last", "--key", wrong, "--data", played).end() == 1
    assert start("audit", "last", "--key", "nonsense", "--data", played).end() == 2


def test_a_server_s_games_are_listed_replayed_and_audited_from_afar(
    start: StartHearts, played: Path, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", played)
    address = server.until("listening on").rsplit(" ", 1)[1]
    asked = ("--server", address, "--data", tmp_path / "elsewhere")
    listed = start("replays", *asked)
    assert listed.end() == 0
    game = listed.lines[0][:12]
    assert start("replay", game, *asked).end() == 0
    assert start("export", game, "-o", tmp_path / "far.hearts", *asked).end() == 0
    assert start("audit", "--all", *asked).end() == 0


def test_an_unknown_game_exits_with_2_and_says_how_to_find_one(
    start: StartHearts, tmp_path: Path
) -> None:
    replay = start("replay", "nowhere", "--data", tmp_path)
    assert replay.end() == 2
    assert "hearts replays lists the games" in replay.lines[-1]
