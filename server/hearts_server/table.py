"""A table: one task that owns the log of its current game and tells everyone what happens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.commands import Command
from hearts_engine.events import SeatTaken
from hearts_engine.state import Phase
from hearts_engine.view import observe
from hearts_replays.log import LogError
from hearts_server.clocks import later
from hearts_server.errors import (
    Code,
    Refused,
    bad_token,
    game_ended,
    not_attached_any_more,
    not_seated,
)
from hearts_server.facts import TableFacts
from hearts_server.inbox import Inbox
from hearts_server.journal import Journal, Premises
from hearts_server.ledger import Written
from hearts_server.notices import (
    Acknowledgement,
    Attached,
    Cause,
    Detached,
    Prompt,
    Subscriber,
    Update,
    prompt_for,
)
from hearts_server.patience import Patience, done_without
from hearts_server.receivers import Receivers
from hearts_server.staff import HouseStaff
from hearts_wire.commands import SeatCommand

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to a prompt."""

    command: SeatCommand
    prompt_seq: int
    request_id: int = 0


@dataclass(frozen=True, slots=True)
class Key:
    """What opens a seat to those who are not of the house."""

    token: str
    game_id: str
    """The game that is meant; empty: whichever is played when the turn comes."""


HouseSeat = Callable[["Table", SeatTaken], Coroutine[Any, Any, None]]
"""What plays a house bot's seat: it attaches and answers like anyone."""


