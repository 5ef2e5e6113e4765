"""A server's certificate in the short form that invites carry and clients pin."""

from __future__ import annotations

import re
from base64 import b32encode
from hashlib import sha256
from typing import Final

TARGET_NAME: Final = "hearts.table"
"""The DNS name in every server's certificate: clients ask for it wherever the server is."""

_BYTES: Final = 20
"""160 bits, at which nobody finds a second certificate; they are 32 characters without a rest."""

_TEXT: Final = re.compile(r"[a-z2-7]{32}", re.ASCII)


def certificate_fingerprint(certificate: bytes) -> str:
    """The fingerprint of a certificate in DER: 32 characters, from its SHA-256 in base32."""
    return b32encode(sha256(certificate).digest()[:_BYTES]).decode().lower()


def parse_certificate_fingerprint(text: str) -> str:
    """The fingerprint in a text, which may be in capitals and in groups, as read out aloud.

    Raises ``ValueError`` if it is none.
    """
    fingerprint = re.sub(r"[\s-]", "", text).lower()
    if not _TEXT.fullmatch(fingerprint):
        raise ValueError(
            f"{text[:80]!r} is no fingerprint; it has 32 letters or digits, of a to z and 2 to 7"
        )
    return fingerprint


def read_aloud(fingerprint: str) -> str:
    """The fingerprint in groups of four, for people who compare it."""
    return "-".join(re.findall("....", fingerprint))
