"""One receiver at a table, with what it has not read yet."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from enum import Enum, auto
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.value import replace
from hearts_server.attempt import NO_ATTEMPT, Attempt
from hearts_server.notices import (
    Cause,
    Detached,
    Notice,
    PresenceNow,
    Pulse,
    Said,
    Update,
)

LONGEST_BACKLOG: Final = 256
"""Notices that may wait for a slow reader before it is dropped; it can resume."""


class Delivery(Enum):
    """When a receiver is told."""

    LIVE = auto()
    """As it happens."""
    ON_TURN = auto()
    """What happened since, in one update, when something is asked or must be known at once."""


class Subscriber:
    """One receiver at a table, with a bounded queue of what it has not read yet."""

    def __init__(
        self,
        seat: Seat | None,
        *,
        wants_view: bool = False,
        delivery: Delivery = Delivery.LIVE,
        attempt: Attempt = NO_ATTEMPT,
    ) -> None:
        self.seat = seat
        """None: a spectator."""
        self.attempt = attempt
        self.wants_view = wants_view
        self.delivery = delivery
        self.cause: Cause | None = None
        """Why it was told nothing more; none while it is told, or if nobody reads."""
        self.closed = False
        """Whether nothing more is told."""
        # A list: it seldom holds more than one, and an empty deque takes 760 bytes.
        self._backlog = list[Notice]()
        self._news: asyncio.Future[None] | None = None
        self._at_close: Callable[[], None] | None = None
        self._held: Update | None = None

    def at_close(self, act: Callable[[], None] | None) -> None:
        """Have this done as soon as nothing more is told, in place of what was to be done then."""
        self._at_close = act
        if self.closed and act is not None:
            act()

    def close(self) -> None:
        """Tell nothing more: nobody reads."""
        if not self.closed:
            self.closed = True
            if self._at_close is not None:
                self._at_close()

    def tell(self, notice: Notice) -> None:
        """Queue a notice; a reader too far behind is dropped and must resume."""
        if self.closed:
            return
        if self.delivery is Delivery.LIVE:
            self._queue(notice)
            return
        match notice:
            case Said() | PresenceNow():
                pass
            case Update():
                self._tell_on_turn(notice)
            case Pulse() | Detached():
                # They say how far the log goes, or that no more is told: so far all is told.
                self._tell_held()
                self._queue(notice)
            case _:
                self._queue(notice)

    async def notices(self) -> AsyncIterator[Notice]:
        """Everything told from here on; ends after ``Detached``."""
        while True:
            while not self._backlog:
                self._news = asyncio.get_running_loop().create_future()
                await self._news
            notice = self._backlog.pop(0)
            yield notice
            if isinstance(notice, Detached):
                return

    def _tell_on_turn(self, update: Update) -> None:
        """Hold an update back until something is asked of the seat, or it must know at once."""
        held, self._held = self._held, None
        done = update.acknowledgement
        if held is not None and held.acknowledgement and done:
            self._queue(held)  # one update acknowledges one command
        elif held is not None:
            records = (*held.records, *update.records)
            update = replace(update, records=records, acknowledgement=done or held.acknowledgement)
        if update.prompt is not None or update.urgent or (done is not None and done.repeated):
            self._queue(update)
        else:
            self._held = update

    def _tell_held(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._queue(held)

    def _queue(self, notice: Notice) -> None:
        if len(self._backlog) >= LONGEST_BACKLOG:
            self._backlog.clear()
            notice = Detached(Cause.TOO_SLOW, "you read too slowly; attach again to resume")
        self._backlog.append(notice)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)
        if isinstance(notice, Detached):
            self.cause = notice.cause
            self.close()