class Table:
    """Where games are played, one after the other.

    Whatever changes it runs in the table's own task: :meth:`in_turn` brings it there.
    """

    def __init__(
        self,
        facts: TableFacts,
        journal: Journal,
        premises: Premises,
        play_house: HouseSeat,
        moon_time: timedelta,
    ) -> None:
        self.facts = facts
        self.journal = journal
        self.receivers = Receivers()
        self._premises = premises
        self._inbox = Inbox()
        self._staff = HouseStaff(partial(play_house, self))
        self._patience = Patience(premises.clock, moon_time, self._go_on)
        self._tasks = asyncio.TaskGroup()

    @property
    def deserted(self) -> bool:
        """Whether the game is over, nobody is attached, and nothing is being asked."""
        return self.over and self.unattended

    @property
    def unattended(self) -> bool:
        """Whether nobody is attached and nothing is being asked."""
        return not self.receivers and self._inbox.idle

    @property
    def over(self) -> bool:
        """Whether the game is over; the log alone says so."""
        return self.journal.state.phase is Phase.SEALED

    async def run(self) -> None:
        """Do the table's work until it is closed."""
        try:
            async with self._tasks:
                self._keep_staffed()
                await self._inbox.run()
                self._staff.dismiss()
                self._patience.stop()
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

    async def attach(
        self,
        seat: Seat,
        after_seq: int = 0,
        after_head: bytes = b"",
        *,
        wants_view: bool = False,
        key: Key | None = None,
    ) -> Subscriber:
        """Take up a seat's stream after a record; an older stream of the seat is ended.

        Raises ``Refused`` for a key that does not open the seat when the turn comes, for a head
        that is not in the log, and for a seat whose owner does not sit in the current game.
        """
        subscriber = Subscriber(seat, wants_view=wants_view)

        async def attach() -> None:
            if key is not None:
                self._require_opened(seat, key)
            self._attach(subscriber, after_seq, after_head)

        try:
            await self.in_turn(attach)
        except BaseException:
            self.receivers.discard(subscriber)  # whoever asked may be gone before its turn comes
            raise
        return subscriber

    async def answer(self, answer: Answer, sender: Subscriber) -> None:
        """Carry out a seat's answer; its sender is told with the update.

        A repeat of an answer given before is only acknowledged. Raises ``Rejected`` or
        ``Refused``, with nothing changed; a sender that does not hold its seat is refused.
        """
        await self.in_turn(partial(self._answer, answer, sender))

    # From here on: only in the table's own task.

    async def do(
        self,
        command: Command,
        sender: Subscriber | None = None,
        done: Acknowledgement | None = None,
    ) -> None:
        """Carry out a command and tell everyone, each in one message."""
        try:
            written = await self.journal.carry_out(command)
        finally:
            if self.journal.in_doubt:
                self.stop()  # whoever attaches next has it taken up from its log
        self._keep_staffed()
        self._publish(written, sender, done)
        if self.over:
            await self._tidy_up()
            self.receivers.end_all(Cause.GAME_OVER, "the game is over")

    async def keep(self, facts: TableFacts) -> None:
        """Change what is known of the table besides its log, on disk first."""
        await self._premises.store.tables.put(facts.name, facts.to_bytes())
        self.facts = facts

    async def begin(self, journal: Journal, facts: TableFacts) -> None:
        """Take up the next game at this table, in which only house bots sit so far."""
        await self.keep(facts)
        self.journal = journal
        self._keep_staffed()

    def _require_opened(self, seat: Seat, key: Key) -> None:
        if self.seat_of(key.token) != seat:
            raise bad_token()
        if key.game_id not in ("", self.facts.game_id):
            raise game_ended(key.game_id)

    def _attach(self, subscriber: Subscriber, after_seq: int, after_head: bytes) -> None:
        journal, seat = self.journal, subscriber.seat
        if subscriber.closed:
            return
        if journal.state.game.seats[seat] is None:
            raise not_seated()
        if after_seq and journal.head_at(after_seq) != after_head:
            raise Refused(
                Code.DATA_LOSS,
                "HEAD_NOT_IN_LOG",
                f"the head you saw at record {after_seq} is not in this game's log; "
                "the log was changed, or this is another game",
            )
        self.receivers.end(seat, Cause.SUPERSEDED, "your seat was attached from elsewhere")
        view = observe(journal.state, seat)
        records = journal.visible_after(after_seq, seat)
        prompt = self._open_prompt(seat)
        subscriber.tell(Attached(view, records, journal.seq, journal.head, prompt))
        if self.over:
            subscriber.tell(Detached(Cause.GAME_OVER, "the game is over"))
        else:
            self.receivers.add(subscriber)

    async def settle(self) -> None:
        """Make up for what a server that died at the end of the game could not note any more."""
        if self.over and not self.facts.over:
            await self._tidy_up()

    async def _tidy_up(self) -> None:
        """Note that the game is over; its log says so too, so that this may fail."""
        store = self._premises.store
        try:
            await self.keep(replace(self.facts, over=True))
            await store.secrets.forget(self.facts.game_id)
        except LogError as error:
            log.warning("table %s is over, which could not be noted: %s", self.facts.name, error)

    async def _answer(self, answer: Answer, sender: Subscriber) -> None:
        if sender.closed or sender not in self.receivers:
            # Asked in time or not: whoever holds the seat now must not be answered for.
            raise not_attached_any_more()
        journal = self.journal
        repeated = journal.prompts.is_repeat(answer.command, answer.prompt_seq)
        done = Acknowledgement(answer.request_id, answer.prompt_seq, repeated)
        if repeated:
            sender.tell(Update((), journal.seq, journal.head, acknowledgement=done))
        else:
            await self.do(answer.command, sender, done)

    def _publish(
        self,
        written: tuple[Written, ...],
        sender: Subscriber | None,
        done: Acknowledgement | None,
    ) -> None:
        journal, first = self.journal, written[0].record.seq
        for subscriber in self.receivers:
            seat = subscriber.seat
            seen = (line for line in written if visible_to(seat, line.record.event))
            newly_asked = (journal.prompts.open_for(seat) or 0) >= first
            subscriber.tell(
                Update(
                    tuple(line.data for line in seen),
                    journal.seq,
                    journal.head,
                    self._open_prompt(seat) if newly_asked else None,
                    done if subscriber is sender else None,
                    observe(journal.state, seat) if subscriber.wants_view else None,
                )
            )

    def _open_prompt(self, seat: Seat) -> Prompt | None:
        seq = self.journal.prompts.open_for(seat)
        if seq is None:
            return None
        return prompt_for(self.journal.state, seat, seq, self._patience.deadline)

    def _keep_staffed(self) -> None:
        """Let bots and the table's patience run where the game as it stands wants them."""
        state = self.journal.state
        self._patience.keep(self._tasks, state.phase)
        if not self.over:
            self._staff.fill(self._tasks, state.game.seats)

    async def _go_on(self) -> None:
        await self.in_turn(self._do_without)

    async def _do_without(self) -> None:
        for command in done_without(self.journal.state):
            await self.do(command)
