"""Records that say the same in other bytes."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    Agent,
    Anchor,
    CardPlayed,
    DealScored,
    FixedSeed,
    GameOpened,
    HandDealt,
    PlayCut,
    SeatsFrozen,
    TrickTaken,
)
from hearts_engine.rules import Rules
from hearts_proto.v1 import log_pb2
from hearts_wire.bounds import WireError
from hearts_wire.heading import decode_heading
from hearts_wire.records import Record, decode_canonical, decode_record, encode_record

PLAYED = Record(5, 300, CardPlayed(Seat(2), PACK[7], Agent.SEAT))
DEALT = Record(6, 300, HandDealt(Seat(1), CardSet.of(PACK[10:23])), b"s" * 16)
EMPTY = HandDealt(Seat(1), NO_CARDS)
OPENED = Record(
    1, 300, GameOpened("game", "oak-1", Rules(), Anchor(bytes(range(32))), bytes(range(32)))
)
UNKNOWN = b"\xfa\x06\x05hello"
"""Field 111, five bytes."""


def field(number: int, data: bytes) -> bytes:
    """A byte string of less than 128 bytes as a field."""
    return bytes([number << 3 | 2, len(data)]) + data


def spelt(record: Record, event: bytes) -> bytes:
    """The record with these bytes in the place of its event."""
    message = log_pb2.LogRecord(seq=record.seq, time=record.time)
    salt = field(4, record.salt) if record.salt else b""
    return message.SerializeToString() + field(3, event) + salt


def played(body: bytes) -> bytes:
    """A card played in these bytes."""
    return spelt(PLAYED, field(13, body))


def dealt(cards: bytes) -> bytes:
    """A hand dealt whose cards are this field."""
    return spelt(DEALT, field(8, b"\x08\x01" + cards))


HAND = bytes(range(10, 23))
CARD = b"\x08\x02\x10\x07\x18\x01"

OTHER_SPELLINGS: dict[str, tuple[bytes, Record]] = {
    "a field of the record that is not known": (encode_record(PLAYED) + UNKNOWN, PLAYED),
    "a field of the event that is not known": (played(CARD + UNKNOWN), PLAYED),
    "a field beside the event": (spelt(PLAYED, field(13, CARD) + UNKNOWN), PLAYED),
    "a field that comes twice": (b"\x08\x63" + encode_record(PLAYED), PLAYED),
    "a card that comes twice": (played(b"\x08\x02\x10\x09\x10\x07\x18\x01"), PLAYED),
    "another event before it": (spelt(PLAYED, b"\x1a\x02\x08\x01" + field(13, CARD)), PLAYED),
    "the event in two pieces": (
        spelt(PLAYED, field(13, CARD[:2]) + field(13, CARD[2:])),
        PLAYED,
    ),
    "fields in another order": (played(CARD[2:] + CARD[:2]), PLAYED),
    "a number in two bytes that needs one": (played(b"\x08\x82\x00\x10\x07\x18\x01"), PLAYED),
    "a tag in two bytes that needs one": (played(b"\x88\x00\x02\x10\x07\x18\x01"), PLAYED),
    "a number beyond its bits": (played(b"\x08\x82\x80\x80\x80\x10\x10\x07\x18\x01"), PLAYED),
    "cards that are not packed": (dealt(b"".join(bytes([16, card]) for card in HAND)), DEALT),
    "cards in two packs": (dealt(field(2, HAND[:4]) + field(2, HAND[4:])), DEALT),
    "cards that are not sorted": (dealt(field(2, HAND[::-1])), DEALT),
    "a zero written out": (
        spelt(Record(9, 300, TrickTaken(Seat(0), 0)), field(14, b"\x08\x00")),
        Record(9, 300, TrickTaken(Seat(0), 0)),
    ),
    "an empty salt written out": (encode_record(PLAYED) + b"\x22\x00", PLAYED),
    "an empty list written out": (
        spelt(replace(DEALT, event=EMPTY), field(8, b"\x08\x01\x12\x00")),
        replace(DEALT, event=EMPTY),
    ),
}


@pytest.mark.parametrize("case", OTHER_SPELLINGS)
def test_a_record_can_be_written_in_one_way_only(case: str) -> None:
    data, record = OTHER_SPELLINGS[case]
    assert decode_record(data) == record, "it says the same"
    assert decode_canonical(encode_record(record)) == record
    with pytest.raises(WireError, match="one way"):
        decode_canonical(data)


def test_what_matters_by_being_there_is_written_though_it_is_zero() -> None:
    for event in (
        DealScored(1, (0,) * 4, Seat(0), (0,) * 4, (0,) * 4),
        GameOpened("game", "oak-1", Rules(), FixedSeed(""), bytes(32)),
        SeatsFrozen(),
        PlayCut(),
    ):
        record = Record(9, 300, event)
        assert decode_canonical(encode_record(record)) == record


def opened_with(change: Callable[[log_pb2.LogRecord], object]) -> bytes:
    """The opening as another program might have written it."""
    message = log_pb2.LogRecord.FromString(encode_record(OPENED))
    change(message)
    return message.SerializeToString()


def test_an_opening_from_before_an_option_was_known_stays_as_good() -> None:
    older = opened_with(lambda m: m.event.game_opened.rules.ClearField("finish"))
    assert older != encode_record(OPENED)
    assert decode_canonical(older) == OPENED


def test_the_heading_is_read_whatever_the_rules_are() -> None:
    newer = opened_with(lambda m: m.event.game_opened.rules.MergeFromString(UNKNOWN))
    with pytest.raises(WireError, match="option 111 is not known"):
        decode_record(newer)
    heading = decode_heading(newer)
    assert heading is not None
    assert heading == decode_heading(encode_record(OPENED))
    assert (heading.game_id, heading.public_key) == ("game", bytes(range(32)))


@pytest.mark.parametrize("data", [b"", b"junk", encode_record(PLAYED)], ids=repr)
def test_what_opens_no_game_has_no_heading(data: bytes) -> None:
    assert decode_heading(data) is None
