"""The records of a game, for those who come back for them: packed, for there are hundreds."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Final

from hearts_engine.cards import Seat
from hearts_replays.chain import HEAD_SIZE, NO_HEAD, extend

_EVERYONE: Final = 0xFFFF
"""In place of a bit for each seat that a record is addressed to."""

_STRIDE: Final = 16
"""Of so many heads one is kept; the others are worked out again."""


class Shelf:
    """Some 50 bytes for a record, where objects would take 300."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._ends = array("I")
        self._seats = array("H")
        self._heads = bytearray(NO_HEAD)

    def __len__(self) -> int:
        return len(self._ends)

    def add(self, record: bytes, head: bytes, seats: frozenset[Seat] | None) -> None:
        """Keep the next record: the head after it, and whom it is addressed to; none: everyone."""
        self._data += record
        self._ends.append(len(self._data))
        self._seats.append(_EVERYONE if seats is None else sum(1 << seat for seat in seats))
        if len(self) % _STRIDE == 0:
            self._heads += head

    def record(self, seq: int) -> bytes:
        """The record of this place, counted from 1."""
        begin = self._ends[seq - 2] if seq > 1 else 0
        return bytes(self._data[begin : self._ends[seq - 1]])

    def head_at(self, seq: int) -> bytes | None:
        """The head after a record, or before the first; none if there is no such record."""
        if not 0 <= seq <= len(self):
            return None
        mark = seq // _STRIDE
        head = bytes(self._heads[mark * HEAD_SIZE : (mark + 1) * HEAD_SIZE])
        for later in range(mark * _STRIDE + 1, seq + 1):
            head = extend(head, self.record(later))
        return head

    def visible_after(
        self, seq: int, seat: Seat | None, *, open_hands: bool = False
    ) -> Iterator[bytes]:
        """The records after this one that a seat, or a spectator, may see.

        With open hands a spectator sees what is addressed to any seat.
        """
        for place in range(seq, len(self)):
            seats = self._seats[place]
            if (
                seats == _EVERYONE
                or (seat is not None and seats >> seat & 1)
                or (seat is None and open_hands and seats)
            ):
                yield self.record(place + 1)
