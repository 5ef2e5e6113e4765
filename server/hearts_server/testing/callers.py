"""Callers that speak the protocol and nothing more: every message as it comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from itertools import count
from typing import Final

from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio
from grpc_status import rpc_status

from hearts_engine.cards import Card, Seat
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing import Chance
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2, lobby_pb2, lobby_pb2_grpc, rules_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.fairness import commit
from hearts_server.app import Listening, serving
from hearts_server.journal import Premises
from hearts_server.limits import Limits
from hearts_server.policy import Policy
from hearts_wire.errors import error_info
from hearts_wire.rules import encode_rules
from hearts_wire.views import decode_view

PLAY: Final = "/hearts.v1.TableService/Play"

PATIENCE: Final = 20.0
"""Seconds after which a message that should have come is missed."""

GENEROUS: Final = Policy(
    resumes=True, allow_fixed_seed=True, limits=Limits(goings_a_minute=100_000)
)
"""Leaves callers every freedom that a server can."""

Choose = Callable[[SeatView], Collection[Card]]
"""The cards that a seat passes, or the one it plays."""


def at_random(chance: Chance) -> Choose:
    """Chooses among what is legal, without a thought."""

    def choose(view: SeatView) -> Collection[Card]:
        if view.phase is Phase.PASSING:
            kept = tuple(view.hand - view.legal)
            spare = max(0, view.rules.pass_count - len(view.legal))
            free = chance.sample(tuple(view.legal), k=view.rules.pass_count - spare)
            return (*free, *kept[:spare])
        return (chance.choice(tuple(view.legal)),)

    return choose


@dataclass(frozen=True, slots=True)
class Denied:
    """How a call was refused."""

    code: StatusCode
    reason: str
    """Of the project's own domain; empty if the status has none."""
    sentence: str


