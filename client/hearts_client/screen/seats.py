"""The seats and the trick between them: as a table, or as one line each."""

from __future__ import annotations

from typing import Final

from hearts_client.announce import carried_sentence
from hearts_client.cardnames import CardStyle, card_name
from hearts_client.celltext import clipped, padded
from hearts_client.screen.lines import BLANK, Line, apart, centred, fitted, joined, line
from hearts_client.screen.theme import suit_class
from hearts_client.seatnames import SeatNames
from hearts_client.viewstate import cancelled, winning_seat
from hearts_client.wording import counted
from hearts_engine.cards import Card, Seat
from hearts_engine.state import Phase
from hearts_engine.view import SeatView

_FLOWING_NAME: Final = 12
"""Cells of a name among others on a line, with the mark before it."""

_LABEL: Final = 14
"""Cells of a name beside the table."""


def seats_around(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """Four seats as they sit, one's own below: nine lines."""
    bottom, left, top, right = names.clockwise()
    label = {seat: _label(view, names, seat) for seat in names.clockwise()}
    card = {seat: played_card(view, seat, style) for seat in names.clockwise()}
    inset = line("   ")
    return [
        centred(label[top], columns),
        centred(card[top], columns),
        BLANK,
        apart(joined(inset, label[left]), joined(label[right], inset), columns),
        apart(joined(inset, card[left]), joined(card[right], inset), columns),
        BLANK,
        centred(carried_line(view), columns),
        centred(card[bottom], columns),
        centred(label[bottom], columns),
    ]


def seats_in_rows(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """One line a seat, one's own last."""
    first, *others = names.clockwise()
    return [_row(view, names, seat, style, columns) for seat in (*others, first)]


def rows_heading(columns: int) -> Line:
    """What stands in the columns of :func:`seats_in_rows`."""
    left = line(f"{' seat':{_name_cells(columns)}}cards in trick", "class:heading")
    return apart(left, line("total+deal ", "class:heading"), columns)


def seats_in_flow(view: SeatView, names: SeatNames, style: CardStyle, columns: int) -> list[Line]:
    """As many seats on a line as fit: for tables that get no line for each of them."""
    first, *others = names.clockwise()
    width = _FLOWING_NAME + 7
    per_line = max(1, columns // width)
    blocks = [_flowing(view, names, seat, style) for seat in (*others, first)]
    return [
        joined(*(fitted(block, width) for block in blocks[start : start + per_line]))
        for start in range(0, len(blocks), per_line)
    ]


def carried_line(view: SeatView) -> Line:
    """What cancelled tricks left for whoever takes the next one; blank if nothing."""
    return line(carried_sentence(view), "class:prompt")


def points_table(view: SeatView, names: SeatNames, columns: int) -> list[Line]:
    """The points of this deal and the totals, under the names: three lines."""
    seats = names.clockwise()
    width = min(16, (columns - 12) // len(seats))
    heads = [padded(clipped(names.name(seat), width - 2), width) for seat in seats]
    deal = [padded(str(view.points[seat]), width) for seat in seats]
    total = [padded(str(view.totals[seat]), width) for seat in seats]
    return [
        fitted(line(f" {'':11}{''.join(heads)}", "class:heading"), columns),
        fitted(line(f" {'this deal':11}{''.join(deal)}"), columns),
        fitted(line(f" {'total':11}{''.join(total)}"), columns),
    ]


def played_card(view: SeatView, seat: Seat, style: CardStyle) -> Line:
    """The card that a seat played to the trick, and what it does there, or what the seat does."""
    note = _trick_note(view, seat)
    return joined(_table_card(view, seat, style), line(f" {note}" if note else ""))


def seat_note(view: SeatView, seat: Seat) -> str:
    """What a seat is doing: ``to play``, ``choosing``, ``ready``."""
    if view.phase is Phase.PASSING:
        return "ready" if view.ready[seat] else "choosing"
    if view.phase is Phase.MOON and view.moon_seat == seat:
        return "choosing"
    return "to play" if view.turn == seat else ""


def _name_cells(columns: int) -> int:
    return 15 + (columns - 39) // 2


def _label(view: SeatView, names: SeatNames, seat: Seat) -> Line:
    style = "class:seat.turn" if view.turn == seat else "class:seat"
    who = clipped(names.label(seat), len(names.places[seat]) + 1 + _LABEL)
    mark = f" ({names.mark(seat)})" if names.mark(seat) else ""
    cards = str(view.cards_left[seat]) if mark else counted(view.cards_left[seat], "card")
    left = f"{mark}  {cards}" if view.deal else mark
    note = seat_note(view, seat)
    if note == "to play" and seat == names.me:
        note = "your turn"
    doing = line(f"  {note}", "class:prompt") if note else BLANK
    return joined(line(who + left, style), doing)


def _table_card(view: SeatView, seat: Seat, style: CardStyle) -> Line:
    card = _played(view, seat)
    if card is None:
        empty = view.phase is Phase.PLAYING
        return line("[  ]" if empty else "    ", "class:rule")
    winning = "class:winning " if winning_seat(view) == seat else ""
    return joined(
        line("["), line(card_name(card, style), winning + suit_class(card.suit)), line("]")
    )


def _played(view: SeatView, seat: Seat) -> Card | None:
    return dict(view.trick.plays).get(seat)


def _trick_note(view: SeatView, seat: Seat) -> str:
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


def _is_cancelled(view: SeatView, seat: Seat) -> bool:
    card = _played(view, seat)
    return card is not None and cancelled(view.trick, card, view.rules)


def _flowing(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle) -> Line:
    """`` Ann [9♣]``, with ``>`` before the seat to play and ``<`` after the card that wins."""
    turn = view.turn == seat
    who = clipped(f"{'>' if turn else ' '}{names.name(seat)}", _FLOWING_NAME)
    wins = "<" if winning_seat(view) == seat else ""
    weight = "class:seat.turn" if turn else "class:seat"
    return joined(line(f"{who} ", weight), _table_card(view, seat, style), line(wins))


def _row(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle, columns: int) -> Line:
    """``>West Ann        12 [9♣] led      45+3``: cards left, card, total and this deal."""
    turn = view.turn == seat
    mark = ">" if turn else " "
    who = padded(f"{mark}{names.label(seat)}", _name_cells(columns) - 1) + " "
    note = _trick_note(view, seat) or (seat_note(view, seat) if not turn else "")
    note = ", ".join(part for part in (names.mark(seat), note.removesuffix(" so far")) if part)
    left = f"{view.cards_left[seat]:2} " if view.deal else "   "
    score = f" {view.totals[seat]:3}+{view.points[seat]:<2}"
    before = joined(
        line(who + left, "class:seat.turn" if turn else "class:seat"),
        _table_card(view, seat, style),
        line(" " + note),
    )
    return apart(before, line(score), columns)
