"""What a client tells its readers, from the first news to the last, over all breaks between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from hearts_client.connection import ServerError
from hearts_client.news import Cause, Closed, News, Offline
from hearts_client.patience import FATAL, Patience

_CAUSES = {
    "GAME_ENDED": Cause.GAME_OVER,
    "NOT_ATTACHED_ANY_MORE": Cause.SUPERSEDED,
    "BAD_TOKEN": Cause.REMOVED,
}
"""Reasons for which a stream ends, where they say more than that the seat is lost."""

Attend = Callable[[], Awaitable[ServerError | None]]
"""Follows one stream to its end; the error, if it ended in one."""


class Newsroom:
    """Readers of news, and how often in a row the source of it could not be reached."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._readers: list[asyncio.Queue[News]] = []
        self._attempt = 0
        self.closed: Closed | None = None
        """The last news, once there is nothing more to tell."""

    def news(self) -> AsyncIterator[News]:
        """Everything that is told from this call on, in order; ends after ``Closed``."""
        queue: asyncio.Queue[News] = asyncio.Queue()
        self._readers.append(queue)
        if self.closed is not None:
            queue.put_nowait(self.closed)
        return _until_closed(queue)

    def tell(self, news: News) -> None:
        """Tell every reader."""
        for reader in self._readers:
            reader.put_nowait(news)

    def close(self, cause: Cause, sentence: str) -> None:
        """Tell the last news."""
        self.closed = Closed(cause, sentence)
        self.tell(self.closed)

    def succeeded(self) -> None:
        """The source was reached and does what it should: the next break is a new one."""
        self._attempt = 0

    async def run(self, attend: Attend) -> Closed:
        """Follow stream after stream until there is nothing more to tell; how it ended."""
        while self.closed is None:
            error = await attend()
            if self.closed is None and error is not None and error.code in FATAL:
                self.close(_CAUSES.get(error.reason, Cause.LOST), error.message)
            if self.closed is None:
                await self._wait_to_try_again(error)
        return self.closed

    async def _wait_to_try_again(self, error: ServerError | None) -> None:
        self._attempt += 1
        sentence = "the stream ended" if error is None else error.message
        if self._attempt > self._patience.attempts:
            self.close(Cause.LOST, f"{sentence}; given up after {self._attempt - 1} attempts")
            return
        self.tell(Offline(self._attempt, sentence))
        await self._patience.before(self._attempt)


async def _until_closed(queue: asyncio.Queue[News]) -> AsyncIterator[News]:
    while True:
        news = await queue.get()
        yield news
        if isinstance(news, Closed):
            return
