"""Keep whatever is written to standard error off the screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_STDERR: Final = 2


@contextmanager
def stderr_to(path: Path | None) -> Generator[None, None, None]:
    """Append what is written to file descriptor 2, by C code too, to a file meanwhile.

    With no path nothing is changed. Raises ``OSError`` if the file cannot be opened.
    """
    if path is None:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(_STDERR)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            os.dup2(file.fileno(), _STDERR)
        yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, _STDERR)
        os.close(kept)
