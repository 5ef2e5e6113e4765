"""Under which of its addresses a machine can be reached by others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

import ifaddr

_ALL_IPV4: Final = "0.0.0.0"  # noqa: S104  (compared with, not listened on)
_ALL: Final = "::"
"""IPv4 too."""


Address = IPv4Address | IPv6Address


def reachable_hosts(host: str, own: Iterable[Address] | None = None) -> tuple[str, ...]:
    """Where others find what listens on a host: itself, or the machine's addresses if on all.

    IPv4 first, as that is easier to read out; loopback only where there is nothing else. An
    address that is good on one cable only (IPv6 link-local) is left out.
    """
    if host not in (_ALL, _ALL_IPV4):
        return (host,)
    found = [each for each in own or own_addresses() if host == _ALL or each.version == 4]
    afar = [each for each in found if each.version == 4 or not each.is_link_local]
    outward = [each for each in afar if not each.is_loopback]
    ordered = sorted(outward or afar, key=lambda each: (each.version, each.is_link_local))
    return tuple(map(str, ordered))


def own_addresses() -> Iterator[Address]:
    """Every address that this machine has just now."""
    for adapter in ifaddr.get_adapters():
        for each in adapter.ips:
            yield ip_address(each.ip if isinstance(each.ip, str) else each.ip[0])
