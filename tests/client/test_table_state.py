"""What the full screen shows when, and what each key does: no terminal needed."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.news import Ask, Asked, Cause, Closed, Happened, Joined, Offline, Refused
from hearts_client.screen.frames import Board
from hearts_client.screen.intents import Leave, SendCard, SendClaim, SendPass
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.pace import PACES, Hold
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw
from hearts_client.screen.slots import Slot
from hearts_client.screen.table_state import (
    Panel,
    TableState,
    advance,
    answered,
    hurried,
    receive,
)
from hearts_client.testing import LocalSession
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.events import CardPlayed, DealScored, GameEnded, TrickTaken
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.view import visible


def seated(seed: int = 7, target: int = 40) -> LocalSession:
    session = LocalSession(parse_rules(f"black_lady target={target}"), random.Random(seed))
    session.start()
    return session


def read(session: LocalSession, state: TableState | None = None, start: int = 0) -> TableState:
    """The state after the news from ``start`` on, as one sees it who waits for nothing."""
    state = state or TableState(CardStyle.LETTERS)
    for item in session.told[start:]:
        state = hurried(receive(state, item))
    return state


def pressed(state: TableState, keys: Iterable[Pressed]) -> TableState:
    for key in keys:
        state, _ = press(state, key)
    return state


def after_pass(seed: int = 7) -> tuple[LocalSession, TableState]:
    session = seated(seed)
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    return session, read(session)


def screen(state: TableState) -> str:
    return "".join(text for _, text, *_ in draw(state, Size(80, 24)))


def play_until(session: LocalSession, kind: type) -> None:
    """Play the lowest legal card, and pass the first three, until this kind of event happened."""
    while not any(isinstance(event, kind) for event in session.events):
        legal = session.view.legal
        if session.state.phase is Phase.PASSING:
            session.answer(ChoosePass(session.seat, tuple(legal)[:3]))
        else:
            session.answer(PlayCard(session.seat, legal.lowest()))


def test_a_bots_card_is_seen_before_the_next_one() -> None:
    session, state = after_pass()
    start = len(session.told)
    session.answer(PlayCard(session.seat, Card.parse("8C")))
    for item in session.told[start:]:
        state = receive(state, item)
    seen: list[int] = []
    while state.frames or state.held is not None:
        assert state.view is not None
        seen.append(len(state.view.trick.cards))
        state = advance(state)
    assert seen == [3, 4, 1]


def test_a_finished_trick_stays_on_the_table_until_its_time_is_over() -> None:
    session = seated()
    play_until(session, TrickTaken)
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = receive(state, item)
        while state.held is not None and state.held.hold is Hold.CARD:
            state = advance(state)
        if state.held is not None:
            break
    assert state.held is not None
    assert state.held.hold is Hold.TRICK
    assert state.view is not None
    assert state.view.trick.complete
    assert state.view.tricks == ()
    after = hurried(state).view
    assert after is not None
    assert len(after.tricks) == 1


def test_a_decision_does_not_wait_for_the_time_of_a_card() -> None:
    session = seated()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[-3:]))
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = receive(state, item)
    assert state.due is not None
    assert state.held is None


@pytest.mark.parametrize("cause", [Cause.GAME_OVER, Cause.LOST])
def test_who_is_shown_what_happened_long_ago_is_told_how_it_ended(cause: Cause) -> None:
    session = seated(target=20)
    play_until(session, GameEnded if cause is Cause.GAME_OVER else DealScored)
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = receive(state, item)
    sentence = "the game is over" if cause is Cause.GAME_OVER else "the server has stopped"
    state = receive(state, Closed(cause, sentence))
    told: list[bool] = []
    while state.held is not None:
        if state.held.hold is Hold.TRICK:
            told.append(f"{sentence}: this is how it went" in screen(state))
        state = advance(state)
    assert told[0]
    assert not told[-1], "the last trick is told as any other"
    assert state.closed is not None


def test_results_wait_for_a_key_and_no_hurry_skips_them() -> None:
    session = seated()
    play_until(session, DealScored)
    state = read(session)
    assert state.held is not None
    assert state.held.board is Board.DEAL
    assert hurried(state) is state
    state, intent = press(state, Key.ENTER)
    assert intent is None
    assert state.held is None
    assert state.due is not None
    assert state.due.ask is Ask.PASS


@pytest.mark.parametrize("name", PACES)
def test_every_pace_waits_for_a_key_at_results(name: str) -> None:
    assert PACES[name].time_for(Hold.KEY) is None


def test_the_normal_pace_is_450_milliseconds_a_card_and_900_a_trick() -> None:
    card, trick = PACES["normal"].card, PACES["normal"].trick
    assert trick is not None
    assert (card.total_seconds(), trick.total_seconds()) == (0.45, 0.9)


def test_a_key_that_only_hurries_a_trick_does_not_play_the_next_card() -> None:
    session = seated()
    play_until(session, TrickTaken)
    state = TableState(CardStyle.LETTERS)
    for item in session.told:
        state = receive(state, item)
    for _ in range(40):
        if state.held is not None and state.held.hold is Hold.TRICK:
            break
        state = advance(state)
    state, intent = press(state, Key.ENTER)
    assert intent is None
    assert not state.sending


def test_a_card_is_played_by_the_cursor_and_enter() -> None:
    _, state = after_pass()
    state = pressed(state, [Key.HOME])
    assert state.card == Card.parse("8C")
    state, intent = press(state, Key.ENTER)
    assert state.asked is not None
    assert intent == SendCard(state.asked, Card.parse("8C"))
    assert state.due is None


@pytest.mark.parametrize(
    ("keys", "card"),
    [
        ([Key.HOME], "8C"),
        ([Key.END], "3H"),
        ([Key.HOME, Key.RIGHT], "AC"),
        ([Key.HOME, Key.LEFT], "3H"),
        ([Key.HOME, Key.TAB], "AC"),
        ([Key.HOME, Key.TAB, Key.TAB], "8C"),
        (["q", "s"], "QS"),
        (["1", "0", "d"], "TD"),
        (["t", "d"], "TD"),
        (["1", "x", "3", "s"], "3S"),
        (["q", Key.BACKSPACE, "3", "d"], "3D"),
        ([Key.HOME, "s"], "3S"),
        ([Key.HOME, "s", "s"], "8S"),
    ],
)
def test_the_cursor_goes_where_keys_send_it(keys: list[Pressed], card: str) -> None:
    _, state = after_pass()
    assert pressed(state, keys).card == Card.parse(card)


def test_a_typed_card_that_is_not_held_is_said() -> None:
    _, state = after_pass()
    before = state.cursor
    state = pressed(state, ["2", "h"])
    assert state.message == "you do not hold 2H"
    assert state.cursor == before


def test_cards_for_the_pass_are_marked_taken_back_and_committed_only_complete() -> None:
    state = read(seated())
    state = pressed(state, [Key.HOME, Key.SPACE, Key.RIGHT, Key.SPACE])
    state, intent = press(state, Key.ENTER)
    assert intent is None
    assert state.message == "pass 3 cards left to Ann: mark 1 more with Space"
    state = pressed(state, [Key.HOME, Key.SPACE])
    assert state.chosen == (Slot(Card.parse("3D")),)
    state = pressed(state, [Key.HOME, Key.SPACE, Key.END, Key.SPACE, Key.LEFT, Key.SPACE])
    assert len(state.chosen) == 3
    assert "3 are marked" in state.message
    state, intent = press(state, Key.ENTER)
    assert isinstance(intent, SendPass)
    assert " ".join(map(str, intent.cards)) == "8C 3D QH"


def test_a_refusal_is_shown_until_the_next_key_and_the_decision_stays_due() -> None:
    _, state = after_pass()
    state, intent = press(pressed(state, ["q", "s"]), Key.ENTER)
    assert isinstance(intent, SendCard)
    refused = Refused("MUST_FOLLOW_SUIT", "QS: follow; legal: 8C", CardSet.parse("8C"))
    state = answered(state, intent.asked, refused)
    assert state.message == "QS: follow; legal: 8C"
    assert state.due is intent.asked
    assert pressed(state, [Key.LEFT]).message == ""


def test_a_late_acknowledgement_does_not_take_the_next_question_away() -> None:
    session, state = after_pass()
    asked = state.due
    assert asked is not None
    state = replace(state, sending=True)
    start = len(session.told)
    session.answer(PlayCard(session.seat, Card.parse("8C")))
    state = read(session, state, start)
    assert state.due is not None
    assert answered(state, asked, None).due is state.due


def test_nothing_is_sent_when_it_is_not_ones_turn() -> None:
    _, state = after_pass()
    state, intent = press(replace(state, asked=None), Key.ENTER)
    assert intent is None
    assert state.message == "it is not your turn"


def test_a_claim_is_for_the_seat_on_lead() -> None:
    session, state = after_pass()
    state, intent = press(state, "f")
    assert intent is None
    assert state.message == "claim the rest when you are on lead"
    view = replace(session.view, trick=session.view.trick._replace(cards=()))
    asked = Asked(Ask.CARD, view, None)
    assert press(replace(state, asked=asked), "f")[1] == SendClaim(asked)


def test_leaving_is_asked_once() -> None:
    _, state = after_pass()
    state, intent = press(state, Key.QUIT)
    assert intent is None
    prompt = "".join(text for _, text, *_ in draw(state, Size(60, 20)))
    assert "Leave the table? y or Ctrl-Q: leave, other keys: stay" in prompt
    assert press(state, "y")[1] == Leave()
    assert press(state, Key.QUIT)[1] == Leave()
    stays, intent = press(state, "n")
    assert intent is None
    assert not stays.leaving


@pytest.mark.parametrize("letter", "23456789tjqkacdhs")
def test_letters_of_cards_open_nothing(letter: str) -> None:
    _, state = after_pass()
    after, intent = press(state, letter)
    assert intent is None
    assert after.panel is None
    assert not after.leaving


@pytest.mark.parametrize(
    ("key", "panel"),
    [
        ("?", Panel.HELP),
        (Key.HELP, Panel.HELP),
        ("l", Panel.LAST_TRICK),
        ("p", Panel.PASSED),
        ("b", Panel.SCORES),
    ],
)
def test_panels_open_and_close_and_enter_does_not_play_through_them(
    key: Pressed, panel: Panel
) -> None:
    _, state = after_pass()
    state = pressed(state, [key])
    assert state.panel is panel
    closed, intent = press(state, Key.ENTER)
    assert closed.panel is None
    assert intent is None
    assert pressed(state, [Key.ESCAPE]).panel is None


def test_the_cursor_stays_near_when_its_card_is_gone() -> None:
    session, state = after_pass()
    start = len(session.told)
    session.answer(PlayCard(session.seat, Card.parse("8C")))
    state = read(session, pressed(state, [Key.HOME]), start)
    assert state.card is not None
    assert state.card in session.view.hand


def test_the_only_legal_card_is_under_the_cursor() -> None:
    session, state = after_pass()
    view = replace(session.view, legal=CardSet.parse("QS"))
    state = receive(state, Asked(Ask.CARD, view, None))
    assert state.card == Card.parse("QS")


@pytest.mark.parametrize(
    ("before", "legal", "after"),
    [
        ("8S", "8C AC", "AC"),
        ("3H", "3D KD 3S", "3S"),
        ("8C", "TD 3S", "TD"),
        ("6D", "8C 6D AS", "6D"),
    ],
)
def test_a_turn_begins_on_the_nearest_card_that_may_be_played(
    before: str, legal: str, after: str
) -> None:
    session, state = after_pass()
    assert state.view is not None
    assert str(state.view.hand) == "8C AC 3D 6D 7D TD QD KD 3S 8S QS AS 3H"
    state = replace(state, asked=None, cursor=Slot(Card.parse(before)))
    view = replace(session.view, legal=CardSet.parse(legal))
    assert receive(state, Asked(Ask.CARD, view, None)).card == Card.parse(after)


def test_being_offline_is_shown_and_coming_back_catches_up_without_waiting() -> None:
    session, state = after_pass()
    state = receive(state, Offline(3, "no answer"))
    assert state.offline == "attempt 3: no answer"
    start = len(session.told)
    session.answer(PlayCard(session.seat, session.view.legal.lowest()))
    missed = tuple(
        event
        for item in session.told[start:]
        if isinstance(item, Happened)
        for event in item.events
    )
    assert any(isinstance(event, CardPlayed) for event in missed)
    state = receive(state, Joined(session.view, missed, returned=True))
    assert state.offline == ""
    assert state.view == session.view
    assert state.held is None
    assert "back at the table, you missed 5 cards, 1 trick" in state.log


def test_a_deal_that_began_before_one_was_attached_is_in_the_log() -> None:
    session = seated()
    missed = visible(session.events, session.seat)
    state = receive(TableState(CardStyle.LETTERS), Joined(session.view, missed, returned=False))
    rules, began, *_ = (line for line in state.log if line.startswith(("rules", "deal")))
    assert rules.startswith("rules (r: all of them): Standard")
    assert began == "deal 1, Cy deals, pass left to Ann"
    assert state.log.index(began) > state.log.index(rules)
    assert any(line in began for line in read(session).log)
