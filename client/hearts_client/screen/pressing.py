"""What a key does to the table, and what it asks of the session. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeAlias

from hearts_client.cardnames import card_name
from hearts_client.news import Ask, Asked
from hearts_client.passing import kept_sentence, pass_prompt
from hearts_client.screen.frames import Board
from hearts_client.screen.intents import (
    Give,
    Intent,
    Leave,
    SendCard,
    SendClaim,
    SendMoon,
    SendPass,
)
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.options import option_pressed
from hearts_client.screen.pace import Hold
from hearts_client.screen.slots import Slot, cards_of
from hearts_client.screen.table_state import Entry, EntryKind, Panel, TableState, advance, hurried
from hearts_client.screen.talking import (
    completed,
    entered,
    given_up,
    paused,
    phrase_chosen,
    rubbed_out,
    typed,
)
from hearts_client.screen.waitingroom import order_of
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Card, Suit
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction

Outcome: TypeAlias = tuple[TableState, Intent | None]

_RANKS: Final = "23456789tjqka"
_SUITS: Final = "cdsh"

PANEL_KEYS: Final = MappingProxyType(
    {
        "l": Panel.LAST_TRICK,
        "p": Panel.PASSED,
        "b": Panel.SCORES,
        "r": Panel.RULES,
        "w": Panel.WHO,
        "e": Panel.PHRASES,
        "o": Panel.OPTIONS,
        "v": Panel.TAKEN,
        "?": Panel.HELP,
    }
)

_LINES: Final = MappingProxyType({"m": EntryKind.CHAT, ":": EntryKind.COMMAND})
"""Keys that begin a line."""

_PAGED: Final = frozenset({Panel.HELP, Panel.RULES})
"""Panels whose key turns the page."""

MOON_KEYS: Final = MappingProxyType({"a": MoonChoice.ADD, "s": MoonChoice.SUBTRACT})


def press(state: TableState, key: Pressed) -> Outcome:
    """The state after a key, and what the table is to be asked."""
    if key is Key.QUIT:
        return (state, Leave()) if state.leaving else (replace(state, leaving=True), None)
    if state.leaving:
        return _whether_to_leave(replace(state, leaving=False), key)
    if state.entry is not None:
        return _press_in_line(state, state.entry, key)
    if isinstance(key, str):
        key = key.lower()
    if state.held is not None:
        if state.held.hold is Hold.KEY:
            if key == "c" and state.held.board is Board.DEAL:
                return replace(state, checking=not state.checking), None
            return advance(state), None
        state = hurried(state)
        unseen = state.due is not None and state.due.ask is Ask.MOON
        if key in {Key.ENTER, Key.SPACE, Key.ESCAPE} or state.held is not None or unseen:
            return state, None
    return _press_at_table(replace(state, message="", heard=""), key)


def _whether_to_leave(state: TableState, key: Pressed) -> Outcome:
    if key in {"b", "B"}:
        return state, given_up(state)
    return state, Leave() if key in {"y", "Y"} else None


def _press_in_line(state: TableState, entry: Entry, key: Pressed) -> Outcome:
    match key:
        case str():
            return typed(state, entry, key), None
        case Key.SPACE:
            return typed(state, entry, " "), None
        case Key.TAB:
            return completed(state, entry), None
        case Key.BACKSPACE:
            return rubbed_out(state, entry), None
        case Key.ENTER:
            return entered(state, entry)
        case Key.ESCAPE:
            return replace(state, entry=None), None
        case _:
            return state, None


def _press_at_table(state: TableState, key: Pressed) -> Outcome:
    if isinstance(key, str):
        return _press_character(state, key)
    if state.panel is Panel.OPTIONS:
        changed = option_pressed(state, key)
        if changed is not None:
            return changed
    match key:
        case Key.HELP:
            return _with_panel(state, Panel.HELP), None
        case Key.ESCAPE | Key.BACKSPACE:
            return replace(state, typed="", panel=None), None
        case Key.ENTER:
            if state.panel is not None:
                return replace(state, panel=None), None
            return _decided(replace(state, typed=""))
        case Key.SPACE:
            return _toggled(replace(state, typed="")), None
        case Key.LEFT | Key.RIGHT | Key.HOME | Key.END | Key.TAB:
            return _moved(replace(state, typed=""), key), None
        case Key.UP | Key.DOWN | Key.QUIT:
            return state, None


def _press_character(state: TableState, key: str) -> Outcome:
    if state.due is not None and state.due.ask is Ask.MOON and key in MOON_KEYS:
        return replace(state, sending=True), SendMoon(state.due, MOON_KEYS[key])
    if state.panel is Panel.PHRASES:
        chosen = phrase_chosen(state, key)
        if chosen is not None:
            return chosen
    if state.typed == "1":
        typed = "t" if key == "0" else ""
        return replace(state, typed=typed), None
    order = order_of(key, state)
    if order is not None:
        return replace(state, typed=""), Give(order)
    if key in _SUITS:
        return _suit_typed(state, Suit(_SUITS.index(key)))
    if key in _RANKS or key == "1":
        return replace(state, typed=key), None
    if key in PANEL_KEYS:
        return _with_panel(state, PANEL_KEYS[key]), None
    if key in _LINES:
        return replace(state, entry=Entry(_LINES[key]), typed="", panel=None), None
    if key == "z":
        return paused(replace(state, typed=""))
    if key == "f":
        return _claimed(replace(state, typed=""))
    return replace(state, typed=""), None


def _with_panel(state: TableState, panel: Panel) -> TableState:
    """Open a panel; its own key closes it again, or turns its page if it has several."""
    if state.panel is not panel:
        return replace(state, panel=panel, page=0, typed="")
    if panel in _PAGED:
        return replace(state, page=state.page + 1, typed="")
    return replace(state, panel=None, typed="")


def _suit_typed(state: TableState, suit: Suit) -> Outcome:
    """Go to the card whose rank was typed, or to the next card of the suit.

    Where that is set, such a card is played at once if it may be.
    """
    hand = state.hand
    if not state.typed:
        of_suit = [slot for slot in hand if slot.card.suit is suit]
        return replace(state, cursor=_next_among(of_suit, state)), None
    card = Card.parse(state.typed + suit.letter)
    state = replace(state, typed="")
    equal = [slot for slot in hand if slot.card == card]
    if not equal:
        return replace(state, message=f"you do not hold {card_name(card, state.style)}"), None
    state = replace(state, cursor=_next_among(equal, state))
    asked = state.due if state.settings.one_key else None
    at_once = asked is not None and asked.ask is Ask.CARD and card in asked.view.legal
    return _decided(state) if at_once else (state, None)


def _next_among(slots: Sequence[Slot], state: TableState) -> Slot | None:
    """The first of these after the cursor, or else the first; the cursor if there are none."""
    hand = state.hand
    at = hand.index(state.cursor) if state.cursor in hand else -1
    later = [slot for slot in slots if hand.index(slot) > at]
    return next(iter((*later, *slots)), state.cursor)


_STEPS: Final[MappingProxyType[Key, Callable[[int, int], int]]] = MappingProxyType(
    {
        Key.LEFT: lambda at, size: (at - 1) % size,
        Key.RIGHT: lambda at, size: (at + 1) % size,
        Key.HOME: lambda _at, _size: 0,
        Key.END: lambda _at, size: size - 1,
    }
)


def _moved(state: TableState, key: Key) -> TableState:
    hand = state.hand
    if not hand:
        return state
    if key is Key.TAB:
        return replace(state, cursor=_next_legal(state, hand))
    at = hand.index(state.cursor) if state.cursor in hand else 0
    return replace(state, cursor=hand[_STEPS[key](at, len(hand))])


def _next_legal(state: TableState, hand: tuple[Slot, ...]) -> Slot | None:
    legal = [slot for slot in hand if state.view is not None and slot.card in state.view.legal]
    return _next_among(legal, state)


def _toggled(state: TableState) -> TableState:
    asked, slot = state.due, state.cursor
    if asked is None or asked.ask is not Ask.PASS or slot is None:
        return replace(state, message="Space marks cards for the pass, Enter plays a card")
    if slot in state.chosen:
        return replace(state, chosen=tuple(each for each in state.chosen if each != slot))
    if slot.card not in asked.view.legal:
        return replace(state, message=kept_sentence(asked.view, state.style))
    count = asked.view.rules.pass_count
    if len(state.chosen) == count:
        return replace(state, message=f"{count} are marked; Space on one of them takes it back")
    return replace(state, chosen=(*state.chosen, slot))


def _decided(state: TableState) -> Outcome:
    asked, card = state.due, state.card
    if asked is None:
        return replace(state, message=_why_not_now(state)), None
    if asked.ask is Ask.MOON:
        return replace(state, message="type a to add, or s to subtract"), None
    if asked.ask is Ask.PASS:
        return _passed(state, asked)
    if card is None:
        return replace(state, message="choose a card with Left and Right"), None
    return replace(state, sending=True), SendCard(asked, card)


def _passed(state: TableState, asked: Asked) -> Outcome:
    missing = asked.view.rules.pass_count - len(state.chosen)
    if missing:
        todo = pass_prompt(asked.view, SeatNames.of(asked.view))
        return replace(state, message=f"{todo}: mark {missing} more with Space"), None
    scattered = asked.view.direction is Direction.SCATTER
    chosen = state.chosen if scattered else sorted(state.chosen)
    return replace(state, sending=True), SendPass(asked, cards_of(chosen))


def _claimed(state: TableState) -> Outcome:
    asked = state.due
    if asked is None or asked.ask is not Ask.CARD or asked.view.trick.cards:
        return replace(state, message="claim the rest when you are on lead"), None
    return replace(state, sending=True), SendClaim(asked)


def _why_not_now(state: TableState) -> str:
    return "wait for the table's answer" if state.sending else "it is not your turn"
