"""What a click on the screen means: on a card of the hand, go to it; on that again, choose it."""

from __future__ import annotations

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.utils import get_cwidth

from hearts_client.screen.intents import Intent
from hearts_client.screen.keypress import Key
from hearts_client.screen.pressing import press
from hearts_client.screen.slots import SLOT_MARK, Slot
from hearts_client.screen.table_state import TableState, resettled_cursor


def clicked(
    state: TableState, drawn: StyleAndTextTuples, column: int, row: int
) -> tuple[TableState, Intent | None]:
    """The state after a click on a cell, and what the table is to be asked."""
    slot = _slot_at(state, drawn, column, row)
    if slot is None:
        return state, None
    again = slot == state.cursor
    state = resettled_cursor(state, slot)
    if state.marks_cards:
        return press(state, Key.SPACE)
    return press(state, Key.ENTER) if again else (state, None)


def _slot_at(state: TableState, drawn: StyleAndTextTuples, column: int, row: int) -> Slot | None:
    style = _style_at(drawn, column, row)
    numbers = [part.removeprefix(SLOT_MARK) for part in style.split() if part.startswith(SLOT_MARK)]
    at = int(numbers[0]) if numbers else -1
    return state.hand[at] if 0 <= at < len(state.hand) else None


def _style_at(drawn: StyleAndTextTuples, column: int, row: int) -> str:
    """The style of a cell."""
    x = y = 0
    for style, text, *_ in drawn:
        for character in text:
            if character == "\n":
                x, y = 0, y + 1
                continue
            width = get_cwidth(character)
            if y == row and x <= column < x + width:
                return style
            x += width
    return ""
