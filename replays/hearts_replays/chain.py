"""The hash chain over a log: one head stands for every record before it, byte by byte."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from typing import Final, NamedTuple

from hearts_replays.framing import label

HEAD_SIZE: Final = 32
"""Bytes of a head and of a leaf."""

NO_HEAD: Final = bytes(HEAD_SIZE)
"""The head before the first record."""

_RECORD: Final = label("hearts-log/v1/record")
_LOG: Final = label("hearts-log/v1")


def leaf(record: bytes) -> bytes:
    """What stands for a record in the chain, 32 bytes; it tells nothing of a salted one."""
    return sha256(_RECORD + record).digest()


def link(head: bytes, leaf: bytes) -> bytes:
    """The head after the record that this leaf stands for."""
    assert len(head) == len(leaf) == HEAD_SIZE, "heads and leaves have 32 bytes"
    return sha256(_LOG + head + leaf).digest()


def extend(head: bytes, record: bytes) -> bytes:
    """The head after this record, as stored."""
    return link(head, leaf(record))


def heads_of(log: Iterable[bytes]) -> tuple[bytes, ...]:
    """The heads of a log: before its first record, after that, and so on."""
    return tuple(accumulate(log, extend, initial=NO_HEAD))


class Chain(NamedTuple):
    """A log so far: how many records, and the head after the last."""

    length: int = 0
    head: bytes = NO_HEAD

    def extended(self, records: Iterable[bytes]) -> Chain:
        """The chain after these further records."""
        length, head = self
        for record in records:
            length, head = length + 1, extend(head, record)
        return Chain(length, head)


EMPTY_CHAIN: Final = Chain()


@dataclass(frozen=True, slots=True)
class Hidden:
    """In a redacted log, what stands in the place of a record that is not shown."""

    leaf: bytes
    """32 bytes."""


def redacted_head(entries: Iterable[bytes | Hidden]) -> bytes:
    """The head of a log of which only some records are shown.

    It equals the head of the whole log only if every record shown is the one written there, and
    none is missing, added or moved. Raises ``ValueError`` for a leaf that is not 32 bytes.
    """
    head = NO_HEAD
    for entry in entries:
        head = link(head, _leaf_of(entry))
    return head


def _leaf_of(entry: bytes | Hidden) -> bytes:
    match entry:
        case Hidden(given):
            if len(given) != HEAD_SIZE:
                raise ValueError(f"a leaf has {HEAD_SIZE} bytes, not {len(given)}")
            return given
        case bytes():
            return leaf(entry)
