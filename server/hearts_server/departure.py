"""What it takes to let a seat go in a game under way, and who is host then. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_engine.cards import Seat
from hearts_engine.commands import Command, MarkAway, WithholdEntropy
from hearts_engine.events import Absence, SeatKind
from hearts_engine.state import Phase, State
from hearts_server.facts import TableFacts


def departure(state: State, seat: Seat, absence: Absence) -> tuple[Command, ...]:
    """The commands after which decisions are made for a seat; none if they are already."""
    return tuple(_departure(state, seat, absence))


def _departure(state: State, seat: Seat, absence: Absence) -> Iterator[Command]:
    if state.game.presence.away[seat] == absence:
        return
    yield MarkAway(seat, absence)
    if state.phase is Phase.ENTROPY and seat in state.game.owing:
        yield WithholdEntropy(seat)


def next_host(facts: TableFacts, state: State, leaving: Seat) -> Seat | None:
    """The seat that has the host's powers when this one is left; none if nobody could."""
    if facts.host != leaving:
        return facts.host
    away = state.game.presence.away
    staying = [
        claim
        for claim in facts.seating.claims
        if claim.seat != leaving and away[claim.seat] in {None, Absence.MISSED}
    ]
    ranked = sorted(staying, key=lambda claim: (claim.kind is not SeatKind.PERSON, claim.seat))
    return ranked[0].seat if ranked else None
