"""The garbage collector, told how a server lives.

Nearly everything a server makes is let go by counting references. The collector has only rare
cycles to find, and its usual settings have it look at every table after a few dozen moves.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_SELDOM: Final = (20_000, 20, 20)
"""Objects more than before until the young are looked at, after about a thousand moves; then as
many such looks until the middle-aged are, and until all are."""


@contextmanager
def collecting_seldom() -> Generator[None, None, None]:
    """Look seldom until the block is left, and never at what was there before."""
    usual = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*usual)
        gc.unfreeze()
