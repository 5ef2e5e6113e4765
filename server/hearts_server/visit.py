"""A stream at a table, of a seat or a spectator: counted and noted when it comes and goes."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from hearts_server.clocks import Clock, Microseconds
from hearts_server.errors import reason_of
from hearts_server.logbook import Entry, Fields, about
from hearts_server.meters import Meters
from hearts_server.notices import NotDone
from hearts_server.subscriber import Subscriber
from hearts_server.table import Table

DROPPED = "dropped"
"""The cause of an end that the table did not bring about."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Visit:
    """One stream, from its attach on."""

    subscriber: Subscriber
    where: Fields
    clock: Clock
    meters: Meters
    since: Microseconds

    @classmethod
    def begin(
        cls, table: Table, subscriber: Subscriber, peer: str, clock: Clock, meters: Meters
    ) -> Visit:
        """The visit of a stream that has just attached from an address."""
        where = Fields(table=table.facts.name, peer=peer)
        if subscriber.seat is None:
            meters.watching += 1
            entry = Entry.WATCH_BEGUN
        else:
            where["seat"] = subscriber.seat
            meters.attaches += 1
            meters.attached += 1
            entry = Entry.ATTACHED
        log.info(entry, extra=about(where, seq=table.journal.seq))
        return cls(subscriber, where, clock, meters, clock.now())

    def refuse(self, request_id: int, error: Exception) -> None:
        """Tell the stream that its request was not carried out."""
        reason = reason_of(error)
        self.meters.refusals[reason] += 1
        log.debug(Entry.REFUSED, extra=about(self.where, reason=reason))
        self.subscriber.tell(NotDone(request_id, error))

    def end(self) -> None:
        """The stream has ended."""
        cause = self.subscriber.cause
        reason = DROPPED if cause is None else cause.name.lower()
        if self.subscriber.seat is None:
            self.meters.watching -= 1
            entry = Entry.WATCH_ENDED
        else:
            self.meters.attached -= 1
            self.meters.detached[reason] += 1
            entry = Entry.DETACHED
        duration = (self.clock.now() - self.since) / 1_000_000
        log.info(entry, extra=about(self.where, reason=reason, duration=duration))
