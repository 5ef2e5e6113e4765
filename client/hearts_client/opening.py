"""What a seat has seen before the first deal, and whether it may reveal its entropy upon that.

Revealed too early, entropy would let the server choose what others put into the deal. It may go
out only when the server has given a head that covers record 1, with its anchor, and the
commitments of all seats: from then on none of it can be changed without being found out.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import reduce

from hearts_client.ticket import Ticket
from hearts_engine.events import GameOpened, SeatsFrozen, SeatTaken
from hearts_replays.chain import EMPTY_CHAIN, Chain
from hearts_replays.fairness import commit
from hearts_wire.records import decode_record


@dataclass(frozen=True, slots=True)
class Opening:
    """The records of a game from the first one on, as far as none is missing."""

    chain: Chain = EMPTY_CHAIN
    covered: int = 0
    """The last of them that a head of the server's agrees with."""
    frozen: int = 0
    """The record that froze seats and commitments; 0 before."""
    game_id: str = ""
    commitments: tuple[tuple[int, bytes], ...] = ()
    """By whoever sat down, in order."""

    def with_shown(self, seq: int, head: bytes, records: Collection[bytes]) -> Opening:
        """The opening after these records were shown, with the head after record ``seq``."""
        after = reduce(Opening._with_record, records, self)
        agrees = (after.chain.length, after.chain.head) == (seq, head)
        return replace(after, covered=seq) if agrees else after

    def _with_record(self, data: bytes) -> Opening:
        record = decode_record(data)
        if record.seq != self.chain.length + 1:
            return self  # something before it is hidden from this seat
        grown = replace(self, chain=self.chain.extended([data]))
        match record.event:
            case GameOpened(game_id):
                return replace(grown, game_id=game_id)
            case SeatTaken(seat, commitment=commitment):
                return replace(grown, commitments=(*grown.commitments, (seat, commitment)))
            case SeatsFrozen():
                return replace(grown, frozen=record.seq)
            case _:
                return grown

    def objection(self, ticket: Ticket) -> str | None:
        """Why this ticket's entropy must not be revealed now; none if it may be."""
        if self.game_id != ticket.game_id:
            return f"this is not the log of game {ticket.game_id}"
        if not self.frozen:
            return "the server asks for your entropy before seats and commitments are fixed"
        if self.covered < self.frozen:
            return "the server's head is not of the records that it shows"
        if dict(self.commitments).get(ticket.seat) != commit(ticket.entropy):
            return "the log holds another commitment than yours"
        return None
