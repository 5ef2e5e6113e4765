"""Records that say the same in other bytes."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    Agent,
    Anchor,
    CardPlayed,
    CentreTaken,
    DealScored,
    FixedSeed,
    GameOpened,
    HandDealt,
    KittyDealt,
    KittyShown,
    KittyTaken,
    PassChosen,
    PlayCut,
    RestClaimed,
    SeatsFrozen,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.rules import Rules
from hearts_proto.v1 import log_pb2
from hearts_wire.bounds import WireError
from hearts_wire.events import encode_event
from hearts_wire.heading import decode_heading
from hearts_wire.records import Record, decode_canonical, decode_record, encode_record
from hearts_wire.rules import encode_rules

PLAYED = Record(5, 300, CardPlayed(Seat(2), PACK[7], Agent.SEAT))
DEALT = Record(6, 300, HandDealt(Seat(1), CardSet.of(PACK[10:23])), b"s" * 16)
EMPTY = HandDealt(Seat(1), NO_CARDS)
OPENED = Record(
    1, 300, GameOpened("game", "oak-1", Rules(), Anchor(bytes(range(32))), bytes(range(32)))
)
UNKNOWN = b"\xfa\x06\x05hello"
"""Field 111, five bytes."""


def varint(number: int) -> bytes:
    """A number in as many bytes as it needs."""
    small, rest = number & 127, number >> 7
    return bytes([small | 128]) + varint(rest) if rest else bytes([small])


def field(number: int, data: bytes) -> bytes:
    """A byte string as a field."""
    return varint(number << 3 | 2) + varint(len(data)) + data


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


TWINS = replace(DEALT, event=HandDealt(Seat(1), CardSet.of(PACK[at] for at in (7, 7, 9))))
TWO = CardSet.of([PACK[7], PACK[9]])
KITTY = replace(DEALT, event=KittyDealt(TWO))
KITTY_TAKEN = replace(DEALT, event=KittyTaken(Seat(1), TWO))
KITTY_SHOWN = Record(6, 300, KittyShown(TWO))
CENTRE = replace(DEALT, event=CentreTaken(Seat(1), TWO))
RULES = encode_rules(Rules()).SerializeToString()
"""The standard game, every option written out."""


def reopened(rules: bytes) -> bytes:
    """The opening with these bytes in the place of its rules."""
    event = encode_event(OPENED.event).SerializeToString()
    return spelt(OPENED, field(1, without_size(event).replace(field(3, RULES), field(3, rules))))


def without_size(event: bytes) -> bytes:
    """The bytes of an event's only field, which are between 128 and 16383."""
    return event[3:]


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
    "twins that are not side by side": (
        spelt(TWINS, field(8, b"\x08\x01\x12\x03\x07\x09\x07")),
        TWINS,
    ),
    "a kitty that is not sorted": (spelt(KITTY, field(22, b"\x0a\x02\x09\x07")), KITTY),
    "a shown kitty that is not sorted": (
        spelt(KITTY_SHOWN, field(29, b"\x0a\x02\x09\x07")),
        KITTY_SHOWN,
    ),
    "a taken kitty that is not sorted": (
        spelt(KITTY_TAKEN, field(26, b"\x08\x01\x12\x02\x09\x07")),
        KITTY_TAKEN,
    ),
    "a share of the centre that is not sorted": (
        spelt(CENTRE, field(23, b"\x08\x01\x12\x02\x09\x07")),
        CENTRE,
    ),
    "a cancelled trick with something in it": (
        spelt(Record(9, 300, TrickCancelled()), field(24, b"\x08\x01")),
        Record(9, 300, TrickCancelled()),
    ),
    "no points of a claim written out": (
        spelt(Record(9, 300, RestClaimed(Seat(2), 0)), field(15, b"\x08\x02\x10\x00")),
        Record(9, 300, RestClaimed(Seat(2), 0)),
    ),
    "rules that say something twice": (reopened(b"\x20\x09" + RULES), OPENED),
    "rules that say something in another order": (reopened(RULES[2:] + RULES[:2]), OPENED),
    "a switch that is more than on": (
        reopened(RULES.replace(b"\x68\x01", b"\x68\x02")),
        OPENED,
    ),
    "no bonus for no tricks written out": (
        reopened(RULES.replace(b"\xc8\x01\x01", b"\xc0\x01\x00\xc8\x01\x01")),
        OPENED,
    ),
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


def test_a_pass_may_stand_in_any_order_as_a_scattered_one_says_by_it_whose_each_card_is() -> None:
    for order in ((7, 9, 30), (30, 7, 9)):
        record = replace(DEALT, event=PassChosen(Seat(1), tuple(PACK[at] for at in order)))
        assert decode_canonical(encode_record(record)) == record


def test_the_twins_of_two_packs_are_written_side_by_side() -> None:
    assert decode_canonical(encode_record(TWINS)) == TWINS


def opened_with(change: Callable[[log_pb2.LogRecord], object]) -> bytes:
    """The opening as another program might have written it."""
    message = log_pb2.LogRecord.FromString(encode_record(OPENED))
    change(message)
    return message.SerializeToString()


def test_an_opening_from_before_an_option_was_known_stays_as_good() -> None:
    for name in (field.name for field, _ in encode_rules(Rules()).ListFields()):
        older = opened_with(partial(_leave_out, name))
        assert older != encode_record(OPENED)
        assert decode_canonical(older) == OPENED


def _leave_out(name: str, message: log_pb2.LogRecord) -> None:
    message.event.game_opened.rules.ClearField(name)  # type: ignore[arg-type]  # of the schema


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
