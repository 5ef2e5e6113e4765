"""Who may look at the games of a table that asks for a passcode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hearts_replays.log import TableStore
from hearts_server.errors import bad_token
from hearts_server.facts import TableFacts
from hearts_server.guard import Guard
from hearts_server.passcode import opened_by, wrong_passcode
from hearts_server.peers import Peer
from hearts_server.seating import is_secret

EVERY_TABLE: Final = ""
"""Where guesses count that are held against all tables at once; no table has this name."""


@dataclass(frozen=True, slots=True)
class ReadingRoom:
    """The door to finished games, which are everyone's where their table is not guarded."""

    tables: TableStore
    guard: Guard

    async def closed_to(self, peer: Peer, passcode: str) -> frozenset[str]:
        """The tables whose games are not for who says this passcode, or none.

        Raises ``Refused`` for a passcode that is no table's, and for too many of them.
        """
        guarded = {facts.name: facts.passcode for facts in await self._all() if facts.passcode}
        if not passcode:
            return frozenset(guarded)
        kept = frozenset(guarded.values())
        opened = await self.guard.tried(peer, EVERY_TABLE, lambda: _opened(passcode, kept))
        return frozenset(name for name, kept in guarded.items() if kept not in opened)

    async def require(self, peer: Peer, table: str, passcode: str, token: str) -> None:
        """Raise ``Refused`` if the games of a table are not for who says and has this."""
        data = await self.tables.get(table)
        facts = None if data is None else TableFacts.from_bytes(data)
        if facts is None or not facts.passcode or _opens(facts, token):
            return
        if token and not passcode:
            raise bad_token()
        await self.guard.require(peer, table, passcode, facts.passcode)

    async def _all(self) -> list[TableFacts]:
        return [TableFacts.from_bytes(data) for _, data in await self.tables.all()]


def _opened(passcode: str, kept: frozenset[str]) -> frozenset[str]:
    """Those of what is kept that a passcode opens; ``Refused`` if it opens none."""
    opened = opened_by(passcode, kept)
    if not opened:
        raise wrong_passcode("this is the passcode of no table here")
    return opened


def _opens(facts: TableFacts, token: str) -> bool:
    """Whether a token is of a seat at the table, or its host's."""
    if not token:
        return False
    return facts.seating.seat_of(token) is not None or is_secret(token, facts.host_digest)
