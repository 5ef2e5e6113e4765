"""What an audit, a transcript and a list of games tell of people who come and go."""

from random import Random

import pytest

from hearts_engine.cards import Seat
from hearts_engine.commands import (
    CloseGame,
    Command,
    MarkAway,
    MarkBack,
    StartClocks,
    StopClocks,
    TakeOver,
)
from hearts_engine.events import Absence, CloseCause, SeatKind, SeatTakenOver, StopCause
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_replays.absences import Attendance
from hearts_replays.audit import audit
from hearts_replays.report import report_json, report_lines
from hearts_replays.story import story_of
from hearts_replays.summary import summarise
from hearts_replays.testing import LogBuilder, Plan
from hearts_replays.transcript import transcript

ANN, BOT = Seat(0), Seat(1)


def played(cards: int) -> LogBuilder:
    """A game in its first deal, after so many cards."""
    log = LogBuilder(Random(1), Plan(Rules(pass_cycle=(Direction.HOLD,))))
    log.open()
    log.deal()
    for _ in range(cards):
        log.choose()
    return log


def do(log: LogBuilder, *commands: Command) -> int:
    """Log what these commands do; the seq of the last record."""
    for command in commands:
        log.do(command)
    return len(log.records)


def given_up(log: LogBuilder) -> LogBuilder:
    """The same log, given up and sealed."""
    do(log, CloseGame(CloseCause.UNATTENDED, log.secret(1)))
    log.seal()
    return log


def test_an_audit_tells_who_was_away_from_when_to_when_and_why() -> None:
    log = played(2)
    left = do(log, MarkAway(ANN, Absence.LEFT))
    back = do(log, MarkBack(ANN))
    again = do(log, MarkAway(ANN, Absence.REMOVED))
    lines = list(report_lines(audit(log.records)))
    assert f"South: away from record {left} to {back}, its owner left" in lines
    assert f"South: away from record {again} on, the host removed its owner" in lines
    assert report_json(audit(log.records))["away"] == [
        {"seat": 0, "absence": "left", "first": left, "last": back},
        {"seat": 0, "absence": "removed", "first": again, "last": None},
    ]


def test_a_stronger_reason_to_be_away_ends_the_weaker_one() -> None:
    log = played(2)
    left = do(log, MarkAway(ANN, Absence.LEFT))
    removed = do(log, MarkAway(ANN, Absence.REMOVED))
    told = report_json(audit(log.records))
    assert told["away"] == [
        {"seat": 0, "absence": "left", "first": left, "last": removed},
        {"seat": 0, "absence": "removed", "first": removed, "last": None},
    ]


def test_an_audit_tells_who_took_a_seat_over_and_since_when() -> None:
    log = played(2)
    away = do(log, MarkAway(ANN, Absence.REMOVED))
    over = do(log, TakeOver(ANN, "Zoe", SeatKind.PERSON))
    report = audit(log.records)
    assert f"South: taken over by Zoe (person) in record {over}" in list(report_lines(report))
    told = report_json(report)
    assert told["taken_over"] == [{"seat": 0, "name": "Zoe", "kind": "person", "record": over}]
    assert told["away"] == [{"seat": 0, "absence": "removed", "first": away, "last": over}]


def test_an_audit_tells_when_time_stood_still_and_why() -> None:
    log = played(2)
    absent = do(log, StopClocks(StopCause.ABSENCE))
    paused = do(log, StopClocks(StopCause.HOST))
    running = do(log, StartClocks())
    report = audit(log.records)
    first = f"time stood still from record {absent} to {paused}, no person is connected"
    assert first in list(report_lines(report))
    assert report_json(report)["stopped"] == [
        {"cause": "absence", "first": absent, "last": paused},
        {"cause": "host", "first": paused, "last": running},
    ]


def test_of_a_game_that_everyone_attends_nothing_is_told() -> None:
    told = report_json(audit(played(5).records))
    assert (told["away"], told["stopped"], told["taken_over"], told["closed"]) == ([], [], [], None)


