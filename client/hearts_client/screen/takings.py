"""What each seat took in this deal, and what it has shown to be out of."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_client.cardnames import CardStyle, card_name, suit_name
from hearts_client.screen.lines import Line, joined, line
from hearts_client.screen.theme import suit_class
from hearts_client.seatnames import SeatNames
from hearts_client.wording import counted
from hearts_engine.cards import Card, Seat
from hearts_engine.view import SeatView


def taking_lines(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """A heading, and for each seat its points, the cards that cost them, and the suits it lacks."""
    heading = " Taken in this deal, and suits shown out"
    lines = [line(heading[:columns], "class:heading")]
    for seat in names.clockwise():
        lines += _taken(view, names, seat, style)
    return lines


def _taken(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle) -> Iterator[Line]:
    tricks = sum(trick.taker == seat for trick in view.tricks)
    points = counted(view.points[seat], "point")
    told = f" {names.label(seat)}: {points} in {counted(tricks, 'trick')}"
    out = [suit_name(suit) for suit in sorted(view.shown_out[seat])]
    without = f", out of {' and '.join(out)}" if out else ""
    yield joined(line(told), line(without, "class:prompt"))
    cards = costly_cards(view, seat)
    if cards:
        faces = (line(f"[{card_name(card, style)}]", suit_class(card.suit)) for card in cards)
        yield joined(line("   "), *(joined(face, line(" ")) for face in faces))


def costly_cards(view: SeatView, seat: Seat) -> tuple[Card, ...]:
    """The cards with points, or with a bonus, that a seat took in the tricks of this deal."""
    taken = (trick.cards for trick in view.tricks if trick.taker == seat)
    worth = (card for cards in taken for card in cards if view.rules.value_of((card,)))
    return tuple(sorted(worth))
