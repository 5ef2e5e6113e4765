"""Who may look at the games of a table that asks for a passcode."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from hearts_replays.log import TableStore
from hearts_server.errors import bad_token
from hearts_server.facts import TableFacts
from hearts_server.passcode import opened_by, require_passcode, wrong_passcode
from hearts_server.peers import Peer, Peers
from hearts_server.seating import is_secret

EVERY_TABLE: Final = ""
"""Where guesses count that are held against all tables at once; no table has this name."""


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """The door to finished games, which are everyone's where their table is not guarded."""

    tables: TableStore
    peers: Peers

    async def closed_to(self, peer: Peer, passcode: str) -> frozenset[str]:
        """The tables whose games are not for who says this passcode, or none.

        Raises ``Refused`` for a passcode that is no table's, and for too many of them.
        """
        guarded = {facts.name: facts.passcode for facts in await self._all() if facts.passcode}
        if not passcode:
            return frozenset(guarded)
        with self.peers.guessing(peer, EVERY_TABLE, passcode):
            opened = await asyncio.to_thread(opened_by, passcode, frozenset(guarded.values()))
            if not opened:
                raise wrong_passcode("this is the passcode of no table here")
        return frozenset(name for name, kept in guarded.items() if kept not in opened)

    async def require(self, peer: Peer, table: str, passcode: str, token: str) -> None:
        """Raise ``Refused`` if the games of a table are not for who says and has this."""
        data = await self.tables.get(table)
        facts = None if data is None else TableFacts.from_bytes(data)
        if facts is None or not facts.passcode or _opens(facts, token):
            return
        if token and not passcode:
            raise bad_token()
        with self.peers.guessing(peer, table, passcode):
            await asyncio.to_thread(require_passcode, passcode, facts.passcode)

    async def _all(self) -> list[TableFacts]:
        return [TableFacts.from_bytes(data) for _, data in await self.tables.all()]


def _opens(facts: TableFacts, token: str) -> bool:
    """Whether a token is of a seat at the table, or its host's."""
    if not token:
        return False
    return facts.seating.seat_of(token) is not None or is_secret(token, facts.host_digest)
