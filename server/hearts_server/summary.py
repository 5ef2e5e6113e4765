"""What anyone may know of a table without sitting or watching there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from hearts_engine.attendance import is_under_way, is_vacant
from hearts_engine.cards import Seat
from hearts_engine.events import SeatTaken
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_server.table import Table


class TableStatus(Enum):
    """How far a table's current game is."""

    SEATING = auto()
    PLAYING = auto()
    OVER = auto()


@dataclass(frozen=True, slots=True)
class TableSummary:
    """What anyone may know of a table."""

    name: str
    game_id: str
    rules: Rules
    seats: tuple[SeatTaken, ...]
    status: TableStatus
    start_when_full: bool
    turn_seconds: int = 0
    bot_seconds: int = 0
    open_hands: bool = False
    needs_passcode: bool = False
    host: Seat | None = None
    connected: tuple[Seat, ...] = ()
    """The seats that somebody is connected for."""
    watchers: int = 0
    vacant: tuple[Seat, ...] = ()
    """The seats that can be taken over."""


def summary_of(table: Table) -> TableSummary:
    """What anyone may know of a table."""
    state = table.journal.state
    game = state.game
    seats = (Seat(index) for index in range(len(game.seats)))
    return TableSummary(
        table.facts.name,
        game.opened.game_id,
        game.rules,
        tuple(taken for taken in game.seats if taken is not None),
        status_of(state.phase),
        table.facts.start_when_full,
        turn_seconds=game.opened.turn_seconds,
        bot_seconds=game.opened.bot_seconds,
        open_hands=game.opened.open_hands,
        needs_passcode=bool(table.facts.passcode),
        host=table.facts.host,
        connected=table.connected,
        watchers=table.receivers.watchers,
        vacant=tuple(s for s in seats if is_under_way(state) and is_vacant(state, s)),
    )


def status_of(phase: Phase) -> TableStatus:
    """How far a game in this phase is."""
    match phase:
        case Phase.SEATING:
            return TableStatus.SEATING
        case Phase.SEALED:
            return TableStatus.OVER
        case _:
            return TableStatus.PLAYING
