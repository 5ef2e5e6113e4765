"""Faults reported of other programs' screens, by number.

The file holds each as a small statement: what is done, and what is right.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pyte
import pytest
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.renderer import print_formatted_text

from hearts_client.cardnames import CardStyle
from hearts_client.screen.handrow import SLOT, hand_rows
from hearts_client.screen.intents import Leave
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size, cells
from hearts_client.screen.pace import PACES, Hold
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw
from hearts_client.screen.stderrfile import stderr_to
from hearts_client.screen.table_state import Panel, TableState, advance, hurried, opened, receive
from hearts_client.screen.theme import style_of
from hearts_client.settings import Settings
from hearts_client.testing import LocalSession
from hearts_client.wording import counted
from hearts_engine.cards import Card, Suit
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.ruletext import parse_rules

LINES = Path(__file__).parents[1] / "vectors" / "reported_faults.jsonl"
FAULTS: dict[str, dict[str, Any]] = {
    fault["id"]: fault["test_input"]
    for fault in map(json.loads, LINES.read_text(encoding="utf-8").splitlines())
    if fault["area"] == "ui"
}
USUAL = Size(80, 24)


class Terminal(Protocol):
    """The terminal of conftest."""

    screen: pyte.Screen
    output: Output


OpenTerminal = Callable[[int, int], AbstractContextManager[Terminal]]


def test_every_reported_fault_of_a_screen_is_tried_here() -> None:
    named = {name.split("_")[2] for name in globals() if name.startswith("test_hb_")}
    assert {f"HB-{number}" for number in named} == set(FAULTS)


def seated() -> LocalSession:
    session = LocalSession(parse_rules("black_lady target=40"), random.Random(7))
    session.start()
    return session


def read(session: LocalSession, style: CardStyle = CardStyle.SYMBOLS) -> TableState:
    state = opened(Settings(), style)
    for item in session.told:
        state = hurried(receive(state, item))
    return state


def pressed(state: TableState, *keys: Pressed) -> TableState:
    for key in keys:
        state, _ = press(state, key)
    return state


def shown(state: TableState, size: Size = USUAL) -> str:
    return "".join(text for _, text, *_ in draw(state, size))


def passed() -> LocalSession:
    session = seated()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    return session


def plays(session: LocalSession) -> None:
    session.answer(PlayCard(session.seat, session.view.legal.lowest()))


def test_hb_032_a_card_of_the_pass_can_be_taken_back_and_those_that_arrived_are_marked() -> None:
    state = read(seated())
    select, again = (step.split()[1] for step in FAULTS["HB-032"]["steps"])
    assert select == again
    state = pressed(state, Key.SPACE)
    assert len(state.chosen) == 1
    assert pressed(state, Key.SPACE).chosen == ()
    after = read(passed())
    assert after.view is not None
    assert shown(after).count("*") >= after.view.rules.pass_count
    session = passed()
    plays(session)
    assert "]*" not in shown(read(session)), "once a card was played the marks are gone"


def test_hb_044_one_point_is_not_1_points() -> None:
    wanted = FAULTS["HB-044"]
    assert counted(wanted["points"], "point") == wanted["expect_contains"]
    assert wanted["expect_not"] not in counted(wanted["points"], "point")


def test_hb_084_a_finished_trick_stays_until_its_time_is_over_and_is_one_key_away_later() -> None:
    session, trick = passed(), 0
    plays(session)
    state = opened(Settings(), CardStyle.SYMBOLS)
    for item in session.told:
        state = receive(state, item)
        while state.held is not None and state.held.hold is not Hold.TRICK:
            state = advance(state)
        if state.held is not None:
            trick = len(state.held.view.trick.cards)
            break
    assert trick == 4
    time = PACES[FAULTS["HB-084"]["pace"]].time_for(Hold.TRICK)
    assert time is not None
    assert time.total_seconds() >= 0.9
    assert "takes it" in shown(state), "the winner is named in words"
    assert pressed(read(session), "l").panel is Panel.LAST_TRICK


def test_hb_085_the_status_line_says_in_words_whether_hearts_are_broken() -> None:
    session = passed()
    assert "hearts closed" in shown(read(session)).split("\n")[0]
    while not session.view.hearts_broken:
        plays(session)
    assert FAULTS["HB-085"]["expect_text"] in shown(read(session)).split("\n")[0]


def test_hb_086_suits_have_their_colours_in_a_terminal_of_sixteen(
    terminal: OpenTerminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", FAULTS["HB-086"]["env"]["TERM"])
    state = read(seated())
    with terminal(*USUAL) as screen:
        style = style_of(state.settings)
        depth = ColorDepth.DEPTH_4_BIT
        print_formatted_text(screen.output, draw(state, USUAL), style, color_depth=depth)
        inks = {
            suit: cell.fg
            for row in screen.screen.buffer.values()
            for cell in row.values()
            for suit in Suit
            if cell.data == suit.symbol
        }
    assert len(set(inks.values())) == len(inks) >= 3


@pytest.mark.parametrize("style", [CardStyle.SYMBOLS, CardStyle.LETTERS])
def test_hb_088_every_card_takes_the_same_cells_and_none_asks_for_an_emoji(
    style: CardStyle,
) -> None:
    state = read(seated(), style)
    assert "\N{VARIATION SELECTOR-16}" not in shown(state)
    assert state.view is not None
    (row,) = [row for row in hand_rows(state, 200) if cells(row) > SLOT]
    gaps = 2 * (len({card.suit for card in state.view.hand}) - 1)
    assert cells(row) == 1 + SLOT * len(state.view.hand) + gaps
    if style is CardStyle.LETTERS:
        asked = [Card.parse(card[0] + "CDSH"["♣♦♠♥".index(card[1])]) for card in _aces()]
        assert [str(card) for card in asked] == ["AS", "AH", "AD", "AC"]
        assert shown(state).replace("\n", "").isascii()


def _aces() -> list[str]:
    return list(FAULTS["HB-088"]["render"])


def test_hb_089_a_window_that_is_too_small_states_both_sizes_and_can_be_left() -> None:
    columns, rows = FAULTS["HB-089"]["size"]
    state = read(seated())
    text = " ".join(shown(state, Size(columns, rows)).split())
    assert "40x12" in text
    assert f"{columns}x{rows}" in text
    state, intent = press(state, Key.QUIT)
    assert (state.leaving, intent) == (True, None)
    assert isinstance(press(state, Key.QUIT)[1], Leave)


@pytest.mark.parametrize("size", [Size(*size) for size in FAULTS["HB-090"]["sizes"]])
def test_hb_090_hand_and_prompt_are_in_sight_at_every_size(size: Size) -> None:
    state = read(seated())
    screen = shown(state, size)
    assert state.view is not None
    for card in state.view.hand:
        assert card.symbol in screen
    assert "Space marks a card" in " ".join(screen.split())


def test_hb_092_what_is_written_to_standard_error_does_not_reach_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "screen.log"
    with stderr_to(log):
        os.write(2, b"x" * 200)
    assert "x" not in capfd.readouterr().err
    assert log.read_bytes() == b"x" * 200
