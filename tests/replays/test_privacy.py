"""What a head tells about records that its reader may not see: nothing."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import HandDealt, PassChosen
from hearts_replays.chain import NO_HEAD, extend, leaf, link
from hearts_replays.testing import unfinished_log
from hearts_wire.records import Record, decode_record, encode_record

LOG = unfinished_log(Random(1), 22)
RECORDS = tuple(decode_record(data) for data in LOG.records)
VICTIM, SPY = Seat(0), Seat(1)
MY_HAND = next(
    record.event.cards
    for record in RECORDS
    if isinstance(record.event, HandDealt) and record.event.seat == SPY
)
SECRET = next(
    record
    for record in RECORDS
    if isinstance(record.event, PassChosen) and record.event.seat == VICTIM
)


def heads_around(records: list[bytes], seq: int) -> tuple[bytes, bytes]:
    """The heads before and after a record, both of which everyone is given."""
    before = NO_HEAD
    for record in records[: seq - 1]:
        before = extend(before, record)
    return before, extend(before, records[seq - 1])


def guesses(salt: bytes) -> Iterator[tuple[CardSet, bytes]]:
    """Every pass that the victim may have chosen, as the record of it would be."""
    others = [card for card in PACK if card not in MY_HAND]
    for cards in combinations(others, 3):
        chosen = CardSet.of(cards)
        yield (
            chosen,
            encode_record(Record(SECRET.seq, SECRET.time, PassChosen(VICTIM, cards), salt)),
        )


def passes_that_fit(records: list[bytes], salt: bytes = b"") -> tuple[int, list[CardSet]]:
    before, after = heads_around(records, SECRET.seq)
    tried = list(guesses(salt))
    return len(tried), [cards for cards, data in tried if extend(before, data) == after]


def test_another_seats_pass_cannot_be_found_by_trying_all() -> None:
    tried, fitting = passes_that_fit(LOG.records)
    assert tried == 9139
    assert fitting == []
    assert passes_that_fit(LOG.records, b"s" * 16)[1] == [], "nor with a salt that is guessed"


def test_without_its_salt_the_pass_would_be_found() -> None:
    bare = [encode_record(replace(record, salt=b"")) for record in RECORDS]
    _, fitting = passes_that_fit(bare)
    assert isinstance(SECRET.event, PassChosen)
    assert fitting == [CardSet.of(SECRET.event.cards)]


def test_every_hidden_record_has_a_salt_of_its_own() -> None:
    salts = [record.salt for record in RECORDS if record.salt]
    assert len(salts) == len(set(salts)) >= 5


def test_a_redacted_log_has_the_same_head_by_the_leaf_alone() -> None:
    before, after = heads_around(LOG.records, SECRET.seq)
    assert link(before, leaf(LOG.records[SECRET.seq - 1])) == after
