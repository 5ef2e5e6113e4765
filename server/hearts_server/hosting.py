"""What the host of a table may do: bots, removal, the start, pauses, and handing over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from hearts_engine.attendance import is_under_way
from hearts_engine.cards import Seat
from hearts_engine.commands import FreezeSeats, LeaveSeat, StartClocks, StopClocks
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import Absence, SeatKind, SeatTaken, StopCause
from hearts_engine.state import State
from hearts_server.admission import Newcomer, start_with
from hearts_server.caretaker import GONE
from hearts_server.departure import departure, next_host
from hearts_server.errors import Code, Refused, bad_token, not_the_host
from hearts_server.notices import Cause
from hearts_server.seating import is_secret
from hearts_server.table import Table

HOUSE_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jude", "Kit")
"""One more than a table can have seats."""


@dataclass(frozen=True, slots=True)
class Hosting:
    """The host's place at one table. A token says whether it is the host who asks."""

    table: Table

    async def add_house_bot(self, token: str, level: str, wanted: Seat | None) -> Seat:
        """Seat a house bot."""
        return await self.table.in_turn(partial(self._add_house_bot, token, level, wanted))

    async def remove(self, token: str, seat: Seat) -> None:
        """Free a seat before the start; in a game under way, have it played for nobody."""
        await self.table.in_turn(partial(self._remove, token, seat))

    async def start(self, token: str) -> None:
        """Start the game."""
        await self.table.in_turn(partial(self._start, token))

    async def pause(self, token: str) -> None:
        """Stop the game for a while."""
        await self.table.in_turn(partial(self._pause, token))

    async def resume(self, token: str) -> None:
        """Let a paused game go on."""
        await self.table.in_turn(partial(self._resume, token))

    async def hand_over(self, token: str, seat: Seat) -> None:
        """Make another seat the host's."""
        await self.table.in_turn(partial(self._hand_over, token, seat))

    # From here on: only in the table's own task, so that a token opens what it opens then.

    def _require_host(self, token: str) -> None:
        """Refuse whoever is not the host; where nobody is, anyone who sits here will do."""
        facts = self.table.facts
        if is_secret(token, facts.host_digest):
            return
        seat = facts.seating.seat_of(token)
        if seat is None:
            raise bad_token()
        if facts.host not in (None, seat):
            taken = self._seats[facts.host]
            raise not_the_host(None if taken is None else taken.name)

    def _sits(self, token: str) -> bool:
        return self.table.facts.seating.seat_of(token) is not None

    async def _add_house_bot(self, token: str, level: str, wanted: Seat | None) -> Seat:
        if not (self.table.facts.start_when_full and self._sits(token)):
            # At a table that starts when it is full whoever waits may fill it.
            self._require_host(token)
        seat = self._free_seat() if wanted is None else wanted
        sit = Newcomer(self._free_name(), SeatKind.HOUSE, level).on(seat)
        self.table.journal.check(sit)
        await self._free(seat)  # whoever sat there in the game before must not see the bot's cards
        await self.table.do(sit, *start_with(self.table, seat))
        return seat

    async def _remove(self, token: str, seat: Seat) -> None:
        self._require_host(token)
        taken = self._seats[seat] if seat < len(self._seats) else None
        if taken is None:
            raise Rejected(Reason.SEAT_EMPTY, f"nobody sits on seat {seat}")
        if not is_under_way(self._state):
            await self.table.do(LeaveSeat(seat))
        elif taken.kind is SeatKind.HOUSE:
            sentence = f"a house bot plays seat {seat} for nobody already"
            raise Refused(Code.FAILED_PRECONDITION, "PLAYED_FOR_NOBODY", sentence)
        else:
            commands = departure(self._state, seat, Absence.REMOVED)
            if commands:  # none at a repeat, which revokes what a failing store left
                await self.table.do(*commands)
        await self._free(seat)

    async def _free(self, seat: Seat) -> None:
        """Let no token open the seat any more, and end what one opened."""
        facts = self.table.facts
        await self.table.keep(facts.without(seat, next_host(facts, self._state, seat)))
        self.table.dismiss(seat, Cause.REMOVED, "the host gave your seat to somebody else")

    async def _start(self, token: str) -> None:
        self._require_host(token)
        await self.table.do(FreezeSeats())

    async def _pause(self, token: str) -> None:
        self._require_host(token)
        await self.table.do(StopClocks(StopCause.HOST))

    async def _resume(self, token: str) -> None:
        paused = self._state.game.presence.stopped is StopCause.HOST
        host_is_here = self.table.facts.host in self.table.connected
        if host_is_here or not (paused and self._sits(token)):
            # A host who is not there must not hold up those who are.
            self._require_host(token)
        if not paused:
            raise Rejected(Reason.WRONG_PHASE, "the game is not paused")
        await self.table.do(StartClocks())

    async def _hand_over(self, token: str, seat: Seat) -> None:
        self._require_host(token)
        facts = self.table.facts
        if facts.seating.on(seat) is None:
            sentence = f"seat {seat} is nobody's who could be host; choose a person's or a bot's"
            raise Rejected(Reason.SEAT_EMPTY, sentence)
        if self._state.game.presence.away[seat] in GONE:
            sentence = f"whoever sat on seat {seat} has left; choose somebody who is there"
            raise Rejected(Reason.SEAT_AWAY, sentence)
        await self.table.keep(replace(facts, host=seat))

    @property
    def _state(self) -> State:
        return self.table.journal.state

    @property
    def _seats(self) -> tuple[SeatTaken | None, ...]:
        return self._state.game.seats

    def _free_name(self) -> str:
        """A name for a house bot that nobody at the table has."""
        taken = {sitter.name for sitter in self._seats if sitter is not None}
        return next(name for name in HOUSE_NAMES if name not in taken)

    def _free_seat(self) -> Seat:
        """The first that is free; the seats of those who may yet play again come last."""
        free = [Seat(index) for index, taken in enumerate(self._seats) if taken is None]
        if not free:
            raise Rejected(Reason.SEAT_OCCUPIED, "every seat at this table is taken")
        held = self.table.facts.seating
        return min(free, key=lambda seat: held.on(seat) is not None)
