"""Whether a log is what it says it is: in order, fair, by the rules, and signed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from hearts_engine.events import Agent, CardPlayed, DealBegan, Event, GameOpened, LogSealed
from hearts_engine.state import Phase
from hearts_replays import format as files
from hearts_replays.chain import EMPTY_CHAIN, NO_HEAD
from hearts_replays.finding import Finding, Kind
from hearts_replays.fingerprint import fingerprint, parse_fingerprint
from hearts_replays.promises import promises_in
from hearts_replays.reader import Prefix, read_log
from hearts_replays.redecide import Verdict, redecide
from hearts_replays.report import Report, Seal
from hearts_replays.seal import seals
from hearts_wire.records import Record, encode_record

NEWEST: Final = 1
"""The newest format, engine and shuffle that this program can decide again; it can all from 1."""

_STOPPED: Final = (Kind.UNSEALED, Kind.BROKEN_OFF)
"""What is found where a log merely ends."""


def audit(
    log: Sequence[bytes], *, known_keys: Collection[bytes] = (), required: str | None = None
) -> Report:
    """Audit the records of a log, as stored.

    ``known_keys`` are the public keys that the caller has met before; ``required`` is the
    fingerprint of the key that must have sealed the log, ``ValueError`` if it is none.
    """
    wanted = None if required is None else parse_fingerprint(required)
    prefix = read_log(log)
    verdict = _judge(log, prefix)
    seal = _seal(verdict, known_keys)
    if seal is not None and verdict.finding is None and wanted is not None:
        verdict = verdict._replace(finding=_other_key(len(log), seal.public_key, wanted))
    return _report(log, prefix.records, verdict, seal)


def audit_file(
    path: Path, *, known_keys: Collection[bytes] = (), required: str | None = None
) -> Report:
    """Audit a ``.hearts`` file; raises ``OSError`` only if it cannot be read at all."""
    reading = files.load(path)
    fault = reading.fault
    if fault is not None and not fault.record:
        finding = Finding(0, Kind.UNREADABLE, str(fault))
        return Report(None, 0, 0, NO_HEAD, finding, None, (), (), ())
    report = audit(reading.records, known_keys=known_keys, required=required)
    if fault is None or (report.finding is not None and report.finding.kind not in _STOPPED):
        return report
    return report.with_finding(Finding(fault.record, Kind.FRAMING, fault.message))


def _judge(log: Sequence[bytes], prefix: Prefix) -> Verdict:
    """How far a log holds, its seal included."""
    newer = _newer(prefix.records)
    if newer is not None:
        return Verdict(None, 0, newer)
    events = tuple(_through_seal(prefix.records))
    verdict = redecide(events)
    if verdict.state is not None and verdict.state.phase is Phase.SEALED:
        fault = _seal_fault(log, prefix.records[verdict.accepted - 1])
        if fault is not None:
            return redecide(events[:-1])._replace(finding=fault)
        return verdict._replace(finding=_after_seal(len(log), verdict.accepted))
    if verdict.finding is None or verdict.finding.kind in _STOPPED:
        finding = prefix.finding or verdict.finding or _unsealed(verdict.accepted)
        return verdict._replace(finding=finding)
    return verdict


def _newer(records: Sequence[Record]) -> Finding | None:
    match records[:1]:
        case [Record(event=GameOpened(versions=versions))]:
            for part in ("format", "engine", "shuffle"):
                version: int = getattr(versions, part)
                if version > NEWEST:
                    sentence = f"{part} version {version} is not known here, use a newer program"
                    return Finding(1, Kind.VERSION, sentence)
        case _:
            pass
    return None


def _through_seal(records: Sequence[Record]) -> Iterator[Event]:
    """The events up to the first seal, that included."""
    for record in records:
        yield record.event
        if isinstance(record.event, LogSealed):
            return


def _seal_fault(log: Sequence[bytes], record: Record) -> Finding | None:
    """What is wrong with the seal that this record holds."""
    data, before = log[record.seq - 1], EMPTY_CHAIN.extended(log[: record.seq - 1])
    if encode_record(record) != data:
        sentence = "the seal is not written in the one way it can be"
        return Finding(record.seq, Kind.SEAL, sentence)
    opened = read_log(log[:1]).records[0].event
    assert isinstance(opened, GameOpened), "the log was read before"
    if seals(opened.public_key, opened.game_id, before, record):
        return None
    sentence = (
        f"the signature is not one of these {record.seq - 1} records by the key in record 1: "
        "something in them, or in the seal, was altered"
    )
    return Finding(record.seq, Kind.SEAL, sentence)


def _after_seal(length: int, accepted: int) -> Finding | None:
    if length == accepted:
        return None
    return Finding(accepted + 1, Kind.RECORD, "nothing comes after the seal, this was added")


def _unsealed(accepted: int) -> Finding:
    sentence = "nobody has sealed the log: the game is running, or was abandoned"
    return Finding(accepted + 1, Kind.UNSEALED, sentence)


def _seal(verdict: Verdict, known_keys: Collection[bytes]) -> Seal | None:
    state = verdict.state
    if state is None or state.phase is not Phase.SEALED:
        return None
    key = state.game.opened.public_key
    return Seal(key, key in known_keys)


def _other_key(seq: int, public_key: bytes, wanted: str) -> Finding | None:
    given = fingerprint(public_key)
    if given == wanted:
        return None
    return Finding(seq, Kind.KEY, f"sealed by the key {given}, not by {wanted}")


def _report(
    log: Sequence[bytes], records: Sequence[Record], verdict: Verdict, seal: Seal | None
) -> Report:
    state, accepted, finding = verdict
    events = [record.event for record in records[:accepted]]
    head = EMPTY_CHAIN.extended(log[:accepted]).head
    if state is None:
        return Report(None, len(log), accepted, head, finding, seal, (), (), ())
    promises = promises_in(state.game.opened.source, events)
    deals = [event.deal for event in events if isinstance(event, DealBegan)]
    recomputed = tuple(deal for deal in deals if promises.secret(deal) is not None)
    unrevealed = tuple(deal for deal in deals if promises.secret(deal) is None)
    played = _played(events, state.game.rules.players)
    return Report(state, len(log), accepted, head, finding, seal, recomputed, unrevealed, played)


def _played(events: Sequence[Event], players: int) -> tuple[Counter[Agent], ...]:
    """By seat, how many of its cards were played by whom."""
    counts: tuple[Counter[Agent], ...] = tuple(Counter() for _ in range(players))
    for event in events:
        if isinstance(event, CardPlayed):
            counts[event.seat][event.by] += 1
    return counts
