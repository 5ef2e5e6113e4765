"""What a key does to the table, and what it asks of the session. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from types import MappingProxyType
from typing import Final, TypeAlias

from hearts_client.cardnames import card_name
from hearts_client.news import Ask, Asked
from hearts_client.screen.pace import Hold
from hearts_client.screen.table_state import Panel, TableState, advance, hurried
from hearts_client.seatnames import SeatNames
from hearts_client.turnprompt import pass_prompt
from hearts_engine.cards import Card, Suit
from hearts_engine.cardset import CardSet


class Key(Enum):
    """The keys that are not letters or digits."""

    LEFT = auto()
    RIGHT = auto()
    HOME = auto()
    END = auto()
    TAB = auto()
    ENTER = auto()
    SPACE = auto()
    ESCAPE = auto()
    BACKSPACE = auto()
    HELP = auto()
    QUIT = auto()


Pressed: TypeAlias = Key | str
"""A named key, or the character typed, in lower case."""


@dataclass(frozen=True, slots=True)
class SendPass:
    """Pass these cards."""

    asked: Asked
    cards: CardSet


@dataclass(frozen=True, slots=True)
class SendCard:
    """Play this card."""

    asked: Asked
    card: Card


@dataclass(frozen=True, slots=True)
class SendClaim:
    """Claim every remaining trick."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


Answer: TypeAlias = SendPass | SendCard | SendClaim
Intent: TypeAlias = Answer | Leave
Outcome: TypeAlias = tuple[TableState, Intent | None]

_RANKS: Final = "23456789tjqka"
_SUITS: Final = "cdsh"

PANEL_KEYS: Final = MappingProxyType(
    {"l": Panel.LAST_TRICK, "p": Panel.PASSED, "b": Panel.SCORES, "?": Panel.HELP}
)


def press(state: TableState, key: Pressed) -> Outcome:
    """The state after a key, and what the table is to be asked."""
    if key is Key.QUIT:
        return (state, Leave()) if state.leaving else (replace(state, leaving=True), None)
    if state.leaving:
        stays = replace(state, leaving=False)
        return stays, Leave() if key == "y" else None
    if state.held is not None:
        if state.held.hold is Hold.KEY:
            return advance(state), None
        state = hurried(state)
        if key in {Key.ENTER, Key.SPACE, Key.ESCAPE} or state.held is not None:
            return state, None
    return _press_at_table(replace(state, message=""), key)


def _press_at_table(state: TableState, key: Pressed) -> Outcome:
    if isinstance(key, str):
        return _press_character(state, key)
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
        case Key.QUIT:
            return state, None


def _press_character(state: TableState, key: str) -> Outcome:
    if state.typed == "1":
        typed = "t" if key == "0" else ""
        return replace(state, typed=typed), None
    if key in _SUITS:
        return _suit_typed(state, Suit(_SUITS.index(key))), None
    if key in _RANKS or key == "1":
        return replace(state, typed=key), None
    if key in PANEL_KEYS:
        return _with_panel(state, PANEL_KEYS[key]), None
    if key == "f":
        return _claimed(replace(state, typed=""))
    return replace(state, typed=""), None


def _with_panel(state: TableState, panel: Panel) -> TableState:
    """Open a panel; its own key closes it again, or turns the page of the help."""
    if state.panel is not panel:
        return replace(state, panel=panel, page=0, typed="")
    if panel is Panel.HELP:
        return replace(state, page=state.page + 1, typed="")
    return replace(state, panel=None, typed="")


def _suit_typed(state: TableState, suit: Suit) -> TableState:
    """Go to the card whose rank was typed, or to the next card of the suit."""
    hand = () if state.view is None else tuple(state.view.hand)
    if not state.typed:
        later = [c for c in hand if c.suit is suit and (state.cursor is None or c > state.cursor)]
        found = next(iter(later), next((c for c in hand if c.suit is suit), state.cursor))
        return replace(state, cursor=found)
    card = Card.parse(state.typed + suit.letter)
    state = replace(state, typed="")
    if card in hand:
        return replace(state, cursor=card)
    return replace(state, message=f"you do not hold {card_name(card, state.style)}")


_STEPS: Final[MappingProxyType[Key, Callable[[int, int], int]]] = MappingProxyType(
    {
        Key.LEFT: lambda at, size: (at - 1) % size,
        Key.RIGHT: lambda at, size: (at + 1) % size,
        Key.HOME: lambda _at, _size: 0,
        Key.END: lambda _at, size: size - 1,
    }
)


def _moved(state: TableState, key: Key) -> TableState:
    cards = () if state.view is None else tuple(state.view.hand)
    if not cards:
        return state
    if key is Key.TAB:
        return replace(state, cursor=_next_legal(state, cards))
    at = cards.index(state.cursor) if state.cursor in cards else 0
    return replace(state, cursor=cards[_STEPS[key](at, len(cards))])


def _next_legal(state: TableState, cards: tuple[Card, ...]) -> Card | None:
    legal = [card for card in cards if state.view is not None and card in state.view.legal]
    later = [card for card in legal if state.cursor is None or card > state.cursor]
    return next(iter((*later, *legal)), state.cursor)


def _toggled(state: TableState) -> TableState:
    asked, card = state.due, state.cursor
    if asked is None or asked.ask is not Ask.PASS or card is None:
        return replace(state, message="Space marks cards for the pass, Enter plays a card")
    if card in state.chosen:
        return replace(state, chosen=state.chosen.remove(card))
    count = asked.view.rules.pass_count
    if len(state.chosen) == count:
        return replace(state, message=f"{count} are marked; Space on one of them takes it back")
    return replace(state, chosen=state.chosen.add(card))


def _decided(state: TableState) -> Outcome:
    asked, card = state.due, state.cursor
    if asked is None:
        return replace(state, message=_why_not_now(state)), None
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
    return replace(state, sending=True), SendPass(asked, state.chosen)


def _claimed(state: TableState) -> Outcome:
    asked = state.due
    if asked is None or asked.ask is not Ask.CARD or asked.view.trick.cards:
        return replace(state, message="claim the rest when you are on lead"), None
    return replace(state, sending=True), SendClaim(asked)


def _why_not_now(state: TableState) -> str:
    return "wait for the table's answer" if state.sending else "it is not your turn"
