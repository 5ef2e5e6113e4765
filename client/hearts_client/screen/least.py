"""The least room that a screen needs, and what is shown where there is less."""

from __future__ import annotations

from typing import Final

from hearts_client.celltext import wrapped
from hearts_client.screen.lines import Line, Size, line

LEAST: Final = Size(40, 12)


def is_too_small(size: Size) -> bool:
    """Whether nothing could be shown that makes sense."""
    return size.columns < LEAST.columns or size.rows < LEAST.rows


def too_small(size: Size, leave: str) -> list[Line]:
    """What there is, what is needed, and the keys to leave by."""
    text = (
        f"The table needs {LEAST.columns}x{LEAST.rows} cells, this window has"
        f" {size.columns}x{size.rows}. Make it larger, or leave with {leave}."
    )
    return [line(part) for part in wrapped(text, max(1, size.columns))]
