"""A whole server with its callers, and what a simple model expects of it.

The model knows tables, seats, tokens and hosts, how far each game is and whether it is paused.
Whose turn it is stands in the log. After everything that is done the server, as its callers see
it, must agree with both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from grpc import StatusCode

from hearts_engine.cards import Seat
from hearts_engine.events import Absence, SeatKind, StopCause
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import EMPTY_CHAIN, Chain
from hearts_replays.fairness import commit
from hearts_replays.memory import MemoryStore
from hearts_server.limits import LOCAL, MOST, Limits
from hearts_server.policy import Policy
from hearts_server.testing.callers import (
    PATIENCE,
    Denied,
    SeatStream,
    Sitter,
    Venue,
    denied,
    open_venue,
)
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.records import decode_record
from hearts_wire.rules import encode_rules

POLICY: Final = Policy(
    resumes=True,
    allow_fixed_seed=True,
    limits=Limits(
        chat_a_minute=MOST,
        goings_a_minute=MOST,
        idle_minutes=MOST,
        local=LOCAL.but({"calls_a_second": MOST, "commands_a_second": MOST}),
    ),
)
"""Time passes in leaps here, so nothing may depend on how much is asked between them."""


class Stage(Enum):
    """How far a table's game is."""

    SEATING = lobby_pb2.TABLE_STATUS_SEATING
    PLAYING = lobby_pb2.TABLE_STATUS_PLAYING
    OVER = lobby_pb2.TABLE_STATUS_OVER


class Answered(Enum):
    """What came of a request on a stream."""

    DONE = auto()
    REPEATED = auto()
    REFUSED = auto()


@dataclass(slots=True)
class Chair:
    """A seat that a token opens."""

    sitter: Sitter
    request_id: str
    seated: bool = True
    """False: its owner has not asked to play again yet."""
    stream: SeatStream | None = None
    last: pb.PlayRequest | None = None
    """The last answer that was acknowledged in this game."""


@dataclass(slots=True)
class Room:
    """A table, as the model knows it."""

    name: str
    game_id: str
    host_token: str
    request_id: str
    players: int
    start_when_full: bool
    stage: Stage = Stage.SEATING
    paused: bool = False
    chairs: dict[int, Chair] = field(default_factory=dict[int, Chair])
    house: set[int] = field(default_factory=set[int])
    removed: set[int] = field(default_factory=set[int])
    """Seats that are played for nobody since the host removed who sat there."""
    host: int | None = None
    """The seat that has the host's powers."""
    games: int = 1
    """How many games were opened at the table."""

    @property
    def seated(self) -> set[int]:
        """The seats on which somebody sits in the current game."""
        return {seat for seat, chair in self.chairs.items() if chair.seated} | (
            self.house | self.removed
        )

    @property
    def free(self) -> set[int]:
        """The seats that can be sat down on."""
        return set(range(self.players)) - self.seated

    def start_if_full(self) -> None:
        """As a table does that starts by itself."""
        if self.start_when_full and not self.free:
            self.stage = Stage.PLAYING

    def lets_host(self, seat: int) -> bool:
        """Whether the token of a seat does what only the host may."""
        return self.host in (None, seat)

    def heirs(self, state: State) -> list[int]:
        """Who could be host, in order: whoever's seat it is and who has not left it."""
        away = state.game.presence.away
        return sorted(seat for seat in self.chairs if away[seat] in {None, Absence.MISSED})


class LogSoFar:
    """A game's log as it is on disk, and the state that it makes."""

    def __init__(self) -> None:
        self.state: State | None = None
        self.chain: Chain = EMPTY_CHAIN

    def follow(self, log: list[bytes]) -> State:
        """The state after all of a log that has grown since the last time."""
        for data in log[self.chain.length :]:
            self.state = evolve(self.state, decode_record(data).event)
        self.chain = self.chain.extended(log[self.chain.length :])
        assert self.state is not None, "a log starts with a game"
        return self.state


