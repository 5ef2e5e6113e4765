"""The `hearts` command as its users run it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from hearts_cli.testing import Hearts, StartHearts, StartTerminal, Terminal


@pytest.fixture
def start() -> Iterator[StartHearts]:
    """Starts `hearts` with these arguments; nothing outlives the test."""
    running: list[Hearts] = []

    def begin(*arguments: str | Path, within: tuple[str, ...] = (), **environment: str) -> Hearts:
        running.append(Hearts(tuple(map(str, arguments)), environment, within))
        return running[-1]

    yield begin
    for hearts in running:
        hearts.close()


@pytest.fixture
def terminal() -> Iterator[StartTerminal]:
    """Starts `hearts` in a terminal of 80 by 24; nothing outlives the test."""
    running: list[Terminal] = []

    def begin(*arguments: str | Path, columns: int = 80, rows: int = 24) -> Terminal:
        running.append(Terminal(tuple(map(str, arguments)), columns, rows))
        return running[-1]

    yield begin
    for each in running:
        each.close()
