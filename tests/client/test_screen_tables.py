"""The full screen at tables of any rules: nothing is cut, nothing raises, twins are two cards."""

from __future__ import annotations

import math
import random
import re
from dataclasses import replace

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.screen.handrow import hand_rows
from hearts_client.screen.intents import SendPass
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.pressing import press
from hearts_client.screen.render import draw, table_columns
from hearts_client.screen.statusbar import status_line
from hearts_client.screen.table_state import Panel, TableState, advance, hurried, receive
from hearts_client.seatnames import SeatNames
from hearts_client.testing import LocalSession
from hearts_engine.cards import Card, Seat
from hearts_engine.commands import ChoosePass
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import random_choice
from hearts_engine.testing_rules import random_rules
from hearts_engine.trick import Trick

SIZES = (Size(80, 24), Size(60, 20), Size(40, 12), Size(120, 40))


def seated(rules: Rules | str, seed: int = 7) -> LocalSession:
    known = parse_rules(rules) if isinstance(rules, str) else rules
    session = LocalSession(known, random.Random(seed))
    session.start()
    return session


def read(session: LocalSession, style: CardStyle = CardStyle.LETTERS) -> TableState:
    state = TableState(style)
    for item in session.told:
        state = hurried(receive(state, item))
    return state


def pressed(state: TableState, keys: list[Pressed]) -> TableState:
    for key in keys:
        state, _ = press(state, key)
    return state


