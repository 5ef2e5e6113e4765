"""Under which of its addresses a machine can be reached by others."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import ifaddr

_ALL_IPV4: Final = "0.0.0.0"  # noqa: S104  (compared with, not listened on)
_ALL: Final = "::"
"""IPv4 too."""


def reachable_hosts(host: str) -> tuple[str, ...]:
    """Where others find what listens on a host: itself, or the machine's addresses if on all.

    IPv4 first, as that is easier to read out; loopback only where there is nothing else. An
    address that is good on one cable only (IPv6 link-local) is left out.
    """
    if host not in (_ALL, _ALL_IPV4):
        return (host,)
    found = [address for address in _own() if host == _ALL or address.version == 4]
    outward = [address for address in found if not address.is_loopback]
    ordered = sorted(outward or found, key=lambda address: (address.version, address.is_link_local))
    return tuple(map(str, ordered))


def _own() -> Iterator[IPv4Address | IPv6Address]:
    """Every address of this machine but IPv6 link-local ones."""
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            address = ip_address(each.ip if isinstance(each.ip, str) else each.ip[0])
            if address.version == 4 or not address.is_link_local:
                yield address
