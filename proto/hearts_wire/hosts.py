"""Names and addresses of machines, in the one form that both sides write."""

from __future__ import annotations

import re
from ipaddress import IPv6Address, ip_address
from typing import Final

_NAME: Final = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?", re.ASCII)
_ZONE: Final = re.compile(r"[0-9a-zA-Z_.-]{1,32}", re.ASCII)

_SAME: Final = {"localhost": "127.0.0.1"}
"""Other names of the same place: a seat held there must be found again under either."""


def parse_host(text: str) -> str:
    """The one form of a host's name or address, without brackets; ``ValueError`` if it is none.

    >>> parse_host("FD00:0::1")
    'fd00::1'
    """
    name = text.lower()
    if name in _SAME:
        return _SAME[name]
    try:
        address = ip_address(text)
    except ValueError:
        if _NAME.fullmatch(name):
            return name
        raise ValueError(f"{text[:80]!r} is no name or address of a machine") from None
    zone = address.scope_id if isinstance(address, IPv6Address) else None
    if zone is not None and not _ZONE.fullmatch(zone):
        raise ValueError(f"{text[:80]!r}: what follows % is no network interface")
    return str(address)


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can be behind a host; a name may be anyone's."""
    try:
        return ip_address(_SAME.get(host.lower(), host)).is_loopback
    except ValueError:
        return False


def with_port(host: str, port: int) -> str:
    """HOST:PORT, an IPv6 address in brackets."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
