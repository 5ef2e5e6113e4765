"""The byte strings that go into digests: length prefixes, big-endian numbers, SHA-256."""

from __future__ import annotations

from hashlib import sha256


def lp(data: bytes) -> bytes:
    """The bytes after their length, 4 bytes big-endian, so that no two lists of parts collide."""
    return u32(len(data)) + data


def u32(number: int) -> bytes:
    """A number as 4 bytes, big-endian; ``OverflowError`` if it does not fit."""
    return number.to_bytes(4, "big")


def u64(number: int) -> bytes:
    """A number as 8 bytes, big-endian; ``OverflowError`` if it does not fit."""
    return number.to_bytes(8, "big")


def digest(*parts: bytes) -> bytes:
    """SHA-256 of the parts one after the other, 32 bytes."""
    return sha256(b"".join(parts)).digest()


def label(text: str) -> bytes:
    """What a digest is for, in front of what goes into it."""
    return lp(text.encode())
