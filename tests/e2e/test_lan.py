"""People on one network find each other's tables, and play."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from hearts_cli.testing import Hearts, StartHearts

HOSTS = 4
OWN_RULES = f"black_lady deals=1 target={1 + os.getpid() % 1000}"
"""Nobody else plays by these: on a machine's loopback other servers may be heard too."""


@dataclass(frozen=True)
class Host:
    """A machine of its own, as far as the network is concerned."""

    address: str
    within: tuple[str, ...]
    """The command that runs another there."""


def ip(*words: str) -> None:
    subprocess.run(("ip", *words), check=True, capture_output=True, text=True)


@contextmanager
def network(hosts: int) -> Generator[tuple[Host, ...], None, None]:
    """Machines on a cable, as network namespaces; nothing of them is left afterwards.

    They have no routes but that to each other, and no way out.
    """
    own = f"hearts{os.getpid()}"
    names = [f"{own}h{number}" for number in range(1, hosts + 1)]
    try:
        ip("netns", "add", own)
        ip("-n", own, "link", "add", "cable", "type", "bridge")
        ip("-n", own, "link", "set", "cable", "up")
        yield tuple(_plugged_in(own, name, number) for number, name in enumerate(names, start=1))
    finally:
        for name in (own, *names):
            subprocess.run(("ip", "netns", "del", name), check=False, capture_output=True)


def _plugged_in(cable: str, name: str, number: int) -> Host:
    plug, address = f"plug{number}", f"10.77.0.{number}"
    ip("netns", "add", name)
    ip("-n", cable, "link", "add", plug, "type", "veth", "peer", "name", "eth0", "netns", name)
    ip("-n", cable, "link", "set", plug, "master", "cable", "up")
    ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
    ip("-n", name, "link", "set", "eth0", "up")
    ip("-n", name, "link", "set", "lo", "up")
    host = Host(address, ("ip", "netns", "exec", name))
    subprocess.run((*host.within, "true"), check=True, capture_output=True, text=True)
    return host


@pytest.fixture
def lan() -> Iterator[tuple[Host, ...]]:
    """Hosts on a cable; where this machine may have none, the test is skipped and says so."""
    with ExitStack() as stack:
        try:
            hosts = stack.enter_context(network(HOSTS))
        except subprocess.CalledProcessError as error:
            pytest.skip(f"network namespaces are not allowed here: {error.stderr.strip()}")
        except OSError as error:
            pytest.skip(f"network namespaces cannot be made here: {error}")
        yield hosts


ANNOUNCED = ("--log-level", "info", "--rules", OWN_RULES)
"""For a server: it says on standard error when others can hear of it."""


def test_four_hosts_find_a_table_by_mdns_and_play_over_tls(
    start: StartHearts, lan: tuple[Host, ...], tmp_path: Path
) -> None:
    host = lan[0]
    arguments = ("serve", "--host", host.address, *ANNOUNCED, "--data", tmp_path / "server")
    server = start(*arguments, within=host.within)
    seats = _play(start, server, tmp_path, [each.within for each in lan])
    assert all(f"({host.address}:4246)" in seat.lines[0] for seat in seats)


def test_four_programs_find_a_table_by_mdns_and_play_over_tls_on_one_machine(
    start: StartHearts, tmp_path: Path
) -> None:
    arguments = ("serve", "--host", "127.0.0.2", "--port", "0", "--tls", "always", "--discovery")
    server = start(*arguments, *ANNOUNCED, "--data", tmp_path / "server")
    seats = _play(start, server, tmp_path, [()] * HOSTS)
    assert all("(127.0.0.2:" in seat.lines[0] for seat in seats)


def _play(
    start: StartHearts, server: Hearts, data: Path, hosts: Sequence[tuple[str, ...]]
) -> list[Hearts]:
    """A seat on each host plays one game to its end, having found the server by itself."""
    certificate = server.until("encrypted, with the certificate").rsplit(" ", 1)[1]
    server.until("announced")
    places = [(data / str(number), within) for number, within in enumerate(hosts, start=1)]
    looking = [_seat(start, *place) for place in places]
    seats = [_seated(start, seat, *at) for seat, at in zip(looking, places, strict=True)]
    assert [seat.end() for seat in seats] == [0] * HOSTS, [seat.lines for seat in seats]
    assert {seat.lines[-1] for seat in seats} == {"audit: clean"}
    heads = {line for seat in seats for line in seat.lines if line.startswith("head after")}
    assert len(heads) == 1, "all four read the same head aloud"
    for seat in seats:
        assert any("first time at" in line and certificate in line for line in seat.lines)
    server.kill(signal.SIGTERM)
    assert server.end() == 0
    return seats


def _seated(start: StartHearts, seat: Hearts, data: Path, within: tuple[str, ...]) -> Hearts:
    """Somebody who sits; on a busy machine a look may hear nothing, and is taken again."""
    for _ in range(3):
        try:
            seat.until("you sit")
        except AssertionError:
            assert "no server was found" in "\n".join(seat.lines)
            seat = _seat(start, data, within)
        else:
            return seat
    raise AssertionError("nobody finds the server")


def _seat(start: StartHearts, data: Path, within: tuple[str, ...] = ()) -> Hearts:
    arguments = ("join", "--auto", "--name", f"Bot {data.name}", "--rules", OWN_RULES)
    return start(*arguments, "--data", data, within=within)


def test_every_table_around_is_listed_and_without_a_keyboard_none_is_chosen(
    start: StartHearts, lan: tuple[Host, ...], tmp_path: Path
) -> None:
    within = lan[0].within
    servers = ["127.0.0.1:4301", "127.0.0.1:4302"]
    running = [
        start(
            "serve",
            "--port",
            port,
            "--discovery",
            *ANNOUNCED,
            "--data",
            tmp_path / port,
            within=within,
        )
        for port in ("4301", "4302")
    ]
    for server in running:
        server.until("announced")
    listing = start("tables", "--json", "--data", tmp_path, within=within)
    seat = _seat(start, tmp_path / "seat", within)
    assert listing.end() == 0
    tables = json.loads("\n".join(listing.lines))
    assert sorted(table["server"] for table in tables) == servers
    assert {table["table"] for table in tables} == {"oak-1"}
    assert seat.end() == 2
    assert len([line for line in seat.lines if "4 seats free" in line]) == 2
    assert "hearts join hearts://127.0.0.1:430" in seat.lines[-1]


def test_a_server_here_is_offered_without_any_network_until_it_stops(
    start: StartHearts, lan: tuple[Host, ...], tmp_path: Path
) -> None:
    within = lan[0].within
    server = start("serve", "--no-discovery", "--data", tmp_path / "server", within=within)
    server.until("is open")
    listing = start("tables", "--no-discovery", "--data", tmp_path, within=within)
    assert listing.end() == 0
    (server_line, table_line) = listing.lines
    assert server_line == "this machine (127.0.0.1:4246)"
    assert table_line.startswith("  oak-1  seating  4 seats free  Standard")
    server.kill(signal.SIGTERM)
    assert server.end() == 0
    listing = start("tables", "--no-discovery", "--data", tmp_path, within=within)
    assert listing.end() == 3
    assert "no server was found on this machine" in listing.lines[-1]
