"""A full screen in the terminal: fragments out, keys in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from hearts_client.screen.keypress import Pressed
from hearts_client.screen.keys import key_bindings
from hearts_client.screen.theme import style_of
from hearts_client.settings import Settings

_ESCAPE_SECONDS: Final = 0.05
"""How long to wait for the rest of a key that begins with Escape."""

_REDRAW_SECONDS: Final = 1 / 30


@dataclass(frozen=True, slots=True)
class Surface:
    """What is drawn, and where keys go."""

    drawn: Callable[[], StyleAndTextTuples]
    pressed: Callable[[Pressed], None]
    settings: Callable[[], Settings]
    """Those that hold at this moment."""


def application(
    surface: Surface, keyboard: Input | None = None, output: Output | None = None
) -> Application[Any]:
    """The application that shows this; it takes the terminal's keyboard and screen if none given.

    It draws when it is told to, never by itself.
    """
    window = Window(FormattedTextControl(surface.drawn, focusable=True, show_cursor=False))
    app: Application[Any] = Application(
        layout=Layout(window),
        style=DynamicStyle(lambda: style_of(surface.settings())),
        include_default_pygments_style=False,
        key_bindings=key_bindings(surface.pressed),
        full_screen=True,
        min_redraw_interval=_REDRAW_SECONDS,
        input=keyboard,
        output=output,
    )
    app.ttimeoutlen = _ESCAPE_SECONDS
    app.timeoutlen = 0
    return app
