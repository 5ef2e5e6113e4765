"""`hearts serve` and `hearts join` over TLS: one text to paste, and nobody in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hearts_cli.main import main
from hearts_cli.testing import Hearts, StartHearts
from hearts_client.invite import Invite


def hearts(*arguments: str | Path) -> Result:
    """A command that needs no process of its own."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def invite_of(server: Hearts) -> Invite:
    """What the server tells people to join."""
    return Invite.parse(server.until("to sit down").rsplit(" ", 1)[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hearts]:
    """A server on loopback that encrypts all the same; its first lines are not read yet."""
    data = tmp_path_factory.mktemp("server")
    running = Hearts(("serve", "--port", "0", "--tls", "always", "--data", str(data)), {})
    yield running
    running.close()


@pytest.fixture(scope="module")
def aloud(server: Hearts) -> str:
    """The fingerprint that the server prints for people."""
    return server.until("encrypted, with the certificate").rsplit(" ", 1)[1]


@pytest.fixture(scope="module")
def invite(server: Hearts, aloud: str) -> Invite:
    return invite_of(server)


def test_one_pasted_text_is_all_that_others_need_to_play_over_tls(
    start: StartHearts, tmp_path: Path
) -> None:
    arguments = ("serve", "--host", "0.0.0.0", "--port", "0", "--no-discovery", "--target", "1")
    server = start(*arguments, "--data", tmp_path)
    server.until("encrypted, with the certificate")
    invite = invite_of(server)
    assert invite.host != "0.0.0.0"
    assert invite.table == "oak-1"
    seat = start(
        "join",
        str(invite),
        "--auto",
        "--name",
        "Bot",
        "--fill",
        "easy",
        "--data",
        tmp_path / "seat",
    )
    assert seat.end() == 0
    assert seat.lines[-1] == "audit: clean"
    listed = hearts("replays", "--server", str(invite), "--data", tmp_path / "new")
    assert "Bot" in listed.output


def test_a_killed_server_and_a_killed_terminal_meet_again_over_tls(
    start: StartHearts, tmp_path: Path
) -> None:
    serve = ("serve", "--tls", "always", "--target", "100", "--data", tmp_path / "server")
    server = start(*serve, "--port", "0")
    invite = invite_of(server)
    first = start("join", str(invite), "--auto", "--fill", "easy", "--data", tmp_path / "seat")
    first.until("TRICK 3")
    server.kill()
    first.until("OFFLINE")
    server = start(*serve, "--port", str(invite.port))
    server.until("taken up again")
    first.until("TRICK")
    first.kill()
    second = start("join", invite.address, "--auto", "--data", tmp_path / "seat")
    assert second.end() == 0
    assert "taking up your seat at oak-1 again" in second.lines
    assert second.lines[-1] == "audit: clean"


def test_a_server_that_is_not_the_one_of_the_invite_exits_with_3(
    invite: Invite, tmp_path: Path
) -> None:
    forged = f"hearts://{invite.address}/oak-1#{'a' * 32}"
    seat = hearts("join", forged, "--auto", "--data", tmp_path)
    assert seat.exit_code == 3
    assert "not the one that invited you" in seat.output
    assert not (tmp_path / "known_servers.json").exists()


def test_a_server_set_up_anew_exits_with_3_until_its_invite_is_used(
    invite: Invite, tmp_path: Path
) -> None:
    known = {invite.address: "b" * 32}
    (tmp_path / "known_servers.json").write_text(json.dumps(known))
    ask = ("replays", "--data", tmp_path, "--server")
    refused = hearts(*ask, invite.address)
    assert refused.exit_code == 3
    assert "ask who runs it for its invite" in refused.output
    assert hearts(*ask, str(invite)).exit_code == 0
    assert hearts(*ask, invite.address).exit_code == 0


def test_a_first_meeting_is_said_and_remembered(invite: Invite, aloud: str, tmp_path: Path) -> None:
    ask = ("replays", "--server", invite.address, "--data", tmp_path)
    first = hearts(*ask, "--tls", "always")
    assert first.exit_code == 0
    assert first.stderr.startswith(f"first time at {invite.address}")
    assert first.stderr.rstrip().endswith(aloud)
    assert hearts(*ask).stderr == ""
    third = hearts(*ask, "--tls", "never")
    assert third.exit_code == 3
    assert "leave --tls never out" in third.output


def test_others_are_let_in_without_encryption_only_with_a_warning(
    start: StartHearts, tmp_path: Path
) -> None:
    arguments = ("serve", "--host", "0.0.0.0", "--port", "0", "--no-discovery", "--tls", "never")
    server = start(*arguments, "--data", tmp_path)
    server.until("WARNING: not encrypted")
    assert server.until("to sit down").endswith(" --tls never")


@pytest.mark.parametrize("host", ["", "two words", "127.0.0.1:4246"])
def test_a_host_that_is_none_exits_with_2(tmp_path: Path, host: str) -> None:
    server = hearts("serve", "--host", host, "--port", "0", "--data", tmp_path)
    assert server.exit_code == 2
    assert "no name or address of a machine" in server.output


def test_a_table_beside_an_invite_for_another_exits_with_2(tmp_path: Path) -> None:
    seat = hearts("join", "hearts://127.0.0.1:9/oak-1", "pine-2", "--auto", "--data", tmp_path)
    assert seat.exit_code == 2
    assert "the invite is for table oak-1" in seat.output
