"""The table before its start: who is there, how others come in, what the host can do."""

from __future__ import annotations

from hearts_client.orders import AddBot, Order, Start
from hearts_client.screen.lines import BLANK, Line, line
from hearts_client.screen.table_state import TableState
from hearts_client.wording import counted
from hearts_engine.state import Phase


def is_waiting(state: TableState) -> bool:
    """Whether the table is still before its start."""
    return state.view is not None and state.view.phase is Phase.SEATING


def waiting_lines(state: TableState, columns: int) -> list[Line]:
    """How the seats that are free are filled; nothing once all are taken."""
    view = state.view
    if view is None or None not in view.seats:
        return []
    free = f"{counted(sum(taken is None for taken in view.seats), 'seat')} free."
    told = [f"{free} Others sit down with:", *state.ways_in] if state.ways_in else [free]
    if state.orders:
        told.append("a: a house bot takes a seat. s: the host starts once all are taken.")
    lines = [part for text in told for part in _broken(text, columns - 4)]
    return [BLANK, *(line(f"  {part}", "class:prompt") for part in lines)]


def order_of(key: str, state: TableState) -> Order | None:
    """What a key asks of the table before the start."""
    if not (state.orders and is_waiting(state)):
        return None
    match key:
        case "a":
            return AddBot(state.settings.bots)
        case "s":
            return Start()
        case _:
            return None


def _broken(text: str, columns: int) -> list[str]:
    """On lines that fit: broken at blanks, and within an invite, which has none."""
    lines: list[str] = []
    for word in text.split():
        for piece in (word[at : at + columns] for at in range(0, len(word), columns)):
            if lines and len(lines[-1]) + 1 + len(piece) <= columns:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
    return lines
