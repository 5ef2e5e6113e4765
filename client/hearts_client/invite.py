"""An invitation to a server: one text to paste, which says where it is and how to know it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final, Self

from hearts_wire.certificates import parse_certificate_fingerprint
from hearts_wire.hosts import parse_host, with_port

SCHEME: Final = "hearts://"

TABLE_NAME: Final = re.compile(r"[0-9a-z-]{1,32}", re.ASCII)
"""Names are shown within commands that people copy, so they are kept plain."""

_PORT: Final = re.compile(r"[0-9]{1,5}", re.ASCII)
_HIGHEST_PORT: Final = 65535

_EXAMPLE: Final = "write HOST:PORT like 127.0.0.1:4246, or paste a whole invite"


class BadInvite(ValueError):
    """A text that is no invite; the sentence says what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Where a server is, perhaps which table is meant, and what its certificate must be."""

    host: str
    """A name or an address, in the form of ``parse_host``."""
    port: int
    table: str | None = None
    fingerprint: str | None = None
    """Of the certificate that the server must prove; none where nothing is known of it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """The invite in a text: ``hearts://HOST:PORT/TABLE#FINGERPRINT``, or only HOST:PORT.

        Raises ``BadInvite``.

        >>> Invite.parse("hearts://[fd00::1]:4246/oak-1")
        Invite(host='fd00::1', port=4246, table='oak-1', fingerprint=None)
        """
        rest = text.strip()
        if rest[: len(SCHEME)].lower() == SCHEME:
            rest = rest[len(SCHEME) :]
        rest, hash_sign, fingerprint = rest.partition("#")
        address, _, table = rest.partition("/")
        return cls(
            *_host_and_port(address, text),
            _table(table) if table else None,
            _fingerprint(fingerprint) if hash_sign else None,
        )

    @property
    def address(self) -> str:
        """HOST:PORT, the name that servers are kept under."""
        return with_port(self.host, self.port)

    def __str__(self) -> str:
        """The text to paste."""
        table = "" if self.table is None else f"/{self.table}"
        fingerprint = "" if self.fingerprint is None else f"#{self.fingerprint}"
        return f"{SCHEME}{self.address}{table}{fingerprint}"


def _host_and_port(address: str, text: str) -> tuple[str, int]:
    host, colon, port = address.rpartition(":")
    if not colon or not host:
        raise BadInvite(f"{text[:80]!r} names no port; {_EXAMPLE}")
    if not _PORT.fullmatch(port) or not 0 < int(port) <= _HIGHEST_PORT:
        raise BadInvite(
            f"{port[:20]!r} is no port, which is a number up to {_HIGHEST_PORT}; {_EXAMPLE}"
        )
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    elif ":" in host:
        raise BadInvite(f"{text[:80]!r}: an IPv6 address stands in brackets, like [fd00::1]:4246")
    return _host(host), int(port)


def _host(text: str) -> str:
    try:
        host = parse_host(text)
    except ValueError as error:
        raise BadInvite(f"{error}; {_EXAMPLE}") from None
    if _is_wildcard(host):
        raise BadInvite(
            f"{host} is where a server listens, not where it is reached; "
            "write an address of its machine"
        )
    return host


def _is_wildcard(host: str) -> bool:
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


def _table(text: str) -> str:
    if not TABLE_NAME.fullmatch(text):
        raise BadInvite(f"{text[:80]!r} is no table's name, which is like oak-1")
    return text


def _fingerprint(text: str) -> str:
    try:
        return parse_certificate_fingerprint(text)
    except ValueError as error:
        raise BadInvite(f"{error}; copy the invite again, to its last character") from None
