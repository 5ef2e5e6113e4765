"""One seat at one table: attached, followed, answered for, and taken up again after a break.

People's screens, plain mode and bots all sit on this. It keeps the receipts that the log is
checked against when the game is over, and reveals the seat's entropy when that is safe.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from google.rpc.code_pb2 import UNAVAILABLE
from grpc import StatusCode, aio

from hearts_client.answers import Answers, Reply
from hearts_client.connection import ServerError, server_error
from hearts_client.news import Ask, Asked, Cause, Closed, Happened, Joined, News, Offline, Refused
from hearts_client.opening import Opening
from hearts_client.safetext import cleaned, sentence
from hearts_client.shown import Shown
from hearts_client.ticket import Ticket
from hearts_engine.cards import Card
from hearts_engine.cardset import NO_CARDS
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import Event
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1 import table_pb2_grpc
from hearts_wire.bounds import WireError, card_set_at
from hearts_wire.commands import SeatCommand
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

CLIENT = "hearts-table 0.1"
"""How this program calls itself to servers."""

FATAL = frozenset(
    {
        StatusCode.UNAUTHENTICATED,
        StatusCode.PERMISSION_DENIED,
        StatusCode.NOT_FOUND,
        StatusCode.DATA_LOSS,
        StatusCode.INVALID_ARGUMENT,
        StatusCode.FAILED_PRECONDITION,
        StatusCode.UNIMPLEMENTED,
        StatusCode.ABORTED,
    }
)
"""Answers that trying again does not change."""

_CAUSES = {"GAME_ENDED": Cause.GAME_OVER, "NOT_ATTACHED_ANY_MORE": Cause.SUPERSEDED}
"""Reasons for which a stream ends, where they say more than that the seat is lost."""

PlayCall = aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]

_ENDINGS = {
    # In our own words: what a server says at the end could pass for an audit's.
    pb.Detached.CAUSE_GAME_OVER: (Cause.GAME_OVER, "the game is over"),
    pb.Detached.CAUSE_SUPERSEDED: (Cause.SUPERSEDED, "your seat is played from elsewhere now"),
    pb.Detached.CAUSE_REMOVED: (Cause.REMOVED, "your seat was given up or taken away"),
}

_ASKS = {pb.ASK_PASS: Ask.PASS, pb.ASK_CARD: Ask.CARD, pb.ASK_MOON: Ask.MOON}


class Receipts(Protocol):
    """Where a session writes down what it will hold the server to."""

    def saw(self, seq: int, head: bytes, records: Collection[bytes]) -> None:
        """These records were shown, and this is the head after record ``seq``."""
        ...

    def sent(self, command: SeatCommand, prompt_seq: int) -> None:
        """This answer is about to be sent."""
        ...

    def acknowledged(self, command: SeatCommand, prompt_seq: int) -> None:
        """The table said that this answer is on disk."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait before trying again, and how often."""

    attempts: int = 200
    """In a row, before giving up."""
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def before(self, attempt: int) -> None:
        """Wait before an attempt, counted from 1: 0.2 s at first, 3 s at the most."""
        await self.pause(min(3.0, 0.2 * 2.0 ** (attempt - 1)))


