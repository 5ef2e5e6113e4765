"""The lobby as a client sees it: tables to find, open and sit down at."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypedDict, TypeVar, Unpack

from grpc import StatusCode, aio

from hearts_client.connection import CALL_SECONDS, ServerError, calls_to, readable
from hearts_client.invite import TABLE_NAME
from hearts_client.patience import Patience
from hearts_client.safetext import cleaned
from hearts_client.ticket import Ticket
from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind, SeatTaken
from hearts_engine.rules import Rules
from hearts_proto.v1 import lobby_pb2 as pb
from hearts_proto.v1 import lobby_pb2_grpc
from hearts_replays.fairness import commit
from hearts_wire.bounds import WireError, game_id_at, seat_at
from hearts_wire.rules import decode_rules, encode_rules
from hearts_wire.seats import SEAT_KINDS, decode_seat

T = TypeVar("T")
Response = TypeVar("Response")

_NOT_NOW = frozenset({StatusCode.UNAVAILABLE, StatusCode.CANCELLED})
"""There is no server, or it stopped while it was asked."""

AT_ONCE = Patience(attempts=0)
"""Whoever asked is told that no server answers."""

ENTROPY_BYTES = 32


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table in the lobby's list."""

    name: str
    game_id: str
    rules: Rules
    seats: tuple[SeatTaken, ...]
    """Those that are taken."""
    seating: bool
    """Still before the start."""
    over: bool
    turn_seconds: int = 0
    """How long a person has for a card; 0: as long as it takes."""
    open_hands: bool = False
    """Whether every hand is shown to those who watch."""
    needs_passcode: bool = False
    """Whether sitting down and watching ask for one."""
    host: Seat | None = None
    """The seat that has the host's powers, if any has."""
    connected: frozenset[Seat] = frozenset()
    """The seats that somebody is connected for."""
    watchers: int = 0
    """How many watch."""
    vacant: frozenset[Seat] = frozenset()
    """The seats of a game under way that a bot plays for nobody: they can be taken over."""

    @property
    def free(self) -> int:
        """How many seats are free."""
        return self.rules.players - len(self.seats)


class Terms(TypedDict, total=False):
    """How a table is opened besides its rules; what is left out is as usual at the server."""

    fixed_seed: str | None
    start_when_full: bool
    turn_seconds: int | None
    passcode: str
    open_hands: bool


