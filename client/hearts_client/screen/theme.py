"""Colours and weights. Each only repeats what words, brackets or places say already."""

from __future__ import annotations

from typing import Final

from prompt_toolkit.styles import Style

from hearts_client.settings import Settings
from hearts_engine.cards import Suit

THEME: Final = Style.from_dict(
    {
        "status": "bold",
        "offline": "bold reverse",
        "seat.turn": "bold",
        "seat": "",
        "winning": "bold underline",
        "rule": "ansibrightblack",
        "number": "",
        "heading": "bold",
        "illegal": "dim",
        "legal": "bold",
        "cursor": "bold reverse",
        "cursor.illegal": "dim underline",
        "marked": "bold",
        "prompt": "bold",
        "prompt.yours": "bold ansiyellow",
        "message": "bold ansibrightred",
        "heard": "bold",
        "log": "",
        "hint": "ansicyan",
        "clubs": "ansigreen",
        "diamonds": "ansibrightblue",
        "spades": "",
        "hearts": "ansibrightred",
    }
)
"""The 16 colours every terminal has; the background stays the terminal's own."""


def style_of(settings: Settings) -> Style:
    """The style of a screen under these settings."""
    del settings
    return THEME


def suit_class(suit: Suit) -> str:
    """The style of a suit."""
    return f"class:{suit.name.lower()}"