def test_what_stands_after_the_first_fault_is_not_told() -> None:
    log = played(2)
    sound = len(log.records)
    do(log, MarkAway(ANN, Absence.LEFT))
    report = audit([*log.records[:sound], b"junk", *log.records[sound:]])
    assert report_json(report)["away"] == []


def test_a_game_given_up_has_no_winner_and_says_why_everywhere() -> None:
    log = given_up(played(6))
    report = audit(log.records)
    sentence = "nobody was connected for too long: nobody wins"
    assert report.clean
    assert f"given up, {sentence}" in list(report_lines(report))
    assert report_json(report)["closed"] == "unattended"
    assert f"Given up, {sentence}" in list(transcript(log.records))
    summary = summarise(log.records)
    assert summary is not None
    assert (summary.closed, summary.winners) == (CloseCause.UNATTENDED, ())
    assert summary.sealed


def test_a_game_that_is_not_given_up_is_not_called_so() -> None:
    log = played(6)
    summary = summarise(log.records)
    assert summary is not None
    assert summary.closed is None
    text = "\n".join((*report_lines(audit(log.records)), *transcript(log.records)))
    assert "iven up" not in text


def row(lines: list[str], trick: int) -> int:
    return next(at for at, line in enumerate(lines) if line.startswith(f"  {trick:>4}  "))


@pytest.mark.parametrize("cards", [0, 4])
def test_a_transcript_tells_who_comes_and_goes_between_the_tricks(cards: int) -> None:
    log = played(cards)
    do(log, MarkAway(BOT, Absence.REMOVED), TakeOver(BOT, "Zoe", SeatKind.PERSON))
    for _ in range(4):
        log.choose()
    do(log, StopClocks(StopCause.HOST))
    lines = list(transcript(log.records))
    at = row(lines, cards // 4 + 1)
    assert lines[at - 2 : at] == [
        "  West is away, the host removed its owner",
        "  Zoe (person) takes over West",
    ]
    assert lines[at + 1] == "  Time stands still, the host paused the game"


def test_a_transcript_tells_who_comes_and_goes_before_the_first_deal() -> None:
    log = LogBuilder(Random(1), Plan())
    log.open()
    do(log, TakeOver(BOT, "Zoe", SeatKind.BOT))
    lines = list(transcript(log.records))
    assert lines.index("West: house 1 (house bot medium)") < lines.index(
        "Zoe (bot) takes over West"
    )


def test_a_transcript_begins_with_who_sat_at_first_and_ends_with_who_sits_last() -> None:
    log = played(4)
    do(log, TakeOver(BOT, "Zoe", SeatKind.PERSON))
    story = story_of(log.events)
    assert story is not None
    assert story.first[BOT].name == "house 1"
    assert story.seats[BOT].name == "Zoe"
    summary = summarise(log.records)
    assert summary is not None
    assert summary.seats[BOT].name == "Zoe"


def test_the_name_of_whoever_takes_over_cannot_spoil_a_screen() -> None:
    log = played(1)
    log.append([SeatTakenOver(BOT, "\x1b[2J", SeatKind.PERSON)])
    lines = list(transcript(log.records))
    assert any("takes over West" in line for line in lines)
    told = Attendance.of(log.events).lines(players=4)
    assert "\x1b" not in "\n".join((*lines, *told))


@pytest.mark.parametrize("open_hands", [True, False])
def test_an_audit_and_a_transcript_say_that_whoever_watched_saw_every_hand(
    open_hands: bool,  # noqa: FBT001  (pytest gives it by name)
) -> None:
    log = LogBuilder(Random(1), Plan(open_hands=open_hands))
    log.open()
    report = audit(log.records)
    assert report_json(report)["open_hands"] is open_hands
    assert ("hands: open to whoever watched" in list(report_lines(report))) is open_hands
    assert ("Hands: open to whoever watches" in list(transcript(log.records))) is open_hands
