"""Terminal keys as the keys that the table knows."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

from hearts_client.screen.keypress import Key, Pressed

NAMED_KEYS: Final = MappingProxyType(
    {
        Keys.Left: Key.LEFT,
        Keys.Right: Key.RIGHT,
        Keys.Up: Key.UP,
        Keys.Down: Key.DOWN,
        Keys.Home: Key.HOME,
        Keys.End: Key.END,
        Keys.Tab: Key.TAB,
        Keys.Enter: Key.ENTER,
        Keys.Escape: Key.ESCAPE,
        Keys.Backspace: Key.BACKSPACE,
        Keys.F1: Key.HELP,
        Keys.F10: Key.QUIT,
        Keys.ControlQ: Key.QUIT,
        Keys.ControlC: Key.QUIT,
    }
)


def key_bindings(pressed: Callable[[Pressed], None]) -> KeyBindings:
    """Every key of the table, each given to ``pressed``; Ctrl-L draws the screen again."""
    bindings = KeyBindings()
    for terminal_key, key in NAMED_KEYS.items():
        bindings.add(terminal_key)(_handler(pressed, key))

    @bindings.add(Keys.Any)
    def _character(event: KeyPressEvent) -> None:
        for character in event.data:
            pressed(Key.SPACE if character == " " else character)

    @bindings.add(Keys.ControlL)
    def _redraw(event: KeyPressEvent) -> None:
        event.app.renderer.clear()

    return bindings


def _handler(pressed: Callable[[Pressed], None], key: Key) -> Callable[[KeyPressEvent], None]:
    def handle(_event: KeyPressEvent) -> None:
        pressed(key)

    return handle
