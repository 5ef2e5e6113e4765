"""A server makes itself known on the local network, by mDNS."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol

from hearts_server.clocks import Clock, later
from hearts_server.logbook import Entry, about, trace_of
from hearts_wire.announcement import Announcement

PAUSE = timedelta(seconds=2)
"""Between two looks at the tables, and so the least between two announcements."""

RETRY = timedelta(seconds=30)
"""Between two attempts while there is no network."""

FAREWELL_SECONDS = 2.0
"""How long the network may take to hear that the server is gone."""

log = logging.getLogger(__name__)


class CannotAnnounce(Exception):
    """There is no network to announce on, or it does not work; the sentence says why."""


class Responder(Protocol):
    """Answers on the local network, under one name, until it is withdrawn."""

    async def addresses(self) -> tuple[str, ...]:
        """Where others find the server now; raises ``CannotAnnounce`` if nowhere."""
        ...

    async def announce(self, announcement: Announcement, addresses: tuple[str, ...]) -> None:
        """Say this, in place of what was said before; raises ``CannotAnnounce``."""
        ...

    async def withdraw(self) -> None:
        """Say that the server is gone; no error if nothing was said."""
        ...


@dataclass(slots=True)
class Beacon:
    """Keeps what is announced equal to what is so."""

    clock: Clock
    responder: Responder
    now_so: Callable[[], Announcement]
    """What should be announced at this moment."""
    _told: tuple[Announcement, tuple[str, ...]] | None = None
    _failing: bool = False

    async def run(self) -> None:
        """Announce and keep up to date, for ever."""
        while True:
            pause = await self._tell(self.now_so())
            await self.clock.wait_until(later(self.clock.now(), pause))

    async def _tell(self, news: Announcement) -> timedelta:
        """Say it if it is news; how long to wait before the next look."""
        try:
            addresses = await self.responder.addresses()
            if self._told == (news, addresses):
                return PAUSE
            if self._told is not None and self._told[1] != addresses:
                await self.responder.withdraw()  # from the networks that it was on
            await self.responder.announce(news, addresses)
        except CannotAnnounce as error:
            if not self._failing:
                log.warning(Entry.NOT_ANNOUNCED, extra=about(network_says=str(error)))
            await self.responder.withdraw()
            self._failing, self._told = True, None
            return RETRY
        if self._told is None:
            log.info(Entry.ANNOUNCED)
        self._told, self._failing = (news, addresses), False
        return PAUSE


@asynccontextmanager
async def announced(beacon: Beacon) -> AsyncGenerator[None, None]:
    """The beacon is lit until the block is left; that it fails is no matter of the block."""
    burning = asyncio.create_task(_burn(beacon), name="beacon")
    try:
        yield
    finally:
        burning.cancel()
        await asyncio.wait([burning])


async def _burn(beacon: Beacon) -> None:
    try:
        await beacon.run()
    except Exception as error:  # noqa: BLE001  (it is noted, and must not end the games)
        fields = about(trace=trace_of(error))
        log.error(Entry.NOT_ANNOUNCED, extra=fields)  # noqa: TRY400  (it may name a card)
    finally:
        await _say_farewell(beacon.responder)


async def _say_farewell(responder: Responder) -> None:
    try:
        async with asyncio.timeout(FAREWELL_SECONDS):
            await responder.withdraw()
    except (TimeoutError, CannotAnnounce) as error:
        log.info(Entry.NOT_ANNOUNCED, extra=about(network_says=str(error) or "too slow"))