async def denied(call: Awaitable[object]) -> Denied:
    """How a call is refused; it is a failure of the test if it is not."""
    try:
        async with asyncio.timeout(PATIENCE):
            result = await call
    except aio.AioRpcError as error:
        status: Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]  # it will do
        info = None if status is None else error_info(status)  # pyright: ignore[reportUnknownArgumentType]  # untyped
        return Denied(error.code(), "" if info is None else info.reason, error.details() or "")
    raise AssertionError(f"not refused: {result}")


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who has a token."""

    table: str
    seat: Seat
    token: str
    entropy: bytes = b""


class SeatStream:
    """A stream of a seat: what came, and what holds after it."""

    def __init__(self, channel: aio.Channel, sitter: Sitter) -> None:
        # Without a serializer, so that bytes can be sent that are no message.
        play: aio.StreamStreamMultiCallable[bytes, pb.PlayResponse] = channel.stream_stream(
            PLAY, response_deserializer=pb.PlayResponse.FromString
        )
        self._call = play()
        self.sitter = sitter
        self.received: list[pb.PlayResponse] = []
        self.seq, self.head = 0, b""
        self.prompt: pb.Prompt | None = None
        self._pulses_owed = 0
        self.presence = pb.Presence()
        """Who is connected, as last told; no message of a command says it."""

    async def send(self, request: pb.PlayRequest) -> None:
        """Send a request as it is."""
        await self.send_bytes(request.SerializeToString())

    async def send_bytes(self, request: bytes) -> None:
        """Send what may be no request at all."""
        await self._call.write(request)

    async def open(self) -> None:
        """Reach the server without a word."""
        await self._call.wait_for_connection()

    async def done_sending(self) -> None:
        """Send nothing more, and go on listening."""
        await self._call.done_writing()

    async def pulse(self) -> tuple[int, bytes]:
        """Where the log stands, by a heartbeat."""
        await self.send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        self._pulses_owed += 1
        answer = (await self.next()).heartbeat
        return answer.seq, answer.head

    async def pulse_through(self) -> None:
        """Hear everything up to the answer to a heartbeat of one's own."""
        await self.send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        self._pulses_owed += 1
        while not (await self.next()).HasField("heartbeat"):
            pass

    async def refusal(self, request: pb.PlayRequest) -> pb.Refusal:
        """What the table says to a request that it refuses."""
        await self.send(request)
        response = await self.next()
        assert response.HasField("refusal"), f"not refused: {response}"
        return response.refusal

    async def attach(
        self,
        after_seq: int = 0,
        after_head: bytes = b"",
        *,
        wants_view: bool = False,
        game_id: str = "",
    ) -> pb.Attached:
        """Attach, and what the table says to that."""
        sitter = self.sitter
        await self.send(
            pb.PlayRequest(
                attach=pb.Attach(
                    table=sitter.table,
                    seat_token=sitter.token,
                    after_seq=after_seq,
                    after_head=after_head,
                    view_every_update=wants_view,
                    game_id=game_id,
                )
            )
        )
        return (await self.next()).attached

    async def next(self) -> pb.PlayResponse:
        """The next message that something was done for; ``AioRpcError`` if the stream ended in one.

        Signs of life and of presence come by themselves, and pass.
        """
        response = await self._read()
        while self._came_by_itself(response):
            response = await self._read()
        return response

    async def hears(self, kind: str) -> pb.PlayResponse:
        """The next message of this kind; whatever else comes passes."""
        response = await self._read()
        while response.WhichOneof("kind") != kind:
            response = await self._read()
        return response

    async def _read(self) -> pb.PlayResponse:
        async with asyncio.timeout(PATIENCE):
            response = await self._call.read()
        assert isinstance(response, pb.PlayResponse), "the stream has ended"
        self._note(response)
        return response

    def _came_by_itself(self, response: pb.PlayResponse) -> bool:
        if response.HasField("heartbeat") and self._pulses_owed:
            self._pulses_owed -= 1
            return False
        return response.HasField("heartbeat") or response.HasField("presence")

    async def rest(self) -> tuple[pb.PlayResponse, ...]:
        """What comes until the stream ends."""
        before = len(self.received)
        while not await self.ended():
            pass
        return tuple(self.received[before:])

    async def ended(self) -> bool:
        """Whether the stream ends here without an error, rather than going on by a message."""
        async with asyncio.timeout(PATIENCE):
            response = await self._call.read()
        if not isinstance(response, pb.PlayResponse):
            return True
        self._note(response)
        return False

    async def code(self) -> StatusCode:
        """How the call ended."""
        async with asyncio.timeout(PATIENCE):
            return await self._call.code()

    def answer(self, cards: Collection[Card], request_id: int = 0) -> pb.PlayRequest:
        """The request that answers the open prompt, whatever it asks for."""
        assert self.prompt is not None, "nothing is asked"
        seq = self.prompt.prompt_seq
        match self.prompt.ask:
            case pb.ASK_ENTROPY:
                entropy = pb.RevealEntropy(prompt_seq=seq, entropy=self.sitter.entropy)
                return pb.PlayRequest(request_id=request_id, reveal_entropy=entropy)
            case pb.ASK_PASS:
                chosen = pb.ChoosePass(prompt_seq=seq, cards=cards)
                return pb.PlayRequest(request_id=request_id, choose_pass=chosen)
            case pb.ASK_MOON:
                moon = pb.ChooseMoon(prompt_seq=seq, choice=rules_pb2.MOON_CHOICE_SUBTRACT)
                return pb.PlayRequest(request_id=request_id, choose_moon=moon)
            case _:
                (card,) = cards
                return pb.PlayRequest(
                    request_id=request_id, play_card=pb.PlayCard(prompt_seq=seq, card=card)
                )

    def choice(self, choose: Choose, request_id: int = 0) -> pb.PlayRequest:
        """The request that answers the open prompt with what is chosen from its view."""
        assert self.prompt is not None, "nothing is asked"
        asks_for_cards = self.prompt.ask in {pb.ASK_PASS, pb.ASK_CARD}
        cards = choose(decode_view(self.prompt.view)) if asks_for_cards else ()
        return self.answer(cards, request_id)

    def cancel(self) -> None:
        """Drop the stream."""
        self._call.cancel()

    def _note(self, response: pb.PlayResponse) -> None:
        if response.HasField("presence"):
            self.presence = response.presence
            return  # it comes by itself, and when it does nobody knows
        self.received.append(response)
        match response.WhichOneof("kind"):
            case "attached":
                told: pb.Attached | pb.Update = response.attached
            case "update":
                told = response.update
                if self._is_answered_by(told):
                    self.prompt = None
            case _:
                return
        self.seq, self.head = told.seq, told.head
        if told.HasField("prompt"):
            self.prompt = told.prompt

    def _is_answered_by(self, update: pb.Update) -> bool:
        return (
            self.prompt is not None
            and update.HasField("acknowledgement")
            and update.acknowledgement.prompt_seq == self.prompt.prompt_seq
        )


