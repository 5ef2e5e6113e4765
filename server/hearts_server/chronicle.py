"""What operators are told of a game's records: who came and went, and how far it is. No card."""

from __future__ import annotations

import logging

from hearts_engine.events import (
    ClocksStarted,
    ClocksStopped,
    DealBegan,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
)
from hearts_server.ledger import Written
from hearts_server.logbook import Entry, Fields, about

log = logging.getLogger(__name__)


def note(written: tuple[Written, ...]) -> None:
    """Log what these records, which are on disk by now, say that is not about cards."""
    if not log.isEnabledFor(logging.INFO):
        return
    last = written[-1]
    opened = last.state.game.opened
    where = Fields(table=opened.table, game=opened.game_id)
    for line in written:
        if type(line.record.event) in _NOTED:
            _note(line.record.event, where, line.record.seq)
    log.debug(Entry.WRITTEN, extra=about(where, seq=last.record.seq, count=len(written)))


_NOTED = frozenset(
    {GameOpened, SeatTaken, SeatLeft, SeatsFrozen, DealBegan, GameEnded, GameClosed}
    | {SeatAway, SeatBack, SeatTakenOver, ClocksStopped, ClocksStarted}
)
"""Who plays what is for the seats, and the rest follows from it."""


def _note(event: Event, where: Fields, seq: int) -> None:
    match event:
        case GameOpened():
            log.info(Entry.GAME_OPENED, extra=about(where, seq=seq))
        case SeatTaken(seat=seat, kind=kind):
            fields = about(where, seat=seat, kind=kind.value, seq=seq)
            log.info(Entry.SEAT_JOINED, extra=fields)
        case SeatLeft(seat=seat):
            log.info(Entry.SEAT_LEFT, extra=about(where, seat=seat, seq=seq))
        case SeatsFrozen():
            log.info(Entry.GAME_BEGUN, extra=about(where, seq=seq))
        case DealBegan(deal=deal):
            log.debug(Entry.DEAL_BEGUN, extra=about(where, deal=deal, seq=seq))
        case SeatTakenOver(seat=seat, kind=kind):
            fields = about(where, seat=seat, kind=kind.value, seq=seq)
            log.info(Entry.SEAT_TAKEN_OVER, extra=fields)
        case SeatAway(seat=seat, absence=absence):
            fields = about(where, seat=seat, reason=absence.value, seq=seq)
            log.info(Entry.SEAT_AWAY, extra=fields)
        case SeatBack(seat=seat):
            log.info(Entry.SEAT_BACK, extra=about(where, seat=seat, seq=seq))
        case ClocksStopped(cause=cause):
            log.info(Entry.CLOCKS_STOPPED, extra=about(where, reason=cause.value, seq=seq))
        case ClocksStarted():
            log.info(Entry.CLOCKS_STARTED, extra=about(where, seq=seq))
        case GameEnded():
            log.info(Entry.GAME_OVER, extra=about(where, seq=seq))
        case GameClosed(cause=cause):
            log.info(Entry.GAME_CLOSED, extra=about(where, reason=cause.value, seq=seq))
        case _:
            pass