class World:
    """The server, which can be stopped and started again, and everyone who calls it."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.memory = MemoryStore()
        self.store = TroubledStore(self.memory)
        self.rooms: list[Room] = []
        self._draws = Draws("world")
        self._logs: dict[str, LogSoFar] = {}
        self._running: asyncio.Task[None] | None = None
        self._stop = asyncio.Event()
        self._venue: Venue | None = None

    @property
    def venue(self) -> Venue:
        """The server, while it runs."""
        assert self._venue is not None, "start the server first"
        return self._venue

    async def start(self) -> None:
        """Start the server, over whatever an earlier one has left."""
        self._stop.clear()
        up = asyncio.Event()
        self._running = asyncio.create_task(self._serve(up))
        async with asyncio.timeout(PATIENCE):
            await up.wait()

    async def stop(self) -> None:
        """Stop the server; every stream ends."""
        self._stop.set()
        assert self._running is not None, "it runs"
        async with asyncio.timeout(PATIENCE):
            await self._running
        for room in self.rooms:
            for chair in room.chairs.values():
                self.hang_up(chair)

    async def _serve(self, up: asyncio.Event) -> None:
        premises = premises_of(self.store, self.clock, self._draws)
        async with open_venue(premises, POLICY) as venue:
            self._venue = venue
            up.set()
            await self._stop.wait()
        self._venue = None

    def hang_up(self, chair: Chair) -> None:
        """Drop a seat's stream, if it has one."""
        if chair.stream is not None:
            chair.stream.cancel()
            chair.stream = None

    def leave_host(self, room: Room, seat: int) -> None:
        """A seat was left, or taken away: somebody else is host if it was."""
        if room.host == seat:
            heirs = [heir for heir in room.heirs(self.state_of(room)) if heir != seat]
            room.host = heirs[0] if heirs else None

    def log_of(self, room: Room) -> LogSoFar:
        """The log of a table's current game, as far as it is on disk now."""
        log = self._logs.setdefault(room.game_id, LogSoFar())
        log.follow(self.memory.games[room.game_id])
        return log

    def state_of(self, room: Room) -> State:
        """The current game of a table."""
        return self.log_of(room).follow(self.memory.games[room.game_id])

    def lengths(self) -> dict[str, int]:
        """How long every log is."""
        return {game: len(log) for game, log in self.memory.games.items()}

    async def refuses(self, call: Awaitable[object], *codes: StatusCode) -> Denied:
        """How a call is refused, by one of these codes; nothing has changed."""
        before, tables = self.lengths(), await self.memory.tables.all()
        told = await denied(call)
        assert told.code in codes, told
        assert self.lengths() == before, told
        assert await self.memory.tables.all() == tables, told
        return told

    async def ask(self, chair: Chair, request: pb.PlayRequest) -> tuple[Answered, str]:
        """What comes of a request on a seat's stream, and why if it is refused."""
        stream = chair.stream
        assert stream is not None, "attach first"
        await stream.send(request)
        while True:
            response = await stream.next()
            if response.HasField("refusal") and response.refusal.request_id == request.request_id:
                return Answered.REFUSED, response.refusal.reason
            done = response.update.acknowledgement
            if response.update.HasField("acknowledgement"):
                assert done.request_id == request.request_id
                return (Answered.REPEATED if done.repeated else Answered.DONE), ""

    async def settles(self, room: Room) -> State:
        """The game once nobody of the house has anything to decide."""
        async with asyncio.timeout(PATIENCE):
            while not self._waits_for_people(state := self.state_of(room), room):
                await self.store.grows()
        return state

    def _waits_for_people(self, state: State, room: Room) -> bool:
        if room.paused or state.phase is Phase.SEALED:
            return True
        seats, away = state.game.seats, state.game.presence.away
        awaited = [(seats[seat], away[seat]) for seat in state.awaited]
        return not any(
            absence is not None or taken is None or taken.kind is SeatKind.HOUSE
            for taken, absence in awaited
        )

    async def agree(self) -> None:
        """What the server says is what the model and the logs say."""
        for room in self.rooms:
            state = await self.settles(room)
            if state.phase is Phase.SEALED:
                assert room.stage is not Stage.SEATING, "a game ends that has started"
                room.stage, room.paused = Stage.OVER, False
            else:
                assert room.paused == (state.game.presence.stopped is StopCause.HOST)
            assert (state.phase is Phase.SEATING) == (room.stage is Stage.SEATING), room
            for seat, chair in tuple(room.chairs.items()):
                await self._streams_agree(room, Seat(seat), chair, state)
            await self._lobby_agrees(room)

    async def _lobby_agrees(self, room: Room) -> None:
        connected = {seat for seat, chair in room.chairs.items() if chair.stream is not None}
        request = lobby_pb2.GetTableRequest(table=room.name)
        async with asyncio.timeout(PATIENCE):
            while True:  # a stream that is dropped is noticed a moment later
                table = (await self.venue.lobby.GetTable(request)).table
                if set(table.connected) == connected:
                    break
        assert table.game_id == room.game_id
        assert table.status == room.stage.value, room
        assert (table.host if table.HasField("host") else None) == room.host, (table, room)
        people = {each.seat for each in table.seats if each.kind != events_pb2.SEAT_KIND_HOUSE}
        assert people == room.seated - room.house, room
        assert {each.seat for each in table.seats} == room.seated, room
        playing = room.stage is Stage.PLAYING
        assert set(table.vacant) == ((room.house | room.removed) if playing else set())

    async def _streams_agree(self, room: Room, seat: Seat, chair: Chair, state: State) -> None:
        stream, log = chair.stream, self.log_of(room)
        if stream is None:
            return
        if room.stage is Stage.OVER:
            cause = (await stream.rest())[-1].detached.cause
            assert cause == pb.Detached.CAUSE_GAME_OVER, pb.Detached.Cause.Name(cause)
            self.hang_up(chair)
            return
        await self._catch_up(stream, log.chain.length)
        assert (stream.seq, stream.head) == (log.chain.length, log.chain.head)
        if seat not in state.awaited:
            stream.prompt = None  # decided by somebody else
        asked = seat in state.awaited and not room.paused
        assert asked <= (stream.prompt is not None), (room, seat)

    async def _catch_up(self, stream: SeatStream, length: int) -> None:
        """Read until a heartbeat of this length: some come by themselves, and may be older."""
        await stream.send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        while (await stream.hears("heartbeat")).heartbeat.seq != length:
            pass

    async def open_room(self, rules: Rules, request_id: str, *, start_when_full: bool) -> Room:
        """A new table."""
        response = await self.venue.lobby.CreateTable(
            lobby_pb2.CreateTableRequest(
                request_id=request_id, rules=encode_rules(rules), start_when_full=start_when_full
            )
        )
        room = Room(
            response.table.name,
            response.table.game_id,
            response.host_token,
            request_id,
            rules.players,
            start_when_full,
        )
        self.rooms.append(room)
        return room

    def join(
        self, room: Room, seat: int | None, request_id: str, entropy: bytes = b""
    ) -> Awaitable[lobby_pb2.JoinTableResponse]:
        """A request for a seat, which is not sent yet."""
        return self.venue.lobby.JoinTable(
            lobby_pb2.JoinTableRequest(
                table=room.name,
                name="Ann",
                kind=events_pb2.SEAT_KIND_PERSON,
                seat=seat,
                request_id=request_id,
                commitment=commit(entropy) if entropy else b"",
            )
        )
