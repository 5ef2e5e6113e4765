"""Colours and weights. Each only repeats what words, brackets or places say already.

A style is made of a theme, which says what the parts of the screen look like, and of the colours
of the four suits on what is behind them there. The sixteen colours that every terminal has come
first; others are written as numbers, and a terminal of sixteen shows the nearest.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from prompt_toolkit.styles import Style

from hearts_client.settings import Settings, SuitColours, Theme
from hearts_engine.cards import Suit

Look = Mapping[str, str]
"""Styles by the names of the parts."""

_PLAIN: Final[Look] = MappingProxyType(
    {
        "status": "bold",
        "offline": "bold reverse",
        "title": "bold",
        "seat.turn": "bold",
        "seat": "",
        "card": "",
        "edge": "",
        "winning": "bold underline",
        "empty": "dim",
        "rule": "dim",
        "heading": "bold",
        "illegal": "dim",
        "legal": "bold",
        "cursor": "bold reverse",
        "cursor.illegal": "dim underline",
        "marked": "bold",
        "prompt": "bold",
        "prompt.yours": "bold",
        "message": "bold underline",
        "heard": "bold",
        "log": "",
        "hint": "bold",
        # The parts of the screen, behind all that stands there.
        **dict.fromkeys(("bar", "table", "scores", "hand", "talk", "board", "side"), ""),
    }
)
"""Without colours."""

_ON_ANY: Final[Look] = MappingProxyType(
    {
        **_PLAIN,
        "empty": "ansibrightblack",
        "rule": "ansibrightblack",
        "prompt.yours": "bold ansiyellow",
        "message": "bold ansibrightred",
        "hint": "ansicyan",
        "title": "bold ansigreen",
    }
)
"""On the terminal's own background, dark as most are."""

_ON_LIGHT: Final[Look] = MappingProxyType(
    {
        **_ON_ANY,
        "prompt.yours": "bold ansiblue",
        "message": "bold ansired",
        "hint": "ansimagenta",
    }
)

_FELT: Final[Look] = MappingProxyType(
    {
        **_PLAIN,
        **dict.fromkeys(("table", "hand", "board"), "bg:#005f00 #ffffff"),
        "bar": "bg:#262626 #ffffff",
        "talk": "bg:#262626 #dadada",
        "side": "bg:#262626 #dadada",
        "scores": "bg:#c0c0c0 #000000",
        "card": "bg:#ffffff #000000",
        "edge": "#a8a8a8",
        "empty": "#5faf5f",
        "rule": "#5f8787",
        "illegal": "bg:#a8a8a8 nobold",
        "legal": "bold",
        "cursor": "bg:#ffff5f bold",
        "cursor.illegal": "bg:#a8a8a8 underline",
        "marked": "bold",
        "seat.turn": "bold #ffff5f",
        "prompt.yours": "bold #ffff5f",
        "message": "bold bg:#870000 #ffffff",
        "hint": "#afffaf",
        "title": "bold #ffff5f",
    }
)
"""A green table, white cards, a grey window for the points."""

_BLIND: Final[Look] = MappingProxyType(
    {
        **_ON_ANY,
        "prompt.yours": "bold ansibrightcyan",
        "message": "bold ansibrightyellow",
        "title": "bold ansibrightcyan",
    }
)

_LOOKS: Final[Mapping[Theme, Look]] = MappingProxyType(
    {
        Theme.AUTO: _ON_ANY,
        Theme.FELT: _FELT,
        Theme.LIGHT: _ON_LIGHT,
        Theme.BLIND: _BLIND,
        Theme.MONO: _PLAIN,
    }
)

Inks = tuple[str, str, str, str]
"""Of clubs, diamonds, spades and hearts."""

_INKS: Final[Mapping[Theme, Mapping[SuitColours, Inks]]] = MappingProxyType(
    {
        Theme.AUTO: {
            SuitColours.FOUR: ("ansigreen", "ansibrightblue", "", "ansibrightred"),
            SuitColours.TWO: ("", "ansibrightred", "", "ansibrightred"),
        },
        Theme.FELT: {
            SuitColours.FOUR: ("#008700", "#0000d7", "#000000", "#d70000"),
            SuitColours.TWO: ("#000000", "#d70000", "#000000", "#d70000"),
        },
        Theme.LIGHT: {
            SuitColours.FOUR: ("ansigreen", "ansiblue", "", "ansired"),
            SuitColours.TWO: ("", "ansired", "", "ansired"),
        },
        Theme.BLIND: {
            SuitColours.FOUR: ("ansiyellow", "ansicyan", "", "#ff8700"),
            SuitColours.TWO: ("", "#ff8700", "", "#ff8700"),
        },
        Theme.MONO: dict.fromkeys(SuitColours, ("", "", "", "")),
    }
)


def style_of(settings: Settings) -> Style:
    """The style of a screen under these settings."""
    return _style(settings.theme, settings.colours)


def suit_class(suit: Suit) -> str:
    """The style of a card of this suit."""
    return f"class:card class:{suit.name.lower()}"


@cache
def _style(theme: Theme, colours: SuitColours) -> Style:
    inks = zip(Suit, _INKS[theme][colours], strict=True)
    return Style.from_dict({**_LOOKS[theme], **{suit.name.lower(): ink for suit, ink in inks}})
