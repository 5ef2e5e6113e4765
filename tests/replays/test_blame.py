"""Who is to blame for a fault: what an audit tells of the seal of a log that is wrong."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from hearts_engine.events import GameOpened, HandDealt, TrickTaken
from hearts_engine.rules import Rules
from hearts_proto.v1 import log_pb2
from hearts_replays import format as files
from hearts_replays.audit import audit, audit_file
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Kind
from hearts_replays.fingerprint import fingerprint
from hearts_replays.keys import SigningKey
from hearts_replays.report import Report, report_json, report_lines
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, Plan, unfinished_log, whole_log
from hearts_wire.records import Record, decode_record, encode_record

LOG = whole_log(Random(1), Plan(Rules(target=20), reveal=frozenset({0, 2})))
RECORDS = tuple(map(decode_record, LOG.records))
LAST = len(RECORDS)
THIEF = SigningKey.from_seed(b"t" * 32)
OPENED = RECORDS[0].event
TRICK, HAND = (
    next(record.seq for record in RECORDS if isinstance(record.event, kind))
    for kind in (TrickTaken, HandDealt)
)


def altered(seq: int, data: bytes) -> list[bytes]:
    """The log with other bytes in one record."""
    return [*LOG.records[: seq - 1], data, *LOG.records[seq:]]


def signed(log: list[bytes], key: SigningKey = KEY) -> list[bytes]:
    """The same, signed as it is."""
    assert isinstance(OPENED, GameOpened)
    before, time = EMPTY_CHAIN.extended(log[:-1]), RECORDS[-1].time
    seal = Record(len(log), time, seal_of(key, OPENED.game_id, before, time))
    return [*log[:-1], encode_record(seal)]


def dearer_trick() -> bytes:
    """A trick that costs what it does not."""
    trick = RECORDS[TRICK - 1].event
    assert isinstance(trick, TrickTaken)
    return encode_record(replace(RECORDS[TRICK - 1], event=replace(trick, points=13)))


def with_a_note() -> bytes:
    """A trick with a field that nobody reads."""
    return LOG.records[TRICK - 1] + b"\xfa\x06\x05hello"


def unsorted() -> bytes:
    """A hand whose cards are not in order."""
    message = log_pb2.LogRecord.FromString(LOG.records[HAND - 1])
    cards = list(message.event.hand_dealt.cards)
    message.event.hand_dealt.ClearField("cards")
    message.event.hand_dealt.cards.extend(cards[::-1])
    return message.SerializeToString()


FAULTS = {
    "a trick that the rules do not give": (TRICK, dearer_trick(), Kind.RULES),
    "a field that nobody reads": (TRICK, with_a_note(), Kind.RECORD),
    "cards in another order": (HAND, unsorted(), Kind.RECORD),
    "bytes that are no record": (TRICK, b"junk", Kind.RECORD),
}


def told(report: Report) -> str:
    """The line of a report about the seal."""
    return list(report_lines(report))[1]


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_that_the_server_signed_is_proof_against_it(case: str) -> None:
    seq, data, kind = FAULTS[case]
    report = audit(signed(altered(seq, data)), known_keys={KEY.public})
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (seq, kind)
    assert report.seal is not None
    assert report.seal.public_key == KEY.public
    assert report.proof
    assert "known here: signed as it is, what is wrong included" in told(report)
    assert report_json(report)["proof"] is True


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_that_was_put_in_later_is_found_in_its_place_and_proves_nothing(case: str) -> None:
    seq, data, kind = FAULTS[case]
    report = audit(altered(seq, data))
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (seq, kind)
    assert report.seal is None
    assert report.seal_fault is not None
    assert (report.seal_fault.seq, report.seal_fault.kind) == (LAST, Kind.SEAL)
    assert not report.proof
    assert "proves nothing of the server" in told(report)


def test_a_thief_who_signs_gives_his_own_key_away_beside_the_fault() -> None:
    assert isinstance(OPENED, GameOpened)
    opening = encode_record(replace(RECORDS[0], event=replace(OPENED, public_key=THIEF.public)))
    log = signed([opening, *altered(TRICK, dearer_trick())[1:]], THIEF)
    report = audit(log, required=fingerprint(KEY.public))
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (TRICK, Kind.RULES)
    assert report.seal_fault is not None
    assert report.seal_fault.kind is Kind.KEY
    assert f"{fingerprint(THIEF.public)}, not known here, not the key asked for" in told(report)


def test_what_comes_after_a_seal_that_holds_was_not_signed() -> None:
    report = audit([*LOG.records, b"junk"])
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (LAST + 1, Kind.RECORD)
    assert report.seal is not None
    assert report.seal.seq == LAST
    assert not report.proof


def test_a_file_damaged_behind_its_seal_is_no_proof_against_the_server(tmp_path: Path) -> None:
    path = tmp_path / "game.hearts"
    path.write_bytes(files.encode(LOG.records) + b"\0\0\0")
    report = audit_file(path)
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (LAST + 1, Kind.FRAMING)
    assert report.seal is not None
    assert not report.proof


def test_a_broken_seal_on_a_game_by_the_rules_is_the_fault_itself() -> None:
    broken = replace(RECORDS[-1], time=RECORDS[-1].time + 1)
    report = audit(altered(LAST, encode_record(broken)))
    assert report.finding == report.seal_fault
    assert report.accepted == LAST - 1
    assert report.head == EMPTY_CHAIN.extended(LOG.records[:-1]).head


def test_a_game_that_runs_has_no_seal_to_tell_of() -> None:
    report = audit(unfinished_log(Random(3), 60).records)
    assert report.unsealed
    assert (report.seal, report.seal_fault, report.proof) == (None, None, False)
    assert told(report) == "no seal: nobody signed this log as it stands"


def test_a_clean_log_is_proof_of_nothing_bad() -> None:
    report = audit(LOG.records)
    assert not report.proof
    assert told(report).endswith("not known here")


def test_the_seal_of_an_opening_that_cannot_be_played_is_told_all_the_same() -> None:
    message = log_pb2.LogRecord.FromString(LOG.records[0])
    message.event.game_opened.rules.target = 5000
    report = audit(signed([message.SerializeToString(), *LOG.records[1:]]))
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (1, Kind.RECORD)
    assert "target" in report.finding.sentence
    assert report.state is None
    assert report.seal is not None
    assert report.proof


def test_why_an_opening_cannot_be_read_is_said() -> None:
    message = log_pb2.LogRecord.FromString(LOG.records[0])
    message.event.game_opened.public_key = b"short"
    finding = audit([message.SerializeToString(), *LOG.records[1:]]).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (1, Kind.RECORD)
    assert "public_key: 5 bytes, not 32" in finding.sentence


def test_a_newer_log_says_so_though_its_rules_cannot_be_read() -> None:
    message = log_pb2.LogRecord.FromString(LOG.records[0])
    message.event.game_opened.rules.MergeFromString(b"\xfa\x06\x05hello")
    unread = audit([message.SerializeToString(), *LOG.records[1:]]).finding
    assert unread is not None
    assert "option 111" in unread.sentence
    message.event.game_opened.engine_version = 2
    finding = audit([message.SerializeToString(), *LOG.records[1:]]).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (1, Kind.VERSION)
    assert "engine version 2" in finding.sentence


def test_a_seal_that_says_it_is_another_record_holds_nowhere() -> None:
    report = audit(altered(LAST, encode_record(replace(RECORDS[-1], seq=LAST + 5))))
    assert report.seal is None
    assert report.finding is not None
    assert report.finding.seq == LAST
