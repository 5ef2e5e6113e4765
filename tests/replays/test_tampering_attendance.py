"""A server that bends the rules of coming and going, and signs it."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

import pytest

from hearts_engine.cards import Seat
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    SecretRevealed,
    StopCause,
)
from hearts_engine.rules import Rules
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Finding, Kind
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, Plan, whole_log
from hearts_replays.timing import SECOND
from hearts_wire.records import Record, decode_record, encode_record

E = TypeVar("E", bound=Event)

ANN, ZOE = Seat(0), "Zoe"
PLAN = Plan(Rules(target=20), reveal=frozenset({0, 2}))
RECORDS = tuple(decode_record(data) for data in whole_log(Random(1), PLAN).records[:-1])
GIVEN_UP = tuple(
    decode_record(data) for data in whole_log(Random(1), replace(PLAN, given_up=80)).records[:-1]
)
"""Both but for their seals."""


def signed(records: Sequence[Record]) -> list[bytes]:
    """These records in their order, a minute apart, and the server's seal."""
    timed = [
        replace(record, seq=seq, time=RECORDS[0].time + seq * 60 * SECOND)
        for seq, record in enumerate(records, start=1)
    ]
    data, opened = [encode_record(record) for record in timed], records[0].event
    assert isinstance(opened, GameOpened)
    chain, time = EMPTY_CHAIN.extended(data), timed[-1].time
    seal = seal_of(KEY, opened.game_id, chain, time)
    return [*data, encode_record(Record(len(data) + 1, time, seal))]


def at(records: Sequence[Record], kind: type[E], nth: int = 0) -> tuple[int, E]:
    """The index of the n-th event of a kind, and the event."""
    found = [(i, r.event) for i, r in enumerate(records) if isinstance(r.event, kind)]
    return found[nth]


def card_of_ann(nth: int) -> tuple[int, CardPlayed]:
    """The index of Ann's n-th card, and the card."""
    own = (
        (index, record.event)
        for index, record in enumerate(RECORDS)
        if isinstance(record.event, CardPlayed) and record.event.seat == ANN
    )
    return [*own][nth]


def put_in(records: Sequence[Record], index: int, *events: Event) -> list[Record]:
    """The same with these before the record of this index."""
    return [*records[:index], *(Record(1, 0, event) for event in events), *records[index:]]


def put(records: Sequence[Record], index: int, event: Event) -> list[Record]:
    """The same with another event in this record."""
    return [*records[:index], replace(records[index], event=event), *records[index + 1 :]]


def on_the_clock(records: Sequence[Record]) -> list[Record]:
    """The same game, in which everyone has a second for a card."""
    _, opened = at(records, GameOpened)
    return put(records, 0, replace(opened, turn_seconds=1, bot_seconds=1))


def assert_found(records: Sequence[Record], index: int, kind: Kind = Kind.RULES) -> Finding:
    report = audit(signed(records))
    finding = report.finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (index + 1, kind), finding.sentence
    assert report.proof, "the server signed it"
    return finding


def assert_clean(records: Sequence[Record]) -> None:
    assert audit(signed(records)).finding is None


def test_a_card_that_autopilot_played_for_a_seat_that_was_there_is_found() -> None:
    index, card = card_of_ann(2)
    finding = assert_found(put(RECORDS, index, replace(card, by=Agent.AUTOPILOT)), index)
    assert "not away" in finding.sentence


def test_a_card_that_a_seat_is_said_to_have_played_while_it_was_away_is_found() -> None:
    for by in (Agent.SEAT, Agent.CLOCK):
        index, card = card_of_ann(2)
        told = put_in(on_the_clock(RECORDS), index, SeatAway(ANN, Absence.LEFT))
        told = put(told, index + 1, replace(card, by=by))
        assert "must come back first" in assert_found(told, index + 1).sentence


def missed(*cards: int) -> list[Record]:
    """The game with these cards of Ann's played by the clock."""
    told = on_the_clock(RECORDS)
    for nth in cards:
        index, card = card_of_ann(nth)
        told = put(told, index, replace(card, by=Agent.CLOCK))
    return told


