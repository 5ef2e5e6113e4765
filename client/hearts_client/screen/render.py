"""The screen as a function of what is on it and how large it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from prompt_toolkit.formatted_text import StyleAndTextTuples

from hearts_client.cardnames import CardStyle
from hearts_client.company import standing
from hearts_client.news import Ask
from hearts_client.screen.bars import covered_lines, hint_line, speaking_lines
from hearts_client.screen.boards import (
    deal_lines,
    game_lines,
    help_lines,
    last_trick_lines,
    moon_lines,
    passed_lines,
    phrase_lines,
    rule_lines,
    score_lines,
    sentence_lines,
    who_is_here,
)
from hearts_client.screen.checkboard import check_lines
from hearts_client.screen.frames import Board, Frame
from hearts_client.screen.handrow import hand_rows
from hearts_client.screen.least import is_too_small, too_small
from hearts_client.screen.lines import BLANK, Line, Size, drawn, filled, joined, line, painted
from hearts_client.screen.options import option_lines
from hearts_client.screen.roundtable import seats_round
from hearts_client.screen.seats import (
    AROUND,
    points_table,
    rows_heading,
    seats_around,
    seats_in_flow,
    seats_in_rows,
)
from hearts_client.screen.sidepane import side_lines
from hearts_client.screen.statusbar import status_line
from hearts_client.screen.table_state import Panel, TableState
from hearts_client.screen.takings import taking_lines
from hearts_client.screen.waitingroom import is_waiting, waiting_lines
from hearts_client.seatnames import SeatNames
from hearts_engine.view import SeatView

_WIDE_COLUMNS: Final = 80
_WIDE_ROWS: Final = 24

_ROOMY_ROWS: Final = 16
"""From here on there are rules between the parts, and a heading over the seats."""

_NARROWEST_SIDE: Final = 39
"""Columns that make it worth while to have something beside the table."""

_WIDEST_SIDE: Final = 70

_LOG_ROWS: Final = 5
"""Lines that the log has before the seats move apart."""

_MOST_AROUND: Final = 21
"""Lines beyond which four seats do not move further apart."""

_NOBODY: Final = SeatNames(None, (), (), ())


def draw(state: TableState, size: Size) -> StyleAndTextTuples:
    """The whole screen, filled to its last cell."""
    lines = too_small(size, "Ctrl-Q, twice") if is_too_small(size) else _whole(state, size)
    return drawn(filled(lines, size))


def table_columns(size: Size) -> int:
    """How much of the width is the table's; the rest, if any, is for what stands beside it."""
    fits = size.columns > _WIDE_COLUMNS + _NARROWEST_SIDE and size.rows >= _WIDE_ROWS
    return _WIDE_COLUMNS if fits else size.columns


def _whole(state: TableState, size: Size) -> list[Line]:
    """The table, and what stands beside it where there is room for that."""
    columns = table_columns(size)
    if columns == size.columns or state.view is None:
        return _screen(state, size)
    table = _screen(state, Size(columns, size.rows), logs=False)
    width = min(size.columns - columns - 1, _WIDEST_SIDE)
    names = _names(state, state.view)
    side = painted(_exactly(side_lines(state, names, width, size.rows), size.rows), width, "side")
    edge = painted([line(_upright(state.style))], 1, "side")[0]
    return [joined(one, edge, other) for one, other in zip(table, side, strict=True)]


def _names(state: TableState, view: SeatView) -> SeatNames:
    """The seats' names, each with why its owner does not play it, if so."""
    names = SeatNames.of(view)
    seats = sorted(names.clockwise())
    return replace(names, marks=tuple(standing(view, seat, state.company) for seat in seats))


def _screen(state: TableState, size: Size, *, logs: bool = True) -> list[Line]:
    """Status above, hand and keys below; what is between gives way where there is little room."""
    names = _NOBODY if state.view is None else _names(state, state.view)
    wide = size.columns >= _WIDE_COLUMNS and size.rows >= _WIDE_ROWS
    columns = size.columns
    rule = [_rule(state.style, columns)] if size.rows >= _ROOMY_ROWS else []
    hand = painted([*rule, *hand_rows(state, columns)], columns, "hand")
    head = painted([status_line(state, names, columns)], columns, "bar")
    foot = painted([hint_line(state, columns)], columns, "bar")
    if _is_covered(state):
        said = painted(covered_lines(state, names, columns), columns, "talk")
        room = size.rows - len(hand) - len(said) - 2
        cover = painted(_exactly(_cover(state, names, columns, room), room), columns, "board")
        return [*head, *cover, *hand, *said, *foot]
    said = painted(speaking_lines(state, names, columns, 2 if wide else 3), columns, "talk")
    room = size.rows - len(hand) - len(said) - 2
    around = wide and not is_waiting(state)  # before the start there is no trick to sit around
    table = _table(state, names, Size(columns, room), wide=around, heading=bool(rule))
    if is_waiting(state):
        table += waiting_lines(state, columns)[: max(0, room - len(table))]
    if not logs and around and state.view is not None and len(state.view.seats) == 4:
        table = _spread(table, room)
    free = room - len(table) if logs else 0
    logged = [*rule, *_log(state, free - len(rule))] if free > len(rule) else []
    table = painted(_exactly(table, room - len(logged)), columns, "table")
    return [*head, *table, *hand, *said, *painted(logged, columns, "talk"), *foot]


