"""Where a game's log stands, and the records that come next. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from hearts_engine.audience import audience
from hearts_engine.cards import Seat
from hearts_engine.events import Event
from hearts_engine.evolve import evolve
from hearts_engine.state import State
from hearts_engine.value import value
from hearts_replays.chain import NO_HEAD, extend
from hearts_server.clocks import Microseconds
from hearts_wire.records import Record, decode_record, encode_record


@value
class Written:
    """A record as it goes on disk, and what holds after it."""

    record: Record
    data: bytes
    """Its exact bytes, made once: these are stored, hashed and sent."""
    head: bytes
    state: State
    seats: frozenset[Seat] | None
    """Whom it is addressed to; none: everyone."""


@value
class Ledger:
    """The end of a log: the next record goes here."""

    state: State | None = None
    seq: int = 0
    time: Microseconds = 0
    head: bytes = NO_HEAD

    def write(
        self, events: Iterable[Event], now: Microseconds, new_salt: Callable[[], bytes]
    ) -> tuple[Ledger, tuple[Written, ...]]:
        """The ledger with these events on it, and their records.

        The clock may have been set back; time in a log never is.
        """
        ledger, written = self, list[Written]()
        moment = max(now, self.time)
        for event in events:
            seats = audience(event)
            salt = b"" if seats is None else new_salt()
            record = Record(ledger.seq + 1, moment, event, salt)
            written.append(ledger._next(record, encode_record(record), seats))
            ledger = _after(written[-1])
        return ledger, tuple(written)

    def reread(self, stored: Iterable[bytes]) -> tuple[Ledger, tuple[Written, ...]]:
        """The ledger after records from a store, and those records."""
        ledger, written = self, list[Written]()
        for data in stored:
            record = decode_record(data)
            written.append(ledger._next(record, data, audience(record.event)))
            ledger = _after(written[-1])
        return ledger, tuple(written)

    def _next(self, record: Record, data: bytes, seats: frozenset[Seat] | None) -> Written:
        state = evolve(self.state, record.event)
        return Written(record, data, extend(self.head, data), state, seats)


def _after(written: Written) -> Ledger:
    record = written.record
    return Ledger(written.state, record.seq, record.time, written.head)
