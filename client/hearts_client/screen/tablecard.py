"""A card on the table: in brackets on one line, or drawn on three where there is room."""

from __future__ import annotations

from typing import Final, NamedTuple

from hearts_client.cardnames import CardStyle, card_name
from hearts_client.screen.lines import Line, joined, line
from hearts_client.screen.theme import suit_class
from hearts_client.viewstate import cancelled, winning_seat
from hearts_engine.cards import Card, Seat
from hearts_engine.state import Phase
from hearts_engine.view import SeatView


class _Edges(NamedTuple):
    """What a drawn card is drawn with."""

    top: str
    side: str
    bottom: str


_EDGES: Final = {
    CardStyle.SYMBOLS: _Edges("╭────╮", "│", "╰────╯"),
    CardStyle.LETTERS: _Edges("+----+", "|", "+----+"),
    CardStyle.WORDS: _Edges("+----+", "|", "+----+"),
}

SMALL: Final = 1
"""Lines of a card in brackets, which takes four cells of each."""

LARGE: Final = 3
"""Lines of a drawn card, which takes six cells of each."""


def width_of(height: int) -> int:
    """The cells that a card of so many lines takes of each."""
    return 4 if height == SMALL else 6


def table_card(view: SeatView, seat: Seat, style: CardStyle, height: int = SMALL) -> list[Line]:
    """The card that a seat played to the trick, or the place for it, on so many lines."""
    card = card_of(view, seat)
    if card is None:
        place = line("[  ]" if view.phase is Phase.PLAYING else "    ", "class:empty")
        return [place] if height == SMALL else _empty(place)
    suit = suit_class(card.suit)
    winning = f"{suit} class:winning" if winning_seat(view) == seat else suit
    name = line(card_name(card, style), winning)
    if height == SMALL:
        return [joined(line("[", suit), name, line("]", suit))]
    edges = _EDGES[style]
    edge = f"{suit} class:edge"
    side, gap = line(edges.side, edge), line(" ", suit)
    return [
        line(edges.top, edge),
        joined(side, gap, name, gap, side),
        line(edges.bottom, edge),
    ]


def card_of(view: SeatView, seat: Seat) -> Card | None:
    """What a seat played to the trick."""
    return dict(view.trick.plays).get(seat)


def trick_note(view: SeatView, seat: Seat) -> str:
    """What a seat's card does in the trick: ``led``, ``wins so far``, ``takes it``."""
    trick = view.trick
    if view.phase is not Phase.PLAYING and not trick.complete:
        return ""
    if not trick.cards:
        return "leads" if trick.leader == seat else ""
    led = "led" if trick.leader == seat else ""
    if winning_seat(view) != seat:
        notes = (led, "cancelled" if _is_cancelled(view, seat) else "")
        return ", ".join(note for note in notes if note)
    wins = "takes it" if trick.complete else "wins so far"
    return f"{led}, {wins}" if led and not trick.complete else wins


def _empty(place: Line) -> list[Line]:
    blank = line(" " * width_of(LARGE))
    return [blank, joined(line(" "), place, line(" ")), blank]


def _is_cancelled(view: SeatView, seat: Seat) -> bool:
    card = card_of(view, seat)
    return card is not None and cancelled(view.trick, card, view.rules)
