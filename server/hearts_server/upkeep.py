"""What a table does by itself: it keeps time, decides for those who do not, and gives up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Protocol

from hearts_engine.attendance import is_under_way
from hearts_engine.cards import Seat
from hearts_engine.commands import Command
from hearts_engine.events import Agent, CloseCause
from hearts_engine.state import Phase
from hearts_server.alarm import Alarm
from hearts_server.autopilot import decision_for
from hearts_server.caretaker import absent_deciders, is_attended, next_duty
from hearts_server.clocks import Clock, Microseconds, later
from hearts_server.errors import STORE_UNAVAILABLE, Refused
from hearts_server.inbox import Inbox
from hearts_server.journal import Journal
from hearts_server.logbook import Entry, about
from hearts_server.staff import HouseStaff, PlaySeat
from hearts_server.timekeeper import Timekeeper, without_deciding

RETRY_TIME: Final = timedelta(seconds=1)
"""How long the table's own work waits for a store that failed."""

RETURN_TIME: Final = timedelta(minutes=10)
"""How long a table that was taken up waits for its people at the least, however long they were
gone: the server may have been gone as long."""

ABSENCE_TIME: Final = timedelta(seconds=5)
"""How long none of the people is connected before time stands still."""

log = logging.getLogger(__name__)


class Kept(Protocol):
    """A table, as its upkeep sees it."""

    journal: Journal

    @property
    def connected(self) -> Collection[Seat]:
        """The seats that somebody is connected for, house bots apart."""
        ...

    async def do(self, *commands: Command) -> None:
        """Carry out commands and tell everyone."""
        ...


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a table is kept up."""

    tasks: asyncio.TaskGroup
    """Where bots and alarms run."""
    play: PlaySeat
    """What plays a house bot's seat."""
    close_after: timedelta | None
    """How long a game goes unattended before it is given up; none: for ever."""


class Upkeep:
    """Everything that no request asks for. All of it is done in the table's turn."""

    def __init__(self, table: Kept, inbox: Inbox, clock: Clock, terms: Terms) -> None:
        self._table = table
        self._inbox = inbox
        self._clock = clock
        self._terms = terms
        self._times = Timekeeper()
        self._staff = HouseStaff(terms.play, lambda: inbox.post(self._look_again))
        self._alarm = Alarm(clock, terms.tasks, self.look_after)
        self._attended: Microseconds = table.journal.time
        """When somebody was last connected; of a table taken up, when it was last written to."""
        self._may_return_until = later(clock.now(), RETURN_TIME)
        self._was_attended = False
        self._alone_since: Microseconds | None = None
        self._retry: Microseconds | None = None
        """When to try again what the store did not write."""
        self._posted = False

    def deadline_of(self, seat: Seat) -> Microseconds | None:
        """When the time of a seat that is asked runs out; none if it takes as long as it takes."""
        return self._times.deadlines.get(seat)

    def keep_up(self) -> None:
        """Let bots and clocks run where the game as it stands wants them."""
        journal, connected = self._table.journal, self._table.connected
        state, now = journal.state, self._clock.now()
        self._note_absence(connected, now)
        # Where the clock was set back, records are ahead of it; an audit goes by these.
        self._times.keep(state, journal.prompts.open, max(now, journal.time))
        if state.phase is Phase.SEALED:
            self._alarm.set(None)
            return
        if connected or self._was_attended:
            self._attended = now
        # A day of waiting for people to sit down is none in which they left a game alone.
        self._was_attended = bool(connected) or not is_under_way(state)
        self._staff.fill(self._terms.tasks, state.game.seats)
        self._alarm.set(self._next_moment(attended=bool(connected)))
        if absent_deciders(state) or next_duty(state, connected, gone=self._are_gone(now)):
            self.look_after()

    def look_after(self) -> None:
        """See to it, in the table's turn, that what is due by itself is done."""
        if not self._posted:
            self._posted = True
            self._inbox.post(self._see_to_it)

    def stop(self) -> None:
        """Send the bots away and let no clock ring."""
        self._staff.dismiss()
        self._alarm.stop()

    async def note_duties(self, connected: Collection[Seat], *, gone: bool = False) -> None:
        """Note who is away and whether time runs, with these seats connected."""
        while (command := next_duty(self._table.journal.state, connected, gone=gone)) is not None:
            await self._table.do(command)

    def _note_absence(self, connected: Collection[Seat], now: Microseconds) -> None:
        """Note since when none of the people at a table with clocks is connected."""
        state = self._table.journal.state
        runs = state.game.opened.turn_seconds and state.game.presence.stopped is None
        if not runs or is_attended(state, connected):
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now

    def _are_gone(self, now: Microseconds) -> bool:
        """Whether the people have not been connected for so long that time stands still.

        A moment without a connection is none, and gives nobody more time than there was.
        """
        since = self._alone_since
        return since is not None and now >= later(since, ABSENCE_TIME)

    def _next_moment(self, *, attended: bool) -> Microseconds | None:
        moments = [] if self._times.next_deadline is None else [self._times.next_deadline]
        end = self._end_of_patience
        if end is not None and not attended and is_under_way(self._table.journal.state):
            moments.append(end)
        if self._alone_since is not None:
            moments.append(later(self._alone_since, ABSENCE_TIME))
        if self._retry is not None:
            return self._retry
        return min(moments, default=None)

    @property
    def _end_of_patience(self) -> Microseconds | None:
        """When a game that nobody attends is given up; none: never."""
        after = self._terms.close_after
        return None if after is None else max(later(self._attended, after), self._may_return_until)

    async def _look_again(self) -> None:
        self.keep_up()

    async def _see_to_it(self) -> None:
        self._posted, self._retry = False, None
        try:
            await self._do_what_is_due()
        except Refused as refused:
            log.warning(Entry.DUE_NOT_DONE, extra=about(reason=refused.reason))
            if refused.reason == STORE_UNAVAILABLE:  # the game cannot go on without this
                self._retry = later(self._clock.now(), RETRY_TIME)
                self._alarm.set(self._retry)
        else:
            # Where nothing was due yet, nothing that was done has set the alarm again.
            self._alarm.set(self._next_moment(attended=bool(self._table.connected)))

    async def _do_what_is_due(self) -> None:
        table, now = self._table, self._clock.now()
        await self._give_up(now)
        # While nobody is there time runs out for none of them: it stands still before that.
        alone = self._alone_since is not None and bool(self._times.overdue(now))
        await self.note_duties(table.connected, gone=alone or self._are_gone(now))
        state = table.journal.state
        withheld = without_deciding(state, (*self._times.overdue(now), *absent_deciders(state)))
        if withheld:
            await table.do(*withheld)
            return
        for seat in self._times.overdue(now):
            if seat in self._times.overdue(now):  # after the decisions before it
                away = table.journal.state.game.presence.away[seat]
                await self._decide(seat, Agent.CLOCK if away is None else Agent.AUTOPILOT)
                await self.note_duties(table.connected)
        for seat in absent_deciders(table.journal.state)[:1]:
            await self._decide(seat, Agent.AUTOPILOT)

    async def _decide(self, seat: Seat, by: Agent) -> None:
        """Decide for a seat that a decision is due from."""
        state = self._table.journal.state
        decision = await decision_for(state, seat, by)
        if decision is not None:
            await self._table.do(decision)

    async def _give_up(self, now: Microseconds) -> None:
        """Close a game that nobody has attended for too long."""
        table, journal, end = self._table, self._table.journal, self._end_of_patience
        if end is None or table.connected or now < end:
            return
        if is_under_way(journal.state):
            await table.do(journal.closing(CloseCause.UNATTENDED))
