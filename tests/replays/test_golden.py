"""Logs and texts kept from released versions, which every later version must still understand."""

import json
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from hearts_engine.events import Agent, Event, GameOpened, MoonChosen, RestClaimed, TrickTaken
from hearts_engine.options import MoonChoice, Twins
from hearts_engine.presets import PRESETS
from hearts_engine.trick import winning_place
from hearts_replays import format as files
from hearts_replays.audit import audit_file
from hearts_replays.finding import Kind
from hearts_replays.reader import read_log
from hearts_replays.report import report_json
from hearts_replays.story import DealStory, story_of
from hearts_replays.transcript import transcript

GOLDEN = Path(__file__).parent / "golden"
FACTS = (
    *("accepted", "records", "head", "seal", "deals_recomputed", "cards_played"),
    *("away", "stopped", "taken_over", "closed"),
)
"""What an audit tells of a log for ever."""

LOGS = sorted(GOLDEN.glob("v*/*.hearts"))


@cache
def events_of(path: Path) -> tuple[Event, ...]:
    return tuple(record.event for record in read_log(files.load(path).records).records)


def expected(path: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((path.parent / "expected.json").read_text())[path.stem]
    return told


def test_there_are_logs_of_every_kind() -> None:
    assert {path.stem for path in LOGS} >= {
        "evening",
        "withheld",
        "fixed",
        "early",
        "alone",
        "running",
        "centre",
        "moon",
        "second_of_pair",
        "first_penalty",
        "claimed_kitty",
        "exact",
        "restless",
        "given_up",
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_there_is_a_whole_game_of_every_preset(preset: str) -> None:
    opened = events_of(GOLDEN / "v1" / f"preset_{preset}.hearts")[0]
    assert isinstance(opened, GameOpened)
    assert opened.rules == PRESETS[preset]


def test_everything_that_can_be_logged_is_in_one_of_them() -> None:
    kinds = {type(event) for path in LOGS for event in events_of(path)}
    assert {kind for kind in get_args(Event) if kind.__name__ != "SeatLeft"} <= kinds


def test_moons_are_chosen_both_ways_by_seats_and_for_them() -> None:
    moons = [e for e in events_of(GOLDEN / "v1" / "moon.hearts") if isinstance(e, MoonChosen)]
    assert {moon.choice for moon in moons} == set(MoonChoice)
    assert {moon.by for moon in moons} == set(Agent)
    assert (MoonChoice.SUBTRACT, Agent.CLOCK) in {(moon.choice, moon.by) for moon in moons}


def test_a_last_trick_is_cancelled_and_taken_by_the_second_of_the_pair() -> None:
    story = story_of(events_of(GOLDEN / "v1" / "second_of_pair.hearts"))
    assert story is not None
    assert any(cancelled_at_last(deal) for deal in story.deals)


def cancelled_at_last(deal: DealStory) -> bool:
    last = deal.tricks[-1]
    cards = tuple(play.card for play in last.plays)
    taken = isinstance(last.taken, TrickTaken) and last.taken.seat != last.plays[0].seat
    return winning_place(cards, Twins.CANCEL) is None and taken


def test_a_kitty_comes_with_a_claim() -> None:
    story = story_of(events_of(GOLDEN / "v1" / "claimed_kitty.hearts"))
    assert story is not None
    assert any(deal.claimed_kitty and isinstance(deal.stop, RestClaimed) for deal in story.deals)


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_log_of_a_released_version_stays_auditable(path: Path) -> None:
    report = audit_file(path)
    told, then = report_json(report), expected(path)
    for fact in FACTS:
        assert told[fact] == then[fact]
    if path.stem == "running":
        assert report.finding is not None
        assert report.finding.kind is Kind.UNSEALED
    else:
        assert report.clean


@pytest.mark.parametrize(
    "name", ["alone", "withheld", "centre", "second_of_pair", "restless", "given_up"]
)
def test_a_transcript_stays_as_it_is(name: str) -> None:
    records = files.load(GOLDEN / "v1" / f"{name}.hearts").records
    assert [*transcript(records)] == (GOLDEN / f"{name}.txt").read_text().splitlines()
