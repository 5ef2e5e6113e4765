"""Whole screens as text, in ``golden/``: a file for each scene, size and way to show suits.

After a change that is meant, write them anew with ``HEARTS_WRITE_GOLDEN=1`` in the environment,
and read what changed.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterable, MutableSequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import pyte
import pytest
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.renderer import print_formatted_text

from hearts_client.cardnames import CardStyle, restyled
from hearts_client.news import Attending, Happened, Joined, Said
from hearts_client.screen.frames import Board, Frame
from hearts_client.screen.handrow import hand_rows
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.pace import Hold
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw, table_columns
from hearts_client.screen.table_state import TableState, advance, hurried, opened, receive
from hearts_client.screen.theme import style_of
from hearts_client.settings import Settings, Theme
from hearts_client.testing import LocalSession
from hearts_engine.cards import Card, Seat, Suit
from hearts_engine.cardset import WHOLE_PACK, CardSet
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    CloseGame,
    Command,
    MarkAway,
    PlayCard,
    StopClocks,
)
from hearts_engine.events import (
    Absence,
    CloseCause,
    DealScored,
    SeatKind,
    StopCause,
    TrickCancelled,
)
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET
from hearts_engine.view import observe, visible


class Terminal(Protocol):
    """The terminal of conftest."""

    screen: pyte.Screen
    output: Output

    def text(self) -> str: ...


OpenTerminal = Callable[[int, int], AbstractContextManager[Terminal]]

GOLDEN = Path(__file__).parent / "golden"
SIZES = (Size(120, 40), Size(80, 24), Size(60, 20), Size(40, 12))
NAMES = ("Dot", "Ann-Kathrin of the Hills", "Ben", "日本太郎")


def seated() -> LocalSession:
    session = LocalSession(parse_rules("black_lady target=20"), random.Random(7), NAMES)
    session.start()
    return session


def after_pass() -> LocalSession:
    session = seated()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    return session


def played_out() -> LocalSession:
    session = seated()
    while session.state.phase is not Phase.ENDED:
        legal = session.view.legal
        if session.state.phase is Phase.PASSING:
            session.answer(ChoosePass(session.seat, tuple(legal)[:3]))
        else:
            session.answer(PlayCard(session.seat, legal.lowest()))
    return session


def read(session: LocalSession, style: CardStyle, keys: Iterable[Pressed] = ()) -> TableState:
    state = TableState(style)
    for item in session.told:
        state = hurried(receive(state, item))
    for key in keys:
        state, _ = press(state, key)
    return state


def read_until(
    session: LocalSession, style: CardStyle, seen: Callable[[Frame], bool]
) -> TableState:
    """What is on the screen when the first such frame is held."""
    state = TableState(style)
    for item in session.told:
        state = receive(state, item)
        while state.held is not None and not seen(state.held):
            state = advance(state)
        if state.held is not None:
            return state
    raise AssertionError("no frame like that came")


def lowest(state: State) -> Command:
    """What seats choose that play their lowest cards."""
    if state.phase is Phase.PASSING:
        seat = state.awaited[0]
        return ChoosePass(seat, state.play.hands[seat].cards[: state.game.rules.pass_count])
    assert state.turn is not None
    return PlayCard(state.turn, state.play.legal.lowest())


class Stacked(random.Random):
    """Chance that deals one hand to the first seat, and the rest as it comes."""

    def __init__(self, hand: CardSet) -> None:
        super().__init__(7)
        self._hand = hand

    def shuffle(self, x: MutableSequence[Any]) -> None:
        super().shuffle(x)
        mine = self._hand.cards
        others = [card for card in x if card not in self._hand]
        seats = len(x) // len(mine)
        x[:] = [mine[at // seats] if at % seats == 0 else others.pop() for at in range(len(x))]


def table(rules: str, seed: int = 7) -> LocalSession:
    session = LocalSession(parse_rules(rules), random.Random(seed))
    session.start(lowest)
    return session


def play_to(session: LocalSession, kind: type) -> LocalSession:
    """Play lowest cards until this has happened."""
    while not any(isinstance(event, kind) for event in session.events):
        session.answer(lowest(session.state))
    return session


def moonshot(rules: str) -> LocalSession:
    """Dot is dealt every heart, leads, and so takes every trick."""
    words = "opening=eldest pass_cycle=hold must_break=false first_trick=any"
    hand = CardSet.of_suit(Suit.HEARTS) & WHOLE_PACK
    session = LocalSession(parse_rules(f"black_lady {words} {rules}"), Stacked(hand), NAMES)
    session.start(lowest)
    while session.state.phase is Phase.PLAYING and not session.view.scored:
        session.answer(lowest(session.state))
    return session


def somebody_away(style: CardStyle) -> TableState:
    """Ann left, Ben's connection broke, Cy has run out of time; Ann said goodbye before."""
    session = after_pass()
    state = read(session, style)
    state = receive(
        state, Said(Seat(1), NAMES[1], "sorry, the train comes; good luck to all of you")
    )
    session.do(MarkAway(Seat(1), Absence.LEFT))
    view = replace(session.view, away=(None, Absence.LEFT, None, Absence.MISSED))
    people = (taken and replace(taken, kind=SeatKind.PERSON) for taken in view.seats)
    view = replace(view, seats=tuple(people))
    state = receive(state, Happened((), view))
    return receive(state, Attending(frozenset({Seat(0)}), 1, Seat(0)))


