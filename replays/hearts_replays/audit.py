"""Whether a log is what it says it is: in order, fair, by the rules, and signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, NamedTuple

from hearts_engine.events import (
    Agent,
    CardPlayed,
    DealBegan,
    Event,
    LogSealed,
    MoonChosen,
    PassChosen,
)
from hearts_replays import format as files
from hearts_replays.absences import Attendance
from hearts_replays.chain import NO_HEAD, Chain, heads_of
from hearts_replays.finding import Finding, Kind
from hearts_replays.fingerprint import fingerprint, parse_fingerprint
from hearts_replays.reader import Prefix, read_log
from hearts_replays.redecide import Verdict, redecide
from hearts_replays.report import Report, Seal
from hearts_replays.seal import seals
from hearts_replays.timing import hasty_clock
from hearts_wire.bounds import WireError
from hearts_wire.heading import decode_heading
from hearts_wire.records import Record, decode_canonical

NEWEST: Final = 1
"""The newest format, engine and shuffle that this program can decide again; it can all from 1."""


class _Sealing(NamedTuple):
    """What became of the seal: it holds, it does not, or there is none."""

    seal: Seal | None = None
    fault: Finding | None = None
    """Why it does not hold, or is not by the key asked for."""


def audit(
    log: Sequence[bytes], *, known_keys: Collection[bytes] = (), required: str | None = None
) -> Report:
    """Audit the records of a log, as stored.

    ``known_keys`` are the public keys that the caller has met before; ``required`` is the
    fingerprint of the key that must have sealed the log, ``ValueError`` if it is none.
    """
    wanted = None if required is None else parse_fingerprint(required)
    newer = _newer(log)
    if newer is not None:
        return _nothing_read(len(log), newer)
    prefix = read_log(log)
    heads = heads_of(log)
    sealing = _sealing(log, prefix, heads, known_keys, wanted)
    verdict = redecide(_events(prefix, sealing))
    unsealed = _unsealed(len(log)) if sealing == _Sealing() else None
    hasty = hasty_clock(prefix.records[: verdict.accepted])
    finding = _earliest(prefix.finding, sealing.fault, verdict.finding, hasty, unsealed)
    return _report(prefix, heads, sealing, verdict, finding)


def audit_file(
    path: Path, *, known_keys: Collection[bytes] = (), required: str | None = None
) -> Report:
    """Audit a ``.hearts`` file; raises ``OSError`` only if it cannot be read at all."""
    reading = files.load(path)
    fault = reading.fault
    if fault is not None and not fault.record:
        return _nothing_read(0, Finding(0, Kind.UNREADABLE, str(fault)))
    report = audit(reading.records, known_keys=known_keys, required=required)
    if fault is None:
        return report
    framing = Finding(fault.record, Kind.FRAMING, fault.message)
    return report.with_finding(_earliest(framing, report.finding))


def _earliest(*findings: Finding | None) -> Finding | None:
    """The fault in the earliest record; of two in one record, the one named first."""
    found = (finding for finding in findings if finding is not None)
    return min(found, key=lambda finding: finding.seq, default=None)


def _newer(log: Sequence[bytes]) -> Finding | None:
    heading = decode_heading(log[0]) if log else None
    if heading is None:
        return None  # reading it says why
    for part, version in asdict(heading.versions).items():
        if version > NEWEST:
            sentence = f"{part} version {version} is not known here, use a newer program"
            return Finding(1, Kind.VERSION, sentence)
    return None


def _sealing(
    log: Sequence[bytes],
    prefix: Prefix,
    heads: Sequence[bytes],
    known_keys: Collection[bytes],
    wanted: str | None,
) -> _Sealing:
    """Whether the server signed the bytes of this log, whatever they say."""
    heading = decode_heading(log[0]) if log else None
    end = len(prefix.records) if _ends_sealed(prefix) else len(log)
    last = _readable(log[end - 1]) if log else None
    if last is None or heading is None or not isinstance(last.event, LogSealed):
        return _Sealing()
    key, before = heading.public_key, Chain(end - 1, heads[end - 1])
    if not seals(key, heading.game_id, before, last):
        sentence = (
            f"the signature is not one of these {end - 1} records by the key in record 1: "
            "something in them, or in the seal, was altered"
        )
        return _Sealing(fault=Finding(end, Kind.SEAL, sentence))
    seal, given = Seal(end, key, key in known_keys), fingerprint(key)
    if wanted in {None, given}:
        return _Sealing(seal)
    return _Sealing(seal, Finding(end, Kind.KEY, f"sealed by the key {given}, not by {wanted}"))


def _ends_sealed(prefix: Prefix) -> bool:
    return bool(prefix.records) and isinstance(prefix.records[-1].event, LogSealed)


def _readable(data: bytes) -> Record | None:
    try:
        return decode_canonical(data)
    except WireError:
        return None


def _events(prefix: Prefix, sealing: _Sealing) -> Sequence[Event]:
    """What is to be decided again: all that can be read, but for a seal that does not hold."""
    events = [record.event for record in prefix.records]
    return events[:-1] if _ends_sealed(prefix) and sealing.seal is None else events


def _unsealed(length: int) -> Finding:
    sentence = "nobody has sealed the log: the game is running, or was abandoned"
    return Finding(length + 1, Kind.UNSEALED, sentence)


def _nothing_read(records: int, finding: Finding) -> Report:
    return Report(None, records, 0, NO_HEAD, finding, None, None, (), (), (), (), ())


def _report(
    prefix: Prefix,
    heads: Sequence[bytes],
    sealing: _Sealing,
    verdict: Verdict,
    finding: Finding | None,
) -> Report:
    state, accepted = verdict.state, verdict.accepted
    events = [record.event for record in prefix.records[:accepted]]
    deals = [event.deal for event in events if isinstance(event, DealBegan)]
    promises = verdict.promises
    players = 0 if state is None else state.game.rules.players
    return Report(
        state,
        records=len(heads) - 1,
        accepted=accepted,
        head=heads[accepted],
        finding=finding,
        seal=sealing.seal,
        seal_fault=sealing.fault,
        recomputed=tuple(deal for deal in deals if promises and promises.secret(deal)),
        unrevealed=tuple(deal for deal in deals if promises and not promises.secret(deal)),
        played=_by_agent(events, CardPlayed, players),
        passed=_by_agent(events, PassChosen, players),
        moons=_by_agent(events, MoonChosen, players),
        attendance=Attendance.of(events),
    )


def _by_agent(
    events: Sequence[Event], kind: type[CardPlayed | PassChosen | MoonChosen], players: int
) -> tuple[Counter[Agent], ...]:
    """By seat, how many of its choices of a kind were made by whom."""
    counts: tuple[Counter[Agent], ...] = tuple(Counter() for _ in range(players))
    for event in events:
        if isinstance(event, kind):
            counts[event.seat][event.by] += 1
    return counts
