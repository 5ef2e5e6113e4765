"""What is on its way to the table: answers, until it has said something, and what is said once."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass

from hearts_client.news import Refused
from hearts_engine.cardset import NO_CARDS
from hearts_proto.v1 import table_pb2 as pb
from hearts_wire.commands import SeatCommand, encode_command

Reply = asyncio.Future[Refused | None]
"""None when the table took the answer."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A command that the table has not answered yet."""

    command: SeatCommand
    prompt_seq: int
    reply: Reply

    def settle(self, answer: Refused | None) -> None:
        """Tell whoever waits."""
        if not self.reply.done():
            self.reply.set_result(answer)


class Answers:
    """All that a seat has answered and not been told about."""

    def __init__(self) -> None:
        self._pending: dict[int, Pending] = {}
        self._unsent: asyncio.Queue[int | pb.PlayRequest] = asyncio.Queue()
        self._request_ids = itertools.count(1)

    def __bool__(self) -> bool:
        return bool(self._pending)

    def to(self, prompt_seq: int) -> bool:
        """Whether an answer to this prompt is on its way."""
        return any(pending.prompt_seq == prompt_seq for pending in self._pending.values())

    def add(self, command: SeatCommand, prompt_seq: int) -> Reply:
        """Send this; what the table says to it comes later."""
        reply: Reply = asyncio.get_running_loop().create_future()
        request_id = self.next_id()
        self._pending[request_id] = Pending(command, prompt_seq, reply)
        self._unsent.put_nowait(request_id)
        return reply

    def next_id(self) -> int:
        """A number for a request, which what the table says to it repeats."""
        return next(self._request_ids)

    def send_once(self, request: pb.PlayRequest) -> None:
        """Send this on the stream of the moment, and never again."""
        self._unsent.put_nowait(request)

    def take(self, request_id: int) -> Pending | None:
        """What this request was, now that the table has answered it."""
        return self._pending.pop(request_id, None)

    def send_all_again(self) -> None:
        """Begin a new stream with everything that the last one left open."""
        while not self._unsent.empty():
            self._unsent.get_nowait()
        for request_id in self._pending:
            self._unsent.put_nowait(request_id)

    async def next_request(self) -> pb.PlayRequest:
        """The next that is still worth sending."""
        while True:
            unsent = await self._unsent.get()
            if isinstance(unsent, pb.PlayRequest):
                return unsent
            pending = self._pending.get(unsent)
            if pending is not None:
                return encode_command(pending.command, pending.prompt_seq, unsent)

    def give_up(self, sentence: str) -> None:
        """Tell everyone who waits that the session is over."""
        for pending in self._pending.values():
            pending.settle(Refused("SESSION_OVER", sentence, NO_CARDS))
        self._pending.clear()
