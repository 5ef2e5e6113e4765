"""A full screen in the terminal: fragments out, keys in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import Output
from prompt_toolkit.styles import DynamicStyle

from hearts_client.screen.keypress import Pressed
from hearts_client.screen.keys import key_bindings
from hearts_client.screen.theme import style_of
from hearts_client.settings import Settings

if TYPE_CHECKING:  # it is no more than a name for type checkers
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

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
    clicked: Callable[[int, int], None] | None = None
    """Takes the column and the row of a click, from 0; none where clicks mean nothing."""


class _Clickable(FormattedTextControl):
    """The whole screen, which tells where it was clicked."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface.drawn, focusable=True, show_cursor=False)
        self._surface = surface

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        """Hand a click on."""
        if self._surface.clicked is None or mouse_event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        self._surface.clicked(mouse_event.position.x, mouse_event.position.y)
        return None


def application(
    surface: Surface, keyboard: Input | None = None, output: Output | None = None
) -> Application[Any]:
    """The application that shows this; it takes the terminal's keyboard and screen if none given.

    It draws when it is told to, never by itself.
    """
    window = Window(_Clickable(surface))
    app: Application[Any] = Application(
        layout=Layout(window),
        style=DynamicStyle(lambda: style_of(surface.settings())),
        include_default_pygments_style=False,
        key_bindings=key_bindings(surface.pressed),
        full_screen=True,
        min_redraw_interval=_REDRAW_SECONDS,
        mouse_support=Condition(lambda: surface.settings().mouse),
        input=keyboard,
        output=output,
    )
    app.ttimeoutlen = _ESCAPE_SECONDS
    app.timeoutlen = 0
    return app
