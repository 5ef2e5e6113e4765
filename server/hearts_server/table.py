"""A table: one task that owns the log of its current game and tells everyone what happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Coroutine
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from hearts_engine.cards import Seat
from hearts_engine.commands import Command, StopClocks
from hearts_engine.events import SeatKind, SeatTaken, StopCause
from hearts_engine.state import Phase
from hearts_replays.log import LogError
from hearts_server.broadcast import broadcast
from hearts_server.caretaker import return_of
from hearts_server.clocks import later
from hearts_server.errors import (
    bad_token,
    not_attached_any_more,
    not_seated,
)
from hearts_server.facts import TableFacts
from hearts_server.inbox import Inbox
from hearts_server.journal import Journal, Premises
from hearts_server.logbook import Entry, about
from hearts_server.noticeboard import is_shown
from hearts_server.notices import (
    Acknowledgement,
    Cause,
    Phrase,
    PresenceNow,
    Prompt,
    Said,
    Update,
    prompt_for,
)
from hearts_server.receivers import Receivers
from hearts_server.rollcall import RollCall
from hearts_server.subscriber import Subscriber
from hearts_server.timekeeper import keeps_time
from hearts_server.upkeep import Terms, Upkeep
from hearts_wire.commands import SeatCommand

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to a prompt."""

    command: SeatCommand
    prompt_seq: int
    request_id: int = 0


HouseSeat = Callable[["Table", SeatTaken], Coroutine[Any, Any, None]]
"""What plays a house bot's seat: it attaches and answers like anyone."""


@dataclass(frozen=True, slots=True)
class Service:
    """What is done for a table from outside."""

    play_house: HouseSeat
    close_after: timedelta | None
    """How long a game goes unattended before it is given up; none: for ever."""
    let_go: Callable[[Table], None]
    """Forgets a table whose game is over, unless somebody needs it still."""


