"""Files that hold a secret: written once, whole, for their owner's eyes alone."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import NamedTemporaryFile


def create_once(path: Path, content: bytes) -> None:
    """Write a secret to disk, unless another process was faster; never half of one.

    Makes the folder, for this user alone, if there is none. Raises ``OSError``.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.") as draft:  # mode 0600
        draft.write(content)
        draft.flush()
        os.fsync(draft.fileno())
        try:
            path.hardlink_to(draft.name)
        except FileExistsError:
            return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
