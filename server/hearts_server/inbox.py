"""One task does all the work of a table, in the order in which it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from hearts_server.errors import Code, Refused

T = TypeVar("T")

CAPACITY = 64
"""Requests that may wait; beyond that those who ask wait to ask."""


@dataclass(frozen=True, slots=True)
class _Request:
    work: Callable[[], Awaitable[Any]]
    reply: asyncio.Future[Any]


class Inbox:
    """A bounded queue of work, and the loop that does it."""

    def __init__(self) -> None:
        self._requests: asyncio.Queue[_Request | None] = asyncio.Queue(CAPACITY)
        self._closing = False
        self._closed = False

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have work done in its turn; its result or error comes back.

        The work is done even if whoever asked is cancelled meanwhile. Raises ``Refused`` when the
        table has stopped.
        """
        if self._closing:
            raise _stopped()
        reply: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        await self._requests.put(_Request(work, reply))
        if self._closed:
            self._turn_away()
        return await reply

    async def run(self) -> None:
        """Do the work until closed."""
        try:
            while (request := await self._requests.get()) is not None:
                await _do(request)
        finally:
            self._closing = self._closed = True
            self._turn_away()

    async def close(self) -> None:
        """Let the loop end after what was asked before."""
        if not self._closing:
            self._closing = True
            await self._requests.put(None)

    def _turn_away(self) -> None:
        while not self._requests.empty():
            request = self._requests.get_nowait()
            if request is not None and not request.reply.done():
                request.reply.set_exception(_stopped())


def _stopped() -> Refused:
    return Refused(Code.UNAVAILABLE, "TABLE_STOPPED", "the table has stopped; attach again later")


async def _do(request: _Request) -> None:
    try:
        result = await request.work()
    except Exception as error:  # noqa: BLE001  (it belongs to whoever asked)
        if not request.reply.done():
            request.reply.set_exception(error)
    else:
        if not request.reply.done():
            request.reply.set_result(result)