class Table:
    """Where games are played, one after the other.

    Whatever changes it runs in the table's own task: :meth:`in_turn` brings it there.
    """

    def __init__(
        self,
        facts: TableFacts,
        journal: Journal,
        premises: Premises,
        service: Service,
    ) -> None:
        self.facts = facts
        self.journal = journal
        self.receivers = Receivers()
        self._premises = premises
        self._inbox = Inbox()
        self._tasks = asyncio.TaskGroup()
        self._service = service
        terms = Terms(self._tasks, partial(service.play_house, self), service.close_after)
        self._upkeep = Upkeep(self, self._inbox, premises.clock, terms)
        self._roll = RollCall(self._presence, self.receivers, premises.clock, premises.metronome)

    @property
    def deserted(self) -> bool:
        """Whether the game is over, nobody is attached, and nothing is being asked."""
        return self.over and self.unattended

    @property
    def unattended(self) -> bool:
        """Whether nobody is attached, house bots apart, and nothing is being asked."""
        return not self.connected and not self.receivers.watchers and self._inbox.idle

    @property
    def over(self) -> bool:
        """Whether the game is over; the log alone says so."""
        return self.journal.state.phase is Phase.SEALED

    @property
    def connected(self) -> tuple[Seat, ...]:
        """The seats that somebody is connected for, house bots apart."""
        seats = self.journal.state.game.seats
        return tuple(
            seat
            for seat in self.receivers.seats
            if (taken := seats[seat]) is not None and taken.kind is not SeatKind.HOUSE
        )

    async def run(self) -> None:
        """Do the table's work until it is closed."""
        try:
            async with self._tasks:
                self._upkeep.keep_up()
                await self._inbox.run()
                self._upkeep.stop()
        finally:
            # Also when something here failed: a stream must not wait for a table that is gone.
            self.receivers.end_all(Cause.DRAINING, "the table has stopped; attach again later")

    def stop(self) -> None:
        """Finish what was asked before, tell everyone, and end the task."""
        self._inbox.close()

    async def pause(self, time: timedelta) -> None:
        """Wait so long, by the clock of the premises."""
        clock = self._premises.clock
        await clock.wait_until(later(clock.now(), time))

    async def in_turn(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have work done in the table's task, after what was asked before it."""
        return await self._inbox.ask(work)

    def seat_of(self, token: str) -> Seat:
        """The seat that a token opens as things stand; ``Refused`` if none.

        Only in turn does the answer hold for what is done with it.
        """
        seat = self.facts.seating.seat_of(token)
        if seat is None:
            raise bad_token()
        return seat

    def dismiss(self, seat: Seat, cause: Cause, sentence: str) -> None:
        """End the stream of a seat, if it has one."""
        self.receivers.end(seat, cause, sentence)
        self._inbox.post(self._parted)

    def part(self, subscriber: Subscriber) -> None:
        """Forget a receiver whose stream has ended; the seat stays taken."""
        held = subscriber in self.receivers
        self.receivers.discard(subscriber)
        if held and not self.over:
            self._inbox.post(self._parted)

    async def answer(self, answer: Answer, sender: Subscriber) -> None:
        """Carry out a seat's answer; its sender is told with the update.

        A repeat of an answer given before is only acknowledged. Raises ``Rejected`` or
        ``Refused``, with nothing changed; a sender that does not hold its seat is refused.
        """
        await self.in_turn(partial(self._answer, answer, sender))

    async def say(self, words: str | Phrase, sender: Subscriber) -> None:
        """Tell everyone what the owner of a seat says; it is not kept."""
        await self.in_turn(partial(self._say, words, sender))

    async def come_back(self, sender: Subscriber) -> None:
        """Let the owner of a seat, who is here, decide for it again."""
        await self.in_turn(partial(self._come_back, sender))

    # From here on: only in the table's own task.

    async def do(self, *commands: Command) -> None:
        """Carry out commands, all or nothing, and tell everyone, each in one message."""
        await self._do(commands)

    async def keep(self, facts: TableFacts) -> None:
        """Change what is known of the table besides its log, on disk first."""
        await self._premises.store.tables.put(facts.name, facts.to_bytes())
        self.facts = facts
        self._note_presence()

    async def begin(self, journal: Journal, facts: TableFacts) -> None:
        """Take up the next game at this table, in which only house bots sit so far."""
        await self.keep(facts)
        self.journal = journal
        self._ring()
        self._upkeep.keep_up()

    def add(self, subscriber: Subscriber) -> None:
        """Tell a receiver, who was shown the game as it stands, what comes."""
        self.receivers.add(subscriber)
        self._upkeep.keep_up()
        if not self._note_presence():
            self._roll.greet(subscriber)

    async def note_duties(self, connected: Collection[Seat]) -> None:
        """Note who is away and whether time runs, with these seats connected."""
        await self._upkeep.note_duties(connected)

    def open_prompt(self, seat: Seat) -> Prompt | None:
        """What a seat is asked now; nothing while it is away, and in a pause."""
        seq, state = self.journal.prompts.open_for(seat), self.journal.state
        presence = state.game.presence
        if seq is None or presence.away[seat] is not None or presence.stopped is StopCause.HOST:
            return None
        return prompt_for(state, seat, seq, self._upkeep.deadline_of(seat))

    async def settle(self) -> None:
        """Make up for what a server that died could not note any more.

        It may have died at the end of the game; in the middle of one, time stood still since.
        """
        if self.over and not self.facts.over:
            await self._tidy_up()
        state = self.journal.state
        if keeps_time(state) and state.game.presence.stopped is None:
            await self.journal.carry_out(StopClocks(StopCause.RESTART))

    async def _do(
        self,
        commands: tuple[Command, ...],
        done: tuple[Subscriber, Acknowledgement] | None = None,
    ) -> None:
        try:
            written = await self.journal.carry_out(*commands)
        finally:
            if self.journal.in_doubt:
                self.stop()  # whoever attaches next has it taken up from its log
        self._upkeep.keep_up()
        if any(is_shown(line.record.event) for line in written):
            self._ring()
        told = broadcast(written, self.receivers, self.journal, self.open_prompt, done)
        self._premises.meters.updates += told
        if self.over:
            await self._tidy_up()
            given_up = self.journal.state.game.closed is not None
            sentence = "the game was given up" if given_up else "the game is over"
            self.receivers.end_all(Cause.GAME_OVER, sentence)
            # Whoever is there lets go of it in the end; bots may have played on for nobody.
            self._premises.metronome.at_next_beat(partial(self._service.let_go, self))

    async def _parted(self) -> None:
        self._upkeep.keep_up()
        self._note_presence()

    async def _tidy_up(self) -> None:
        """Note that the game is over; its log says so too, so that this may fail."""
        store = self._premises.store
        try:
            await self.keep(replace(self.facts, over=True))
            await store.secrets.forget(self.facts.game_id)
        except LogError as error:
            fields = about(table=self.facts.name, store_says=str(error))
            log.warning(Entry.STORE_TROUBLE, extra=fields)

    async def _answer(self, answer: Answer, sender: Subscriber) -> None:
        await self._come_back(sender)
        journal = self.journal
        repeated = journal.prompts.is_repeat(answer.command, answer.prompt_seq)
        done = Acknowledgement(answer.request_id, answer.prompt_seq, repeated)
        if repeated:
            sender.tell(Update((), journal.seq, journal.head, acknowledgement=done))
        else:
            await self._do((answer.command,), (sender, done))

    async def _say(self, words: str | Phrase, sender: Subscriber) -> None:
        await self._come_back(sender)
        seat = sender.seat
        taken = None if seat is None else self.journal.state.game.seats[seat]
        if taken is None:
            raise not_seated()
        said = Said(taken.seat, taken.name, self._premises.clock.now(), words)
        for subscriber in self.receivers:
            subscriber.tell(said)

    async def _come_back(self, sender: Subscriber) -> None:
        """Note that a seat's owner is here. Refuses a sender that does not hold its seat."""
        seat = sender.seat
        if seat is None or sender.closed or sender not in self.receivers:
            # Asked in time or not: whoever holds the seat now must not be answered for.
            raise not_attached_any_more()
        back = return_of(self.journal.state, seat)
        if back is not None:
            await self.do(back)

    def _presence(self) -> PresenceNow:
        return PresenceNow(self.connected, self.receivers.watchers, self.facts.host)

    def _note_presence(self) -> bool:
        """Have everyone told who is connected, if that has changed; whether it has."""
        changed = self._roll.changed()
        if changed:
            self._ring()
        return changed

    def _ring(self) -> None:
        """Have the lobby shown what has changed."""
        self._premises.board.ring(self.facts.name)