@dataclass(frozen=True, slots=True)
class Venue:
    """A server that runs for a test, and a channel to it."""

    listening: Listening
    channel: aio.Channel

    @property
    def lobby(self) -> lobby_pb2_grpc.LobbyServiceAsyncStub:
        """The lobby's methods."""
        stub: lobby_pb2_grpc.LobbyServiceAsyncStub = lobby_pb2_grpc.LobbyServiceStub(self.channel)
        return stub

    async def table(
        self,
        rules: Rules | None = None,
        *,
        fixed_seed: str | None = None,
        start_when_full: bool = False,
        request_id: str = "",
    ) -> lobby_pb2.Table:
        """Open a table."""
        request = lobby_pb2.CreateTableRequest(
            request_id=request_id,
            rules=None if rules is None else encode_rules(rules),
            fixed_seed=fixed_seed,
            start_when_full=start_when_full,
        )
        return (await self.lobby.CreateTable(request)).table

    async def sit(
        self,
        table: str,
        name: str = "Ann",
        *,
        seat: int | None = None,
        entropy: bytes = b"",
        request_id: str = "",
    ) -> Sitter:
        """Sit down as a person, who takes part in the deal if given entropy."""
        request = lobby_pb2.JoinTableRequest(
            request_id=request_id,
            table=table,
            name=name,
            seat=seat,
            kind=events_pb2.SEAT_KIND_PERSON,
            commitment=commit(entropy) if entropy else b"",
        )
        response = await self.lobby.JoinTable(request)
        return Sitter(table, Seat(response.seat), response.seat_token, entropy)

    async def add_house_bot(self, sitter: Sitter, level: str = "easy") -> int:
        """Seat a house bot, and where."""
        request = lobby_pb2.AddHouseBotRequest(table=sitter.table, token=sitter.token, level=level)
        return (await self.lobby.AddHouseBot(request)).seat

    async def start(self, sitter: Sitter) -> None:
        """Start the game."""
        request = lobby_pb2.StartTableRequest(table=sitter.table, token=sitter.token)
        await self.lobby.StartTable(request)

    @asynccontextmanager
    async def stream(self, sitter: Sitter) -> AsyncGenerator[SeatStream, None]:
        """A stream that is not attached yet, dropped when the block is left."""
        stream = SeatStream(self.channel, sitter)
        try:
            yield stream
        finally:
            stream.cancel()

    @asynccontextmanager
    async def seated(
        self, table: str, entropy: Sequence[bytes] = (b"",) * 4, *, wants_view: bool = False
    ) -> AsyncGenerator[tuple[SeatStream, ...], None]:
        """Everyone attached at a full table that has not started, by seat."""
        async with AsyncExitStack() as stack:
            streams: list[SeatStream] = []
            for seat, drawn in enumerate(entropy):
                sitter = await self.sit(table, f"Ann {seat}", seat=seat, entropy=drawn)
                streams.append(await stack.enter_async_context(self.stream(sitter)))
            for stream in streams:
                await stream.attach(wants_view=wants_view)
            yield tuple(streams)


@asynccontextmanager
async def open_venue(premises: Premises, policy: Policy = GENEROUS) -> AsyncGenerator[Venue, None]:
    """A server on a free port of this machine."""
    async with (
        serving(premises, "127.0.0.1", 0, policy) as listening,
        aio.insecure_channel(listening.address) as channel,
    ):
        yield Venue(listening, channel)


async def everyone_hears(streams: Sequence[SeatStream]) -> None:
    """One command was done: each takes the one message that it makes."""
    for stream in streams:
        await stream.next()


async def play_on(
    streams: Sequence[SeatStream], choose: Choose, at_most: int | None = None
) -> None:
    """Answer prompts, the lowest seat's first, to the end of the game or so many times."""
    for _ in count() if at_most is None else range(at_most):
        asked = next((stream for stream in streams if stream.prompt), None)
        if asked is None:
            return
        await asked.send(asked.choice(choose))
        await everyone_hears(streams)
