"""Who is at the table: what is told of connections, the host and watchers, and who is heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hearts_client.company import Company, chat_sentence, standing, who_lines
from hearts_client.news import Attending, Said
from hearts_client.orders import AddBot, GiveUpSeat, HandOver, Pause, Remove
from hearts_client.seatnames import SeatNames
from hearts_client.tablewords import (
    AboutSeat,
    Misread,
    Mute,
    SeatVerb,
    Speak,
    meant,
    read_table_word,
    seat_called,
)
from hearts_client.testing import LocalSession
from hearts_engine.cards import Seat
from hearts_engine.events import Absence, SeatKind
from hearts_engine.view import SeatView

SeatedAt = Callable[..., LocalSession]
DOT, ANN, BEN, CY = map(Seat, range(4))
ALL = frozenset({DOT, ANN, BEN, CY})


@pytest.fixture
def view(table: SeatedAt) -> SeatView:
    """Four people, as the first of them sees them."""
    view = table().view
    people = (taken and replace(taken, kind=SeatKind.PERSON) for taken in view.seats)
    return replace(view, seats=tuple(people))


def told(before: Company, now: Attending, view: SeatView) -> tuple[Company, list[str]]:
    company, notices = before.after(now, view)
    return company, [str(notice) for notice in notices]


def test_who_loses_the_connection_is_named_once_and_again_when_it_is_back(view: SeatView) -> None:
    company, first = told(Company(), Attending(ALL, 0, DOT), view)
    assert first == ["HOST You are the host"]
    company, gone = told(company, Attending(ALL - {ANN}, 0, DOT), view)
    assert gone == ["GONE Ann is not connected"]
    assert standing(view, ANN, company) == "offline"
    company, still = told(company, Attending(ALL - {ANN}, 2, DOT), view)
    assert still == ["WATCHED 2 watch"]
    company, back = told(company, Attending(ALL, 2, DOT), view)
    assert back == ["HERE Ann is connected again"]
    assert standing(view, ANN, company) == ""


def test_who_is_gone_already_when_one_sits_down_is_said(view: SeatView) -> None:
    _, first = told(Company(), Attending(ALL - {CY}, 1, ANN), view)
    assert first == ["GONE Cy is not connected", "HOST Ann is the host", "WATCHED 1 watches"]


def test_whoever_a_bot_plays_for_is_away_and_not_merely_disconnected(view: SeatView) -> None:
    away = replace(view, away=(None, Absence.LEFT, Absence.MISSED, Absence.REMOVED))
    company, first = told(Company(), Attending(frozenset({DOT}), 0, DOT), away)
    assert first == ["HOST You are the host"]
    marks = [standing(away, seat, company) for seat in (DOT, ANN, BEN, CY)]
    assert marks == ["", "left: bot", "away: bot", "removed: bot"]


def test_among_house_bots_nobody_hears_who_is_host(table: SeatedAt) -> None:
    assert told(Company(), Attending(frozenset({DOT}), 0, DOT), table().view)[1] == []


def test_who_lines_say_all_that_is_known_of_a_seat(view: SeatView) -> None:
    away = replace(view, away=(None, Absence.LEFT, None, None))
    company, _ = Company().after(Attending(ALL - {CY}, 1, BEN), away)
    company = company.with_muted(BEN, away, muted=True)
    assert list(who_lines(away, company)) == [
        "South You, person",
        "West Ann, person, left: bot",
        "North Ben, person, host, muted",
        "East Cy, person, offline",
        "1 watches",
    ]


def test_a_muted_person_is_not_heard_but_whoever_takes_the_seat_over_is(view: SeatView) -> None:
    company = Company().with_muted(ANN, view, muted=True)
    assert not company.hears(Said(ANN, "Ann", "hello"))
    assert company.hears(Said(BEN, "Ben", "hello"))
    assert company.hears(Said(ANN, "Eve", "hello"))
    assert company.with_muted(ANN, view, muted=False).hears(Said(ANN, "Ann", "hello"))


def test_what_somebody_said_who_has_left_is_not_put_into_anothers_mouth(view: SeatView) -> None:
    assert chat_sentence(Said(ANN, "Ann", "hi"), view) == "Ann: hi"
    assert chat_sentence(Said(DOT, "Dot", "hi"), view) == "You: hi"
    assert chat_sentence(Said(DOT, "Eve", "hi"), view) == "Eve: hi"
    assert chat_sentence(Said(Seat(9), "Eve", "hi"), None) == "Eve: hi"


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("say Good luck, ALL", Speak("Good luck, ALL")),
        ("phrase 2", Speak(2)),
        ("pause", Pause()),
        ("LEAVE", GiveUpSeat()),
        ("bot", AddBot()),
        ("bot Easy", AddBot("easy")),
        ("remove Ann", AboutSeat(SeatVerb.REMOVE, "Ann")),
        ("play qs", None),
        ("qs", None),
    ],
)
def test_lines_about_the_table_are_read(line: str, word: object) -> None:
    assert read_table_word(line) == word


@pytest.mark.parametrize(
    "line", ["say", "phrase", "phrase 9", "phrase 0", "phrase ²", "pause now", "bot clever", "mute"]
)
def test_lines_about_the_table_that_make_no_sense_say_what_would(line: str) -> None:
    assert isinstance(read_table_word(line), Misread)


@pytest.mark.parametrize("who", ["ann", "Ann", "west", "WE", "an"])
def test_a_seat_is_called_by_name_or_place_in_short_too(who: str, view: SeatView) -> None:
    assert seat_called(who, SeatNames.of(view)) == ANN


@pytest.mark.parametrize("who", ["x", "", "\x1b[2J"])
def test_a_seat_that_cannot_be_told_is_asked_for_again(who: str, view: SeatView) -> None:
    found = seat_called(who, SeatNames.of(view))
    assert isinstance(found, Misread)
    assert "West Ann" in found.sentence
    assert "\x1b" not in found.sentence


def test_what_is_meant_about_a_seat(view: SeatView) -> None:
    names = SeatNames.of(view)
    assert meant(AboutSeat(SeatVerb.REMOVE, "ben"), names) == Remove(BEN)
    assert meant(AboutSeat(SeatVerb.HAND_OVER, "east"), names) == HandOver(CY)
    assert meant(AboutSeat(SeatVerb.UNMUTE, "ben"), names) == Mute(BEN, muted=False)
    assert isinstance(meant(AboutSeat(SeatVerb.REMOVE, "nobody"), names), Misread)
