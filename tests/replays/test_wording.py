"""Seats are called the same wherever people read of them."""

from random import Random

import pytest

from hearts_client.seatnames import place_name
from hearts_engine.cards import Seat
from hearts_engine.events import (
    Absence,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    EntropyRevealed,
    Event,
    GameClosed,
    HandDealt,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    StopCause,
)
from hearts_engine.ruletext import parse_rules
from hearts_replays.audit import audit
from hearts_replays.report import report_json, report_lines
from hearts_replays.testing import Plan, whole_log
from hearts_replays.transcript import transcript
from hearts_replays.wording import describe, seat_name

FIVE = whole_log(Random(1), Plan(parse_rules("five deals=1 tie=shared"), reveal=frozenset({0, 3})))
REPORT = audit(FIVE.records)


@pytest.mark.parametrize("players", range(3, 11))
def test_a_log_calls_a_seat_what_the_table_called_it(players: int) -> None:
    for seat in map(Seat, range(players)):
        assert seat_name(seat, players) == place_name(seat, players)


def test_an_audit_for_people_counts_seats_from_one() -> None:
    lines = list(report_lines(REPORT))
    dealing = next(line for line in lines if line.startswith("dealing: "))
    assert dealing.startswith("dealing: Seat 1 and Seat 4 took part")
    assert [line[:6] for line in lines if "cards played" in line] == [
        f"Seat {number}" for number in range(1, 6)
    ]


def test_an_audit_for_machines_counts_seats_from_zero() -> None:
    dealing = report_json(REPORT)["dealing"]
    assert isinstance(dealing, dict)
    assert dealing["revealed"] == [0, 3]


def test_a_transcript_counts_seats_from_one() -> None:
    text = "\n".join(transcript(FIVE.records))
    assert "Seat 1: Ann 0 (person)" in text
    assert "seat 0" not in text.lower()
    assert "Seat 5" in text


def test_a_hand_that_is_missing_is_named_by_its_seat() -> None:
    index = next(i for i, event in enumerate(FIVE.events) if isinstance(event, HandDealt))
    finding = audit(FIVE.records[: index + 1]).finding
    assert finding is not None
    assert finding.sentence.endswith("here must come: the hand of Seat 2")


def test_a_seat_that_a_table_has_not_is_told_by_its_number() -> None:
    assert describe(EntropyRevealed(Seat(7), b""), 4) == "Seat 8 reveals its entropy"


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (SeatAway(Seat(1), Absence.MISSED), "West is away, its time ran out twice"),
        (SeatAway(Seat(1), Absence.LEFT), "West is away, its owner left"),
        (SeatAway(Seat(1), Absence.REMOVED), "West is away, the host removed its owner"),
        (SeatBack(Seat(2)), "North is back"),
        (SeatTakenOver(Seat(0), "Zoe", SeatKind.BOT), "Zoe (bot) takes over South"),
        (ClocksStopped(StopCause.HOST), "time stands still, the host paused the game"),
        (ClocksStopped(StopCause.ABSENCE), "time stands still, no person is connected"),
        (ClocksStopped(StopCause.RESTART), "time stands still, the server was started again"),
        (ClocksStarted(), "time runs again"),
        (
            GameClosed(CloseCause.UNATTENDED),
            "the game is given up, nobody was connected for too long",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whoever_comes_or_goes_is_told_of_in_a_sentence_with_the_reason(
    event: Event, told: str
) -> None:
    assert describe(event, 4) == told
