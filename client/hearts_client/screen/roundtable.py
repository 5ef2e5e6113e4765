"""Any number of seats around the trick, one's own below, play going round clockwise."""

from __future__ import annotations

from typing import Final

from hearts_client.cardnames import CardStyle
from hearts_client.celltext import clipped
from hearts_client.screen.lines import BLANK, Line, apart, cells, centred, fitted, joined, line
from hearts_client.screen.seats import carried_line, played_card, seat_note
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Seat
from hearts_engine.view import SeatView

_LABEL: Final = 17
"""Cells of a seat's place and name."""

_INSET: Final = line("  ")

_Block = tuple[Line, Line]
"""A seat's name, and below it the card that it played."""


def seats_round(
    view: SeatView, names: SeatNames, style: CardStyle, columns: int, rows: int
) -> list[Line]:
    """Seats up the left side, along the top, down the right; blank lines where there is room."""
    me, *others = names.clockwise()
    side = (len(others) + 1) // 3
    left, top, right = others[:side][::-1], others[side:-side], others[-side:]
    block = {seat: _block(view, names, seat, style) for seat in names.clockwise()}
    between = [
        _sides(block[one], block[other], columns) for one, other in zip(left, right, strict=True)
    ]
    middle = _spaced(between, rows - 5 - 3 * bool(top))
    above = [*_along([block[seat] for seat in top], columns), BLANK] if top else []
    own, card = block[me]
    carried = centred(carried_line(view), columns)
    return [*above, *middle, carried, centred(card, columns), centred(own, columns)]


def _block(view: SeatView, names: SeatNames, seat: Seat, style: CardStyle) -> _Block:
    turn = view.turn == seat
    who = clipped(names.label(seat), _LABEL)
    score = f" {view.totals[seat]}+{view.points[seat]}" if view.deal else ""
    own = "  your turn" if turn and seat == names.me else ""
    label = joined(
        line(f"{'>' if turn else ''}{who}", "class:seat.turn" if turn else "class:seat"),
        line(score),
        line(own, "class:prompt"),
    )
    doing = names.mark(seat) if not _has_played(view, seat) else ""
    doing = doing or ("" if turn else seat_note(view, seat))
    return label, line(doing, "class:prompt") if doing else played_card(view, seat, style)


def _has_played(view: SeatView, seat: Seat) -> bool:
    return any(player == seat for player, _ in view.trick.plays)


def _sides(left: _Block, right: _Block, columns: int) -> list[Line]:
    """Two seats that face each other: two lines, each aligned with its own edge."""
    return [
        apart(joined(_INSET, one), joined(_padded(other, right), _INSET), columns)
        for one, other in zip(left, right, strict=True)
    ]


def _padded(content: Line, block: _Block) -> Line:
    """A line of a seat on the right, so that both of its lines begin in the same column."""
    return fitted(content, max(map(cells, block)))


def _spaced(parts: list[list[Line]], room: int) -> list[Line]:
    """The parts one below the other, with a blank line between them if they then still fit."""
    blank = sum(map(len, parts)) + len(parts) - 1 <= room
    lines = [content for part in parts for content in ((*part, BLANK) if blank else part)]
    return lines[:-1] if blank else lines


def _along(blocks: list[_Block], columns: int) -> list[Line]:
    """Seats side by side, each in the middle of its share of the width."""
    width = columns // len(blocks)
    return [joined(*(centred(block[row], width) for block in blocks)) for row in (0, 1)]
