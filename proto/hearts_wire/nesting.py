"""A message as a field of another, where both are bytes already."""

from __future__ import annotations

from typing import Final

_LENGTH_DELIMITED: Final = 2
_LOW: Final = 0x7F
_MORE: Final = 0x80


def nested(field: int, message: bytes) -> bytes:
    """A message's bytes as the field of this number in the message around it."""
    return _varint(field << 3 | _LENGTH_DELIMITED) + _varint(len(message)) + message


def _varint(number: int) -> bytes:
    """Seven bits in a byte, the lowest first; all but the last have their top bit set."""
    if number <= _LOW:
        return bytes((number,))
    return bytes((number & _LOW | _MORE,)) + _varint(number >> 7)
