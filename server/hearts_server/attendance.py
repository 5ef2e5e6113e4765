"""When those who belong to a table were there last."""

from __future__ import annotations

from collections.abc import Container
from datetime import timedelta

from hearts_server.clocks import Microseconds, later
from hearts_server.table import Table


class Attendance:
    """Knows which tables nobody has attended for so long."""

    def __init__(self, idle: timedelta) -> None:
        self._idle = idle
        self._seen: dict[str, Microseconds] = {}

    def note(self, table: str, now: Microseconds) -> None:
        """Someone who belongs to the table of this name was there until now."""
        self._seen[table] = now

    def is_over(self, table: Table, now: Microseconds) -> bool:
        """Whether a table has gone unattended for too long."""
        if not table.unattended:
            self.note(table.facts.name, now)
        return now >= later(self._seen.get(table.facts.name, now), self._idle)

    def keep(self, tables: Container[str]) -> None:
        """Forget all tables but these."""
        self._seen = {name: seen for name, seen in self._seen.items() if name in tables}
