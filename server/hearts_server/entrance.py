"""Where those come in whom a table tells what happens: seats' owners, and those who watch."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind
from hearts_engine.view import observe
from hearts_server.caretaker import return_of
from hearts_server.errors import (
    Code,
    Refused,
    bad_token,
    game_ended,
    not_attached_any_more,
    not_seated,
)
from hearts_server.notices import Attached, Cause, Detached
from hearts_server.subscriber import Subscriber
from hearts_server.table import Table


@dataclass(frozen=True, slots=True)
class Key:
    """What opens a seat to those who are not of the house."""

    token: str
    game_id: str
    """The game that is meant; empty: whichever is played when the turn comes."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How far someone who comes back has seen the log."""

    seq: int = 0
    """0: nothing of it."""
    head: bytes = b""


@dataclass(frozen=True, slots=True)
class Entrance:
    """The way in to one table."""

    table: Table

    async def attach(
        self, subscriber: Subscriber, seen: Seen = Seen(), key: Key | None = None
    ) -> None:
        """Let a receiver take up its seat's stream after a record; an older one is ended.

        Whatever was decided for the seat while its owner was away, from here it decides itself;
        unless this is a client that was cut off and comes back without anybody at the keyboard.
        Raises ``Refused`` for a key that does not open the seat when the turn comes, for a head
        that is not in the log, for a seat whose owner does not sit in the current game, and for
        an attempt that arrives after a later one of its client.
        """
        await self._admit(subscriber, partial(self._attach, subscriber, seen, key))

    async def watch(self, subscriber: Subscriber, seen: Seen = Seen(), game_id: str = "") -> None:
        """Let a receiver watch, after a record. Raises ``Refused`` as :meth:`attach` does."""
        await self._admit(subscriber, partial(self._watch, subscriber, seen, game_id))

    async def _admit(self, subscriber: Subscriber, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await self.table.in_turn(work)
        except BaseException:
            self.table.part(subscriber)  # whoever asked may be gone before its turn comes
            raise

    # From here on: only in the table's own task.

    async def _attach(self, subscriber: Subscriber, seen: Seen, key: Key | None) -> None:
        table, seat = self.table, subscriber.seat
        assert seat is not None, "a spectator watches"
        if key is not None:
            self._require_opened(seat, key)
        if subscriber.closed:
            return
        if table.journal.state.game.seats[seat] is None:
            raise not_seated()
        if table.receivers.outrun(subscriber):
            raise not_attached_any_more()
        self._require_in_log(seen)
        await self._welcome(seat, anew=not subscriber.attempt.is_again)
        table.receivers.end(seat, Cause.SUPERSEDED, "your seat was attached from elsewhere")
        self._let_in(subscriber, seen)

    async def _watch(self, subscriber: Subscriber, seen: Seen, game_id: str) -> None:
        if game_id not in ("", self.table.facts.game_id):
            raise game_ended(game_id)
        self._require_in_log(seen)
        self._let_in(subscriber, seen)

    async def _welcome(self, seat: Seat, *, anew: bool) -> None:
        """Note what the coming of a seat's owner changes, before that is shown what holds.

        ``anew``: it was the owner who came, not a client that was cut off.
        """
        state = self.table.journal.state
        taken = state.game.seats[seat]
        if taken is None or taken.kind is SeatKind.HOUSE:
            return
        back = return_of(state, seat) if anew else None
        if back is not None:
            await self.table.do(back)
        await self.table.note_duties((*self.table.connected, seat))

    def _let_in(self, subscriber: Subscriber, seen: Seen) -> None:
        """Show a receiver the game as it stands, and tell it what comes."""
        if subscriber.closed:
            return
        table, journal, seat = self.table, self.table.journal, subscriber.seat
        view = observe(journal.state, seat)
        records = journal.visible_after(seen.seq, seat)
        prompt = None if seat is None else table.open_prompt(seat)
        subscriber.tell(Attached(view, records, journal.seq, journal.head, prompt))
        if table.over:
            subscriber.tell(Detached(Cause.GAME_OVER, "the game is over"))
        else:
            table.add(subscriber)

    def _require_opened(self, seat: Seat, key: Key) -> None:
        if self.table.seat_of(key.token) != seat:
            raise bad_token()
        if key.game_id not in ("", self.table.facts.game_id):
            raise game_ended(key.game_id)

    def _require_in_log(self, seen: Seen) -> None:
        if seen.seq and self.table.journal.head_at(seen.seq) != seen.head:
            raise Refused(
                Code.DATA_LOSS,
                "HEAD_NOT_IN_LOG",
                f"the head you saw at record {seen.seq} is not in this game's log; "
                "the log was changed, or this is another game",
            )
