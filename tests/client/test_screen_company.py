"""Keys of the screen that are about other people: chat, phrases, pauses, commands, leaving."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.news import Attending, Said, Unsaid
from hearts_client.orders import AddBot, GiveUpSeat, HandOver, Order, Pause, Remove, Resume
from hearts_client.screen.intents import Give, Intent, Leave, Tell
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.pressing import press
from hearts_client.screen.table_state import Panel, TableState, hurried, receive
from hearts_client.testing import LocalSession
from hearts_engine.cards import Seat
from hearts_engine.commands import MarkAway, StartClocks, StopClocks
from hearts_engine.events import Absence, StopCause

SeatedAt = Callable[..., LocalSession]


def read(session: LocalSession, state: TableState | None = None, start: int = 0) -> TableState:
    state = state or TableState(CardStyle.LETTERS, orders=True)
    for item in session.told[start:]:
        state = hurried(receive(state, item))
    return state


def typed(state: TableState, keys: Iterable[Pressed]) -> tuple[TableState, list[Intent]]:
    intents: list[Intent] = []
    for key in keys:
        state, intent = press(state, key)
        if intent is not None:
            intents.append(intent)
    return state, intents


@pytest.fixture
def seated(table: SeatedAt) -> LocalSession:
    session = table()
    session.start()
    return session


def test_what_is_typed_after_m_is_said_as_it_was_typed(seated: LocalSession) -> None:
    state, intents = typed(read(seated), ["m", *"Q", Key.SPACE, *"SX!", Key.BACKSPACE, Key.ENTER])
    assert intents == [Tell("Q SX")]
    assert state.entry is None


@pytest.mark.parametrize("keys", [[Key.ENTER], [Key.SPACE, Key.ENTER], [*"hi", Key.ESCAPE]])
def test_a_line_that_is_empty_or_given_up_says_nothing(
    keys: list[Pressed], seated: LocalSession
) -> None:
    state, intents = typed(read(seated), ["m", *keys])
    assert intents == []
    assert state.entry is None


def test_a_line_takes_no_more_than_can_be_said(seated: LocalSession) -> None:
    state, _ = typed(read(seated), ["m", *("x" * 300), "\x1b"])
    assert state.entry is not None
    assert state.entry.text == "x" * 200


def test_a_phrase_is_two_keys(seated: LocalSession) -> None:
    state, intents = typed(read(seated), "e2")
    assert intents == [Tell(2)]
    assert state.panel is None
    state, intents = typed(read(seated), "e9")
    assert (intents, state.panel) == ([], Panel.PHRASES)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("bot easy", AddBot("easy")),
        ("remove west", Remove(Seat(1))),
        ("host Ben", HandOver(Seat(2))),
        ("pause", Pause()),
        ("leave", GiveUpSeat()),
    ],
)
def test_every_power_of_the_host_is_a_command(
    line: str, order: Order, seated: LocalSession
) -> None:
    _, intents = typed(read(seated), [":", *line, Key.ENTER])
    assert intents == [Give(order)]


@pytest.mark.parametrize("line", ["nonsense", "remove nobody", "phrase 9"])
def test_a_command_that_makes_no_sense_says_what_would(line: str, seated: LocalSession) -> None:
    state, intents = typed(read(seated), [":", *line, Key.ENTER])
    assert intents == []
    assert state.message


def test_z_pauses_and_lets_go_on(seated: LocalSession) -> None:
    state, intents = typed(read(seated), "z")
    assert intents == [Give(Pause())]
    start = len(seated.told)
    seated.do(StopClocks(StopCause.HOST))
    state = read(seated, state, start)
    assert state.due is None, "nobody decides in a pause"
    start = len(seated.told)
    state, intents = typed(state, "z")
    assert intents == [Give(Resume())]
    seated.do(StartClocks())
    assert read(seated, state, start).due is not None


def test_alone_with_bots_nothing_is_ordered(seated: LocalSession) -> None:
    alone = replace(read(seated), orders=False)
    tried: list[list[Pressed]] = [
        ["z"],
        [":", *"bot", Key.ENTER],
        [":", *"remove west", Key.ENTER],
        [Key.QUIT, "b"],
    ]
    for keys in tried:
        assert typed(alone, keys)[1] == []


def test_leaving_offers_the_seat_to_a_bot(seated: LocalSession) -> None:
    state = read(seated)
    assert typed(state, [Key.QUIT, "b"])[1] == [Give(GiveUpSeat())]
    assert typed(state, [Key.QUIT, "y"])[1] == [Leave()]
    assert typed(state, [Key.QUIT, Key.QUIT])[1] == [Leave()]
    stays, intents = typed(state, [Key.QUIT, "n"])
    assert (stays.leaving, intents) == (False, [])


def test_what_is_said_stands_in_the_log_and_is_seen_until_the_next_key(
    seated: LocalSession,
) -> None:
    state = receive(read(seated), Said(Seat(1), "Ann", "good luck"))
    assert state.log[-1] == "Ann: good luck"
    assert state.heard == "Ann: good luck"
    assert typed(state, [Key.LEFT])[0].heard == ""


def test_whoever_is_muted_is_not_seen(seated: LocalSession) -> None:
    state, _ = typed(read(seated), [":", *"mute ann", Key.ENTER])
    assert receive(state, Said(Seat(1), "Ann", "you fool")).log == state.log
    state, _ = typed(state, [":", *"unmute ann", Key.ENTER])
    assert receive(state, Said(Seat(1), "Ann", "sorry")).log[-1] == "Ann: sorry"


def test_what_could_not_be_said_is_an_error_message(seated: LocalSession) -> None:
    assert receive(read(seated), Unsaid("too much at once")).message == "too much at once"


def test_a_long_text_is_broken_into_lines_of_the_log(seated: LocalSession) -> None:
    state = receive(read(seated), Said(Seat(1), "Ann", "well " * 40))
    assert len([line for line in state.log if "well" in line]) > 2
    assert all(len(line) <= 58 for line in state.log if "well" in line)


def test_whoever_is_away_decides_nothing_until_back(seated: LocalSession) -> None:
    state, start = read(seated), len(seated.told)
    assert state.due is not None
    seated.do(MarkAway(seated.seat, Absence.LEFT))
    state = read(seated, state, start)
    assert state.due is None
    start = len(seated.told)
    seated.come_back()
    assert read(seated, state, start).due is not None


def test_who_is_host_and_who_watches_is_known_to_the_screen(seated: LocalSession) -> None:
    state = receive(read(seated), Attending(frozenset({Seat(0)}), 2, Seat(0)))
    assert state.company.host == Seat(0)
    assert state.log[-1] == "2 watch"
