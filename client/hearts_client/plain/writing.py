"""Where plain mode's lines go to and come from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

ReadLine: TypeAlias = Callable[[], Awaitable[str | None]]
"""Waits for the next line of input; none at its end. It may be cancelled while it waits."""

Write: TypeAlias = Callable[[str], None]
"""Prints one line; the line comes without its end."""
