"""Settings at the table: a list to go up and down in, each changed with Left and Right. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeAlias

from hearts_client.screen.intents import Intent, Keep
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Line, joined, line
from hearts_client.screen.table_state import TableState, resettled
from hearts_client.settings import SETTINGS, Setting

Outcome: TypeAlias = tuple[TableState, Intent | None]

AT_THE_TABLE: Final[tuple[Setting, ...]] = tuple(
    SETTINGS[name]
    for name in (
        *("theme", "colours", "suits", "order", "ranks"),
        *("pace", "one_key", "bell", "mouse"),
    )
)
"""The settings that matter while a game is on the screen."""

_NAME_CELLS: Final = 9
_WORD_CELLS: Final = 12


def option_lines(state: TableState, columns: int, rows: int) -> list[Line]:
    """Every setting with what it is, as far as there is room around the one under the cursor."""
    room = max(1, rows - 1)
    start = max(0, min(state.option - room // 2, len(AT_THE_TABLE) - room))
    shown = list(enumerate(AT_THE_TABLE))[start : start + room]
    heading = " Settings  Up Down choose, Left Right change, o back"
    if columns < len(heading):
        heading = " Settings  arrows change, o back"
    return [
        line(heading, "class:heading"),
        *(_option_line(state, setting, at=at, columns=columns) for at, setting in shown),
    ]


def option_pressed(state: TableState, key: Pressed) -> Outcome | None:
    """What a key does to the settings; none if it has nothing to do with them."""
    count = len(AT_THE_TABLE)
    match key:
        case Key.UP:
            return replace(state, option=(state.option - 1) % count), None
        case Key.DOWN | Key.TAB:
            return replace(state, option=(state.option + 1) % count), None
        case Key.LEFT:
            return _changed(state, -1)
        case Key.RIGHT | Key.SPACE | Key.ENTER:
            return _changed(state, 1)
        case _:
            return None


def _changed(state: TableState, step: int) -> Outcome:
    setting = AT_THE_TABLE[state.option]
    word = setting.after(state.settings.word(setting.name), step)
    settings = state.settings.with_word(setting.name, word)
    return resettled(state, settings), Keep(setting.name, word)


def _option_line(state: TableState, setting: Setting, *, at: int, columns: int) -> Line:
    here = at == state.option
    word = state.settings.word(setting.name)
    value = f"<{word}>" if here else f" {word} "
    before = f"{'>' if here else ' '}{setting.name:{_NAME_CELLS}}"
    says = setting.says if columns >= _NAME_CELLS + _WORD_CELLS + len(setting.says) + 2 else ""
    return joined(
        line(before, "class:heading" if here else ""),
        line(f"{value:{_WORD_CELLS}}", "class:prompt.yours" if here else "class:prompt"),
        line(says, "class:log"),
    )
