"""Records read one by one, each in its place: the valid prefix, and the first that is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hearts_engine.audience import audience
from hearts_engine.events import GameOpened, LogSealed
from hearts_replays.finding import Finding, Kind
from hearts_replays.seating import seat_fault
from hearts_wire.bounds import WireError
from hearts_wire.records import SALT_SIZE, Record, decode_canonical


@dataclass(frozen=True, slots=True)
class Prefix:
    """The records of a log up to the first that is not in order."""

    records: tuple[Record, ...]
    finding: Finding | None = None


def read_log(log: Iterable[bytes]) -> Prefix:
    """The records of a log, and what is wrong with the first that cannot be accepted.

    What they say is not judged, only that they are records written in the one way there is,
    count from 1 without a gap, never go back in time, are salted just where that hides
    something, each with a salt of its own, name seats that the table has, and stand between one
    opening and one seal.
    """
    reading = _Reading()
    for seq, data in enumerate(log, start=1):
        fault = reading.take(seq, data)
        if fault is not None:
            return Prefix(tuple(reading.records), Finding(seq, Kind.RECORD, fault))
    return Prefix(tuple(reading.records))


@dataclass(slots=True)
class _Reading:
    """The records so far, and what the next is held against."""

    records: list[Record] = field(default_factory=list[Record])
    salts: dict[bytes, int] = field(default_factory=dict[bytes, int])
    """By salt, the record that has it."""
    players: int = 0

    def take(self, seq: int, data: bytes) -> str | None:
        """Accept the next record, or say what is wrong with it."""
        if self.records and isinstance(self.records[-1].event, LogSealed):
            return "nothing comes after the seal, this was added"
        try:
            record = decode_canonical(data)
        except WireError as error:
            return str(error)
        fault = self._misplaced(seq, record) or self._missalted(record)
        fault = fault or seat_fault(record.event, self.players)
        if fault is None:
            self.records.append(record)
        return fault

    def _misplaced(self, seq: int, record: Record) -> str | None:
        if record.seq != seq:
            return f"it says that it is record {record.seq}; one was taken out, put in or moved"
        if seq == 1:
            if not isinstance(record.event, GameOpened):
                return "a log begins with the opening of its game"
            self.players = record.event.rules.players
            return None
        late = self.records[-1].time - record.time
        return f"its time is {late} microseconds before the record before it" if late > 0 else None

    def _missalted(self, record: Record) -> str | None:
        if audience(record.event) is None:
            return "everyone may know this, so it has no salt" if record.salt else None
        if not record.salt:
            return f"not everyone may know this, so it needs {SALT_SIZE} bytes of salt"
        first = self.salts.setdefault(record.salt, record.seq)
        if first != record.seq:
            return f"its salt is that of record {first}; each is drawn afresh"
        return None
