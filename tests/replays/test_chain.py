"""Leaves and heads agree with independent implementations; a redacted log keeps its head."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_replays.chain import (
    EMPTY_CHAIN,
    NO_HEAD,
    Hidden,
    extend,
    leaf,
    redacted_head,
)

VECTORS = Path(__file__).parents[1] / "vectors" / "log_chain.json"
LINES = json.loads(VECTORS.read_text("utf-8"))
RECORDS = [bytes.fromhex(line["record"]) for line in LINES]
HEADS = [bytes.fromhex(line["head"]) for line in LINES]

logs = st.lists(st.binary(max_size=40), min_size=1, max_size=12)


def test_every_leaf_and_head_of_the_worked_chain_comes_out() -> None:
    assert len(LINES) >= 6
    head = NO_HEAD
    for line, record in zip(LINES, RECORDS, strict=True):
        assert leaf(record).hex() == line["leaf"]
        head = extend(head, record)
        assert head.hex() == line["head"]


def test_a_chain_can_be_extended_in_parts_of_any_size() -> None:
    for cut in range(len(RECORDS) + 1):
        chain = EMPTY_CHAIN.extended(RECORDS[:cut]).extended(RECORDS[cut:])
        assert chain == (len(RECORDS), HEADS[-1])


@given(logs, st.data())
def test_a_redacted_log_has_the_head_of_the_whole_log(
    records: list[bytes], data: st.DataObject
) -> None:
    hidden = data.draw(st.sets(st.sampled_from(range(len(records)))))
    entries = [
        Hidden(leaf(record)) if index in hidden else record for index, record in enumerate(records)
    ]
    assert redacted_head(entries) == EMPTY_CHAIN.extended(records).head


@given(logs, st.data())
def test_a_record_altered_dropped_or_moved_changes_the_head(
    records: list[bytes], data: st.DataObject
) -> None:
    index = data.draw(st.sampled_from(range(len(records))))
    record = records[index]
    others = records[:index] + records[index + 1 :]
    forged = data.draw(st.binary(max_size=40).filter(lambda other: other != record))
    place = data.draw(st.sampled_from(range(len(records))))
    altered = [*records[:index], forged, *records[index + 1 :]]
    moved = [*others[:place], record, *others[place:]]
    head = redacted_head(records)
    assert redacted_head(altered) != head
    assert redacted_head(others) != head
    assert (redacted_head(moved) == head) == (moved == records)


def test_a_leaf_of_the_wrong_size_cannot_stand_for_a_record() -> None:
    with pytest.raises(ValueError, match="a leaf has 32 bytes, not 31"):
        redacted_head([Hidden(bytes(31))])
