"""Invites name addresses that others can use."""

from __future__ import annotations

from ipaddress import ip_address

import pytest

from hearts_server.addresses import own_addresses, reachable_hosts

LAN = [
    ip_address(text)
    for text in ("127.0.0.1", "::1", "fe80::1", "fd00::2", "169.254.3.4", "192.168.1.20")
]


def test_a_server_on_every_network_invites_to_each_address_that_others_can_use() -> None:
    assert reachable_hosts("::", LAN) == ("192.168.1.20", "169.254.3.4", "fd00::2")
    assert reachable_hosts("0.0.0.0", LAN) == ("192.168.1.20", "169.254.3.4")


@pytest.mark.parametrize("host", ["192.168.1.20", "127.0.0.1", "example.org", "fe80::1%eth0"])
def test_a_server_on_one_address_invites_to_that(host: str) -> None:
    assert reachable_hosts(host, LAN) == (host,)


def test_a_machine_without_a_network_invites_itself() -> None:
    assert reachable_hosts("0.0.0.0", LAN[:2]) == ("127.0.0.1",)


def test_a_machine_knows_its_own_addresses() -> None:
    assert ip_address("127.0.0.1") in set(own_addresses())