def who_is_here(style: CardStyle) -> TableState:
    state, _ = press(somebody_away(style), "w")
    return state


def paused(style: CardStyle) -> TableState:
    session = after_pass()
    session.do(StopClocks(StopCause.HOST))
    return read(session, style)


def chatting(style: CardStyle) -> TableState:
    return read(after_pass(), style, ["m", *"Well, well!"])


def leaving(style: CardStyle) -> TableState:
    state, _ = press(replace(read(after_pass(), style), orders=True), Key.QUIT)
    return state


def watching(style: CardStyle) -> TableState:
    """What a spectator sees: no hand, and nothing to decide."""
    session = after_pass()
    seen = visible(session.events, None)
    return receive(TableState(style), Joined(observe(session.state, None), seen, returned=False))


def given_up(style: CardStyle) -> TableState:
    session = after_pass()
    session.do(CloseGame(CloseCause.UNATTENDED, SECRET))
    return read(session, style)


def joining(style: CardStyle) -> TableState:
    return TableState(style)


def seating(style: CardStyle) -> TableState:
    """Two seats are still free."""
    session = LocalSession(parse_rules("black_lady target=20"), random.Random(7), NAMES)
    seats = (session.view.seats[0], None, session.view.seats[2], None)
    view = replace(session.view, phase=Phase.SEATING, seats=seats)
    return receive(TableState(style), Joined(view, (), returned=False))


def hosting(style: CardStyle) -> TableState:
    """The same, as the host of a table with an invite sees it."""
    invite = f"hearts join hearts://192.168.1.17:4246/oak-1#{'0123456789abcdef' * 4}"
    state = opened(Settings(), style, orders=True, ways_in=(invite,))
    latest = seating(style).latest
    assert latest is not None
    return receive(state, Joined(latest, (), returned=False))


def passing(style: CardStyle) -> TableState:
    return read(seated(), style, [Key.END, Key.SPACE, Key.LEFT, Key.SPACE, Key.LEFT])


def following(style: CardStyle) -> TableState:
    return read(after_pass(), style, [Key.HOME])


def refused(style: CardStyle) -> TableState:
    sentence = "QS: you still hold clubs, follow suit; legal: 8C AC"
    state = read(after_pass(), style, ["q", "s"])
    return replace(state, message=restyled(sentence, style))


def trick_held(style: CardStyle) -> TableState:
    session = after_pass()
    session.answer(PlayCard(session.seat, Card.parse("8C")))
    return read_until(session, style, lambda frame: frame.hold is Hold.TRICK)


def moon(style: CardStyle) -> TableState:
    shot = moonshot("moon=add target=20")
    return read_until(shot, style, lambda frame: frame.board is Board.DEAL)


def game_over(style: CardStyle) -> TableState:
    return read_until(played_out(), style, lambda frame: frame.board is Board.GAME)


def help_page(style: CardStyle) -> TableState:
    return read(after_pass(), style, ["?"])


def last_trick(style: CardStyle) -> TableState:
    session = after_pass()
    session.answer(PlayCard(session.seat, Card.parse("8C")))
    return read(session, style, ["l"])


def passed_cards(style: CardStyle) -> TableState:
    return read(after_pass(), style, ["p"])


