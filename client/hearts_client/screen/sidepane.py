"""What stands beside the table where the terminal is wide: points, the last trick, the log."""

from __future__ import annotations

from typing import Final

from hearts_client.celltext import wrapped
from hearts_client.screen.boards import last_trick_lines, score_lines
from hearts_client.screen.lines import BLANK, Line, line
from hearts_client.screen.table_state import TableState
from hearts_client.seatnames import SeatNames
from hearts_engine.view import SeatView

_MOST_DEALS: Final = 10
"""Deals whose points are listed, the latest."""


def side_lines(state: TableState, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """The points, the last trick if there is room, and the log with what is left."""
    view = state.view
    if view is None:
        return []
    above = [*_points(view, names, columns, rows // 2), BLANK]
    trick = _last_trick(state, view, names, columns)
    if len(above) + len(trick) + 4 <= rows:
        above += trick
    return [*above, *_log(state, columns, rows - len(above))]


def _points(view: SeatView, names: SeatNames, columns: int, rows: int) -> list[Line]:
    if not view.scored:
        return [line(" Points of every deal", "class:heading"), line(" no deal is over yet")]
    return score_lines(view, names, columns, min(rows, _MOST_DEALS + 3))


def _last_trick(state: TableState, view: SeatView, names: SeatNames, columns: int) -> list[Line]:
    lines = last_trick_lines(view, names, state.style, columns, len(view.seats) + 2)
    return [*lines, BLANK] if view.tricks else []


def _log(state: TableState, columns: int, rows: int) -> list[Line]:
    told = [part for text in state.log for part in wrapped(text, columns - 2)]
    room = max(0, rows - 1)
    recent = told[-room:] if room else []
    return [line(" What happened", "class:heading"), *(line(f" {text}") for text in recent)]
