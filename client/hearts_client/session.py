"""One seat at one table: attached, followed, answered for, and taken up again after a break.

People's screens, plain mode and bots all sit on this. It keeps the receipts that the log is
checked against when the game is over, and reveals the seat's entropy when that is safe.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Collection

from google.rpc.code_pb2 import UNAVAILABLE
from grpc import StatusCode, aio

from hearts_client.answers import Answers, Reply
from hearts_client.connection import ServerError, readable, server_error
from hearts_client.following import Following, Receipts
from hearts_client.lifeline import Lifeline, until_silent
from hearts_client.news import (
    Ask,
    Asked,
    Cause,
    Closed,
    Happened,
    Joined,
    News,
    Refused,
    Unsaid,
)
from hearts_client.newsroom import Newsroom
from hearts_client.patience import PATIENT, Patience
from hearts_client.phrases import LONGEST_TEXT, attending_at, said_at, to_say
from hearts_client.safetext import cleaned, sentence
from hearts_client.ticket import Ticket
from hearts_engine.cards import Card
from hearts_engine.cardset import NO_CARDS
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.options import MoonChoice
from hearts_engine.state import Phase
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1 import table_pb2_grpc
from hearts_wire.bounds import WireError, card_set_at
from hearts_wire.commands import SeatCommand

CLIENT = "hearts-table 0.1"
"""How this program calls itself to servers."""

PlayCall = aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]

_ENDINGS = {
    # In our own words: what a server says at the end could pass for an audit's.
    pb.Detached.CAUSE_GAME_OVER: (Cause.GAME_OVER, "the game is over"),
    pb.Detached.CAUSE_SUPERSEDED: (Cause.SUPERSEDED, "your seat is played from elsewhere now"),
    pb.Detached.CAUSE_REMOVED: (Cause.REMOVED, "your seat was given up or taken away"),
}

_ASKS = {pb.ASK_PASS: Ask.PASS, pb.ASK_CARD: Ask.CARD, pb.ASK_MOON: Ask.MOON}
_PHASES = {
    pb.ASK_PASS: Phase.PASSING,
    pb.ASK_CARD: Phase.PLAYING,
    pb.ASK_MOON: Phase.MOON,
}


class Session:
    """A seat's client side; :meth:`run` keeps it connected until the game is over."""

    def __init__(
        self,
        channel: aio.Channel,
        ticket: Ticket,
        receipts: Receipts,
        patience: Patience = PATIENT,
        lifeline: Lifeline | None = None,
    ) -> None:
        self._stub: table_pb2_grpc.TableServiceAsyncStub = table_pb2_grpc.TableServiceStub(channel)
        self._ticket = ticket
        self._receipts = receipts
        self._newsroom = Newsroom(patience)
        self._lifeline = Lifeline() if lifeline is None else lifeline
        self._answers = Answers()
        self._said: set[int] = set()
        self._log = Following(ticket.seat, receipts.saw)
        self._prompt_seq: int | None = None
        self._run, self._attaches = secrets.randbits(64), 0
        self._attached = False
        self._returning = False

    @property
    def view(self) -> SeatView | None:
        """The game as last shown; none before the seat was attached."""
        return self._log.view

    def news(self) -> AsyncIterator[News]:
        """Everything that happens from this call on, in order; ends after ``Closed``.

        Every caller gets all of it.
        """
        return self._newsroom.news()

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

    def say(self, words: str | int) -> None:
        """Tell everyone at the table a text, or the phrase of this number.

        ``Said`` comes back of what was told, ``Unsaid`` of what was not.
        """
        if not self._attached:
            self._newsroom.tell(Unsaid("there is no connection now; say it again when it is back"))
        elif isinstance(words, str) and len(words) > LONGEST_TEXT:
            self._newsroom.tell(Unsaid(f"say at most {LONGEST_TEXT} characters at once"))
        else:
            request_id = self._answers.next_id()
            self._said.add(request_id)
            self._answers.send_once(to_say(words, request_id))

    def come_back(self) -> None:
        """Decide for oneself again, where a bot does it because one was away."""
        if self._is_away and self._attached and not self._returning:
            self._returning = True
            self._answers.send_once(pb.PlayRequest(come_back=pb.ComeBack()))

    async def run(self) -> Closed:
        """Stay attached, through breaks, until the session is over; how it ended."""
        closed = await self._newsroom.run(self._attend)
        self._answers.give_up(closed.sentence)
        return closed

    async def _attend(self) -> ServerError | None:
        """Follow one stream to its end; the error, if it ended in one."""
        call = self._stub.Play()
        try:
            silence = self._lifeline.silence(self._beat)
            return await until_silent(self._receive(call), silence, self._send(call))
        finally:
            self._attached = False
            call.cancel()  # a dropped call is only collected if it is cancelled

    def _beat(self) -> None:
        if self._attached:
            beat = pb.Heartbeat(seq=self._log.seq, head=self._log.head)
            self._answers.send_once(pb.PlayRequest(heartbeat=beat))

    async def _receive(self, call: PlayCall) -> ServerError | None:
        try:
            async for response in call:
                self._lifeline.heard()
                if not self._take(readable(response)):
                    return None
        except aio.AioRpcError as error:
            return server_error(error, self._ticket.server)
        except ServerError as error:
            return error
        except WireError as error:
            self._newsroom.close(Cause.LOST, f"the server sent what cannot be read: {error}")
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
            after_seq=self._log.seq,
            after_head=self._log.head,
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
                self._joined(response.attached)
            case "update":
                self._updated(response.update)
            case "refusal":
                self._refused(response.refusal)
            case "detached":
                self._detached(response.detached)
                return False
            case "said":
                self._newsroom.tell(said_at(response.said))
            case "presence":
                self._newsroom.tell(attending_at(response.presence, self._log.seats))
            case "heartbeat" | None:
                pass
        return self._newsroom.closed is None

    def _joined(self, attached: pb.Attached) -> None:
        returned = self._log.view is not None
        self._attached, self._returning = True, False
        events = self._log.take(attached.seq, attached.head, attached.records)
        view = self._log.show(attached.view)
        if not self._answers:
            self._newsroom.succeeded()
        self._newsroom.tell(Joined(view, events, returned))
        if not returned:
            # Whoever has just started this is there, though an earlier try may have been lost.
            self.come_back()
        self._prompt_seq = None
        if attached.HasField("prompt"):
            self._asked(attached.prompt)

    def _updated(self, update: pb.Update) -> None:
        events = self._log.take(update.seq, update.head, update.records)
        if update.HasField("view"):
            self._log.show(update.view)
            self._returning = self._returning and self._is_away
        if update.HasField("acknowledgement"):
            self._acknowledged(update.acknowledgement)
        if events and self._log.view is not None:
            self._newsroom.tell(Happened(events, self._log.view))
        if update.HasField("prompt"):
            self._asked(update.prompt)

    @property
    def _is_away(self) -> bool:
        view = self._log.view
        return view is not None and view.away[self._ticket.seat] is not None

    def _asked(self, prompt: pb.Prompt) -> None:
        self._prompt_seq = prompt.prompt_seq
        if prompt.ask == pb.ASK_ENTROPY:
            self._reveal(prompt.prompt_seq)
        elif prompt.ask in _ASKS:
            view = self._log.show(prompt.view)
            if view.phase is not _PHASES[prompt.ask] or not view.asked:
                raise WireError("prompt.ask: the view asks for something else")
            if not self._answers.to(
                prompt.prompt_seq
            ):  # after a break the answer may be on its way already
                self._newsroom.tell(Asked(_ASKS[prompt.ask], view, prompt.deadline or None))

    def _reveal(self, prompt_seq: int) -> None:
        """Reveal the seat's entropy, unless the server could still make use of it."""
        objection = self._log.opening.objection(self._ticket)
        if objection is not None:
            self._newsroom.close(Cause.LOST, f"{objection}; do not play here")
        elif not self._answers.to(prompt_seq):
            reveal = RevealEntropy(self._ticket.seat, self._ticket.entropy)
            self._submit(reveal, prompt_seq)

    async def _answer(self, command: SeatCommand) -> Refused | None:
        prompt_seq = self._prompt_seq
        closed = self._newsroom.closed
        if closed is not None:
            return Refused("SESSION_OVER", closed.sentence, NO_CARDS)
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
        self._newsroom.succeeded()
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
        if refusal.request_id in self._said:
            self._said.discard(refusal.request_id)
            self._newsroom.tell(Unsaid(sentence(refusal.message)))
            return
        pending = self._answers.take(refusal.request_id)
        if pending is not None:
            legal = card_set_at("refusal.legal", refusal.legal)
            pending.settle(Refused(cleaned(refusal.reason), sentence(refusal.message), legal))

    def _detached(self, detached: pb.Detached) -> None:
        """The server ended the stream: for good, or to be attached again."""
        ending = _ENDINGS.get(detached.cause)
        if ending is not None:
            self._newsroom.close(*ending)
