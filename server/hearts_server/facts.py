"""What must be known of a table besides its game's log, as text for the store."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
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
    seating: Seating = Seating()

    def to_bytes(self) -> bytes:
        """The facts as JSON."""
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> TableFacts:
        """Read what :meth:`to_bytes` wrote."""
        fields = json.loads(data)
        claims = fields.pop("seating")["claims"]
        return cls(**fields, seating=Seating(tuple(map(_claim, claims))))


def _claim(fields: dict[str, Any]) -> Claim:
    seat, kind = Seat(fields.pop("seat")), SeatKind(fields.pop("kind"))
    return Claim(seat=seat, kind=kind, **fields)
