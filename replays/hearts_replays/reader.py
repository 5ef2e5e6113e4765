"""Records read one by one, each in its place: the valid prefix, and the first that is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hearts_engine.events import GameOpened, audience
from hearts_replays.finding import Finding, Kind
from hearts_wire.bounds import WireError
from hearts_wire.records import SALT_SIZE, Record, decode_record


@dataclass(frozen=True, slots=True)
class Prefix:
    """The records of a log up to the first that is not in order."""

    records: tuple[Record, ...]
    finding: Finding | None = None


def read_log(log: Iterable[bytes]) -> Prefix:
    """The records of a log, and what is wrong with the first that cannot be accepted.

    What they say is not judged, only that they are records, count from 1 without a gap, never
    go back in time, and are salted just where that hides something.
    """
    records: list[Record] = []
    for seq, data in enumerate(log, start=1):
        try:
            record = decode_record(data)
        except WireError as error:
            return Prefix(tuple(records), Finding(seq, Kind.RECORD, str(error)))
        fault = _fault(seq, record, records[-1].time if records else 0)
        if fault is not None:
            return Prefix(tuple(records), Finding(seq, Kind.RECORD, fault))
        records.append(record)
    return Prefix(tuple(records))


def _fault(seq: int, record: Record, last_time: int) -> str | None:
    if record.seq != seq:
        return f"it says that it is record {record.seq}; one was taken out, put in or moved"
    if record.time < last_time:
        return f"its time is {last_time - record.time} microseconds before the record before it"
    if seq == 1 and not isinstance(record.event, GameOpened):
        return "a log begins with the opening of its game"
    hidden = audience(record.event) is not None
    if hidden and not record.salt:
        return f"only some seats may know this, so it needs {SALT_SIZE} bytes of salt"
    if record.salt and not hidden:
        return "everyone may know this, so it has no salt"
    return None
