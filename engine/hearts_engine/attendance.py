"""Who is there to decide: absence, taking over, pauses, and the end of a game nobody attends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, assert_never

from hearts_engine.cards import Seat
from hearts_engine.commands import (
    CloseGame,
    MarkAway,
    MarkBack,
    StartClocks,
    StopClocks,
    TakeOver,
)
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import (
    Absence,
    Agent,
    ClocksStarted,
    ClocksStopped,
    Event,
    GameClosed,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    SecretRevealed,
    StopCause,
)
from hearts_engine.presence import Presence
from hearts_engine.seating import require_kind, require_name, require_seat
from hearts_engine.state import Phase, State

MISSES: Final = 2
"""How often in a row a seat's time runs out before decisions are made for it."""

AttendanceCommand = MarkAway | MarkBack | TakeOver | StopClocks | StartClocks | CloseGame

_NOT_UNDER_WAY: Final = frozenset({Phase.SEATING, Phase.ENDED, Phase.SEALED})
_DEALT: Final = frozenset({Phase.PASSING, Phase.CENTRE, Phase.PLAYING, Phase.MOON, Phase.SHOWING})


def attend(state: State, command: AttendanceCommand) -> tuple[Event, ...]:
    """What coming and going makes happen."""
    match command:
        case MarkAway(seat, absence):
            _require_under_way(state)
            require_seat(seat, state.game.rules.players)
            _require_reason_to_go(state.game.presence, seat, absence)
            return (SeatAway(seat, absence),)
        case MarkBack(seat):
            _require_under_way(state)
            require_seat(seat, state.game.rules.players)
            _require_owner_away(state.game.presence, seat)
            return (SeatBack(seat),)
        case TakeOver(seat, name, kind):
            _require_under_way(state)
            require_seat(seat, state.game.rules.players)
            require_name(name)
            require_kind(kind)
            if not is_vacant(state, seat):
                sentence = f"seat {seat} is somebody's; only a seat played for nobody is taken over"
                raise Rejected(Reason.SEAT_OCCUPIED, sentence)
            return (SeatTakenOver(seat, name, kind),)
        case StopClocks(cause):
            _require_under_way(state)
            if state.game.presence.stopped in {cause, StopCause.HOST}:
                raise Rejected(Reason.WRONG_PHASE, "time stands still already")
            return (ClocksStopped(cause),)
        case StartClocks():
            _require_under_way(state)
            if state.game.presence.stopped is None:
                raise Rejected(Reason.WRONG_PHASE, "time runs already")
            return (ClocksStarted(),)
        case CloseGame():
            return tuple(_close(state, command))
        case _:
            assert_never(command)


def is_vacant(state: State, seat: Seat) -> bool:
    """Whether, in a game under way, a seat is played for nobody."""
    taken = state.game.seats[seat]
    removed = state.game.presence.away[seat] is Absence.REMOVED
    return taken is not None and (removed or taken.kind is SeatKind.HOUSE)


def is_under_way(state: State) -> bool:
    """Whether the game has started and is not over."""
    return state.phase not in _NOT_UNDER_WAY


def require_decider(presence: Presence, seat: Seat, by: Agent) -> None:
    """Raise ``Rejected`` if decisions for a seat are not made like this now."""
    if presence.stopped is StopCause.HOST:
        sentence = "the host has paused the game; decide when it goes on"
        raise Rejected(Reason.PAUSED, sentence)
    if not 0 <= seat < len(presence.away):
        return  # which the rules refuse in their own words
    away = presence.away[seat] is not None
    if away and by is not Agent.AUTOPILOT:
        sentence = f"decisions are made for seat {seat}, its owner must come back first"
        raise Rejected(Reason.SEAT_AWAY, sentence)
    if not away and by is Agent.AUTOPILOT:
        raise Rejected(Reason.SEAT_NOT_AWAY, f"seat {seat} is not away, it decides by itself")


def _require_under_way(state: State) -> None:
    if not is_under_way(state):
        raise Rejected(Reason.WRONG_PHASE, "that is done in a game under way only")


def _require_reason_to_go(presence: Presence, seat: Seat, absence: Absence) -> None:
    """A seat is away for a reason, and for a stronger one if it was away before."""
    was, order = presence.away[seat], tuple(Absence)
    if was is not None and order.index(was) >= order.index(absence):
        raise Rejected(Reason.SEAT_AWAY, f"seat {seat} is away already")
    if absence is Absence.MISSED and presence.misses[seat] < MISSES:
        sentence = f"seat {seat} has not let its time run out {MISSES} times in a row"
        raise Rejected(Reason.SEAT_NOT_AWAY, sentence)


def _require_owner_away(presence: Presence, seat: Seat) -> None:
    if presence.away[seat] is None:
        raise Rejected(Reason.SEAT_NOT_AWAY, f"seat {seat} is not away")
    if presence.away[seat] is Absence.REMOVED:
        sentence = f"the owner of seat {seat} was removed; the seat can be taken over"
        raise Rejected(Reason.SEAT_AWAY, sentence)


def _close(state: State, command: CloseGame) -> Iterator[Event]:
    """The game ends without a result, and what its current deal came from is revealed."""
    if state.phase in {Phase.ENDED, Phase.SEALED}:
        raise Rejected(Reason.WRONG_PHASE, "the game is over already")
    if state.phase in _DEALT:
        yield SecretRevealed(state.exchange.deal, command.secret)
    yield GameClosed(command.cause)
