"""What a server has logged, taken apart."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from hearts_server.logbook import fields_in


def entries(records: Iterable[logging.LogRecord], name: str = "") -> list[dict[str, object]]:
    """The fields of every entry of this name, or of all, which are told by ``entry``."""
    ours = (record for record in records if record.name.startswith("hearts_server."))
    told = ({"entry": record.getMessage(), **fields_in(vars(record))} for record in ours)
    return [each for each in told if name in ("", each["entry"])]
