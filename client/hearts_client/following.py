"""A game's log as one seat, or a spectator, follows it over streams that break."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, Protocol

from hearts_client.opening import Opening
from hearts_client.shown import Shown
from hearts_engine.cards import Seat
from hearts_engine.events import Event
from hearts_engine.view import SeatView
from hearts_proto.v1 import view_pb2
from hearts_wire.bounds import MOST_SEATS, WireError
from hearts_wire.commands import SeatCommand
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

LARGEST_LOG: Final = 16 * 1024 * 1024
"""Bytes of a log; the longest game there can be has a fifth of that."""

Saw = Callable[[int, bytes, Collection[bytes]], None]
"""Takes down the head after a record, and the records that were shown with it."""


class Receipts(Protocol):
    """Where a session writes down what it will hold the server to."""

    def saw(self, seq: int, head: bytes, records: Collection[bytes]) -> None:
        """These records were shown, and this is the head after record ``seq``."""
        ...

    def sent(self, command: SeatCommand, prompt_seq: int) -> None:
        """This answer is about to be sent."""
        ...

    def acknowledged(self, command: SeatCommand, prompt_seq: int) -> None:
        """The table said that this answer is on disk."""
        ...


class Following:
    """What was shown, and up to where."""

    def __init__(self, seat: Seat | None, saw: Saw) -> None:
        self.seq, self.head = 0, b""
        """The last record, seen or not, and the head after it."""
        self.opening = Opening()
        self.view: SeatView | None = None
        """The game as last shown; none before the first."""
        self._saw = saw
        self._shown = Shown(seat)
        self._size = 0

    @property
    def seats(self) -> int:
        """How many the table has; the most that any may have, before the first view."""
        return MOST_SEATS if self.view is None else len(self.view.seats)

    def take(self, seq: int, head: bytes, records: Collection[bytes]) -> tuple[Event, ...]:
        """What happened by these records; ``WireError`` for what no such table can have.

        Every record is kept, as a receipt and on disk, so there cannot be any number of them.
        """
        self._size += sum(len(record) + 1 for record in records)
        if self._size > LARGEST_LOG:
            raise WireError(f"records: over {LARGEST_LOG} bytes, no game is so long")
        self._saw(seq, head, records)
        self.opening = self.opening.with_shown(seq, head, records)
        self.seq, self.head = seq, head
        events = tuple(decode_record(record).event for record in records)
        self._shown = self._shown.after(events)
        return events

    def show(self, view: view_pb2.SeatView) -> SeatView:
        """The game as it stands; ``WireError`` if the records say something else."""
        self.view = self._shown.agreed(decode_view(view))
        return self.view

    def folded(self) -> SeatView | None:
        """The game by its records alone, where no view came with them."""
        folded = self._shown.folded()
        if folded is not None:
            self.view = folded
        return folded
