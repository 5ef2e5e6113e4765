from contextlib import suppress
from random import Random
from typing import get_args

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Absence,
    Agent,
    Anchor,
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    FixedSeed,
    GameClosed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    LogSealed,
    MoonChosen,
    MoonOffered,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
    StopCause,
    TrickCancelled,
    TrickTaken,
    Versions,
)
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.testing_rules import random_rules
from hearts_proto.v1 import events_pb2, log_pb2
from hearts_proto.v1.events_pb2 import AGENT_SEAT, SEAT_KIND_PERSON
from hearts_proto.v1.rules_pb2 import DIRECTION_LEFT, MOON_CHOICE_ADD
from hearts_wire.bounds import WireError
from hearts_wire.events import decode_event, encode_event
from hearts_wire.records import Record, decode_record, encode_record

seats = st.integers(0, 9).map(Seat)
small = st.integers(0, 2**31 - 1)
from_one = st.integers(1, 2**31 - 1)
digests = st.binary(min_size=32, max_size=32)
card_sets = st.sets(st.integers(0, 103), max_size=26).map(
    lambda places: CardSet.of(PACK[place % 52] for place in places)
)
"""Of two packs, so that some cards have their twin beside them."""
agents = st.sampled_from(Agent)
directions = st.sampled_from(Direction)
rules = st.integers(0, 2**32).map(lambda seed: random_rules(Random(seed)))


@st.composite
def results_of(draw: st.DrawFn) -> DealScored:
    by_seat = st.lists(small, min_size=(n := draw(st.integers(0, 10))), max_size=n).map(tuple)
    deal, moon = draw(from_one), draw(st.none() | seats)
    return DealScored(deal, draw(by_seat), moon, draw(by_seat), draw(by_seat))


places = st.integers(0, 10).flatmap(
    lambda n: st.tuples(
        st.lists(small, min_size=n, max_size=n).map(tuple),
        st.lists(from_one, min_size=n, max_size=n).map(tuple),
    )
)

EVENTS: dict[type, st.SearchStrategy[Event]] = {
    GameOpened: st.builds(
        GameOpened,
        st.from_regex("[0-9A-Za-z-]{1,64}", fullmatch=True),
        st.text(),
        rules,
        st.builds(Anchor, digests) | st.builds(FixedSeed, st.text()),
        digests,
        st.builds(Versions, from_one, from_one, from_one),
        small,
        small,
        st.booleans(),
    ),
    SeatTaken: st.builds(
        SeatTaken, seats, st.text(), st.sampled_from(SeatKind), st.text(), st.just(b"") | digests
    ),
    SeatLeft: st.builds(SeatLeft, seats),
    SeatsFrozen: st.builds(SeatsFrozen),
    EntropyRevealed: st.builds(EntropyRevealed, seats, digests),
    EntropyWithheld: st.builds(EntropyWithheld, seats),
    DealBegan: st.builds(DealBegan, from_one, seats, directions),
    HandDealt: st.builds(HandDealt, seats, card_sets),
    SeatReady: st.builds(SeatReady, seats),
    PassChosen: st.builds(
        PassChosen, seats, st.lists(st.sampled_from(PACK), max_size=9).map(tuple), agents
    ),
    CardsPassed: st.builds(CardsPassed, seats, seats, card_sets),
    PlayBegan: st.builds(PlayBegan, seats),
    CardPlayed: st.builds(CardPlayed, seats, st.sampled_from(PACK), agents),
    TrickTaken: st.builds(TrickTaken, seats, small),
    TrickCancelled: st.builds(TrickCancelled),
    RestClaimed: st.builds(RestClaimed, seats, small),
    KittyDealt: st.builds(KittyDealt, card_sets),
    KittyWon: st.builds(KittyWon, seats),
    KittyTaken: st.builds(KittyTaken, seats, card_sets),
    KittyShown: st.builds(KittyShown, card_sets),
    CentreTaken: st.builds(CentreTaken, seats, card_sets),
    MoonOffered: st.builds(MoonOffered, seats),
    MoonChosen: st.builds(MoonChosen, seats, st.sampled_from(MoonChoice), agents),
    PlayCut: st.builds(PlayCut),
    HandShown: st.builds(HandShown, seats, card_sets, card_sets),
    SecretRevealed: st.builds(SecretRevealed, from_one, digests),
    DealScored: results_of(),
    GameEnded: places.map(lambda by_seat: GameEnded(*by_seat)),
    SeatAway: st.builds(SeatAway, seats, st.sampled_from(Absence)),
    SeatBack: st.builds(SeatBack, seats),
    SeatTakenOver: st.builds(SeatTakenOver, seats, st.text(), st.sampled_from(SeatKind)),
    ClocksStopped: st.builds(ClocksStopped, st.sampled_from(StopCause)),
    ClocksStarted: st.builds(ClocksStarted),
    GameClosed: st.builds(GameClosed, st.sampled_from(CloseCause)),
    LogSealed: st.builds(LogSealed, st.binary(min_size=64, max_size=64)),
}
KINDS = [field.name for field in events_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"].fields]

events = st.one_of(*EVENTS.values())
records = st.builds(
    Record,
    st.integers(1, 2**64 - 1),
    st.integers(0, 2**64 - 1),
    events,
    st.just(b"") | st.binary(min_size=16, max_size=16),
)


def test_no_event_of_the_engine_is_missing_from_these_tests_or_the_schema() -> None:
    assert set(EVENTS) == set(get_args(Event))
    assert len(KINDS) == len(EVENTS)


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_an_event_comes_back_as_it_was_written(kind: type) -> None:
    @given(EVENTS[kind])
    def comes_back(event: Event) -> None:
        assert type(event) is kind
        written = encode_event(event).SerializeToString()
        assert decode_event(events_pb2.Event.FromString(written)) == event

    comes_back()


@given(records)
def test_a_record_comes_back_as_it_was_written(record: Record) -> None:
    data = encode_record(record)
    assert decode_record(data) == record
    assert encode_record(decode_record(data)) == data


@given(st.binary(max_size=80))
def test_bytes_from_anywhere_are_refused_and_never_crash_the_reader(data: bytes) -> None:
    with suppress(WireError):  # and nothing else
        decode_record(data)


@given(records, st.data())
def test_a_damaged_record_is_refused_or_read_as_another_and_never_crashes(
    record: Record, data: st.DataObject
) -> None:
    written = bytearray(encode_record(record))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(written) - 1))
        written[at] ^= data.draw(st.integers(1, 255))
    with suppress(WireError):  # and nothing else
        decode_record(bytes(written))