class Session:
    """A seat's client side; :meth:`run` keeps it connected until the game is over."""

    def __init__(
        self,
        channel: aio.Channel,
        ticket: Ticket,
        receipts: Receipts,
        patience: Patience = Patience(),
    ) -> None:
        self._stub: table_pb2_grpc.TableServiceAsyncStub = table_pb2_grpc.TableServiceStub(channel)
        self._ticket = ticket
        self._receipts = receipts
        self._patience = patience
        self._readers: list[asyncio.Queue[News]] = []
        self._answers = Answers()
        self._seq, self._head = 0, b""
        self._opening = Opening()
        self._shown = Shown(ticket.seat)
        self._view: SeatView | None = None
        self._prompt_seq: int | None = None
        self._attempt = 0
        self._run, self._attaches = secrets.randbits(64), 0
        self._closed: Closed | None = None

    @property
    def view(self) -> SeatView | None:
        """The game as last shown; none before the seat was attached."""
        return self._view

    def news(self) -> AsyncIterator[News]:
        """Everything that happens from this call on, in order; ends after ``Closed``.

        Every caller gets all of it.
        """
        queue: asyncio.Queue[News] = asyncio.Queue()
        self._readers.append(queue)
        if self._closed is not None:
            queue.put_nowait(self._closed)
        return _until_closed(queue)

    async def choose_pass(self, cards: Collection[Card]) -> Refused | None:
        """Pass these cards, in this order; none when the table took them."""
        return await self._answer(ChoosePass(self._ticket.seat, tuple(cards)))

    async def play(self, card: Card) -> Refused | None:
        """Play this card; none when the table took it."""
        return await self._answer(PlayCard(self._ticket.seat, card))

    async def claim(self) -> Refused | None:
        """Claim every remaining trick; none when the table granted it."""
        return await self._answer(ClaimRest(self._ticket.seat))

    async def choose_moon(self, choice: MoonChoice) -> Refused | None:
        """Have one's moon scored like this; none when the table took it."""
        return await self._answer(ChooseMoon(self._ticket.seat, choice))

    async def run(self) -> Closed:
        """Stay attached, through breaks, until the session is over; how it ended."""
        while self._closed is None:
            error = await self._attend()
            if error is not None and error.code in FATAL:
                self._close(_CAUSES.get(error.reason, Cause.LOST), error.message)
            if self._closed is None:
                await self._wait_to_try_again(error)
        return self._closed

    async def _wait_to_try_again(self, error: ServerError | None) -> None:
        self._attempt += 1
        sentence = "the stream ended" if error is None else error.message
        if self._attempt > self._patience.attempts:
            self._close(Cause.LOST, f"{sentence}; given up after {self._attempt - 1} attempts")
            return
        self._tell(Offline(self._attempt, sentence))
        await self._patience.before(self._attempt)

    async def _attend(self) -> ServerError | None:
        """Follow one stream to its end; the error, if it ended in one."""
        call = self._stub.Play()
        try:
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(call))
                error = await self._receive(call)
                sending.cancel()
        finally:
            call.cancel()  # a dropped call is only collected if it is cancelled
        return error

    async def _receive(self, call: PlayCall) -> ServerError | None:
        try:
            async for response in call:
                if not self._take(response):
                    return None
        except aio.AioRpcError as error:
            return server_error(error, self._ticket.server)
        except ServerError as error:
            return error
        except WireError as error:
            self._close(Cause.LOST, f"the server sent what cannot be read: {error}")
        return None

    async def _send(self, call: PlayCall) -> None:
        """Attach, send again what was not answered, then whatever comes."""
        try:
            await call.write(pb.PlayRequest(attach=self._attach()))
            self._answers.send_all_again()
            while True:
                await call.write(await self._answers.next_request())
        except (aio.AioRpcError, asyncio.InvalidStateError):
            return  # the stream is over, which the receiving side reports

    def _attach(self) -> pb.Attach:
        self._attaches += 1
        return pb.Attach(
            table=self._ticket.table,
            seat_token=self._ticket.token,
            after_seq=self._seq,
            after_head=self._head,
            client=CLIENT,
            view_every_update=True,
            game_id=self._ticket.game_id,
            client_run=self._run,
            attempt=self._attaches,
        )

    def _take(self, response: pb.PlayResponse) -> bool:
        """Take one message; whether the stream goes on."""
        match response.WhichOneof("kind"):
            case "attached":
                self._attached(response.attached)
            case "update":
                self._updated(response.update)
            case "refusal":
                self._refused(response.refusal)
            case "detached":
                self._detached(response.detached)
                return False
            case "heartbeat" | None:
                pass
        return self._closed is None

    def _attached(self, attached: pb.Attached) -> None:
        returned = self._view is not None
        events = self._saw(attached.seq, attached.head, attached.records)
        view = self._view = self._shown.agreed(decode_view(attached.view))
        if not self._answers:
            self._attempt = 0
        self._tell(Joined(view, events, returned))
        self._prompt_seq = None
        if attached.HasField("prompt"):
            self._asked(attached.prompt)

    def _updated(self, update: pb.Update) -> None:
        events = self._saw(update.seq, update.head, update.records)
        if update.HasField("view"):
            self._view = self._shown.agreed(decode_view(update.view))
        if update.HasField("acknowledgement"):
            self._acknowledged(update.acknowledgement)
        if events and self._view is not None:
            self._tell(Happened(events, self._view))
        if update.HasField("prompt"):
            self._asked(update.prompt)

    def _saw(self, seq: int, head: bytes, records: Collection[bytes]) -> tuple[Event, ...]:
        self._receipts.saw(seq, head, records)
        self._opening = self._opening.with_shown(seq, head, records)
        self._seq, self._head = seq, head
        events = tuple(decode_record(record).event for record in records)
        self._shown = self._shown.after(events)
        return events

    def _asked(self, prompt: pb.Prompt) -> None:
        self._prompt_seq = prompt.prompt_seq
        if prompt.ask == pb.ASK_ENTROPY:
            self._reveal(prompt.prompt_seq)
        elif prompt.ask in _ASKS:
            self._view = self._shown.agreed(decode_view(prompt.view))
            if not self._answers.to(
                prompt.prompt_seq
            ):  # after a break the answer may be on its way already
                self._tell(Asked(_ASKS[prompt.ask], self._view, prompt.deadline or None))

    def _reveal(self, prompt_seq: int) -> None:
        """Reveal the seat's entropy, unless the server could still make use of it."""
        objection = self._opening.objection(self._ticket)
        if objection is not None:
            self._close(Cause.LOST, f"{objection}; do not play here")
        elif not self._answers.to(prompt_seq):
            reveal = RevealEntropy(self._ticket.seat, self._ticket.entropy)
            self._submit(reveal, prompt_seq)

    async def _answer(self, command: SeatCommand) -> Refused | None:
        prompt_seq = self._prompt_seq
        if self._closed is not None:
            return Refused("SESSION_OVER", self._closed.sentence, NO_CARDS)
        if prompt_seq is None:
            return Refused("NOT_ASKED", "you are not asked for anything now", NO_CARDS)
        if self._answers.to(prompt_seq):
            return Refused("SENT_ALREADY", "your answer is on its way", NO_CARDS)
        return await self._submit(command, prompt_seq)

    def _submit(self, command: SeatCommand, prompt_seq: int) -> Reply:
        self._receipts.sent(command, prompt_seq)
        return self._answers.add(command, prompt_seq)

    def _acknowledged(self, done: pb.Acknowledgement) -> None:
        pending = self._answers.take(done.request_id)
        if pending is None:
            return
        self._attempt = 0
        self._receipts.acknowledged(pending.command, pending.prompt_seq)
        if self._prompt_seq == pending.prompt_seq:
            self._prompt_seq = None
        pending.settle(None)

    def _refused(self, refusal: pb.Refusal) -> None:
        """Hand a refusal to whoever answered.

        Raises ``ServerError`` where only the moment was wrong, as when the server's disk is full:
        then the answer is kept, and sent again when the seat is attached again after a pause.
        """
        if refusal.code == UNAVAILABLE:
            raise ServerError(
                StatusCode.UNAVAILABLE, cleaned(refusal.reason), sentence(refusal.message)
            )
        pending = self._answers.take(refusal.request_id)
        if pending is not None:
            legal = card_set_at("refusal.legal", refusal.legal)
            pending.settle(Refused(cleaned(refusal.reason), sentence(refusal.message), legal))

    def _detached(self, detached: pb.Detached) -> None:
        """The server ended the stream: for good, or to be attached again."""
        ending = _ENDINGS.get(detached.cause)
        if ending is not None:
            self._close(*ending)

    def _close(self, cause: Cause, sentence: str) -> None:
        self._closed = Closed(cause, sentence)
        self._answers.give_up(sentence)
        self._tell(self._closed)

    def _tell(self, news: News) -> None:
        for reader in self._readers:
            reader.put_nowait(news)


async def _until_closed(queue: asyncio.Queue[News]) -> AsyncIterator[News]:
    while True:
        news = await queue.get()
        yield news
        if isinstance(news, Closed):
            return
