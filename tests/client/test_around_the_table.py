"""Around the table: what was taken, commands by name, clicks, and the bell."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.screen.bell import rings
from hearts_client.screen.clicking import clicked
from hearts_client.screen.intents import SendCard
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw
from hearts_client.screen.table_state import Panel, TableState, hurried, opened, receive
from hearts_client.screen.takings import costly_cards
from hearts_client.settings import Bell, Settings
from hearts_client.testing import LocalSession
from hearts_engine.cards import SEATS, Card
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase

USUAL = Settings()
SIZES = (Size(120, 40), Size(80, 24), Size(60, 20), Size(40, 12))


def seated() -> LocalSession:
    session = LocalSession(parse_rules("black_lady target=40"), random.Random(7))
    session.start()
    return session


def states(session: LocalSession, settings: Settings = USUAL) -> list[TableState]:
    """The screen after each piece of news."""
    state, told = opened(settings, CardStyle.LETTERS), list[TableState]()
    for item in session.told:
        state = hurried(receive(state, item))
        told.append(state)
    return told


def passing(settings: Settings = USUAL) -> TableState:
    return states(seated(), settings)[-1]


def playing(tricks: int = 0, settings: Settings = USUAL) -> TableState:
    return states(played(tricks), settings)[-1]


def played(tricks: int) -> LocalSession:
    session = seated()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    while len(session.view.tricks) < tricks and session.state.phase is Phase.PLAYING:
        session.answer(PlayCard(session.seat, session.view.legal.lowest()))
    return session


def pressed(state: TableState, *keys: Pressed) -> TableState:
    for key in keys:
        state, _ = press(state, key)
    return state


def shown(state: TableState, size: Size = SIZES[1]) -> str:
    return "".join(text for _, text, *_ in draw(state, size))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
def test_who_took_what_and_is_out_of_what_is_one_key_away(size: Size) -> None:
    state = pressed(playing(9), "v")
    view = state.view
    assert view is not None
    screen = shown(state, size)
    assert "Taken in this deal" in screen
    assert sum(view.points) > 0
    taker = max(range(4), key=view.points.__getitem__)
    assert f"{view.points[taker]} points in" in screen


def test_the_cards_that_are_shown_as_taken_are_those_that_made_the_points() -> None:
    view = playing(9).view
    assert view is not None
    for seat in SEATS[:4]:
        taken = costly_cards(view, seat)
        assert view.rules.value_of(taken) == view.points[seat]


@pytest.mark.parametrize(
    ("words", "panel"), [("scores", Panel.SCORES), ("taken", Panel.TAKEN), ("rules", Panel.RULES)]
)
def test_whatever_a_key_opens_has_a_name_too(words: str, panel: Panel) -> None:
    assert pressed(playing(), ":", *words, Key.ENTER).panel is panel


def test_tab_completes_a_command_and_then_a_name() -> None:
    state = pressed(playing(), ":", "m", "u", Key.TAB)
    assert state.entry is not None
    assert state.entry.text == "mute"
    state = pressed(state, Key.SPACE, "c", Key.TAB)
    assert state.entry is not None
    assert state.entry.text == "mute Cy"
    assert pressed(playing(), ":", *"nothing", Key.TAB).entry is not None


def test_a_command_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    assert "scores" in pressed(playing(), ":", *"dance", Key.ENTER).message


def cell_of(state: TableState, text: str, size: Size) -> tuple[int, int]:
    for row, line in reversed(list(enumerate(shown(state, size).split("\n")))):
        if text in line:
            return line.rindex(text) + 1, row
    raise AssertionError(f"{text} is not on the screen")


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
def test_a_click_goes_to_a_card_and_another_plays_it(size: Size) -> None:
    state = playing()
    assert state.view is not None
    card = max(state.view.legal)
    column, row = cell_of(state, f"[{card}]", size)
    state, intent = clicked(state, draw(state, size), column, row)
    assert (state.card, intent) == (card, None)
    _, intent = clicked(state, draw(state, size), column, row)
    assert isinstance(intent, SendCard)
    assert intent.card == card


def test_a_click_marks_a_card_for_the_pass_and_another_takes_it_back() -> None:
    state, size = passing(), SIZES[1]
    assert state.view is not None
    column, row = cell_of(state, f"[{max(state.view.hand)}]", size)
    state, _ = clicked(state, draw(state, size), column, row)
    assert len(state.chosen) == 1
    state, _ = clicked(state, draw(state, size), column, row)
    assert not state.chosen


@pytest.mark.parametrize(("column", "row"), [(0, 0), (79, 23), (500, 500)])
def test_a_click_beside_the_hand_does_nothing(column: int, row: int) -> None:
    state = playing()
    assert clicked(state, draw(state, SIZES[1]), column, row) == (state, None)


def count_of_rings(session: LocalSession, bell: Bell) -> int:
    told = states(session, Settings(bell=bell))
    return sum(rings(before, after) for before, after in pairwise(told))


def test_the_bell_rings_once_for_each_decision_or_for_the_queen_or_never() -> None:
    session = played(12)
    asked = sum(state.asked is not None for state in states(session))
    assert count_of_rings(session, Bell.OFF) == 0
    assert 0 < count_of_rings(session, Bell.TURN) <= asked
    queen = Card.parse("QS")
    seen = any(queen in trick.cards for trick in session.view.tricks)
    assert count_of_rings(session, Bell.QUEEN) == int(seen) == 1


def test_a_change_of_looks_rings_no_bell() -> None:
    state = playing(settings=Settings(bell=Bell.TURN))
    assert not rings(state, replace(state, message="a word"))
