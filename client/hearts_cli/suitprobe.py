"""How wide the signs of the suits are in this terminal, which only the terminal can tell."""

from __future__ import annotations

import os
import re
import select
import sys
import time
from contextlib import suppress
from typing import Final

from hearts_engine.cards import Suit

SECONDS: Final = 0.1
"""How long a terminal may take to say where its cursor is; those that can take no time at all."""

_NEXT: Final = 2
"""The column, from 1, after a sign of one cell."""

_ASK: Final = "\x1b[6n"
_ANSWER: Final = re.compile(rb"\x1b\[\d+;(\d+)R")


def suits_are_narrow() -> bool | None:
    """Whether each sign takes one cell; none where the terminal does not say.

    Each is written at the beginning of a line that is cleared afterwards. What the person has
    typed meanwhile is kept for whoever reads next.
    """
    if os.environ.get("PROMPT_TOOLKIT_NO_CPR"):
        return None
    try:
        import termios  # noqa: PLC0415  (not on every system)
        import tty  # noqa: PLC0415

        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
    except (ImportError, OSError, ValueError):
        return None
    try:
        tty.setcbreak(keyboard)
        narrow = _are_narrow(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)
        sys.stdout.write("\r\x1b[K")
        sys.stdout.flush()
    return narrow


def _are_narrow(keyboard: int) -> bool | None:
    """As above; a terminal that does not say so of the first sign is not asked again."""
    for suit in Suit:
        column = _column_after(suit.symbol, keyboard)
        if column != _NEXT:
            return None if column is None else False
    return True


def _column_after(sign: str, keyboard: int) -> int | None:
    """The column, from 1, that the cursor is in after this sign; none if nobody says."""
    sys.stdout.write(f"\r{sign}{_ASK}")
    sys.stdout.flush()
    read, end = b"", time.monotonic() + SECONDS
    while (left := end - time.monotonic()) > 0:
        ready, _, _ = select.select([keyboard], [], [], left)
        if not ready:
            break
        read += os.read(keyboard, 64)
        found = _ANSWER.search(read)
        if found is not None:
            _keep(read[: found.start()] + read[found.end() :])
            return int(found[1])
    _keep(read)
    return None


def _keep(typed: bytes) -> None:
    """Leave what was typed to whoever reads the keyboard next."""
    if not typed:
        return
    from prompt_toolkit.application import get_app_session  # noqa: PLC0415
    from prompt_toolkit.input.typeahead import store_typeahead  # noqa: PLC0415
    from prompt_toolkit.input.vt100_parser import Vt100Parser  # noqa: PLC0415
    from prompt_toolkit.key_binding import KeyPress  # noqa: PLC0415

    keys: list[KeyPress] = []
    parser = Vt100Parser(keys.append)
    parser.feed_and_flush(typed.decode(errors="ignore"))
    with suppress(OSError, ValueError):
        store_typeahead(get_app_session().input, keys)
