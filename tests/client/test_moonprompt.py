"""Choosing how one's moon is scored: what both choices lead to is said before, and comes true."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, MutableSequence
from dataclasses import replace
from typing import Any

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.moonprompt import prospect_sentence, prospects
from hearts_client.news import Ask, Asked, News
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.screen.intents import SendMoon
from hearts_client.screen.keypress import Key
from hearts_client.screen.lines import Size
from hearts_client.screen.pace import Hold
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw
from hearts_client.screen.table_state import TableState, advance, hurried, receive
from hearts_client.seatnames import SeatNames
from hearts_client.testing import LocalSession
from hearts_client.turnprompt import waiting_sentence
from hearts_engine.cards import PACK, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChooseMoon, Command, PlayCard
from hearts_engine.events import Agent, MoonChosen, MoonOffered
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_replays.moon import choice_by_itself

HEARTS_FIRST = "opening=eldest pass_cycle=hold must_break=false first_trick=any moon=choose"


class AllHearts(random.Random):
    """Chance that deals every heart to the first seat."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        hearts = [card for card in PACK if card.suit is Suit.HEARTS]
        others = [card for card in PACK if card.suit is not Suit.HEARTS]
        super().shuffle(others)
        x[:] = [hearts.pop() if at % 4 == 0 else others.pop() for at in range(52)]


def lowest(state: State) -> Command:
    assert state.turn is not None
    return PlayCard(state.turn, state.play.legal.lowest())


def asked(rules: str = "") -> LocalSession:
    """A table at which the first seat has just shot the moon."""
    text = f"black_lady {HEARTS_FIRST} {rules}"
    session = LocalSession(parse_rules(text), AllHearts(1))
    session.start(lowest)
    while session.state.phase is Phase.PLAYING:
        session.answer(lowest(session.state))
    return session


@pytest.mark.parametrize("choice", MoonChoice)
@pytest.mark.parametrize(
    "rules",
    ["", "sun=double target=60", "bonus=JD:10 target=26", "moon_needs_bonus=true bonus=JD:5"],
)
def test_what_is_said_of_a_choice_comes_true(rules: str, choice: MoonChoice) -> None:
    session = asked(rules)
    said = {each.choice: each for each in prospects(session.view, SeatNames.of(session.view))}
    assert session.answer(ChooseMoon(session.seat, choice)) is None
    assert session.view.scored[0] == said[choice].scored
    assert session.view.ended == said[choice].ended


def test_both_outcomes_are_told_with_totals_and_what_follows() -> None:
    session = asked("target=26")
    names = SeatNames.of(session.view)
    add, subtract = (prospect_sentence(each, names) for each in prospects(session.view, names))
    assert add == (
        "add: 0 for You, 26 for every other seat; totals You 0, Ann 26, Ben 26, Cy 26;"
        " the game is over, You win with no points"
    )
    assert subtract == (
        "subtract: -26 for You, 0 for every other seat; totals You -26, Ann 0, Ben 0, Cy 0;"
        " the game goes on"
    )


def test_others_are_told_whom_they_wait_for() -> None:
    view = replace(asked().view, seat=Seat(2))
    names = SeatNames.of(view)
    assert waiting_sentence(view, names) == "waiting for Dot to choose how the moon is scored"


@pytest.mark.parametrize(
    ("typed", "choice"),
    [
        ("a", MoonChoice.ADD),
        ("add", MoonChoice.ADD),
        ("s", MoonChoice.SUBTRACT),
        ("subtract", MoonChoice.SUBTRACT),
    ],
)
def test_plain_mode_asks_with_the_arithmetic_and_takes_either_word(
    typed: str, choice: MoonChoice
) -> None:
    session, lines = asked("target=26"), list[str]()
    typing = iter(["legal", "2c", typed, "quit"])

    async def read_line() -> str | None:
        return next(typing)

    async def news() -> AsyncIterator[News]:
        yield Asked(Ask.MOON, session.view, deadline=61_000_000)
        await asyncio.Event().wait()

    async def main() -> None:
        options = PlainOptions(type_ahead=True, now=lambda: 0)
        await play_plain(
            session, news=news(), read_line=read_line, write=lines.append, options=options
        )

    asyncio.run(main())
    assert lines[0] == "YOUR MOON type add or subtract"
    assert lines[1].startswith("CHOICE add: 0 for You, 26 for every other seat")
    assert lines[2].startswith("CHOICE subtract: -26 for You")
    assert lines[3] == "CLOCK done by itself in 61 s (as auto would: add)"
    assert "LEGAL add, subtract" in lines
    assert "WAIT another decision is due: YOUR MOON type add or subtract" in lines
    assert session.answers[-1] == ChooseMoon(session.seat, choice)