@given(st.binary(max_size=40), st.sampled_from(KINDS))
def test_a_damaged_event_of_each_kind_never_crashes_the_reader(body: bytes, kind: str) -> None:
    number = events_pb2.Event.DESCRIPTOR.fields_by_name[kind].number
    tag = bytes([(number << 3 & 127) | 2 | 128, number >> 4])
    with suppress(DecodeError, WireError):  # the first where protobuf itself refuses it
        decode_event(events_pb2.Event.FromString(tag + bytes([len(body)]) + body))


def test_an_event_of_a_newer_version_is_not_skipped() -> None:
    newer = events_pb2.Event.FromString(b"\xfa\x3e\x02\x08\x01")  # field 1007
    with pytest.raises(WireError, match=r"event\.kind"):
        decode_event(newer)


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (
            events_pb2.Event(card_played=events_pb2.CardPlayed(card=52, by=AGENT_SEAT)),
            "card_played.card",
        ),
        (
            events_pb2.Event(card_played=events_pb2.CardPlayed(seat=10, by=AGENT_SEAT)),
            "card_played.seat",
        ),
        (events_pb2.Event(card_played=events_pb2.CardPlayed(card=51)), "card_played.by"),
        (events_pb2.Event(hand_dealt=events_pb2.HandDealt(cards=[52])), "hand_dealt.cards"),
        (events_pb2.Event(hand_dealt=events_pb2.HandDealt(cards=[7, 7, 7])), "hand_dealt.cards"),
        (
            events_pb2.Event(deal_began=events_pb2.DealBegan(direction=DIRECTION_LEFT)),
            "deal_began.deal",
        ),
        (events_pb2.Event(deal_began=events_pb2.DealBegan(deal=1)), "deal_began.direction"),
        (events_pb2.Event(seat_taken=events_pb2.SeatTaken(name="Ann")), "seat_taken.kind"),
        (
            events_pb2.Event(
                seat_taken=events_pb2.SeatTaken(kind=SEAT_KIND_PERSON, commitment=b"x" * 31)
            ),
            "seat_taken.commitment",
        ),
        (
            events_pb2.Event(entropy_revealed=events_pb2.EntropyRevealed(entropy=b"")),
            "entropy_revealed.entropy",
        ),
        (
            events_pb2.Event(secret_revealed=events_pb2.SecretRevealed(deal=1, secret=b"x" * 33)),
            "secret_revealed.secret",
        ),
        (
            events_pb2.Event(deal_scored=events_pb2.DealScored(deal=1, points=[1], totals=[1])),
            "deal_scored.scores",
        ),
        (
            events_pb2.Event(game_ended=events_pb2.GameEnded(totals=[1], places=[0])),
            "game_ended.places",
        ),
        (events_pb2.Event(kitty_dealt=events_pb2.KittyDealt(cards=[52])), "kitty_dealt.cards"),
        (events_pb2.Event(kitty_won=events_pb2.KittyWon(seat=10)), "kitty_won.seat"),
        (events_pb2.Event(kitty_taken=events_pb2.KittyTaken(seat=10)), "kitty_taken.seat"),
        (
            events_pb2.Event(kitty_taken=events_pb2.KittyTaken(cards=[3, 3, 3])),
            "kitty_taken.cards",
        ),
        (events_pb2.Event(kitty_shown=events_pb2.KittyShown(cards=[3] * 3)), "kitty_shown.cards"),
        (events_pb2.Event(centre_taken=events_pb2.CentreTaken(seat=10)), "centre_taken.seat"),
        (
            events_pb2.Event(centre_taken=events_pb2.CentreTaken(cards=[99])),
            "centre_taken.cards",
        ),
        (
            events_pb2.Event(pass_chosen=events_pb2.PassChosen(cards=[52], by=AGENT_SEAT)),
            "pass_chosen.cards",
        ),
        (events_pb2.Event(pass_chosen=events_pb2.PassChosen(cards=[1])), "pass_chosen.by"),
        (events_pb2.Event(moon_offered=events_pb2.MoonOffered(seat=10)), "moon_offered.seat"),
        (
            events_pb2.Event(moon_chosen=events_pb2.MoonChosen(by=AGENT_SEAT)),
            "moon_chosen.choice",
        ),
        (
            events_pb2.Event(moon_chosen=events_pb2.MoonChosen(choice=MOON_CHOICE_ADD)),
            "moon_chosen.by",
        ),
        (events_pb2.Event(rest_claimed=events_pb2.RestClaimed(seat=10)), "rest_claimed.seat"),
        (events_pb2.Event(seat_away=events_pb2.SeatAway(seat=10)), "seat_away.seat"),
        (events_pb2.Event(seat_away=events_pb2.SeatAway()), "seat_away.absence"),
        (events_pb2.Event.FromString(b"\xf2\x01\x02\x10\x04"), "seat_away.absence"),
        (events_pb2.Event(seat_back=events_pb2.SeatBack(seat=10)), "seat_back.seat"),
        (
            events_pb2.Event(seat_taken_over=events_pb2.SeatTakenOver(seat=10)),
            "seat_taken_over.seat",
        ),
        (
            events_pb2.Event(seat_taken_over=events_pb2.SeatTakenOver(name="Zoe")),
            "seat_taken_over.kind",
        ),
        (events_pb2.Event(clocks_stopped=events_pb2.ClocksStopped()), "clocks_stopped.cause"),
        (events_pb2.Event(game_closed=events_pb2.GameClosed()), "game_closed.cause"),
        (events_pb2.Event(log_sealed=events_pb2.LogSealed()), "log_sealed.signature"),
        (events_pb2.Event(game_opened=events_pb2.GameOpened()), "game_opened.game_id"),
        (
            events_pb2.Event(game_opened=events_pb2.GameOpened(game_id="../evil")),
            "game_opened.game_id",
        ),
        (
            events_pb2.Event(game_opened=events_pb2.GameOpened(game_id="g", public_key=bytes(32))),
            "game_opened.source",
        ),
    ],
)
def test_a_field_out_of_bounds_is_named(event: events_pb2.Event, field: str) -> None:
    with pytest.raises(WireError, match=f"^{field}: "):
        decode_event(event)


