"""What a server says of itself on the local network, as the TXT record of its mDNS service.

Anyone on the network can say anything there: it tells where to ask, and proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from hearts_wire.bounds import WireError
from hearts_wire.certificates import parse_certificate_fingerprint

SERVICE: Final = "_hearts._tcp.local."
"""The kind of service, as it is asked for by mDNS."""

VERSION: Final = 1
"""Of the protocol that the server speaks."""

LONGEST_VALUE: Final = 200
"""Bytes of one entry of the record; with its key it must stay below 256."""

LONGEST_SERVER: Final = 48
"""Bytes of a server's name, which with a number behind it is one label of at most 63."""

_TABLE: Final = re.compile(r"[0-9a-z-]{1,32}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Announcement:
    """A server and its tables with free seats, in brief."""

    server: str
    """Its name, for people."""
    fingerprint: str | None
    """Of the certificate it shows; none where nothing is encrypted."""
    open_tables: int = 0
    """How many tables have free seats."""
    tables: tuple[str, ...] = ()
    """The names of as many of them as fit."""

    @classmethod
    def of(cls, server: str, fingerprint: str | None, tables: Iterable[str]) -> Announcement:
        """What to say of a server with free seats at these tables."""
        names = tuple(sorted(tables))
        ends = accumulate(len(name) + 1 for name in names)
        fitting = sum(end <= LONGEST_VALUE for end in ends)
        shown = shortened(server, LONGEST_SERVER) or "Hearts"
        return cls(shown, fingerprint, len(names), names[:fitting])


def shortened(text: str, size: int) -> str:
    """The text in at most so many bytes of UTF-8, and without what no screen shows."""
    shown = "".join(character for character in text if character.isprintable())
    return shown.encode()[:size].decode(errors="ignore").strip()


def encode_announcement(announcement: Announcement) -> dict[str, str]:
    """The entries of the record."""
    entries = {
        "v": str(VERSION),
        "server": announcement.server,
        "open": str(announcement.open_tables),
        "tables": ",".join(announcement.tables),
    }
    if announcement.fingerprint is not None:
        entries["fingerprint"] = announcement.fingerprint
    return entries


def decode_announcement(entries: Mapping[bytes, bytes | None]) -> Announcement:
    """What a record says; ``WireError`` if it is none that this version understands."""
    values = {key: _text(key, value) for key, value in entries.items()}
    if values.get(b"v") != str(VERSION):
        raise WireError(f"v: the server speaks another version than {VERSION}")
    fingerprint = values.get(b"fingerprint")
    names = (values.get(b"tables") or "").split(",")
    return Announcement(
        shortened(values.get(b"server") or "", LONGEST_SERVER) or "a server without a name",
        None if fingerprint is None else _fingerprint(fingerprint),
        _count(values.get(b"open") or "0"),
        tuple(name for name in names if _TABLE.fullmatch(name)),
    )


def _text(key: bytes, value: bytes | None) -> str:
    try:
        return (value or b"").decode()
    except UnicodeDecodeError:
        raise WireError(f"{key[:32].decode(errors='replace')}: is no UTF-8") from None


def _fingerprint(text: str) -> str:
    try:
        return parse_certificate_fingerprint(text)
    except ValueError as error:
        raise WireError(f"fingerprint: {error}") from None


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 6):
        raise WireError(f"open: {text[:16]!r} is no number of tables")
    return int(text)