def test_plain_mode_tells_everyone_what_was_chosen_and_by_whom() -> None:
    session = asked()
    session.answer(ChooseMoon(session.seat, MoonChoice.SUBTRACT))
    happened = [event for event in session.events if isinstance(event, MoonOffered | MoonChosen)]
    assert happened == [
        MoonOffered(Seat(0)),
        MoonChosen(Seat(0), MoonChoice.SUBTRACT, Agent.SEAT),
    ]


def read(session: LocalSession) -> TableState:
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = hurried(receive(state, item))
    return state


def drawn(state: TableState, columns: int = 80, rows: int = 24) -> str:
    return "".join(text for _, text, *_ in draw(state, Size(columns, rows)))


@pytest.mark.parametrize(("key", "choice"), [("a", MoonChoice.ADD), ("s", MoonChoice.SUBTRACT)])
def test_one_key_chooses_on_the_screen(key: str, choice: MoonChoice) -> None:
    state = read(asked())
    assert state.due is not None
    after, intent = press(state, key)
    assert intent == SendMoon(state.due, choice)
    assert after.sending
    assert press(after, key)[1] is None


def test_no_other_key_chooses_and_enter_says_which_do() -> None:
    state = read(asked())
    for key in ("d", "f", "x", "1", Key.SPACE, Key.LEFT, Key.TAB):
        assert press(state, key)[1] is None
    after, intent = press(state, Key.ENTER)
    assert intent is None
    assert after.message == "type a to add, or s to subtract"


def test_a_key_that_hurries_the_last_trick_does_not_choose() -> None:
    state = TableState(CardStyle.LETTERS)
    *earlier, taken, question = asked().told
    for item in earlier:
        state = hurried(receive(state, item))
    state = receive(receive(state, taken), question)
    while state.held is not None and state.held.hold is Hold.CARD:
        state = advance(state)
    assert state.held is not None
    assert state.held.hold is Hold.TRICK
    after, intent = press(state, "a")
    assert intent is None
    assert after.due is not None
    assert after.due.ask is Ask.MOON


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
def test_both_outcomes_are_on_the_screen_at_every_size(size: tuple[int, int]) -> None:
    text = " ".join(drawn(read(asked("target=26")), *size).split())
    assert "add: 0 for You, 26 for every other seat; the game is over" in text
    assert "subtract: -26 for You, 0 for every other seat; the game goes on" in text
    assert "your moon: a to add, s to subtract" in text


def test_the_time_left_to_choose_is_shown() -> None:
    state = replace(read(asked()), seconds_left=29)
    assert "0:29" in drawn(state).split("\n")[0]


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
@pytest.mark.parametrize(
    ("rules", "choice"), [("", "add"), ("target=26 exact=exact_wins", "subtract")]
)
def test_what_is_chosen_when_the_time_is_over_is_said_and_comes_true(
    size: tuple[int, int], rules: str, choice: str
) -> None:
    session = asked(rules)
    state = replace(read(session), seconds_left=29)
    text = " ".join(drawn(state, *size).split())
    assert f"done by itself in 29 s (as auto would: {choice})" in text
    assert "add: 0 for You, 26 for every other seat" in text
    assert "subtract: -26 for You, 0 for every other seat" in text
    assert "done by itself" not in drawn(read(session), *size)
    assert choice_by_itself(session.state) is MoonChoice(choice)


def test_what_hangs_on_a_kitty_that_another_seat_took_is_said_so() -> None:
    session = asked("bonus=JD:10")
    view = replace(session.view, kitty_seat=Seat(2))
    names = SeatNames.of(view)
    told = [prospect_sentence(each, names) for each in prospects(view, names)]
    assert all(sentence.endswith(", if the kitty holds no bonus") for sentence in told)
    mine = replace(view, kitty=CardSet.parse("3C"), kitty_seat=view.seat)
    assert not any("kitty" in prospect_sentence(each, names) for each in prospects(mine, names))
