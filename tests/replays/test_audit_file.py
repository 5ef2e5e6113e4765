from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.rules import Rules
from hearts_replays import format as files
from hearts_replays.audit import audit_file
from hearts_replays.finding import Finding, Kind
from hearts_replays.fingerprint import fingerprint
from hearts_replays.framing import lp
from hearts_replays.testing import KEY, Plan, unfinished_log, whole_log

LOG = whole_log(Random(3), Plan(Rules(target=1), reveal=frozenset({0, 1})))
DATA = files.encode(LOG.records)
HEADER = len(files.HEADER)
STARTS = [HEADER]
for record in LOG.records:
    STARTS.append(STARTS[-1] + 4 + len(record))


def found(data: bytes) -> Finding | None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "game.hearts")
        path.write_bytes(data)
        return audit_file(path).finding


def record_at(offset: int) -> int:
    """The record that a byte of the file belongs to, from 1; 0 for the header."""
    return sum(start <= offset for start in STARTS)


def test_a_file_as_it_was_saved_is_clean(tmp_path: Path) -> None:
    path = tmp_path / "game.hearts"
    files.save(path, LOG.records)
    report = audit_file(path, known_keys={KEY.public}, required=fingerprint(KEY.public))
    assert report.clean
    assert report.seal is not None
    assert report.seal.known
    assert report.accepted == len(LOG.records)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_any_byte_flipped_is_found_at_its_record_or_where_it_shows(at: int, bits: int) -> None:
    damaged = bytearray(DATA)
    damaged[at] ^= bits
    finding = found(bytes(damaged))
    assert finding is not None
    assert finding.seq >= record_at(at) or finding.kind is Kind.UNREADABLE
    assert finding.seq <= len(LOG.records)
    if at < HEADER:
        assert (finding.seq, finding.kind) == (0, Kind.UNREADABLE)


@given(st.integers(0, len(DATA) - 1))
def test_a_file_cut_anywhere_is_found_at_the_cut(length: int) -> None:
    finding = found(DATA[:length])
    assert finding is not None
    assert finding.seq == (record_at(length) if length >= HEADER else 0)


@given(st.binary(min_size=1, max_size=20))
def test_what_was_added_to_a_file_is_found(more: bytes) -> None:
    finding = found(DATA + more)
    assert finding is not None
    assert finding.seq == len(LOG.records) + 1


@given(st.integers(1, len(LOG.records) - 1), st.data())
def test_records_of_one_file_do_not_fit_into_another(seq: int, data: st.DataObject) -> None:
    other = whole_log(Random(4), Plan(Rules(target=1), reveal=frozenset({0, 1})))
    taken = data.draw(st.sampled_from(other.records))
    mixed = [*LOG.records[: seq - 1], taken, *LOG.records[seq:]]
    if mixed != LOG.records:
        assert found(files.encode(mixed)) is not None


def test_a_file_that_is_no_game_is_not_readable(tmp_path: Path) -> None:
    finding = found(b"PK\3\4 this is a zip archive")
    assert finding is not None
    assert finding.kind is Kind.UNREADABLE
    with pytest.raises(FileNotFoundError):
        audit_file(tmp_path / "nothing.hearts")


def test_a_fault_before_the_damage_is_told_first() -> None:
    wrong = [*LOG.records[:10], LOG.records[8], *LOG.records[11:]]
    finding = found(files.encode(wrong)[:-3])
    assert finding is not None
    assert finding.seq == 11


def test_a_file_of_a_running_game_is_only_unsealed() -> None:
    finding = found(files.encode(unfinished_log(Random(3), 50).records))
    assert finding is not None
    assert finding.kind is Kind.UNSEALED


def test_a_record_of_no_bytes_is_found() -> None:
    finding = found(DATA[: STARTS[5]] + lp(b"") + DATA[STARTS[5] :])
    assert finding is not None
    assert (finding.seq, finding.kind) == (6, Kind.FRAMING)
