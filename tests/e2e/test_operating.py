"""A server as those who run it meet it: its log, its metrics, its health, its end."""

from __future__ import annotations

import json
import signal
import urllib.request
from pathlib import Path

from hearts_cli.testing import Hearts, StartHearts


def address_in(line: str) -> str:
    """Where a server says that it listens."""
    return line.rsplit(" ", 1)[1]


def logged(server: Hearts) -> list[dict[str, object]]:
    """The server's log, as a program reads it."""
    return [json.loads(line) for line in server.lines if line.startswith("{")]


def said(server: Hearts) -> list[str]:
    """What the server printed for whoever started it."""
    return [line for line in server.lines if not line.startswith("{")]


def test_a_server_told_to_stop_in_mid_game_tells_everyone_and_the_game_goes_on(
    start: StartHearts, tmp_path: Path
) -> None:
    arguments = ("--data", tmp_path / "server", "--log-format", "json", "--log-level", "info")
    server = start("serve", "--port", "0", "--target", "200", *arguments)
    address = address_in(server.until("listening on"))
    seat = start("join", address, "--auto", "--fill", "easy", "--data", tmp_path / "seat")
    seat.until("TRICK 5")
    server.kill(signal.SIGTERM)
    assert server.end() == 0
    assert said(server)[-2:] == ["stopping", "stopped; games under way are kept"]
    names = [entry["entry"] for entry in logged(server)]
    assert names[0] == "listening"
    assert names[-1] == "stopped"
    (gone,) = [entry for entry in logged(server) if entry["entry"] == "detached"]
    assert (gone["table"], gone["seat"], gone["reason"]) == ("oak-1", 0, "draining")
    assert not any("Traceback" in line for line in server.lines)
    again = start("serve", "--port", address.rsplit(":", 1)[1], *arguments)
    assert seat.end() == 0
    assert seat.lines[-1] == "audit: clean"
    again.kill(signal.SIGINT)
    assert again.end() == 0
    assert "table_taken_up" in [entry["entry"] for entry in logged(again)]


def test_a_server_says_nothing_but_where_it_is_and_how_to_join_unless_asked(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--data", tmp_path)
    address = address_in(server.until("listening on"))
    server.until("to sit down")
    server.kill(signal.SIGTERM)
    assert server.end() == 0
    assert server.lines == [
        f"listening on {address}",
        "table oak-1 (Standard) is open",
        f"to sit down: hearts join hearts://{address}/oak-1",
        "stopping",
        "stopped; games under way are kept",
    ]


def test_metrics_are_served_where_the_server_says(start: StartHearts, tmp_path: Path) -> None:
    server = start("serve", "--port", "0", "--metrics-port", "0", "--data", tmp_path)
    where = address_in(server.until("metrics on"))
    assert where.startswith("http://127.0.0.1:")
    server.until("is open")
    with urllib.request.urlopen(where, timeout=60) as answer:
        assert b'hearts_tables{status="seating"} 1.0' in answer.read()
    port = where.removesuffix("/metrics").rsplit(":", 1)[1]
    second = start("serve", "--port", "0", "--metrics-port", port, "--data", tmp_path / "second")
    assert second.end() == 2
    assert "choose another port" in second.lines[-1]


def test_health_is_0_of_a_server_that_takes_calls_and_3_where_there_is_none(
    start: StartHearts, tmp_path: Path
) -> None:
    server = start("serve", "--port", "0", "--tls", "always", "--data", tmp_path)
    address = address_in(server.until("listening on"))
    server.until("to sit down")
    asked = start("health", address, "--tls", "always")
    assert asked.end() == 0
    assert asked.lines == [f"{address} is serving"]
    server.kill()
    asked = start("health", address, "--tls", "always")
    assert asked.end() == 3
    assert "no server answers" in asked.lines[-1]