def against_the_clock(style: CardStyle) -> TableState:
    return replace(read(after_pass(), style, [Key.HOME]), seconds_left=38)


def leading(style: CardStyle) -> TableState:
    """On lead, where the rest could be claimed."""
    session = after_pass()
    while session.view.trick.cards or not session.view.tricks:
        session.answer(PlayCard(session.seat, session.view.legal.highest()))
    return read(session, style)


def offline(style: CardStyle) -> TableState:
    return replace(read(after_pass(), style), offline="attempt 2: the server does not answer")


def moon_to_choose(style: CardStyle) -> TableState:
    return read(moonshot("moon=choose sun=double target=50"), style)


def moon_subtracted(style: CardStyle) -> TableState:
    session = moonshot("moon=choose bonus=JD:10 bonus_floor=true no_tricks_bonus=5")
    session.answer(ChooseMoon(session.seat, MoonChoice.SUBTRACT))
    return read_until(session, style, lambda frame: frame.board is Board.DEAL)


def bonuses(style: CardStyle) -> TableState:
    session = table("omnibus no_tricks_bonus=5 bonus_floor=true finish=early", 3)
    return read_until(play_to(session, DealScored), style, lambda frame: frame.board is Board.DEAL)


def cancelled(rules: str, seed: int, style: CardStyle) -> TableState:
    session = play_to(table(rules, seed), TrickCancelled)
    return read_until(session, style, lambda frame: "is cancelled" in frame.said)


def six_seats_cancelled(style: CardStyle) -> TableState:
    return cancelled("cancellation", 2, style)


def ten_seats_cancelled(style: CardStyle) -> TableState:
    return cancelled("cancellation players=10", 14, style)


def six_seats_carried(style: CardStyle) -> TableState:
    return read(play_to(table("cancellation", 2), TrickCancelled), style)


def kitty_taken(style: CardStyle) -> TableState:
    session = table("cancellation", 0)
    session.answer(PlayCard(session.seat, session.view.legal.highest()))
    return read_until(session, style, lambda frame: "took the kitty" in frame.said)


def kitty_over(style: CardStyle) -> TableState:
    """The end of a deal at a table of six with twins, kitty and a bonus on the jacks."""
    session = play_to(table("cancellation bonus=JD:10", 2), DealScored)
    return read_until(session, style, lambda frame: frame.board is Board.DEAL)


def three_seats(style: CardStyle) -> TableState:
    """Seventeen cards in hand."""
    session = table("black_maria", 2)
    session.answer(lowest(session.state))
    return read(session, style)


def seven_seats(style: CardStyle) -> TableState:
    session = table("seven", 5)
    session.answer(lowest(session.state))
    session.answer(lowest(session.state))
    return read(session, style)


def scattering(style: CardStyle) -> TableState:
    """Two of three cards are marked, the later one first."""
    session = table("omnibus pass_cycle=scatter keep_top_spades=true", 9)
    return read(session, style, [Key.END, Key.SPACE, Key.HOME, Key.SPACE, Key.RIGHT])


def twins_marked(style: CardStyle) -> TableState:
    """A pass of two equal cards; two packs for three seats are 34 cards in hand."""
    session = table("cancellation players=3 pass_cycle=shuffle pass_count=3", 4)
    state = read(session, style)
    assert state.view is not None
    slot = next(slot for slot in state.hand if slot.twin)
    state = replace(state, cursor=slot)
    for key in (Key.SPACE, Key.LEFT, Key.SPACE):
        state, _ = press(state, key)
    return state


def rules_page(style: CardStyle) -> TableState:
    return read(table("cancellation players=10 moon=auto", 1), style, ["r"])


SCENES = (
    joining,
    seating,
    hosting,
    passing,
    following,
    refused,
    trick_held,
    moon,
    game_over,
    help_page,
    last_trick,
    passed_cards,
    against_the_clock,
    leading,
    offline,
    moon_to_choose,
    moon_subtracted,
    bonuses,
    six_seats_cancelled,
    six_seats_carried,
    ten_seats_cancelled,
    kitty_taken,
    kitty_over,
    three_seats,
    seven_seats,
    scattering,
    twins_marked,
    rules_page,
    somebody_away,
    who_is_here,
    paused,
    chatting,
    leaving,
    watching,
    given_up,
)


