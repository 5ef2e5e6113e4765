"""A log's record: an event with its place, its time and its salt."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_engine.events import Event


@dataclass(frozen=True, slots=True)
class Record:
    """One line of a game's log."""

    seq: int
    """From 1, without a gap."""
    time: int
    """Microseconds since 1970 UTC."""
    event: Event
    salt: bytes = b""
    """16 random bytes where the event is addressed; empty where it is public."""
