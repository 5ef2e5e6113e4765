"""Whoever watches a table with open hands sees every hand, as it stands at what is drawn."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.news import Joined
from hearts_client.openhands import OpenHands
from hearts_client.screen.handrow import hand_rows
from hearts_client.screen.lines import Size
from hearts_client.screen.render import draw
from hearts_client.screen.table_state import TableState, receive
from hearts_engine.audience import visible_to
from hearts_engine.events import CardPlayed, Event, GameOpened
from hearts_engine.evolve import evolve
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.view import observe
from hearts_replays.testing import Plan, whole_log

RULES = ["black_lady deals=2 tie=shared", "black_lady deals=1 pass_cycle=shuffle tie=shared"]


def watched(text: str) -> list[Event]:
    """A game as it is told to spectators of a table with open hands."""
    log = whole_log(Random(5), Plan(parse_rules(text)))
    opened = log.events[0]
    assert isinstance(opened, GameOpened)
    events = [replace(opened, open_hands=True), *log.events[1:]]
    return [event for event in events if visible_to(None, event, open_hands=True)]


@pytest.mark.parametrize("text", [*RULES, "omnibus pass_cycle=scatter deals=1 tie=shared"])
def test_the_hands_that_are_shown_are_those_that_are_held(text: str) -> None:
    shown, seen, state = OpenHands(), 0, None
    for event in watched(text):
        shown, state = shown.after([event]), evolve(state, event)
        if isinstance(event, CardPlayed) and state.phase is Phase.PLAYING:
            left = shown.left(observe(state, None))
            assert left == {seat: state.play.hands[seat] for seat in left}
            seen += len(left)
    assert seen > 100


def after_first_card() -> tuple[TableState, State]:
    events = watched(RULES[0])
    at = next(at for at, event in enumerate(events) if isinstance(event, CardPlayed)) + 1
    state: State | None = None
    for event in events[:at]:
        state = evolve(state, event)
    assert state is not None
    joined = Joined(observe(state, None), tuple(events[:at]), returned=False)
    return receive(TableState(CardStyle.LETTERS), joined), state


@pytest.mark.parametrize("size", [Size(120, 40), Size(80, 24), Size(60, 20)])
def test_a_spectator_sees_every_hand_and_the_table_still(size: Size) -> None:
    screen, state = after_first_card()
    text = "".join(part for _, part, *_ in draw(screen, size))
    for hand in state.play.hands:
        for card in hand:
            assert str(card) in text
    assert "West" in text


def test_where_there_is_no_room_the_table_goes_first() -> None:
    screen, _ = after_first_card()
    assert hand_rows(screen, 40) == []


def test_where_hands_are_hidden_there_are_none_to_show() -> None:
    log = whole_log(Random(5), Plan(parse_rules(RULES[0])))
    seen = OpenHands().after(event for event in log.events if visible_to(None, event))
    assert seen.deals == {}
