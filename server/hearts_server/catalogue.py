"""Summaries of games that are over: worked out once, beside the loop, and then known."""

from __future__ import annotations

import asyncio
from typing import Final

from hearts_engine.events import LogSealed
from hearts_replays.log import EventLog
from hearts_replays.summary import GameSummary, summarise
from hearts_server.recent import Recent
from hearts_wire.bounds import WireError
from hearts_wire.records import decode_record

MOST_KNOWN: Final = 10_000
"""Summaries that are kept; a log that is sealed changes no more, so each stays true."""


class Catalogue:
    """What can be said of a game without its log."""

    def __init__(self, logs: EventLog, most: int = MOST_KNOWN) -> None:
        self._logs = logs
        self._known = Recent[GameSummary](most)
        self._reading = asyncio.Lock()

    async def sealed(self, game_id: str) -> GameSummary | None:
        """The summary of a game that is over; none if there is no such game, or it goes on."""
        known = self._known.get(game_id)
        if known is not None:
            return known
        async with self._reading:  # one log at a time: whoever asks for many waits for them
            return self._known.get(game_id) or await self._read(game_id)

    async def _read(self, game_id: str) -> GameSummary | None:
        log = await (await self._logs.open(game_id)).read()
        if not log or not _is_seal(log[-1]):
            return None
        summary = await asyncio.to_thread(summarise, log)
        if summary is None or not summary.sealed:
            return None
        self._known.put(game_id, summary)
        return summary


def _is_seal(record: bytes) -> bool:
    try:
        return isinstance(decode_record(record).event, LogSealed)
    except WireError:
        return False
