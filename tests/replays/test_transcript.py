import re
from collections import Counter
from itertools import pairwise
from operator import attrgetter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.events import CardPlayed, DealScored, Event, TrickTaken
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_replays.story import story_of
from hearts_replays.testing import Plan, whole_log
from hearts_replays.transcript import transcript

LOG = whole_log(
    Random(1),
    Plan(Rules(target=20), reveal=frozenset({0}), away=frozenset({3}), claim=True),
)
TEXT = list(transcript(LOG.records))


def test_every_card_played_is_told_once_and_in_its_seats_column() -> None:
    tricks = [line for line in TEXT if line[2:8].strip().isdigit()]
    told = [
        line[10 + 8 * seat : 18 + 8 * seat].strip(" >*+") for line in tricks for seat in range(4)
    ]
    played = [str(event.card) for event in LOG.events if isinstance(event, CardPlayed)]
    assert sorted(filter(None, told)) == sorted(played)
    assert len(tricks) == sum(isinstance(event, TrickTaken) for event in LOG.events)


def test_a_person_sees_who_sat_what_was_played_and_how_it_ended() -> None:
    text = "\n".join(TEXT)
    assert TEXT[0].endswith("at table oak-3, 2026-01-01 00:00 UTC")
    assert TEXT[1] == "Rules: black_lady target=20"
    assert "South: Ann 0 (person)" in TEXT
    assert "East: house 3 (house bot medium)" in TEXT
    assert "Deal 1, dealer East, pass left" in TEXT
    assert " passes " in text
    assert "claims the rest" in text
    assert "*" in text
    assert "wins after" in text
    assert TEXT[-1].startswith("Sealed, head ")


def test_lines_carry_no_trailing_blanks() -> None:
    assert all(line == line.rstrip() for line in TEXT)


def test_cards_can_be_told_with_their_signs() -> None:
    text = "\n".join(transcript(LOG.records, attrgetter("symbol")))
    assert "Q♠" in text
    assert "QS" not in text


def test_a_deal_cut_short_says_why() -> None:
    log = whole_log(Random(2), Plan(Rules(target=20, finish=Finish.EARLY)))
    assert "  No card can change a score any more" in list(transcript(log.records))


def text_of(rules: str, seed: int = 1, *, claim: bool = False) -> list[str]:
    """The transcript of a game by these rules, checked to be a whole one."""
    log = whole_log(Random(seed), Plan(parse_rules(rules), claim=claim, away=frozenset({2})))
    text = list(transcript(log.records))
    assert text[-1].startswith("Sealed")
    return text


def test_a_kitty_is_told_with_the_hands_and_with_whoever_took_it() -> None:
    text = text_of("three removed=none kitty=first_trick deals=1 tie=shared")
    assert sum(line.startswith("  Kitty   ") for line in text) == 1
    (first,) = (line for line in text if line.startswith("     1"))
    (kitty,) = (line.removeprefix("  Kitty   ") for line in text if line.startswith("  Kitty "))
    told = first.partition(" and the kitty: ")[2].partition(",")[0]
    assert told
    assert told == kitty
    rules = "three removed=none kitty=last_trick heart_value=face5 deals=6 tie=shared"
    claims = [line for line in text_of(rules, claim=True) if "claims the rest" in line]
    assert claims
    assert all(" and the kitty: " in line for line in claims)


def test_a_shuffled_centre_is_told_both_ways() -> None:
    text = text_of("black_lady pass_cycle=shuffle deals=1 tie=shared")
    assert sum(line.endswith(" into the centre") for line in text) == 4
    assert sum(line.endswith(" from the centre") for line in text) == 4


def test_a_cancelled_trick_is_told_as_nobodys() -> None:
    seeds = (text_of("cancellation players=10 deals=3 tie=shared", seed) for seed in range(50))
    told = "  nobody: cancelled, its cards are carried"
    assert any(line.endswith(told) for text in seeds for line in text)


ADDING_UP = (
    "cancellation players=10 deals=3 tie=shared",
    "cancellation players=7 kitty=first_penalty deals=3 tie=shared",
    "three removed=none kitty=last_trick heart_value=face5 deals=6 tie=shared",
)
"""Rules with cancelled tricks, a kitty, or both."""

TAKEN = re.compile(r"^  (?: +\d+ .*)?(Seat \d+)(.*)")
"""A line of a deal: the seat that took something, and what."""

POINTS = re.compile(r", (\d+) points?")


@pytest.mark.parametrize("rules", ADDING_UP)
@pytest.mark.parametrize("seed", range(8))
def test_what_the_lines_of_a_deal_say_adds_up_to_its_points(rules: str, seed: int) -> None:
    log = whole_log(Random(seed), Plan(parse_rules(rules), claim=True))
    told: list[Counter[str]] = []
    for line in transcript(log.records):
        if line.startswith("Deal "):
            told.append(Counter())
        for name, what in TAKEN.findall(line):
            told[-1][name] += sum(int(points) for points in POINTS.findall(what))
    assert told == [
        Counter({f"Seat {seat}": points for seat, points in enumerate(event.points, start=1)})
        for event in log.events
        if isinstance(event, DealScored)
    ]


def test_points_that_were_carried_are_told_as_such() -> None:
    texts = [text_of(ADDING_UP[0], seed) for seed in range(50)]
    pairs = [pair for text in texts for pair in pairwise(text) if "cancelled" in pair[0]]
    takers = [after for _, after in pairs if "cancelled" not in after]
    assert takers
    assert all(" with the carried cards" in after for after in takers)
    carried = sum(" with the carried cards" in line for text in texts for line in text)
    assert carried == len(takers), "no other trick carries cards"


def test_a_moon_is_told_with_how_it_was_scored_and_by_whom() -> None:
    hearts = ",".join(f"{rank}H" for rank in "23456789TJQKA")
    text = text_of(f"three removed={hearts} moon=choose deals=12 tie=shared")
    moons = [line for line in text if "shot the moon" in line]
    assert len(moons) == 12
    assert {line.split(": ")[1].strip("*+") for line in moons} == {
        "add to the others",
        "take off its own",
    }
    assert all((line[-1] in "*+") == line.startswith("  Seat 3 ") for line in moons)


@pytest.mark.parametrize("length", range(1, len(LOG.records), 5))
def test_an_unfinished_game_is_told_as_far_as_it_goes(length: int) -> None:
    text = list(transcript(LOG.records[:length]))
    assert text[-1].startswith("Not sealed")
    whole = set(TEXT)
    untold = [line for line in text[2:-2] if line not in whole and not line.startswith("Dealing")]
    assert len(untold) <= 1, "only the trick that is open looks different later"


def test_a_damaged_log_says_where_it_cannot_be_read() -> None:
    text = list(transcript([*LOG.records[:40], b"junk"]))
    assert text[-1].startswith("record 41: ")
    assert list(transcript([b"junk"])) == ["record 1: record: these bytes are no LogRecord"]


def test_what_one_seat_saw_is_a_story_too() -> None:
    seen = [event for event in LOG.events if visible_to(Seat(1), event)]
    story, whole = story_of(seen), story_of(LOG.events)
    assert story is not None
    assert whole is not None
    assert story.deals[0].tricks == whole.deals[0].tricks
    assert story.deals[0].dealt == whole.deals[0].dealt, "they were shown at the end"
    assert len(story.deals[0].passed) == 2


@given(st.permutations(LOG.events[:60]))
def test_events_out_of_order_never_crash_the_teller(events: list[Event]) -> None:
    story = story_of([LOG.events[0], *events])
    assert story is not None
    assert story.opened == LOG.events[0]
