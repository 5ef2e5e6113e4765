"""The portable file of one game, ``NAME.hearts``: a header, then each record as stored.

Bytes only: what the records say is not looked at here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from hearts_replays.framing import lp

SUFFIX: Final = ".hearts"
MAGIC: Final = b"HEARTS\0"
VERSION: Final = 1
HEADER: Final = MAGIC + bytes([VERSION])

LONGEST_RECORD: Final = 1 << 20
"""Bytes; a longer one is a damaged length, and is not read into memory."""

_LENGTH_SIZE: Final = 4


@dataclass(frozen=True, slots=True)
class Fault:
    """Where a file stops being readable, and why."""

    record: int
    """The record that cannot be read, from 1; 0 stands for the header."""
    offset: int
    """Where that record, its length included, begins: bytes from the start of the file."""
    message: str

    def __str__(self) -> str:
        where = f"record {self.record}" if self.record else "the header"
        return f"{where}, at byte {self.offset}: {self.message}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a file holds: its records up to the first fault."""

    records: tuple[bytes, ...]
    fault: Fault | None = None


class _Damaged(Exception):
    """The sentence of a fault."""


def encode(records: Iterable[bytes]) -> bytes:
    """The file of these records.

    Raises ``ValueError`` if there is none, or one that no file may hold.
    """
    framed = [lp(_writable(record)) for record in records]
    if not framed:
        raise ValueError("a game without records makes no file")
    return HEADER + b"".join(framed)


def decode(data: bytes) -> Reading:
    """What the bytes of a file hold."""
    return read(BytesIO(data))


def read(source: BinaryIO) -> Reading:
    """What a file holds, read from its start; stops at the first bad record, and skips none."""
    records: list[bytes] = []
    offset = 0
    try:
        _check_header(source.read(len(HEADER)))
        offset = len(HEADER)
        while (record := _next_record(source)) is not None:
            records.append(record)
            offset += _LENGTH_SIZE + len(record)
        if not records:
            raise _Damaged("the file holds no records; get a complete copy")
    except _Damaged as damage:
        number = len(records) + 1 if offset else 0
        return Reading(tuple(records), Fault(number, offset, str(damage)))
    return Reading(tuple(records))


def load(path: Path) -> Reading:
    """What the file at this path holds; raises ``OSError`` if it cannot be read at all."""
    with path.open("rb") as source:
        return read(source)


def save(path: Path, records: Iterable[bytes]) -> None:
    """Write the file of these records: at this path stands all of it, or what stood there before.

    Raises ``OSError``, and ``ValueError`` as :func:`encode`.
    """
    data = encode(records)
    # Opened plainly: a game is written to be sent on, so the usual permissions are right.
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _writable(record: bytes) -> bytes:
    if not 1 <= len(record) <= LONGEST_RECORD:
        raise ValueError(f"a record has 1 to {LONGEST_RECORD} bytes, not {len(record)}")
    return record


def _check_header(header: bytes) -> None:
    if header[: len(MAGIC)] != MAGIC:
        raise _Damaged("this is not a .hearts file")
    if len(header) < len(HEADER):
        raise _Damaged("the file ends before its version; get a complete copy")
    if header != HEADER:
        raise _Damaged(
            f"the file is of version {header[-1]}, this program reads version {VERSION}; "
            "use a newer program"
        )


def _next_record(source: BinaryIO) -> bytes | None:
    """The next record, or none at the end of the file."""
    prefix = source.read(_LENGTH_SIZE)
    if not prefix:
        return None
    if len(prefix) < _LENGTH_SIZE:
        raise _Damaged("the file ends within the record's length; get a complete copy")
    length = int.from_bytes(prefix, "big")
    if not 1 <= length <= LONGEST_RECORD:
        raise _Damaged(f"a length of {length} cannot be; the file is damaged here or just before")
    record = source.read(length)
    if len(record) < length:
        raise _Damaged(
            f"the file ends {length - len(record)} bytes before the record does; "
            "get a complete copy"
        )
    return record