@pytest.mark.parametrize("cards", [(), (2,), (0, 2)], ids=str)
def test_a_seat_called_away_though_it_did_not_miss_two_in_a_row_is_found(
    cards: tuple[int, ...],
) -> None:
    index, _ = card_of_ann(3)
    told = put_in(missed(*cards), index, SeatAway(ANN, Absence.MISSED), SeatBack(ANN))
    finding = assert_found(told, index)
    assert "has not let its time run out 2 times in a row" in finding.sentence
    assert_clean(put_in(missed(1, 2), index, SeatAway(ANN, Absence.MISSED), SeatBack(ANN)))


def test_an_owner_who_was_removed_and_is_said_to_be_back_is_found() -> None:
    index, _ = card_of_ann(2)
    removed = put_in(RECORDS, index, SeatAway(ANN, Absence.REMOVED), SeatBack(ANN))
    assert "was removed" in assert_found(removed, index + 1).sentence
    assert_clean(put_in(RECORDS, index, SeatAway(ANN, Absence.LEFT), SeatBack(ANN)))


def test_a_seat_that_is_back_though_it_was_not_away_is_found() -> None:
    index, _ = card_of_ann(2)
    assert_found(put_in(RECORDS, index, SeatBack(ANN)), index)


def test_a_decision_in_a_pause_is_found() -> None:
    index, _ = card_of_ann(2)
    paused = put_in(RECORDS, index, ClocksStopped(StopCause.HOST))
    assert "paused" in assert_found(paused, index + 1).sentence
    assert_clean(put_in(RECORDS, index, ClocksStopped(StopCause.HOST), ClocksStarted()))


def test_time_that_runs_again_though_it_did_not_stand_still_is_found() -> None:
    index, _ = card_of_ann(2)
    assert_found(put_in(RECORDS, index, ClocksStarted()), index)


def test_a_seat_taken_over_from_somebody_is_found() -> None:
    index, _ = card_of_ann(2)
    over = SeatTakenOver(ANN, ZOE, SeatKind.PERSON)
    assert "somebody's" in assert_found(put_in(RECORDS, index, over), index).sentence
    left = put_in(RECORDS, index, SeatAway(ANN, Absence.LEFT), over)
    assert_found(left, index + 1)
    assert_clean(put_in(RECORDS, index, SeatAway(ANN, Absence.REMOVED), over))
    assert_clean(put_in(RECORDS, index, replace(over, seat=Seat(1))))


def test_a_house_bot_that_takes_over_a_seat_is_found() -> None:
    index, _ = card_of_ann(2)
    over = SeatTakenOver(Seat(1), ZOE, SeatKind.HOUSE)
    assert_found(put_in(RECORDS, index, over), index)


def test_a_game_given_up_with_another_secret_than_its_deal_came_from_is_found() -> None:
    index, revealed = at(GIVEN_UP, SecretRevealed)
    assert isinstance(GIVEN_UP[index + 1].event, GameClosed)
    assert_clean(GIVEN_UP)
    told = put(GIVEN_UP, index, replace(revealed, secret=b"s" * 32))
    assert_found(told, index, Kind.FAIRNESS)


def test_a_game_given_up_with_the_secret_of_another_deal_is_found() -> None:
    index, revealed = at(GIVEN_UP, SecretRevealed)
    assert_found(put(GIVEN_UP, index, replace(revealed, deal=2)), index)


def test_a_game_given_up_that_keeps_the_secret_of_its_deal_is_found() -> None:
    index, _ = at(GIVEN_UP, SecretRevealed)
    assert_found([*GIVEN_UP[:index], *GIVEN_UP[index + 1 :]], index)


def test_a_secret_given_away_while_its_deal_goes_on_is_found() -> None:
    index, _ = card_of_ann(2)
    _, revealed = at(RECORDS, SecretRevealed)
    finding = assert_found(put_in(RECORDS, index, revealed), index)
    assert "nothing before this brings it about" in finding.sentence


def test_a_game_given_up_that_goes_on_is_found() -> None:
    index, _ = card_of_ann(2)
    _, revealed = at(RECORDS, SecretRevealed)
    closed = GameClosed(CloseCause.UNATTENDED)
    assert_found(put_in(RECORDS, index, revealed, closed), index + 2)


def test_a_game_that_ended_and_is_called_given_up_as_well_is_found() -> None:
    index, _ = at(RECORDS, GameEnded)
    told = [*RECORDS, Record(1, 0, GameClosed(CloseCause.UNATTENDED))]
    finding = assert_found(told, index + 1)
    assert "over already" in finding.sentence
    others = put(RECORDS, index, GameClosed(CloseCause.UNATTENDED))
    assert_found(others, index)
