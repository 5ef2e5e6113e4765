"""What a table tells one receiver, before it becomes a message."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Enum, auto

from hearts_engine.cards import Seat
from hearts_engine.state import Phase, State
from hearts_engine.view import SeatView, observe
from hearts_server.clocks import Microseconds

LONGEST_BACKLOG = 256
"""Notices that may wait for a slow reader before it is dropped; it can resume."""


class Ask(Enum):
    """What a prompt asks for."""

    ENTROPY = auto()
    PASS = auto()
    CARD = auto()
    MOON = auto()


@dataclass(frozen=True, slots=True)
class Prompt:
    """A decision that is due from a seat."""

    seq: int
    """The record that made it due."""
    ask: Ask
    view: SeatView
    deadline: Microseconds | None


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """A command was done and is on disk."""

    request_id: int
    prompt_seq: int
    repeated: bool


@dataclass(frozen=True, slots=True)
class Attached:
    """The game as it stands, for someone who just came or came back."""

    view: SeatView
    records: tuple[bytes, ...]
    seq: int
    head: bytes
    prompt: Prompt | None


@dataclass(frozen=True, slots=True)
class Update:
    """What one command did."""

    records: tuple[bytes, ...]
    seq: int
    head: bytes
    prompt: Prompt | None = None
    acknowledgement: Acknowledgement | None = None
    view: SeatView | None = None


class Cause(Enum):
    """Why a receiver is told nothing more."""

    SUPERSEDED = auto()
    GAME_OVER = auto()
    DRAINING = auto()
    TOO_SLOW = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class Detached:
    """The last notice."""

    cause: Cause
    sentence: str


@dataclass(frozen=True, slots=True)
class NotDone:
    """A request of this receiver was refused; nothing changed."""

    request_id: int
    error: Exception


@dataclass(frozen=True, slots=True)
class Pulse:
    """The answer to a heartbeat."""

    seq: int
    head: bytes


Notice = Attached | Update | NotDone | Pulse | Detached


def prompt_for(state: State, seat: Seat, seq: int, deadline: Microseconds | None) -> Prompt:
    """The prompt of a seat that a decision is due from."""
    match state.phase:
        case Phase.ENTROPY:
            ask = Ask.ENTROPY
        case Phase.PASSING:
            ask = Ask.PASS
        case Phase.MOON:
            ask = Ask.MOON
        case _:
            ask = Ask.CARD
    return Prompt(seq, ask, observe(state, seat), deadline)


class Subscriber:
    """One receiver at a table, with a bounded queue of what it has not read yet."""

    def __init__(self, seat: Seat, *, wants_view: bool) -> None:
        self.seat = seat
        self.wants_view = wants_view
        self._backlog: asyncio.Queue[Notice] = asyncio.Queue()
        self._closed = asyncio.Event()
        self.cause: Cause | None = None
        """Why the table ended the stream; none if it did not."""

    @property
    def closed(self) -> bool:
        """Whether nothing more is told."""
        return self._closed.is_set()

    async def closing(self) -> None:
        """Return when nothing more is told."""
        await self._closed.wait()

    def close(self) -> None:
        """Tell nothing more: nobody reads."""
        self._closed.set()

    def tell(self, notice: Notice) -> None:
        """Queue a notice; a reader too far behind is dropped and must resume."""
        if self.closed:
            return
        if self._backlog.qsize() >= LONGEST_BACKLOG:
            while not self._backlog.empty():
                self._backlog.get_nowait()
            notice = Detached(Cause.TOO_SLOW, "you read too slowly; attach again to resume")
        self._backlog.put_nowait(notice)
        if isinstance(notice, Detached):
            self.cause = notice.cause
            self._closed.set()

    async def notices(self) -> AsyncIterator[Notice]:
        """Everything told from here on; ends after ``Detached``."""
        while True:
            notice = await self._backlog.get()
            yield notice
            if isinstance(notice, Detached):
                return
