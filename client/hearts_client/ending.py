"""How a person's part in a session came to its end."""

from __future__ import annotations

from enum import Enum, auto


class Ending(Enum):
    """Why plain mode or the full screen returned."""

    GAME_OVER = auto()
    """The game was played to its end."""
    QUIT = auto()
    """The person left."""
    LEFT = auto()
    """The person left, and left the seat to a bot, or to anyone before the start."""
    INPUT_ENDED = auto()
    """No input was left while a decision was due."""
    CLOSED = auto()
    """The session ended before the game did; its last news says why."""
