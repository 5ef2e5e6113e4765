"""The hand: every card in five cells, told apart without colour.

``[Q♠]`` may be played, `` Q♠ `` may not, ``>Q♠<`` is under the cursor and ``!Q♠!`` is too but may
not be played. A ``*`` after a card says that it was passed to you, a ``+`` that you pass it; where
a pass is scattered, a number says which of the other seats gets it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from hearts_client.cardnames import card_name
from hearts_client.celltext import padded
from hearts_client.openhands import sorted_hand
from hearts_client.screen.lines import BLANK, Line, joined, line
from hearts_client.screen.slots import Slot, cards_of, slot_mark
from hearts_client.screen.table_state import TableState
from hearts_client.screen.theme import suit_class
from hearts_client.seatnames import SeatNames
from hearts_client.turnprompt import playable
from hearts_engine.cards import Card
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.passing import Direction
from hearts_engine.state import Phase
from hearts_engine.view import SeatView

_OPEN_COLUMNS: Final = 60
_OPEN_SEATS: Final = 4
_OPEN_NAME: Final = 16

SLOT: Final = 5
"""Cells of a card with its marks."""


def hand_rows(state: TableState, columns: int) -> list[Line]:
    """The hand on as few lines as it needs, at least one; suits stand apart where there is room.

    For a spectator none at all, or every hand, where they are shown and there is room.
    """
    view = state.view
    if view is None:
        return [BLANK]
    if view.seat is None:
        return open_rows(state, view, columns)
    hand = state.hand
    if not hand:
        return [line("  no cards", "class:log")]
    slots = [_slot(slot, at, state, view) for at, slot in enumerate(hand)]
    between = _gaps(cards_of(hand))
    if SLOT * len(hand) + 2 * sum(between) + 2 <= columns:
        spaced = [joined(line("  " * gap), slot) for gap, slot in zip(between, slots, strict=True)]
        return [joined(line(" "), *spaced)]
    per_row = max(1, (columns - 1) // SLOT)
    rows = -(-len(slots) // per_row)
    even = -(-len(slots) // rows)
    return [joined(line(" "), *slots[start : start + even]) for start in range(0, len(slots), even)]


def open_rows(state: TableState, view: SeatView, columns: int) -> list[Line]:
    """A line for each hand that is shown to spectators; none where they do not fit."""
    hands, names = state.open_hands.left(view), SeatNames.of(view)
    if not hands or columns < _OPEN_COLUMNS or len(hands) > _OPEN_SEATS:
        return []
    order = state.settings.hand_order
    return [
        joined(
            line(f" {padded(names.label(seat), _OPEN_NAME)}", "class:seat"),
            *(_open_card(card, state) for card in sorted_hand(hands[seat], order)),
        )
        for seat in names.clockwise()
        if seat in hands
    ]


def _open_card(card: Card, state: TableState) -> Line:
    return joined(line(" "), line(card_name(card, state.style), suit_class(card.suit)))


def fresh_cards(view: SeatView) -> CardSet:
    """The received cards, until the first of the hand is played."""
    begun = view.phase is not Phase.PLAYING or len(view.hand) < view.rules.hand_size
    return NO_CARDS if begun else view.received & view.hand


def _gaps(cards: tuple[Card, ...]) -> list[int]:
    """1 for each card that begins another suit than the one before it."""
    return [0, *(int(a.suit is not b.suit) for a, b in pairwise(cards))]


def _slot(slot: Slot, at: int, state: TableState, view: SeatView) -> Line:
    card = slot.card
    legal = _settled(state, view)
    name = card_name(card, state.style)
    allowed = legal is not None and card in legal
    if slot == state.cursor:
        left, right = "><" if allowed or legal is None else "!!"
        style = "class:cursor" if left == ">" else "class:cursor.illegal"
    elif allowed:
        left, right, style = "[", "]", "class:legal"
    else:
        left, right, style = " ", " ", "" if legal is None else "class:illegal"
    face = f"{suit_class(card.suit)} {style} {slot_mark(at)}"
    body = line(f"{left}{name}{right.strip()}", face)
    if right.strip():
        return joined(body, line(_mark(slot, state, view) or " ", "class:marked"))
    return joined(body, line(_mark(slot, state, view) or " ", f"{face} class:marked"), line(" "))


def _settled(state: TableState, view: SeatView) -> CardSet | None:
    """The cards that may be played or passed; none while that is not settled."""
    held = state.held is not None and state.held.board is not None
    return None if held else playable(view)


def _mark(slot: Slot, state: TableState, view: SeatView) -> str:
    if slot in state.chosen:
        scattered = view.direction is Direction.SCATTER
        return str(state.chosen.index(slot) + 1) if scattered else "+"
    return "*" if _is_fresh(slot, view) else ""


def _is_fresh(slot: Slot, view: SeatView) -> bool:
    """Whether this very card was received; of two equal ones of which one was, the second."""
    fresh = fresh_cards(view).cards.count(slot.card)
    return fresh > 0 and (slot.twin or fresh == view.hand.cards.count(slot.card))