def lines_of(state: TableState, size: Size) -> list[str]:
    return "".join(text for _, text, *_ in draw(state, size)).split("\n")


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s.columns}x{s.rows}")
@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("players", range(3, 11))
def test_hand_and_seats_of_every_table_are_in_sight(players: int, decks: int, size: Size) -> None:
    words = "opening=eldest kitty=last_trick pass_cycle=hold"
    session = seated(f"black_lady players={players} decks={decks} {words}")
    state = read(session)
    columns = table_columns(size)
    lines = [line[:columns] for line in lines_of(state, size)]
    assert len(lines) == size.rows
    assert state.view is not None
    rows = ["".join(text for _, text in row).rstrip() for row in hand_rows(state, columns)]
    found = [number for number, line in enumerate(lines) if line.rstrip() in rows]
    assert [lines[number].rstrip() for number in found[-len(rows) :]] == rows
    shown = re.findall(r"[2-9TJQKA][CDSH]", " ".join(rows))
    assert shown == list(map(str, state.view.hand))
    above = "\n".join(lines[: found[-len(rows)]])
    for name in ("You", "Ann", "Ben", "Cy", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan")[:players]:
        assert name in above


@pytest.mark.parametrize("players", range(3, 11))
def test_seats_sit_round_the_table_in_the_order_of_play(players: int) -> None:
    """Up the left side, along the top, down the right."""
    session = seated(f"cancellation players={players}")
    names = [taken.name for taken in session.view.seats if taken is not None][1:]
    lines = lines_of(read(session), Size(80, 24))
    assert sorted(names, key=lambda name: clockwise_from_below(name, lines)) == names


def clockwise_from_below(name: str, lines: list[str]) -> float:
    """The angle at which a seat sits, seen from the middle of the table."""
    row = next(number for number, line in enumerate(lines) if f" {name} " in line)
    below = next(number for number, line in enumerate(lines) if " You " in line)
    right = (lines[row].index(f" {name} ") - 36) / 36
    down = (row - below / 2) / (below / 2)
    return math.atan2(-right, down) % math.tau


@pytest.mark.parametrize("seed", range(25))
def test_no_rules_and_no_moment_break_the_screen(seed: int) -> None:
    chance = random.Random(seed)
    session = seated(random_rules(chance), seed)
    style = chance.choice((CardStyle.LETTERS, CardStyle.SYMBOLS))
    state, seen = TableState(style), 0
    for _ in range(25):
        for item in session.told[seen:]:
            state = receive(state, item)
            while state.held is not None:
                drawn_everywhere(state, chance)
                state = advance(state)
        seen = len(session.told)
        drawn_everywhere(state, chance)
        if session.state.phase is Phase.ENDED:
            break
        assert session.answer(random_choice(session.state, chance)) is None


def drawn_everywhere(state: TableState, chance: random.Random) -> None:
    """At some size, with some panel or none."""
    size = chance.choice(SIZES)
    key = chance.choice(("", "", "?", "l", "p", "b", "r"))
    shown = pressed(state, [key]) if key and state.held is None else state
    assert len(lines_of(shown, size)) == size.rows


def twins_in_hand() -> TableState:
    for seed in range(20):
        state = read(seated("cancellation players=6 pass_cycle=left", seed))
        assert state.view is not None
        cards = state.view.hand.cards
        if any(cards.count(card) == 2 for card in cards):
            return state
    raise AssertionError("no hand has twins")


def twin_of(state: TableState) -> Card:
    assert state.view is not None
    cards = state.view.hand.cards
    return next(card for card in cards if cards.count(card) == 2)


def test_both_of_two_equal_cards_can_be_passed() -> None:
    state = twins_in_hand()
    card = twin_of(state)
    state = pressed(state, [Key.HOME])
    while state.card != card:
        state = pressed(state, [Key.RIGHT])
    state = pressed(state, [Key.SPACE, Key.RIGHT])
    assert state.card == card
    state = pressed(state, [Key.SPACE])
    assert [slot.card for slot in state.chosen] == [card, card]
    state = pressed(state, [Key.END, Key.SPACE])
    state, intent = press(state, Key.ENTER)
    assert isinstance(intent, SendPass)
    assert intent.cards.count(card) == 2


def test_typing_an_equal_card_again_goes_to_the_other_one() -> None:
    state = twins_in_hand()
    card = twin_of(state)
    keys: list[Pressed] = list(str(card).lower())
    first = pressed(state, [Key.HOME, *keys])
    second = pressed(first, keys)
    assert first.card == second.card == card
    assert first.cursor != second.cursor
    assert pressed(second, keys).cursor == first.cursor


def test_one_of_two_equal_cards_can_be_taken_back_alone() -> None:
    state = twins_in_hand()
    card = twin_of(state)
    keys: list[Pressed] = list(str(card).lower())
    state = pressed(state, [Key.HOME, *keys, Key.SPACE, *keys, Key.SPACE])
    assert len(state.chosen) == 2
    state = pressed(state, [Key.SPACE])
    assert [slot.card for slot in state.chosen] == [card]
    text = "".join(text for row in hand_rows(state, 200) for _, text in row)
    assert text.count("+") == 1


def test_scattered_cards_are_numbered_in_the_order_in_which_they_were_marked() -> None:
    session = seated("omnibus pass_cycle=scatter")
    state = pressed(read(session), [Key.END, Key.SPACE, Key.HOME, Key.SPACE, Key.RIGHT, Key.SPACE])
    hand = session.view.hand.cards
    text = "".join(text for row in hand_rows(state, 200) for _, text in row)
    assert f"{hand[-1]}]1" in text
    assert f"{hand[0]}]2" in text
    said = " ".join(lines_of(state, SIZES[0]))
    assert f"{hand[-1]} to Ann, {hand[0]} to Ben, {hand[1]} to Cy; Enter passes them" in said
    state, intent = press(state, Key.ENTER)
    assert isinstance(intent, SendPass)
    assert intent.cards == (hand[-1], hand[0], hand[1])


def test_a_mark_taken_back_moves_the_later_scattered_cards_up() -> None:
    session = seated("omnibus pass_cycle=scatter")
    state = pressed(read(session), [Key.END, Key.SPACE, Key.HOME, Key.SPACE, Key.END, Key.SPACE])
    assert [slot.card for slot in state.chosen] == [session.view.hand.cards[0]]
    assert f"{state.chosen[0].card} to Ann; the next to Ben" in " ".join(lines_of(state, SIZES[0]))


def test_top_spades_that_stay_cannot_be_marked_and_say_why() -> None:
    session = next(
        session
        for session in (seated("black_lady keep_top_spades=true", seed) for seed in range(40))
        if session.view.hand != session.view.legal
    )
    kept = next(card for card in session.view.hand if card not in session.view.legal)
    keys: list[Pressed] = list(str(kept).lower())
    state = pressed(read(session), [*keys, Key.SPACE])
    assert state.card == kept
    assert state.chosen == ()
    assert "top spades are not passed while others can be" in state.message


def test_a_received_twin_is_marked_once() -> None:
    session = next(filter(received_a_twin, map(after_pass, range(60))))
    text = "".join(text for row in hand_rows(read(session), 200) for _, text in row)
    assert text.count("*") == len(session.view.received & session.view.hand)


def after_pass(seed: int) -> LocalSession:
    session = seated("cancellation players=6 pass_cycle=left opening=low_club", seed)
    session.answer(ChoosePass(session.seat, session.view.hand.cards[:3]))
    return session


def received_a_twin(session: LocalSession) -> bool:
    hand, received = session.view.hand.cards, session.view.received.cards
    twins = [card for card in received if hand.count(card) == 2 and received.count(card) == 1]
    return bool(twins) and not session.view.tricks


def test_the_rules_of_the_table_are_one_key_away_page_by_page() -> None:
    state = pressed(read(seated("omnibus target=50")), ["r"])
    assert state.panel is Panel.RULES
    pages, size = list[str](), Size(60, 20)
    for _ in range(6):
        pages.append(" ".join(" ".join(lines_of(state, size)).split()))
        state = pressed(state, ["r"])
    text = " ".join(pages)
    assert "Rules: Omnibus" in text
    assert "JD takes 10 points off the score of whoever takes it." in text
    assert "stands at 50 or more" in text
    assert pressed(state, [Key.ESCAPE]).panel is None


def test_the_rules_stand_at_the_top_where_there_is_room() -> None:
    session = seated("omnibus target=50")
    wide = lines_of(read(session, CardStyle.SYMBOLS), Size(120, 40))[0]
    assert "Omnibus · J♦ -10 · to 50" in wide
    narrow = lines_of(read(session), Size(60, 20))[0]
    assert "Omnibus" in narrow


@pytest.mark.parametrize(
    ("rules", "shown"),
    [
        ("black_lady target=30", "oak-1  Standard · to 30  deal 1"),
        ("five removed=none kitty=first_trick", "Standard · 5 seats · …  deal 1"),
        ("cancellation target=30", "Cancellation · 6 seats · … · to 30  deal 1"),
        ("black_lady deals=3", "oak-1  Standard · 3 deals  deal 1"),
    ],
)
def test_the_top_line_tells_as_much_of_the_rules_as_fits(rules: str, shown: str) -> None:
    state = read(seated(rules), CardStyle.SYMBOLS)
    top = lines_of(state, Size(80, 24))[0]
    assert top.strip().startswith(shown)
    assert len(top.rstrip()) < 80


@pytest.mark.parametrize("columns", range(40, 140, 3))
@pytest.mark.parametrize("rules", ["black_lady target=30", "omnibus", "cancellation target=30"])
def test_the_top_line_keeps_its_rules_from_one_deal_and_trick_to_the_next(
    rules: str, columns: int
) -> None:
    state = read(seated(rules))
    assert state.view is not None
    tricks = (Trick(Seat(0), state.view.rules.players),) * 10
    told = set[str]()
    cycle = state.view.rules.pass_cycle
    for deal in range(7, 13):
        way = cycle[deal % len(cycle)]
        for done in (tricks[:2], tricks):
            view = replace(state.view, deal=deal, direction=way, tricks=done, phase=Phase.PLAYING)
            content = status_line(replace(state, view=view), SeatNames.of(view), columns)
            top = "".join(text for _, text in content)
            assert f"trick {len(done) + 1} of {view.rules.hand_size}" in top
            told.add(top[: top.index("deal")])
    assert len(told) == 1
