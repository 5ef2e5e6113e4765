"""A table as a spectator follows it: attached, told of everything public, and taken up again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from typing import Final

from grpc import aio

from hearts_client.connection import ServerError, readable, server_error
from hearts_client.following import Following
from hearts_client.lifeline import Lifeline, until_silent
from hearts_client.news import Cause, Closed, Happened, Joined, News, Refused, Unsaid
from hearts_client.newsroom import Newsroom
from hearts_client.patience import PATIENT, Patience
from hearts_client.phrases import attending_at, said_at
from hearts_client.session import CLIENT
from hearts_engine.cards import Card
from hearts_engine.cardset import NO_CARDS
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1 import table_pb2_grpc
from hearts_wire.bounds import WireError

WatchCall = aio.UnaryStreamCall[pb.WatchRequest, pb.WatchResponse]

_NOT_ASKED: Final = Refused("NOT_ASKED", "you watch, and are asked for nothing", NO_CARDS)


@dataclass(frozen=True, slots=True)
class Game:
    """What is watched."""

    server: str
    """What it is called in sentences."""
    table: str
    game_id: str
    passcode: str = ""
    """Of a table that needs one."""


class Watching:
    """A spectator's side; :meth:`run` keeps it connected until the game is over."""

    def __init__(
        self,
        channel: aio.Channel,
        game: Game,
        patience: Patience = PATIENT,
        lifeline: Lifeline | None = None,
    ) -> None:
        self._stub: table_pb2_grpc.TableServiceAsyncStub = table_pb2_grpc.TableServiceStub(channel)
        self._server = game.server
        self._wanted = pb.WatchRequest(
            table=game.table, game_id=game.game_id, passcode=game.passcode, client=CLIENT
        )
        self._newsroom = Newsroom(patience)
        self._lifeline = Lifeline() if lifeline is None else lifeline
        self._log = Following(None, _keep_nothing)

    @property
    def view(self) -> SeatView | None:
        """The game as last shown; none before the first."""
        return self._log.view

    def news(self) -> AsyncIterator[News]:
        """Everything that happens from this call on, in order; ends after ``Closed``."""
        return self._newsroom.news()

    async def run(self) -> Closed:
        """Keep watching, through breaks, until the game is over; how it ended."""
        return await self._newsroom.run(self._attend)

    async def choose_pass(self, cards: Collection[Card]) -> Refused | None:
        """Nothing: a spectator is asked for no pass."""
        del cards
        return _NOT_ASKED

    async def play(self, card: Card) -> Refused | None:
        """Nothing: a spectator is asked for no card."""
        del card
        return _NOT_ASKED

    async def claim(self) -> Refused | None:
        """Nothing: a spectator has no tricks to claim."""
        return _NOT_ASKED

    async def choose_moon(self, choice: MoonChoice) -> Refused | None:
        """Nothing: a spectator shoots no moon."""
        del choice
        return _NOT_ASKED

    def say(self, words: str | int) -> None:
        """Nothing: only those who sit at the table speak there."""
        del words
        self._newsroom.tell(Unsaid("only those who sit at the table speak there"))

    def come_back(self) -> None:
        """Nothing: nothing is decided for a spectator."""

    async def _attend(self) -> ServerError | None:
        """Follow one stream to its end; the error, if it ended in one."""
        request = pb.WatchRequest()
        request.CopyFrom(self._wanted)
        request.after_seq, request.after_head = self._log.seq, self._log.head
        call: WatchCall = self._stub.Watch(request)
        try:
            return await until_silent(self._receive(call), self._lifeline.silence())
        finally:
            call.cancel()  # a dropped call is only collected if it is cancelled

    async def _receive(self, call: WatchCall) -> ServerError | None:
        try:
            async for response in call:
                self._lifeline.heard()
                if not self._take(readable(response)):
                    return None
        except aio.AioRpcError as error:
            return server_error(error, self._server)
        except WireError as error:
            self._newsroom.close(Cause.LOST, f"the server sent what cannot be read: {error}")
        return None

    def _take(self, response: pb.WatchResponse) -> bool:
        """Take one message; whether the stream goes on."""
        match response.WhichOneof("kind"):
            case "attached":
                self._joined(response.attached)
            case "update":
                self._updated(response.update)
            case "said":
                self._newsroom.tell(said_at(response.said))
            case "presence":
                self._newsroom.tell(attending_at(response.presence, self._log.seats))
            case "detached":
                if response.detached.cause == pb.Detached.CAUSE_GAME_OVER:
                    self._newsroom.close(Cause.GAME_OVER, "the game is over")
                return False
            case "heartbeat" | None:
                pass
        return self._newsroom.closed is None

    def _joined(self, attached: pb.Attached) -> None:
        returned = self._log.view is not None
        events = self._log.take(attached.seq, attached.head, attached.records)
        self._newsroom.succeeded()
        self._newsroom.tell(Joined(self._log.show(attached.view), events, returned))

    def _updated(self, update: pb.Update) -> None:
        events = self._log.take(update.seq, update.head, update.records)
        view = self._log.show(update.view) if update.HasField("view") else self._log.folded()
        if events and view is not None:
            self._newsroom.tell(Happened(events, view))


def _keep_nothing(_seq: int, _head: bytes, _records: Collection[bytes]) -> None:
    """A spectator holds the server to nothing: the log can be audited by whoever played."""