class Lobby:
    """The lobby of one server; its methods raise ``ServerError``.

    With patience, what may be asked twice is asked again, as it was, while no server answers:
    tables, seats and games are opened once all the same.
    """

    def __init__(
        self,
        channel: aio.Channel,
        server: str,
        patience: Patience = AT_ONCE,
        pin: str | None = None,
    ) -> None:
        """``server`` is what tickets call it, an address or ``EMBEDDED``; ``pin`` what it proves.

        A fingerprint, or none for a plain connection.
        """
        self._stub: lobby_pb2_grpc.LobbyServiceAsyncStub = lobby_pb2_grpc.LobbyServiceStub(channel)
        self._server = server
        self._patience = patience
        self._pin = pin

    async def tables(self) -> tuple[TableInfo, ...]:
        """The tables, by name."""
        with calls_to(self._server):
            response = await self._stub.ListTables(pb.ListTablesRequest(), timeout=CALL_SECONDS)
            return tuple(map(_info, readable(response).tables))

    async def table(self, name: str) -> TableInfo:
        """One table."""
        request = pb.GetTableRequest(table=name)
        return await self._steadily(
            lambda: self._stub.GetTable(request, timeout=CALL_SECONDS),
            lambda response: _info(response.table),
        )

    async def create(self, rules: Rules | None = None, **terms: Unpack[Terms]) -> TableInfo:
        """Open a table, by the server's usual rules and clock where none are given."""
        request = pb.CreateTableRequest(
            request_id=secrets.token_hex(),
            rules=None if rules is None else encode_rules(rules),
            **terms,
        )
        return await self._steadily(
            lambda: self._stub.CreateTable(request, timeout=CALL_SECONDS),
            lambda response: _info(response.table),
        )

    async def join(
        self,
        table: str,
        name: str,
        kind: SeatKind,
        *,
        takes_part: bool = True,
        passcode: str = "",
    ) -> Ticket:
        """Sit down on a free seat, committed to fresh entropy if the deal is to be shared."""
        entropy = secrets.token_bytes(ENTROPY_BYTES) if takes_part else b""
        request = pb.JoinTableRequest(
            request_id=secrets.token_hex(),
            table=table,
            name=name,
            kind=SEAT_KINDS[kind],
            commitment=commit(entropy) if entropy else b"",
            passcode=passcode,
        )

        def ticket(response: pb.JoinTableResponse) -> Ticket:
            seat, game_id = seat_at("seat", response.seat), _game_id(response.table)
            token = response.seat_token
            return Ticket(self._server, table, game_id, seat, name, token, entropy, self._pin)

        return await self._steadily(
            lambda: self._stub.JoinTable(request, timeout=CALL_SECONDS), ticket
        )

    async def take_over(
        self, table: str, name: str, kind: SeatKind, seat: Seat | None = None, passcode: str = ""
    ) -> Ticket:
        """Sit down, in a game under way, where a bot plays for nobody: there, or the first such."""
        request = pb.TakeOverSeatRequest(
            request_id=secrets.token_hex(),
            table=table,
            name=name,
            seat=seat,
            kind=SEAT_KINDS[kind],
            passcode=passcode,
        )

        def ticket(response: pb.TakeOverSeatResponse) -> Ticket:
            taken, game_id = seat_at("seat", response.seat), _game_id(response.table)
            token = response.seat_token
            return Ticket(self._server, table, game_id, taken, name, token, b"", self._pin)

        return await self._steadily(
            lambda: self._stub.TakeOverSeat(request, timeout=CALL_SECONDS), ticket
        )

    async def play_again(self, ticket: Ticket) -> Ticket:
        """Take the same seat in the table's next game."""
        entropy = secrets.token_bytes(ENTROPY_BYTES) if ticket.entropy else b""
        request = pb.PlayAgainRequest(
            table=ticket.table,
            seat_token=ticket.token,
            commitment=commit(entropy) if entropy else b"",
        )

        def again(response: pb.PlayAgainResponse) -> Ticket:
            seat, game_id = seat_at("seat", response.seat), _game_id(response.table)
            return replace(ticket, game_id=game_id, seat=seat, entropy=entropy)

        return await self._steadily(
            lambda: self._stub.PlayAgain(request, timeout=CALL_SECONDS), again
        )

    async def next_game(self, last: TableInfo) -> TableInfo:
        """The table with the game that comes after this one, once it is opened.

        It may be gone from the list until then, while nobody is connected there.
        """
        return await self._steadily(lambda: self._next_game(last), lambda table: table)

    async def _next_game(self, last: TableInfo) -> TableInfo:
        call: aio.UnaryStreamCall[pb.WatchTablesRequest, pb.WatchTablesResponse]
        call = self._stub.WatchTables(pb.WatchTablesRequest())
        try:
            async for response in call:
                for table in filter(
                    lambda table: table.name == last.name, readable(response).tables
                ):
                    if table.game_id != last.game_id:
                        return _info(table)
        finally:
            call.cancel()  # a dropped call is only collected if it is cancelled
        raise ServerError(StatusCode.UNAVAILABLE, "ENDED", "the list of tables ended")

    async def leave(self, ticket: Ticket) -> None:
        """Get up before the start; in a game under way, have a bot play until one is back."""
        request = pb.LeaveTableRequest(table=ticket.table, seat_token=ticket.token)
        with calls_to(self._server):
            await self._stub.LeaveTable(request, timeout=CALL_SECONDS)

    async def add_house_bot(self, ticket: Ticket, level: str) -> Seat:
        """Seat a house bot on the first free seat."""
        request = pb.AddHouseBotRequest(table=ticket.table, token=ticket.token, level=level)
        with calls_to(self._server):
            response = await self._stub.AddHouseBot(request, timeout=CALL_SECONDS)
            return seat_at("seat", readable(response).seat)

    async def start(self, ticket: Ticket) -> None:
        """Start the game."""
        request = pb.StartTableRequest(table=ticket.table, token=ticket.token)
        with calls_to(self._server):
            await self._stub.StartTable(request, timeout=CALL_SECONDS)

    async def remove(self, ticket: Ticket, seat: Seat) -> None:
        """Free a seat before the start; in a game under way, have a bot play it for nobody."""
        request = pb.RemoveSeatRequest(table=ticket.table, token=ticket.token, seat=seat)
        with calls_to(self._server):
            await self._stub.RemoveSeat(request, timeout=CALL_SECONDS)

    async def pause(self, ticket: Ticket) -> None:
        """Stop the game for a while."""
        request = pb.PauseTableRequest(table=ticket.table, token=ticket.token)
        with calls_to(self._server):
            await self._stub.PauseTable(request, timeout=CALL_SECONDS)

    async def resume(self, ticket: Ticket) -> None:
        """Let a paused game go on."""
        request = pb.ResumeTableRequest(table=ticket.table, token=ticket.token)
        with calls_to(self._server):
            await self._stub.ResumeTable(request, timeout=CALL_SECONDS)

    async def hand_over(self, ticket: Ticket, seat: Seat) -> None:
        """Make another seat the host's."""
        request = pb.HandOverRequest(table=ticket.table, token=ticket.token, seat=seat)
        with calls_to(self._server):
            await self._stub.HandOver(request, timeout=CALL_SECONDS)

    async def _steadily(
        self, call: Callable[[], Awaitable[Response]], read: Callable[[Response], T]
    ) -> T:
        """What the answer to a call says that may be made again."""
        for attempt in itertools.count(1):
            try:
                with calls_to(self._server):
                    return read(readable(await call()))
            except ServerError as error:
                if error.code not in _NOT_NOW or attempt > self._patience.attempts:
                    raise
            await self._patience.before(attempt)
        raise AssertionError("counting has no end")


def _game_id(table: pb.Table) -> str:
    """A table's game; files are named after it, so it must be no path."""
    return game_id_at("table.game_id", table.game_id)


def _info(table: pb.Table) -> TableInfo:
    if not TABLE_NAME.fullmatch(table.name):
        raise WireError(f"table.name: {cleaned(table.name[:32])!r} is no table's name")
    return TableInfo(
        table.name,
        _game_id(table),
        decode_rules(table.rules),
        tuple(map(decode_seat, table.seats)),
        seating=table.status == pb.TABLE_STATUS_SEATING,
        over=table.status == pb.TABLE_STATUS_OVER,
        turn_seconds=table.turn_seconds,
        open_hands=table.open_hands,
        needs_passcode=table.needs_passcode,
        host=seat_at("table.host", table.host) if table.HasField("host") else None,
        connected=_seats("table.connected", table.connected),
        watchers=table.watchers,
        vacant=_seats("table.vacant", table.vacant),
    )


def _seats(field: str, seats: Iterable[int]) -> frozenset[Seat]:
    return frozenset(seat_at(field, seat) for seat in seats)
