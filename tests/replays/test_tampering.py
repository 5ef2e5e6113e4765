"""Whoever changes a log that is written, and what becomes of it."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.audience import audience
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Anchor,
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    LogSealed,
    PassChosen,
    PlayBegan,
    SeatKind,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
    TrickTaken,
)
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Finding, Kind
from hearts_replays.fingerprint import fingerprint
from hearts_replays.keys import SigningKey
from hearts_replays.receipts import check
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, Plan, receipts_of, unfinished_log, whole_log
from hearts_wire.records import Record, decode_record, encode_record

E = TypeVar("E")

PLAN = Plan(Rules(target=20), reveal=frozenset({0, 2}), withhold=frozenset({1}))
LOG = whole_log(Random(1), PLAN)
RECORDS = tuple(decode_record(data) for data in LOG.records)
LAST = len(RECORDS)
THIEF = SigningKey.from_seed(b"t" * 32)

Reseal = Callable[[list[Record]], list[bytes]]


def as_it_is(records: list[Record]) -> list[bytes]:
    """Nothing is signed again."""
    return [encode_record(record) for record in records]


def signed_by(key: SigningKey, records: list[Record]) -> list[bytes]:
    """Signed again, the records as they are by now."""
    *log, last = as_it_is(records)
    return resealed(key, log) if isinstance(records[-1].event, LogSealed) else [*log, last]


def resealed(key: SigningKey, log: list[bytes]) -> list[bytes]:
    """These records with a seal of theirs, at the time of the last."""
    opened, time = decode_record(log[0]).event, decode_record(log[-1]).time
    assert isinstance(opened, GameOpened)
    seal = seal_of(key, opened.game_id, EMPTY_CHAIN.extended(log), time)
    return [*log, encode_record(Record(len(log) + 1, time, seal))]


def with_a_key_of_his_own(records: list[Record]) -> list[bytes]:
    """Signed again with another key than record 1 says."""
    return signed_by(THIEF, records)


def with_a_key_of_his_own_in_record_1(records: list[Record]) -> list[bytes]:
    """Signed again so that the signature holds."""
    opened = records[0].event
    assert isinstance(opened, GameOpened)
    opening = replace(records[0], event=replace(opened, public_key=THIEF.public))
    return with_a_key_of_his_own([opening, *records[1:]])


RESEALS = [as_it_is, with_a_key_of_his_own, with_a_key_of_his_own_in_record_1]


def seq_of(kind: type, nth: int = 0) -> int:
    """The seq of the n-th record with an event of this kind."""
    return [record.seq for record in RECORDS if isinstance(record.event, kind)][nth]


def event_at(seq: int, kind: type[E]) -> E:
    event = RECORDS[seq - 1].event
    assert isinstance(event, kind)
    return event


def changed(seq: int, event: Event) -> list[Record]:
    records = list(RECORDS)
    records[seq - 1] = replace(records[seq - 1], event=event)
    return records


def renumbered(records: list[Record]) -> list[Record]:
    return [replace(record, seq=seq) for seq, record in enumerate(records, start=1)]


def found(log: list[bytes]) -> Finding:
    finding = audit(log).finding
    assert finding is not None
    return finding


FIRST_PLAY, TENTH_PLAY = seq_of(CardPlayed), seq_of(CardPlayed, 9)
FIRST_HAND, SECOND_HAND = seq_of(HandDealt), seq_of(HandDealt, 1)
FIRST_SECRET = seq_of(SecretRevealed)
FIRST_TRICK = seq_of(TrickTaken)
FIRST_PASS = seq_of(PassChosen)
OPENING = event_at(1, GameOpened)
GONE = event_at(FIRST_PLAY, CardPlayed).card


def hands_swapped() -> list[Record]:
    one, two = event_at(FIRST_HAND, HandDealt), event_at(SECOND_HAND, HandDealt)
    records = changed(FIRST_HAND, HandDealt(one.seat, two.cards))
    records[SECOND_HAND - 1] = replace(
        records[SECOND_HAND - 1], event=HandDealt(two.seat, one.cards)
    )
    return records


def swapped(seq: int) -> list[Record]:
    records = list(RECORDS)
    one, two = records[seq - 1], records[seq]
    records[seq - 1] = replace(two, seq=one.seq, time=one.time)
    records[seq] = replace(one, seq=two.seq, time=two.time)
    return records


def raised(numbers: tuple[int, ...]) -> tuple[int, ...]:
    return (numbers[0] + 1, *numbers[1:])


def salt_of(seq: int) -> bytes:
    return seq.to_bytes(16, "big")


def not_held() -> tuple[Card, ...]:
    hand = event_at(FIRST_HAND, HandDealt).cards
    return tuple(card for card in PACK if card not in hand)[:3]


SCORED, ENDED = seq_of(DealScored), seq_of(GameEnded)
SHOWN, READY, PASSED = seq_of(HandShown), seq_of(SeatReady), seq_of(CardsPassed)
REVEALED, WITHHELD = seq_of(EntropyRevealed), seq_of(EntropyWithheld)
scored, ended, shown = (
    event_at(SCORED, DealScored),
    event_at(ENDED, GameEnded),
    event_at(SHOWN, HandShown),
)

CASES: dict[str, tuple[list[Record], int, Kind]] = {
    "a card that was played before": (
        changed(TENTH_PLAY, replace(event_at(TENTH_PLAY, CardPlayed), card=GONE)),
        TENTH_PLAY,
        Kind.RULES,
    ),
    "the seat that played a card": (
        changed(
            TENTH_PLAY,
            replace(
                event_at(TENTH_PLAY, CardPlayed),
                seat=Seat((event_at(TENTH_PLAY, CardPlayed).seat + 1) % 4),
            ),
        ),
        TENTH_PLAY,
        Kind.RULES,
    ),
    "who took a trick": (
        changed(
            FIRST_TRICK,
            TrickTaken(Seat((event_at(FIRST_TRICK, TrickTaken).seat + 1) % 4), 0),
        ),
        FIRST_TRICK,
        Kind.RULES,
    ),
    "what a trick cost": (
        changed(FIRST_TRICK, replace(event_at(FIRST_TRICK, TrickTaken), points=13)),
        FIRST_TRICK,
        Kind.RULES,
    ),
    "a seat's points": (
        changed(SCORED, replace(scored, points=raised(scored.points))),
        SCORED,
        Kind.RULES,
    ),
    "a seat's total": (
        changed(SCORED, replace(scored, totals=raised(scored.totals))),
        SCORED,
        Kind.RULES,
    ),
    "a moon that nobody shot": (
        changed(SCORED, replace(scored, moon=Seat(2))),
        SCORED,
        Kind.RULES,
    ),
    "who won": (
        changed(ENDED, replace(ended, places=ended.places[::-1])),
        ENDED,
        Kind.RULES,
    ),
    "a hand shown": (
        changed(SHOWN, replace(shown, held=shown.dealt, dealt=shown.held)),
        SHOWN,
        Kind.RULES,
    ),
    "two hands dealt": (hands_swapped(), FIRST_HAND, Kind.FAIRNESS),
    "the secret of the first deal": (
        changed(FIRST_SECRET, SecretRevealed(1, bytes(32))),
        FIRST_SECRET,
        Kind.FAIRNESS,
    ),
    "the secret of the last deal": (
        changed(
            seq_of(SecretRevealed, -1),
            replace(event_at(seq_of(SecretRevealed, -1), SecretRevealed), secret=b"s" * 32),
        ),
        seq_of(SecretRevealed, -1),
        Kind.FAIRNESS,
    ),
    "the deal that a secret is of": (
        changed(FIRST_SECRET, replace(event_at(FIRST_SECRET, SecretRevealed), deal=2)),
        FIRST_SECRET,
        Kind.RULES,
    ),
    "the anchor": (
        changed(1, replace(OPENING, source=Anchor(bytes(32)))),
        FIRST_SECRET,
        Kind.FAIRNESS,
    ),
    "the game's id": (
        changed(1, replace(OPENING, game_id="another")),
        FIRST_HAND,
        Kind.FAIRNESS,
    ),
    "the target": (
        changed(1, replace(OPENING, rules=Rules(target=1000))),
        ENDED,
        Kind.RULES,
    ),
    "the pass": (
        changed(1, replace(OPENING, rules=Rules(target=20, pass_cycle=(Direction.HOLD,)))),
        seq_of(DealBegan),
        Kind.RULES,
    ),
    "the number of cards passed": (
        changed(1, replace(OPENING, rules=Rules(target=20, pass_count=2))),
        FIRST_PASS,
        Kind.RULES,
    ),
    "a seat's entropy": (
        changed(REVEALED, replace(event_at(REVEALED, EntropyRevealed), entropy=bytes(32))),
        REVEALED,
        Kind.FAIRNESS,
    ),
    "a commitment whose entropy is revealed": (
        changed(2, replace(event_at(2, SeatTaken), commitment=bytes(32))),
        REVEALED,
        Kind.FAIRNESS,
    ),
    "a commitment whose entropy is withheld": (
        changed(3, replace(event_at(3, SeatTaken), commitment=bytes(32))),
        FIRST_HAND,
        Kind.FAIRNESS,
    ),
    "a commitment that was never made": (
        changed(5, replace(event_at(5, SeatTaken), commitment=bytes(32))),
        5,
        Kind.RULES,
    ),
    "entropy withheld that was revealed": (
        changed(REVEALED, EntropyWithheld(event_at(REVEALED, EntropyRevealed).seat)),
        FIRST_HAND,
        Kind.FAIRNESS,
    ),
    "the dealer": (
        changed(
            seq_of(DealBegan),
            replace(event_at(seq_of(DealBegan), DealBegan), dealer=Seat(1)),
        ),
        seq_of(DealBegan),
        Kind.RULES,
    ),
    "a pass of cards that were not held": (
        changed(FIRST_PASS, PassChosen(event_at(FIRST_PASS, PassChosen).seat, not_held())),
        FIRST_PASS,
        Kind.RULES,
    ),
    "a seat ready that was not": (
        changed(READY, SeatReady(Seat((event_at(READY, SeatReady).seat + 1) % 4))),
        READY,
        Kind.RULES,
    ),
    "who was passed the cards": (
        changed(
            PASSED,
            replace(event_at(PASSED, CardsPassed), taker=event_at(PASSED, CardsPassed).giver),
        ),
        PASSED,
        Kind.RULES,
    ),
    "who leads": (
        changed(
            seq_of(PlayBegan),
            PlayBegan(Seat((event_at(seq_of(PlayBegan), PlayBegan).leader + 1) % 4)),
        ),
        seq_of(PlayBegan),
        Kind.RULES,
    ),
    "the order of two cards": (swapped(FIRST_PLAY), FIRST_PLAY, Kind.RULES),
    "a name that no terminal should print": (
        changed(2, replace(event_at(2, SeatTaken), name="\x1b[2J")),
        2,
        Kind.RULES,
    ),
    "a time that goes back": (
        [
            *RECORDS[: TENTH_PLAY - 1],
            replace(RECORDS[TENTH_PLAY - 1], time=RECORDS[0].time),
            *RECORDS[TENTH_PLAY:],
        ],
        TENTH_PLAY,
        Kind.RECORD,
    ),
    "a salt taken away": (
        [
            *RECORDS[: FIRST_PASS - 1],
            replace(RECORDS[FIRST_PASS - 1], salt=b""),
            *RECORDS[FIRST_PASS:],
        ],
        FIRST_PASS,
        Kind.RECORD,
    ),
    "a salt where everyone may look": (
        [
            *RECORDS[: FIRST_PLAY - 1],
            replace(RECORDS[FIRST_PLAY - 1], salt=b"s" * 16),
            *RECORDS[FIRST_PLAY:],
        ],
        FIRST_PLAY,
        Kind.RECORD,
    ),
    "a record taken out": (
        [*RECORDS[: TENTH_PLAY - 1], *RECORDS[TENTH_PLAY:]],
        TENTH_PLAY,
        Kind.RECORD,
    ),
    "a record taken out and the rest counted again": (
        renumbered([*RECORDS[: TENTH_PLAY - 1], *RECORDS[TENTH_PLAY:]]),
        TENTH_PLAY,
        Kind.RULES,
    ),
    "a record put in twice": (
        renumbered([*RECORDS[:TENTH_PLAY], *RECORDS[TENTH_PLAY - 1 :]]),
        TENTH_PLAY + 1,
        Kind.RULES,
    ),
    "a game opened twice": (
        renumbered([RECORDS[0], RECORDS[0], *RECORDS[1:]]),
        2,
        Kind.RULES,
    ),
    "a seat taken after the start": (
        renumbered(
            [
                *RECORDS[: seq_of(SeatsFrozen)],
                replace(RECORDS[seq_of(SeatsFrozen)], event=RECORDS[1].event, salt=b""),
                *RECORDS[seq_of(SeatsFrozen) :],
            ]
        ),
        seq_of(SeatsFrozen) + 1,
        Kind.RULES,
    ),
    "the end of the game, before it came": (
        renumbered(
            [
                *RECORDS[:SCORED],
                replace(RECORDS[ENDED - 1], time=RECORDS[SCORED - 1].time),
                RECORDS[-1],
            ]
        ),
        SCORED + 1,
        Kind.RULES,
    ),
}


@pytest.mark.parametrize("reseal", RESEALS, ids=lambda reseal: reseal.__name__)
@pytest.mark.parametrize("case", CASES)
def test_a_change_is_found_where_it_was_made_whoever_signs(case: str, reseal: Reseal) -> None:
    records, seq, kind = CASES[case]
    finding = found(reseal(records))
    assert (finding.seq, finding.kind) == (seq, kind), finding.sentence
    assert finding.sentence


def test_nothing_is_found_in_the_log_that_these_tests_change() -> None:
    assert audit(as_it_is(list(RECORDS))).clean


HARMLESS: dict[str, list[Record]] = {
    "a later time": [*RECORDS[:-1], replace(RECORDS[-1], time=RECORDS[-1].time + 1)],
    "another name": changed(2, replace(event_at(2, SeatTaken), name="Eve")),
    "a bot called a person": changed(
        5, replace(event_at(5, SeatTaken), kind=SeatKind.PERSON, bot="")
    ),
    "another table": changed(1, replace(OPENING, table="elm-1")),
    "another salt": [
        *RECORDS[: FIRST_PASS - 1],
        replace(RECORDS[FIRST_PASS - 1], salt=b"s" * 16),
        *RECORDS[FIRST_PASS:],
    ],
    "a clock that nobody was on": changed(1, replace(OPENING, turn_seconds=30)),
}


@pytest.mark.parametrize("case", HARMLESS)
def test_a_change_that_no_rule_forbids_breaks_the_seal(case: str) -> None:
    for reseal in (as_it_is, with_a_key_of_his_own):
        if case != "a later time" or reseal is as_it_is:
            finding = found(reseal(HARMLESS[case]))
            assert (finding.seq, finding.kind) == (LAST, Kind.SEAL)


@pytest.mark.parametrize("case", HARMLESS)
def test_a_change_signed_by_a_thief_gives_his_key_away(case: str) -> None:
    log = with_a_key_of_his_own_in_record_1(HARMLESS[case])
    report = audit(log, known_keys={KEY.public})
    assert report.seal is not None
    assert not report.seal.known
    required = audit(log, required=fingerprint(KEY.public)).finding
    assert required is not None
    assert required.kind is Kind.KEY


@pytest.mark.parametrize("case", [*HARMLESS, *CASES])
def test_whoever_sat_there_finds_a_change_that_a_thief_signed(case: str) -> None:
    records = HARMLESS[case] if case in HARMLESS else CASES[case][0]
    log = with_a_key_of_his_own_in_record_1(records)
    assert check(receipts_of(LOG, Seat(0)), log) is not None


@given(st.integers(0, len(LOG.records) - 1), st.sampled_from(PACK))
def test_no_other_card_can_stand_for_one_that_was_played(index: int, card: int) -> None:
    plays = [r.seq for r in RECORDS if isinstance(r.event, CardPlayed)]
    seq = plays[index % len(plays)]
    event = event_at(seq, CardPlayed)
    if event.card == card:
        return
    records = changed(seq, replace(event, card=PACK[card]))
    finding = found(with_a_key_of_his_own_in_record_1(records))
    assert finding.seq >= seq


def test_the_seal_of_another_game_does_not_fit() -> None:
    other = whole_log(Random(2), PLAN)
    seal = decode_record(other.records[-1])
    records = [*RECORDS[:-1], replace(seal, seq=LAST, time=RECORDS[-1].time)]
    finding = found(as_it_is(records))
    assert (finding.seq, finding.kind) == (LAST, Kind.SEAL)


def test_nothing_is_added_after_the_seal() -> None:
    more = replace(RECORDS[-1], seq=LAST + 1)
    for extra in (encode_record(more), encode_record(replace(more, seq=LAST)), b"junk"):
        finding = found([*LOG.records, extra])
        assert (finding.seq, finding.kind) == (LAST + 1, Kind.RECORD)


def test_the_seal_can_be_written_in_one_way_only() -> None:
    twice = LOG.records[-1] + LOG.records[-1]  # parses to the same message
    assert decode_record(twice) == RECORDS[-1]
    report = audit([*LOG.records[:-1], twice])
    assert report.seal is None
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (LAST, Kind.RECORD)


def test_a_game_that_is_not_over_cannot_be_sealed() -> None:
    early = renumbered([*RECORDS[:TENTH_PLAY], RECORDS[-1]])
    finding = found(as_it_is(early))
    assert (finding.seq, finding.kind) == (TENTH_PLAY + 1, Kind.SEAL)
    report = audit(signed_by(KEY, early))
    assert report.seal is not None, "the server signed what it may not sign"
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (TENTH_PLAY + 1, Kind.RULES)
    assert report.proof


@pytest.mark.parametrize("length", range(1, LAST, 7))
def test_a_log_cut_short_is_found_at_the_cut(length: int) -> None:
    finding = found(LOG.records[:length])
    assert finding.seq == length + 1
    assert finding.kind in {Kind.UNSEALED, Kind.BROKEN_OFF}


def test_a_log_that_stops_within_a_command_is_not_merely_unfinished() -> None:
    assert found(LOG.records[: FIRST_TRICK - 1]).kind is Kind.BROKEN_OFF
    assert found(LOG.records[:FIRST_TRICK]).kind is Kind.UNSEALED


@pytest.mark.parametrize(
    "event",
    [
        HandDealt(Seat(2), event_at(FIRST_HAND, HandDealt).cards),
        HandDealt(Seat(2), CardSet.parse("2C 3C")),
        HandDealt(Seat(2), CardSet.of(PACK)),
        HandDealt(Seat(2), CardSet()),
        HandDealt(Seat(1), CardSet()),
        PlayBegan(Seat(1)),
    ],
    ids=str,
)
def test_a_hand_that_cannot_be_is_found_before_its_secret_is_out(event: Event) -> None:
    log = unfinished_log(Random(1), 30, PLAN)
    records = [decode_record(data) for data in log.records]
    assert audit(as_it_is(records)).unsealed
    third = [r.seq for r in records if isinstance(r.event, HandDealt)][2]
    salt = records[third - 1].salt if isinstance(event, HandDealt) else b""
    records[third - 1] = replace(records[third - 1], event=event, salt=salt)
    finding = found(as_it_is(records))
    assert (finding.seq, finding.kind) == (third, Kind.RULES)


def test_the_state_and_the_head_stop_before_the_fault() -> None:
    records, seq, _ = CASES["a card that was played before"]
    report = audit(as_it_is(records))
    assert report.accepted == seq - 1
    assert report.head == EMPTY_CHAIN.extended(LOG.records[: seq - 1]).head
    assert report.state == audit(LOG.records[: seq - 1]).state


def at_a_bigger_table(event: Event) -> Event:
    """The same, of a seat that this table does not have."""
    seats = ("seat", "giver", "taker", "leader", "dealer", "moon")
    return replace(event, **{name: Seat(9) for name in seats if hasattr(event, name)})  # type: ignore[arg-type]  # fields by name


POOL = [*LOG.events, *map(at_a_bigger_table, LOG.events)]


@given(st.lists(st.tuples(st.integers(0, LAST), st.sampled_from(POOL)), min_size=1, max_size=3))
def test_no_log_however_wrong_can_stop_the_audit(put_in: list[tuple[int, Event]]) -> None:
    events = list(LOG.events)
    for index, event in put_in:
        events[index : index + 1] = [event]
    records = [
        Record(seq, RECORDS[0].time, event, b"" if audience(event) is None else salt_of(seq))
        for seq, event in enumerate(events, start=1)
    ]
    report = audit(as_it_is(records))
    assert report.finding is not None
    assert report.accepted < len(records) or report.unsealed