def paint(terminal: Terminal, state: TableState, size: Size) -> str:
    depth = ColorDepth.from_env() or ColorDepth.DEPTH_4_BIT
    print_formatted_text(
        terminal.output, draw(state, size), style_of(state.settings), color_depth=depth
    )
    return terminal.text()


@pytest.mark.parametrize("style", [CardStyle.SYMBOLS, CardStyle.LETTERS], ids=lambda s: s.name)
@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s.columns}x{s.rows}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: s.__name__)
def test_the_screen_looks_as_it_did(
    terminal: OpenTerminal, scene: Callable[[CardStyle], TableState], size: Size, style: CardStyle
) -> None:
    name = f"{scene.__name__}_{size.columns}x{size.rows}_{style.name.lower()}.txt"
    with terminal(*size) as shown:
        text = paint(shown, scene(style), size)
    if os.environ.get("HEARTS_WRITE_GOLDEN"):
        (GOLDEN / name).write_text(text, encoding="utf-8")
    assert text == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s.columns}x{s.rows}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: s.__name__)
def test_without_colour_the_screen_says_the_same(
    terminal: OpenTerminal,
    monkeypatch: pytest.MonkeyPatch,
    scene: Callable[[CardStyle], TableState],
    size: Size,
) -> None:
    state = scene(CardStyle.SYMBOLS)
    with terminal(*size) as coloured:
        expected = paint(coloured, state, size)
    felt = replace(state, settings=replace(state.settings, theme=Theme.FELT))
    with terminal(*size) as green:
        assert paint(green, felt, size) == expected
        assert {cell.bg for cell in cells_of(green)} - {"default"}, "the table is painted"
    monkeypatch.setenv("NO_COLOR", "1")
    for each in (state, felt):
        with terminal(*size) as plain:
            assert paint(plain, each, size) == expected
            cells = cells_of(plain)
        assert {cell.fg for cell in cells} | {cell.bg for cell in cells} == {"default"}
        assert any(cell.bold for cell in cells)


def cells_of(terminal: Terminal) -> list[pyte.screens.Char]:
    return [cell for row in terminal.screen.buffer.values() for cell in row.values()]


@pytest.mark.parametrize("columns", [40, 41, 59, 60, 79, 80, 119, 200])
@pytest.mark.parametrize("rows", [12, 15, 16, 20, 23, 24, 60])
@pytest.mark.parametrize("scene", [*SCENES[2:6], ten_seats_cancelled, three_seats, twins_marked])
def test_the_whole_hand_is_in_sight_at_every_size(
    scene: Callable[[CardStyle], TableState], columns: int, rows: int
) -> None:
    state = scene(CardStyle.LETTERS)
    size = Size(columns, rows)
    text = "".join(text for _, text, *_ in draw(state, size))
    lines = text.split("\n")
    assert len(lines) == rows
    assert state.view is not None
    hand = ["".join(text for _, text in row) for row in hand_rows(state, table_columns(size))]
    assert all(any(line.startswith(row.rstrip()) for line in lines) for row in hand)
    shown = re.findall(r"[2-9TJQKA][CDSH]", " ".join(hand))
    assert shown == [str(card) for card in state.view.hand]
    assert "?" in lines[-1]


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s.columns}x{s.rows}")
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: s.__name__)
def test_the_way_out_is_named_at_every_size_and_moment(
    scene: Callable[[CardStyle], TableState], size: Size
) -> None:
    assert "Ctrl-Q leave" in foot(scene(CardStyle.SYMBOLS), size)


def test_the_keys_of_the_pass_are_named_as_they_are_needed() -> None:
    state = passing(CardStyle.LETTERS)
    for size in SIZES:
        assert foot(state, size).startswith(" ? help  Space mark  Ctrl-Q leave")
    assert "Left Right choose  Enter pass" in foot(state, SIZES[0])
    complete, _ = press(state, Key.SPACE)
    for size in SIZES:
        assert foot(complete, size).startswith(" ? help  Enter pass  Ctrl-Q leave")


def foot(state: TableState, size: Size) -> str:
    text = "".join(text for _, text, *_ in draw(state, size))
    return text.split("\n")[-1]


def test_letters_mode_draws_nothing_but_ascii_beside_names() -> None:
    for scene in SCENES:
        for size in SIZES:
            drawn = "".join(text for _, text, *_ in draw(scene(CardStyle.LETTERS), size))
            assert drawn.translate(dict.fromkeys(map(ord, NAMES[3]))).isascii()
