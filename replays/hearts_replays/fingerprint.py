"""Keys and heads in short forms that people can read out and compare."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import Final

_KEY_BYTES: Final = 16
"""128 bits: nobody finds a second key with the same fingerprint."""

_HEAD_BYTES: Final = 8


def fingerprint(public_key: bytes) -> str:
    """The short form of a key: 32 hex digits in groups of four, from its SHA-256."""
    return _grouped(sha256(public_key).digest()[:_KEY_BYTES])


def parse_fingerprint(text: str) -> str:
    """A fingerprint as :func:`fingerprint` writes it, from one typed in any spacing and case.

    Raises ``ValueError`` if it is none.
    """
    digits = re.sub(r"[\s:-]", "", text).lower()
    if not re.fullmatch(rf"[0-9a-f]{{{2 * _KEY_BYTES}}}", digits):
        raise ValueError(
            f"{text!r} is no fingerprint; it has {2 * _KEY_BYTES} digits or letters a to f"
        )
    return _grouped(bytes.fromhex(digits))


def short_head(head: bytes) -> str:
    """The short form of a head: its first 16 hex digits in groups of four."""
    return _grouped(head[:_HEAD_BYTES])


def _grouped(data: bytes) -> str:
    return data.hex("-", 2)
