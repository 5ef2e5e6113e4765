"""The seats and the trick between them: as a table, or as one line each."""

from __future__ import annotations

from typing import Final

from hearts_client.announce import carried_sentence
from hearts_client.cardnames import CardStyle
from hearts_client.celltext import clipped, padded
from hearts_client.screen.lines import BLANK, Line, apart, cells, centred, fitted, joined, line
from hearts_client.screen.tablecard import LARGE, SMALL, table_card, trick_note, width_of
from hearts_client.seatnames import SeatNames
from hearts_client.viewstate import winning_seat
from hearts_client.wording import counted
from hearts_engine.cards import Seat
from hearts_engine.state import Phase
from hearts_engine.view import SeatView

_FLOWING_NAME: Final = 12
"""Cells of a name among others on a line, with the mark before it."""

AROUND: Final = 9
"""The fewest lines that four seats around a table take."""

_DRAWN: Final = 16
"""Lines from which on the cards are drawn, not only named."""

_FROM_MIDDLE: Final = 7
"""Cells between the middle of the table and a card on its left or right."""

_LABEL: Final = 14
"""Cells of a name beside the table."""


def seats_around(
    view: SeatView, names: SeatNames, style: CardStyle, columns: int, rows: int = AROUND
) -> list[Line]:
    """Four seats as they sit, one's own below, the cards of the trick towards the middle.

    On these rows, at least ``AROUND``: with more the seats move apart, and cards are drawn.
    """
    bottom, left, top, right = names.clockwise()
    label = {seat: _label(view, names, seat) for seat in names.clockwise()}
    height = LARGE if rows >= _DRAWN else SMALL
    inset, spare = line("   "), max(0, rows - AROUND - 3 * (height - SMALL))
    above = [BLANK] * (1 + spare // 2)
    below = [BLANK] * (1 + spare - spare // 2)
    return [
        centred(label[top], columns),
        *_in_the_middle(view, top, style, columns, height),
        *above,
        apart(joined(inset, label[left]), joined(label[right], inset), columns),
        *_facing(view, (left, right), style, columns, height),
        *below,
        centred(carried_line(view), columns),
        *_in_the_middle(view, bottom, style, columns, height),
        centred(label[bottom], columns),
    ]


def _in_the_middle(
    view: SeatView, seat: Seat, style: CardStyle, columns: int, height: int
) -> list[Line]:
    """A card in the very middle, what it does on its right."""
    before = line(" " * (columns // 2 - width_of(height) // 2))
    return _with_note(
        [joined(before, part) for part in table_card(view, seat, style, height)],
        trick_note(view, seat),
    )


def _facing(
    view: SeatView, seats: tuple[Seat, Seat], style: CardStyle, columns: int, height: int
) -> list[Line]:
    """Two cards on either side of the middle, what each does on its outer side."""
    left, right = seats
    edge, between = columns // 2 - _FROM_MIDDLE, line(" " * (2 * _FROM_MIDDLE))
    note = trick_note(view, left)
    notes = [f"{note} " if at == height // 2 and note else "" for at in range(height)]
    ones = (
        joined(line(note), part)
        for note, part in zip(notes, table_card(view, left, style, height), strict=True)
    )
    starts = (joined(line(" " * (edge - cells(one))), one) for one in ones)
    others = table_card(view, right, style, height)
    both = [joined(one, between, other) for one, other in zip(starts, others, strict=True)]
    return _with_note(both, trick_note(view, right))


def _with_note(parts: list[Line], note: str) -> list[Line]:
    """A card's lines with what it does behind the middle one."""
    middle = len(parts) // 2
    said = line(f" {note}" if note else "")
    return [joined(part, said) if at == middle else part for at, part in enumerate(parts)]


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
    note = trick_note(view, seat)
    return joined(*table_card(view, seat, style), line(f" {note}" if note else ""))


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


def _flowing(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle) -> Line:
    """`` Ann [9♣]``, with ``>`` before the seat to play and ``<`` after the card that wins."""
    turn = view.turn == seat
    who = clipped(f"{'>' if turn else ' '}{names.name(seat)}", _FLOWING_NAME)
    wins = "<" if winning_seat(view) == seat else ""
    weight = "class:seat.turn" if turn else "class:seat"
    return joined(line(f"{who} ", weight), *table_card(view, seat, style), line(wins))


def _row(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle, columns: int) -> Line:
    """``>West Ann        12 [9♣] led      45+3``: cards left, card, total and this deal."""
    turn = view.turn == seat
    mark = ">" if turn else " "
    who = padded(f"{mark}{names.label(seat)}", _name_cells(columns) - 1) + " "
    note = trick_note(view, seat) or (seat_note(view, seat) if not turn else "")
    note = ", ".join(part for part in (names.mark(seat), note.removesuffix(" so far")) if part)
    left = f"{view.cards_left[seat]:2} " if view.deal else "   "
    score = f" {view.totals[seat]:3}+{view.points[seat]:<2}"
    before = joined(
        line(who + left, "class:seat.turn" if turn else "class:seat"),
        *table_card(view, seat, style),
        line(" " + note),
    )
    return apart(before, line(score), columns)
