"""What a head tells about records that its reader may not see: nothing."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from random import Random

from hearts_engine.audience import visible_to
from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import CentreTaken, HandDealt, KittyDealt, KittyTaken, PassChosen
from hearts_engine.ruletext import parse_rules
from hearts_replays.chain import NO_HEAD, extend, leaf, link
from hearts_replays.testing import Plan, unfinished_log
from hearts_wire.records import SALT_SIZE, Record, decode_record, encode_record

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


def test_a_kitty_is_shown_to_nobody_and_cannot_be_found_by_trying_all() -> None:
    rules = parse_rules("three removed=none kitty=first_trick")
    log = unfinished_log(Random(1), 12, Plan(rules))
    records = list(map(decode_record, log.records))
    kitty = next(record for record in records if isinstance(record.event, KittyDealt))
    assert isinstance(kitty.event, KittyDealt)
    assert len(kitty.salt) == SALT_SIZE
    assert not any(visible_to(seat, kitty.event) for seat in (*map(Seat, range(3)), None))
    before, after = heads_around(log.records, kitty.seq)
    tried = [
        encode_record(replace(kitty, event=KittyDealt(CardSet.of([card])), salt=b"s" * SALT_SIZE))
        for card in PACK
    ]
    assert after not in {extend(before, data) for data in tried}
    assert after == extend(before, encode_record(kitty))


def test_what_the_kitty_and_the_centre_gave_is_shown_to_the_seat_that_took_it() -> None:
    for event in (KittyTaken(SPY, MY_HAND), CentreTaken(SPY, MY_HAND)):
        assert visible_to(SPY, event)
        assert not visible_to(VICTIM, event)
        assert not visible_to(None, event)