def _table(
    state: TableState, names: SeatNames, room: Size, *, wide: bool, heading: bool
) -> list[Line]:
    """The seats and the trick, in the fullest way for which there is room."""
    view, style, columns = state.view, state.style, room.columns
    if view is None:
        return [BLANK]
    if wide and len(view.seats) == 4:
        spare = max(0, min(room.rows - 5 - _LOG_ROWS, _MOST_AROUND))
        around = seats_around(view, names, style, columns, max(AROUND, spare))
        points = painted(points_table(view, names, columns), columns, "scores")
        return [BLANK, *around, _rule(style, columns), *points]
    if wide:
        return seats_round(view, names, style, columns, room.rows - 2)
    if len(view.seats) > room.rows:
        return seats_in_flow(view, names, style, columns)
    head = [rows_heading(columns)] if heading and len(view.seats) < room.rows else []
    return [*head, *seats_in_rows(view, names, style, columns)]


def _spread(table: list[Line], rows: int) -> list[Line]:
    """A table of more lines: the points stay at its lower edge, the seats in the middle."""
    *seats, rule, heads, deal, total = table
    spare = max(0, rows - len(table))
    above, below = [BLANK] * (spare // 2), [BLANK] * (spare - spare // 2)
    return [*above, *seats, *below, rule, heads, deal, total]


def _log(state: TableState, rows: int) -> list[Line]:
    recent = state.log[-rows:] if rows > 0 else ()
    lines = [line(f" {text}", "class:log") for text in recent]
    return [*lines, *([BLANK] * (rows - len(lines)))]


def _is_covered(state: TableState) -> bool:
    """Whether a result, a panel or the choice of a moon covers the table."""
    if state.view is None:
        return False
    if state.panel is not None or _is_moon_asked(state):
        return True
    return state.held is not None and state.held.board is not None


def _is_moon_asked(state: TableState) -> bool:
    return state.asked is not None and state.asked.ask is Ask.MOON


def _cover(state: TableState, names: SeatNames, columns: int, rows: int) -> list[Line]:
    """A result first, then an open panel."""
    if state.checking and state.held is not None and state.held.scored is not None:
        check = state.evidence.checks.get(state.held.scored.deal)
        return check_lines(check, names, state.style, columns)
    if state.held is not None and state.held.board is not None:
        return _board(state.held, state.held.board, names, state.style, Size(columns, rows))
    if state.view is None:
        return []
    if state.panel is None:
        return moon_lines(state.view, names, columns, rows)
    return _panel(state, state.panel, state.view, Size(columns, rows))


def _board(
    frame: Frame, board: Board, names: SeatNames, style: CardStyle, room: Size
) -> list[Line]:
    match board:
        case Board.DEAL:
            return deal_lines(frame, names, style, room.columns)
        case Board.CLOSED:
            return sentence_lines(" ".join(frame.notices), room.columns)
        case Board.GAME:
            return game_lines(frame.view, names, room.columns, room.rows)


def _panel(state: TableState, panel: Panel, view: SeatView, room: Size) -> list[Line]:
    names = _names(state, view)
    match panel:
        case Panel.HELP:
            return help_lines(room.columns, room.rows, state.page)
        case Panel.LAST_TRICK:
            return last_trick_lines(view, names, state.style, room.columns, room.rows)
        case Panel.PASSED:
            return passed_lines(view, names, state.style, room.columns)
        case Panel.SCORES:
            return score_lines(view, names, room.columns, room.rows)
        case Panel.RULES:
            return rule_lines(view.rules, state.style, room.columns, room.rows, state.page)
        case Panel.WHO:
            return who_is_here(view, state.company, room.columns)
        case Panel.PHRASES:
            return phrase_lines(room.columns)
        case Panel.TAKEN:
            return taking_lines(view, names, state.style, room.columns)
        case Panel.OPTIONS:
            return option_lines(state, room.columns, room.rows)


def _exactly(lines: list[Line], rows: int) -> list[Line]:
    return [*lines, *([BLANK] * rows)][: max(0, rows)]


def _upright(style: CardStyle) -> str:
    return "│" if style is CardStyle.SYMBOLS else "|"


def _rule(style: CardStyle, columns: int) -> Line:
    return line(("─" if style is CardStyle.SYMBOLS else "-") * columns, "class:rule")
