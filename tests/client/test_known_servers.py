"""Servers met before: remembered whole, by every terminal of one user, and never half."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path

import pytest

from hearts_client.known_servers import FILE_NAME, KnownServers
from hearts_client.trust import Distrust

ONE, OTHER = "a" * 32, "b" * 32


def test_a_server_that_was_met_is_known_in_the_next_terminal(tmp_path: Path) -> None:
    assert KnownServers(tmp_path / "data").pin_of("there:1") is None
    assert KnownServers(tmp_path / "data").meet("there:1", ONE) == ONE
    assert KnownServers(tmp_path / "data").pin_of("there:1") == ONE
    assert KnownServers(tmp_path / "data").pin_of("there:2") is None
    assert (tmp_path / "data" / FILE_NAME).stat().st_mode & 0o777 == 0o600


def test_the_first_meeting_is_the_one_that_counts(tmp_path: Path) -> None:
    KnownServers(tmp_path).meet("there:1", ONE)
    assert KnownServers(tmp_path).meet("there:1", OTHER) == ONE
    KnownServers(tmp_path).replace("there:1", OTHER)
    assert KnownServers(tmp_path).pin_of("there:1") == OTHER


def test_terminals_that_meet_servers_at_once_lose_none(tmp_path: Path) -> None:
    servers = [f"there:{port}" for port in range(1, 41)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(KnownServers(tmp_path).meet, servers, repeat(ONE)))
    assert {KnownServers(tmp_path).pin_of(server) for server in servers} == {ONE}
    left = {path.name for path in tmp_path.iterdir()}
    assert left - {"known_servers.lock"} == {FILE_NAME}, "no drafts"


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"there:1": 5}', '{"there:1": ""}', '{"there:1": "x"}', "\xff"]
)
def test_a_damaged_file_is_not_taken_for_a_first_meeting(tmp_path: Path, content: str) -> None:
    (tmp_path / FILE_NAME).write_text(content, encoding="latin-1")
    damaged, says = KnownServers(tmp_path), r"known_servers\.json cannot be read.* or remove it"
    with pytest.raises(Distrust, match=says):
        damaged.pin_of("there:1")
    with pytest.raises(Distrust, match=says):
        damaged.meet("there:1", ONE)
    with pytest.raises(Distrust, match=says):
        damaged.replace("there:1", ONE)
    assert (tmp_path / FILE_NAME).read_text(encoding="latin-1") == content


def test_what_is_remembered_can_be_read_and_mended_by_hand(tmp_path: Path) -> None:
    KnownServers(tmp_path).meet("[fd00::1]:4246", ONE)
    assert json.loads((tmp_path / FILE_NAME).read_text()) == {"[fd00::1]:4246": ONE}
    (tmp_path / FILE_NAME).write_text(json.dumps({"there:1": f"{OTHER[:16]}-{OTHER[16:]}"}))
    assert KnownServers(tmp_path).pin_of("there:1") == OTHER


def test_a_server_that_cannot_be_remembered_is_not_talked_to(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("where the data folder should be")
    with pytest.raises(Distrust, match="cannot be written"):
        KnownServers(tmp_path / "file" / "data").meet("there:1", ONE)
