"""The portable file: what was written comes back, and damage is found and located."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.format import (
    HEADER,
    LONGEST_RECORD,
    Fault,
    Reading,
    decode,
    encode,
    load,
    save,
)

logs = st.lists(st.binary(min_size=1, max_size=300), min_size=1, max_size=10)
FILE = encode([b"one", b"three", b"seven"])


def head(reading: Reading) -> bytes:
    return EMPTY_CHAIN.extended(reading.records).head


@given(logs)
def test_what_is_written_comes_back_byte_for_byte(records: list[bytes]) -> None:
    assert decode(encode(records)) == Reading(tuple(records))


def test_the_bytes_are_those_of_the_published_layout() -> None:
    assert FILE == (b"HEARTS\0\x01\x00\x00\x00\x03one\x00\x00\x00\x05three\x00\x00\x00\x05seven")


@given(logs, st.data())
def test_changing_any_byte_is_found_or_changes_the_head(
    records: list[bytes], data: st.DataObject
) -> None:
    file = encode(records)
    place = data.draw(st.sampled_from(range(len(file))))
    flipped = file[place] ^ data.draw(st.integers(1, 255))
    reading = decode(file[:place] + bytes([flipped]) + file[place + 1 :])
    before = sum(len(encode(records[: count + 1])) <= place for count in range(len(records)))
    if reading.fault is None:
        assert head(reading) != head(decode(file))
    elif place < len(HEADER):
        assert (reading.records, reading.fault.record, reading.fault.offset) == ((), 0, 0)
    else:
        assert reading.records[:before] == tuple(records[:before])
        assert reading.fault.record > before


@given(logs, st.data())
def test_cutting_anywhere_is_found_or_changes_the_head(
    records: list[bytes], data: st.DataObject
) -> None:
    file = encode(records)
    reading = decode(file[: data.draw(st.integers(0, len(file) - 1))])
    assert reading.records == tuple(records[: len(reading.records)])
    assert len(reading.records) < len(records)
    if reading.fault is None:
        assert head(reading) != head(decode(file))
    else:
        assert reading.fault.record in {0, len(reading.records) + 1}


@given(logs, st.binary(min_size=1, max_size=20))
def test_bytes_added_at_the_end_are_found_or_change_the_head(
    records: list[bytes], more: bytes
) -> None:
    reading = decode(encode(records) + more)
    assert reading.fault is not None or head(reading) != head(decode(encode(records)))
    assert reading.records[: len(records)] == tuple(records)


@pytest.mark.parametrize(
    ("file", "kept", "fault"),
    [
        (b"", 0, "the header, at byte 0: this is not a .hearts file"),
        (b"PK\x03\x04 something else", 0, "the header, at byte 0: this is not a .hearts file"),
        (HEADER[:7], 0, "the header, at byte 0: the file ends before its version"),
        (HEADER[:7] + b"\x02", 0, "the header, at byte 0: the file is of version 2, this program"),
        (HEADER, 0, "record 1, at byte 8: the file holds no records"),
        (FILE[:-1], 2, "record 3, at byte 24: the file ends 1 bytes before the record does"),
        (FILE[:26], 2, "record 3, at byte 24: the file ends within the record's length"),
        (FILE + bytes(4), 3, "record 4, at byte 33: a length of 0 cannot be"),
        (FILE + b"\xff" * 4, 3, "record 4, at byte 33: a length of 4294967295 cannot be"),
    ],
)
def test_reading_stops_at_the_first_fault_and_says_where(
    file: bytes, kept: int, fault: str
) -> None:
    reading = decode(file)
    assert len(reading.records) == kept
    assert str(reading.fault).startswith(fault)


def test_nothing_after_a_bad_record_is_read_even_if_it_looks_whole() -> None:
    damaged = FILE[:15] + bytes(4) + FILE[19:]
    assert decode(damaged).records == (b"one",)
    assert decode(damaged).fault == Fault(
        2, 15, "a length of 0 cannot be; the file is damaged here or just before"
    )


@pytest.mark.parametrize("records", [[], [b"one", b""], [bytes(LONGEST_RECORD + 1)]])
def test_a_file_that_could_not_be_read_back_is_not_written(records: list[bytes]) -> None:
    with pytest.raises(ValueError, match="record"):
        encode(records)


def test_a_saved_file_is_loaded_again(tmp_path: Path) -> None:
    save(tmp_path / "oak-3.hearts", [b"one", b"two"])
    assert load(tmp_path / "oak-3.hearts") == Reading((b"one", b"two"))
    assert [path.name for path in tmp_path.iterdir()] == ["oak-3.hearts"]


def test_a_save_that_fails_leaves_the_file_before_it_and_no_debris(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> NoReturn:
        raise OSError("the disk is full")

    path = tmp_path / "oak-3.hearts"
    save(path, [b"one"])
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(OSError, match="full"):
            save(path, [b"two"])
    assert load(path) == Reading((b"one",))
    assert list(tmp_path.iterdir()) == [path]
