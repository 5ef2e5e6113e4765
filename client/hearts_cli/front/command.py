"""`hearts` alone, in a terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hearts_cli.configuration import configured
from hearts_cli.failures import BadInput, run
from hearts_cli.front.door import stand_at_the_door
from hearts_cli.loglines import logged_to_file
from hearts_cli.options import default_folder


def open_door() -> None:
    """Show the first menu; ends the process when the person leaves."""
    data = Path(os.environ.get("HEARTS_DATA") or default_folder())
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"the data folder {data} cannot be used: {error.strerror}") from error
    settings = configured().settings
    with logged_to_file(data):
        sys.exit(run(stand_at_the_door(settings, data)))
