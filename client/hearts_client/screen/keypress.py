"""The keys that the table knows."""

from __future__ import annotations

from enum import Enum, auto
from typing import TypeAlias


class Key(Enum):
    """The keys that are not letters or digits."""

    LEFT = auto()
    RIGHT = auto()
    UP = auto()
    DOWN = auto()
    HOME = auto()
    END = auto()
    TAB = auto()
    ENTER = auto()
    SPACE = auto()
    ESCAPE = auto()
    BACKSPACE = auto()
    HELP = auto()
    QUIT = auto()


Pressed: TypeAlias = Key | str
"""A named key, or the character typed."""
