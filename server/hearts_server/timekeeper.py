"""When the time of each seat runs out, and when a table that nobody attends is given up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, NamedTuple

from hearts_engine.attendance import is_under_way
from hearts_engine.cards import Seat
from hearts_engine.commands import Command, WithholdEntropy
from hearts_engine.events import SeatKind, SeatTaken, StopCause
from hearts_engine.state import Phase, State
from hearts_server.caretaker import GONE
from hearts_server.clocks import Microseconds, later

REVEAL_TIME: Final = timedelta(seconds=20)
"""How long a seat may take to reveal its entropy before the log says withheld.

Longer than a client needs to notice that its connection is dead, and to come back on another.
"""

AUTOPILOT_TIME: Final = timedelta(seconds=2)
"""How long before a seat whose owner let its time run out is decided for.

The owner may be looking on, and must have the time to come back before the game is played out.
"""

_NEVER: Final = timedelta(0)


class Question(NamedTuple):
    """What a clock runs for."""

    prompt: int
    sitter: SeatTaken | None
    away: bool
    """Whether it is decided for the seat."""


@dataclass(slots=True)
class Timekeeper:
    """The running clocks of a table's seats."""

    deadlines: dict[Seat, Microseconds] = field(default_factory=dict[Seat, Microseconds])
    """When the time of a seat that is asked runs out."""
    _asked: dict[Seat, Question] = field(default_factory=dict[Seat, Question])
    """What each of these seats is asked: a newcomer, or who is back, has all of its time."""

    @property
    def next_deadline(self) -> Microseconds | None:
        """The earliest of all; none while no clock runs."""
        return min(self.deadlines.values(), default=None)

    def keep(self, state: State, due: Mapping[Seat, int], now: Microseconds) -> None:
        """Start and stop clocks as the game as it stands wants them.

        ``due`` has the prompt of each seat that a decision is due from. A clock that was stopped
        starts with all of its time.
        """
        running, asked = dict[Seat, Microseconds](), dict[Seat, Question]()
        for seat in state.awaited:
            time = time_for(state, seat)
            if time == _NEVER:
                continue
            game = state.game
            asked[seat] = Question(
                due.get(seat, 0), game.seats[seat], away=game.presence.away[seat] is not None
            )
            known = self.deadlines.get(seat)
            same = known is not None and self._asked.get(seat) == asked[seat]
            running[seat] = known if known is not None and same else later(now, time)
        self.deadlines, self._asked = running, asked

    def overdue(self, now: Microseconds) -> tuple[Seat, ...]:
        """The seats whose time has run out, in order."""
        return tuple(sorted(seat for seat, moment in self.deadlines.items() if moment <= now))


def time_for(state: State, seat: Seat) -> timedelta:
    """How long a seat has for what is due from it; nothing: as long as it takes."""
    game = state.game
    taken, presence = game.seats[seat], game.presence
    if taken is None or presence.away[seat] in GONE:
        return _NEVER
    person = taken.kind is SeatKind.PERSON
    if presence.stopped is StopCause.HOST or (presence.stopped is not None and person):
        return _NEVER
    if presence.away[seat] is not None:
        return AUTOPILOT_TIME
    if state.phase is Phase.ENTROPY:
        return REVEAL_TIME
    seconds = game.opened.turn_seconds if person else game.opened.bot_seconds
    return timedelta(seconds=seconds * 2 if state.phase is Phase.PASSING else seconds)


def keeps_time(state: State) -> bool:
    """Whether, in a game under way, any seat's time can run out."""
    opened = state.game.opened
    return is_under_way(state) and bool(opened.turn_seconds or opened.bot_seconds)


def without_deciding(state: State, seats: Iterable[Seat]) -> tuple[Command, ...]:
    """What a table does for seats that do not answer, where nothing has to be decided."""
    if state.phase is not Phase.ENTROPY:
        return ()
    owing = set(state.game.owing)
    return tuple(WithholdEntropy(seat) for seat in seats if seat in owing)
