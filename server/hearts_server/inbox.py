"""One task does all the work of a table, in the order in which it was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

from hearts_server.errors import table_stopped

T = TypeVar("T")

CAPACITY = 64
"""Requests that may wait; beyond that those who ask wait to ask."""


class _Request(NamedTuple):
    work: Callable[[], Awaitable[Any]]
    reply: asyncio.Future[Any] | None
    """None: the table's own work, for which nobody waits."""


class Inbox:
    """A bounded queue of work, and the loop that does it."""

    def __init__(self) -> None:
        # A list: it seldom holds more than one, and an empty deque takes 760 bytes.
        self._requests = list[_Request | None]()
        self._asked: asyncio.Future[None] | None = None
        # Held by a request, not by who asked: a caller that goes away makes no room.
        self._room = asyncio.Semaphore(CAPACITY)
        self._unanswered = 0
        self._closing = False

    @property
    def idle(self) -> bool:
        """Whether nothing is being done and nothing waits."""
        return self._unanswered == 0

    @property
    def has_room(self) -> bool:
        """Whether whoever asks now need not wait to ask."""
        return not self._room.locked()

    async def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Have work done in its turn; its result or error comes back.

        The work is done even if whoever asked is cancelled meanwhile. Raises ``Refused`` when the
        table has stopped.
        """
        await self._room.acquire()
        if self._closing:
            self._room.release()
            raise table_stopped()
        reply: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._unanswered += 1
        self._put(_Request(work, reply))
        return await reply

    def post(self, work: Callable[[], Awaitable[None]]) -> None:
        """Have the table's own work done in its turn, without waiting; nothing if it has stopped.

        It must not fail, for there is nobody to tell.
        """
        if not self._closing:
            self._put(_Request(work, None))

    async def run(self) -> None:
        """Do the work until closed."""
        try:
            while (request := await self._next()) is not None:
                await self._do(request)
        finally:
            self._closing = True
            self._turn_away()

    def close(self) -> None:
        """Let the loop end after what was asked before."""
        if not self._closing:
            self._closing = True
            self._put(None)

    def _put(self, request: _Request | None) -> None:
        self._requests.append(request)
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(None)

    async def _next(self) -> _Request | None:
        while not self._requests:
            self._asked = asyncio.get_running_loop().create_future()
            await self._asked
        return self._requests.pop(0)

    async def _do(self, request: _Request) -> None:
        try:
            result = await request.work()
        except Exception as error:  # (it belongs to whoever asked)
            if request.reply is None:
                raise
            self._answer(request, error)
        except BaseException:
            self._answer(request, table_stopped())
            raise
        else:
            self._answer(request, None, result)

    def _answer(self, request: _Request, error: Exception | None, result: object = None) -> None:
        if request.reply is None:
            return
        self._unanswered -= 1
        self._room.release()
        if request.reply.done():
            return  # whoever asked was cancelled
        if error is None:
            request.reply.set_result(result)
        else:
            request.reply.set_exception(error)

    def _turn_away(self) -> None:
        while self._requests:
            request = self._requests.pop(0)
            if request is not None:
                self._answer(request, table_stopped())
