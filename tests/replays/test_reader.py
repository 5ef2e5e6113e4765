"""Records that are in order by themselves, and not in this log."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.audience import audience
from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    CentreTaken,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameEnded,
    HandDealt,
    HandShown,
    KittyTaken,
    KittyWon,
    MoonChosen,
    MoonOffered,
    PassChosen,
    PlayBegan,
    RestClaimed,
    SeatKind,
    SeatLeft,
    SeatReady,
    SeatTaken,
    SecretRevealed,
    TrickTaken,
)
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_replays.audit import audit
from hearts_replays.finding import Kind
from hearts_replays.reader import read_log
from hearts_replays.receipts import check
from hearts_replays.summary import summarise
from hearts_replays.testing import Plan, receipts_of, whole_log
from hearts_replays.transcript import transcript
from hearts_wire.records import Record, decode_record, encode_record

LOG = whole_log(Random(1), Plan(Rules(target=20), reveal=frozenset({0, 2})))
RECORDS = tuple(map(decode_record, LOG.records))
NOBODY, CARDS = Seat(4), CardSet.of(PACK[:3])

OUTSIDE: list[Event] = [
    CardPlayed(NOBODY, PACK[0]),
    TrickTaken(NOBODY, 0),
    HandDealt(NOBODY, CARDS),
    SeatReady(NOBODY),
    PassChosen(NOBODY, PACK[:3]),
    CardsPassed(NOBODY, Seat(0), CARDS),
    CardsPassed(Seat(0), NOBODY, CARDS),
    PlayBegan(NOBODY),
    HandShown(NOBODY, CARDS, NO_CARDS),
    CentreTaken(NOBODY, CARDS),
    KittyWon(NOBODY),
    KittyTaken(NOBODY, CARDS),
    MoonOffered(NOBODY),
    MoonChosen(NOBODY, MoonChoice.ADD),
    DealBegan(1, NOBODY, Direction.LEFT),
    RestClaimed(NOBODY, 0),
    SeatTaken(NOBODY, "Eve", SeatKind.PERSON),
    SeatLeft(NOBODY),
    EntropyRevealed(NOBODY, bytes(32)),
    EntropyWithheld(NOBODY),
    DealScored(1, (0,) * 4, NOBODY, (0,) * 4, (0,) * 4),
]
UNEVEN: list[Event] = [
    DealScored(1, (), None, (), ()),
    DealScored(1, (1,) * 5, None, (1,) * 5, (1,) * 5),
    GameEnded((), ()),
    GameEnded((1,) * 9, (1,) * 9),
]
WRONG = [*OUTSIDE, *UNEVEN]


def with_event(seq: int, event: Event) -> list[bytes]:
    """The log with another event in one record."""
    salt = b"" if audience(event) is None else seq.to_bytes(16, "big")
    data = encode_record(replace(RECORDS[seq - 1], event=event, salt=salt))
    return [*LOG.records[: seq - 1], data, *LOG.records[seq:]]


@pytest.mark.parametrize("event", WRONG, ids=str)
def test_a_record_of_a_seat_that_the_table_does_not_have_is_refused(event: Event) -> None:
    prefix = read_log(with_event(40, event))
    assert len(prefix.records) == 39
    assert prefix.finding is not None
    assert (prefix.finding.seq, prefix.finding.kind) == (40, Kind.RECORD)
    expected = "no seat 4" if event in OUTSIDE else "entries by seat"
    assert expected in prefix.finding.sentence


def test_the_same_salt_twice_is_found_where_it_comes_again() -> None:
    first, second = (
        [record for record in RECORDS if isinstance(record.event, kind)][at]
        for kind, at in ((HandDealt, 0), (PassChosen, 2))
    )
    data = encode_record(replace(second, salt=first.salt))
    log = [*LOG.records[: second.seq - 1], data, *LOG.records[second.seq :]]
    finding = read_log(log).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (second.seq, Kind.RECORD)
    assert f"salt is that of record {first.seq}" in finding.sentence
    assert audit(log).finding == finding


def test_the_one_record_after_a_seal_is_not_read() -> None:
    prefix = read_log([*LOG.records, LOG.records[-1]])
    assert len(prefix.records) == len(LOG.records)
    assert prefix.finding is not None
    assert "after the seal" in prefix.finding.sentence


POOL = [*LOG.events, *WRONG, SecretRevealed(300, bytes(32)), DealBegan(9, Seat(0), Direction.HOLD)]


@given(st.lists(st.tuples(st.integers(1, len(RECORDS)), st.sampled_from(POOL)), max_size=4))
def test_no_log_however_wrong_stops_anyone_who_reads_it(
    put_in: Sequence[tuple[int, Event]],
) -> None:
    events = list(LOG.events)
    for index, event in put_in:
        events.insert(index, event)
    log = [
        encode_record(
            Record(seq, 300, event, b"" if audience(event) is None else seq.to_bytes(16, "big"))
        )
        for seq, event in enumerate(events, start=1)
    ]
    assert list(transcript(log))
    assert summarise(log) is not None
    audit(log)
    check(receipts_of(LOG, Seat(0)), log)
