"""What must be known of a table besides its game's log, as text for the store."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Any

from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind
from hearts_server.seating import Claim, Seating


@dataclass(frozen=True, slots=True)
class TableFacts:
    """A table, as a restarted server needs it."""

    name: str
    game_id: str
    """The current game, whose log has all the rest."""
    start_when_full: bool
    fixed_seed: str | None
    """What the first game's deals follow from, if they are not fair."""
    request: str = ""
    """Digest of the request that opened it, so that a repeat opens nothing; may be empty."""
    games: int = 1
    """How many games were opened at the table."""
    over: bool = False
    host: Seat | None = None
    """The seat that has the host's powers."""
    host_digest: str = ""
    """Of the token that has them, whoever sits where; may be empty."""
    passcode: str = ""
    """Of what guards the table, as ``passcode.py`` seals it; empty if nothing does."""
    seating: Seating = Seating()

    def without(self, seat: Seat, host: Seat | None) -> TableFacts:
        """The facts when no token opens a seat any more, and this one is the host's."""
        return replace(self, seating=self.seating.freed(seat), host=host)

    def to_bytes(self) -> bytes:
        """The facts as JSON."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TableFacts:
        """Read what :meth:`to_bytes` wrote."""
        fields = json.loads(data)
        claims = fields.pop("seating")["claims"]
        host = fields.pop("host", None)
        fields["host"] = None if host is None else Seat(host)
        return cls(**fields, seating=Seating(tuple(map(_claim, claims))))


def _claim(fields: dict[str, Any]) -> Claim:
    seat, kind = Seat(fields.pop("seat")), SeatKind(fields.pop("kind"))
    return Claim(seat=seat, kind=kind, **fields)