@pytest.mark.parametrize(
    ("record", "field"),
    [
        (log_pb2.LogRecord(seq=1), r"record\.event"),
        (log_pb2.LogRecord(event=encode_event(PlayCut())), r"record\.seq"),
        (log_pb2.LogRecord(seq=1, event=encode_event(PlayCut()), salt=b"salt"), r"record\.salt"),
    ],
)
def test_a_record_without_its_place_or_its_event_is_refused(
    record: log_pb2.LogRecord, field: str
) -> None:
    with pytest.raises(WireError, match=f"^{field}: "):
        decode_record(record.SerializeToString())


def test_cards_that_are_scattered_keep_the_order_that_says_whose_each_is() -> None:
    chosen = tuple(Card.parse(text) for text in ("QS", "2C", "AH"))
    event = encode_event(PassChosen(Seat(1), chosen))
    assert list(event.pass_chosen.cards) == [36, 0, 51]
    assert decode_event(event) == PassChosen(Seat(1), chosen)


def test_the_twins_of_two_packs_lie_side_by_side() -> None:
    event = encode_event(HandDealt(Seat(1), CardSet.parse("QS 2C AH QS")))
    assert list(event.hand_dealt.cards) == [0, 36, 36, 51]


def test_a_claim_from_before_its_points_were_written_is_read() -> None:
    older = events_pb2.Event.FromString(bytes.fromhex("7a020802"))
    assert decode_event(older) == RestClaimed(Seat(2), 0)
