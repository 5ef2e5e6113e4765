"""The lobby on the wire."""

from __future__ import annotations

from functools import partial
from typing import Any

from hearts_bots.house import LEVELS
from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind
from hearts_proto.v1 import lobby_pb2 as pb
from hearts_proto.v1 import lobby_pb2_grpc
from hearts_server.admission import Knock, LetThrough, Newcomer
from hearts_server.cleaning import name_of
from hearts_server.errors import Code, Refused
from hearts_server.excess import too_many_goings
from hearts_server.heartbeats import Heartbeats
from hearts_server.limits import SHORTEST_REQUEST_ID
from hearts_server.lobby import Lobby
from hearts_server.messages import table_of
from hearts_server.noticeboard import Changes
from hearts_server.passcode import LONGEST_PASSCODE
from hearts_server.peers import Peer, Peers, SeatHeld, peer_of
from hearts_server.plan import Plan
from hearts_server.rates import Buckets, Rate
from hearts_server.seating import digest_of
from hearts_server.summary import summary_of
from hearts_wire.bounds import octets_or_none, seat_at
from hearts_wire.rules import decode_rules
from hearts_wire.seats import kind_at

LONGEST_SEED = 64
"""Characters of a fixed seed."""


class LobbyService(lobby_pb2_grpc.LobbyServiceServicer):
    """Tables, for anyone who can call; seats' tokens guard what is theirs."""

    def __init__(self, lobby: Lobby, peers: Peers, heartbeats: Heartbeats) -> None:
        self._lobby = lobby
        self._heartbeats = heartbeats
        self._peers = peers
        self._limits = peers.limits
        self._goings = Buckets[tuple[str, str]]()

    async def CreateTable(
        self, request: pb.CreateTableRequest, context: Any
    ) -> pb.CreateTableResponse:
        """Open a table."""
        rules = decode_rules(request.rules) if request.HasField("rules") else None
        seed = request.fixed_seed if request.HasField("fixed_seed") else None
        if seed is not None and len(seed) > LONGEST_SEED:
            raise _malformed(f"fixed_seed: at most {LONGEST_SEED} characters, not {len(seed)}")
        if len(request.passcode) > LONGEST_PASSCODE:
            raise _malformed(f"passcode: at most {LONGEST_PASSCODE} characters")
        turn = request.turn_seconds if request.HasField("turn_seconds") else None
        plan = Plan(
            rules, seed, request.start_when_full, turn, request.passcode, request.open_hands
        )
        request_id = self._request_id(request)
        with self._peers.opening(peer_of(context.peer()), self._lobby.is_waiting) as note:
            table, token = await self._lobby.create(plan, request_id)
            note(table.facts.name)
        return pb.CreateTableResponse(table=table_of(summary_of(table)), host_token=token)

    async def ListTables(
        self, request: pb.ListTablesRequest, context: Any
    ) -> pb.ListTablesResponse:
        """Every table whose game is not over, and those still in use."""
        return pb.ListTablesResponse(tables=map(table_of, await self._lobby.summaries()))

    async def WatchTables(  # type: ignore[override]  # grpc.aio takes a coroutine that writes
        self, request: pb.WatchTablesRequest, context: Any
    ) -> None:
        """Every table, and then what changes; nothing at all is a sign of life."""
        with self._lobby.board.reading() as reader, self._heartbeats.kept(reader.pulse) as line:
            tables = map(table_of, await self._lobby.summaries())
            await context.write(pb.WatchTablesResponse(tables=tables))
            while True:
                changes = await reader.changes()
                line.wrote()
                await context.write(_changes(changes))

    async def GetTable(self, request: pb.GetTableRequest, context: Any) -> pb.GetTableResponse:
        """One table."""
        return pb.GetTableResponse(table=await self._table(request.table))

    async def JoinTable(self, request: pb.JoinTableRequest, context: Any) -> pb.JoinTableResponse:
        """Sit down."""
        commitment = octets_or_none("commitment", request.commitment)
        name = name_of(request.name, self._limits.name_length)
        newcomer = Newcomer(name, _kind(request), commitment=commitment)
        request_id = self._request_id(request)
        peer = peer_of(context.peer())
        through = self._past_guard(request, peer)
        knock = Knock(_wanted(request), request_id, request.host_token, through)
        with self._peers.sitting_down(peer, self._lobby.is_held) as note:
            async with self._lobby.admission(request.table) as admission:
                seat, token = await admission.join(newcomer, knock)
                note(SeatHeld(request.table, digest_of(token)))
        return pb.JoinTableResponse(
            seat=seat, seat_token=token, table=await self._table(request.table)
        )

    async def TakeOverSeat(
        self, request: pb.TakeOverSeatRequest, context: Any
    ) -> pb.TakeOverSeatResponse:
        """Sit down, in a game under way, where a bot plays for nobody."""
        newcomer = Newcomer(name_of(request.name, self._limits.name_length), _kind(request))
        peer = peer_of(context.peer())
        through = self._past_guard(request, peer)
        knock = Knock(_wanted(request), self._request_id(request), let_through=through)
        with self._peers.sitting_down(peer, self._lobby.is_held) as note:
            async with self._lobby.admission(request.table) as admission:
                seat, token = await admission.take_over(newcomer, knock)
                note(SeatHeld(request.table, digest_of(token)))
        return pb.TakeOverSeatResponse(
            seat=seat, seat_token=token, table=await self._table(request.table)
        )

    async def LeaveTable(
        self, request: pb.LeaveTableRequest, context: Any
    ) -> pb.LeaveTableResponse:
        """Get up; in a game under way, leave the seat to a bot."""
        self._require_calm(request.table, request.seat_token)
        async with self._lobby.admission(request.table) as admission:
            await admission.leave(request.seat_token)
        return pb.LeaveTableResponse()

    async def AddHouseBot(
        self, request: pb.AddHouseBotRequest, context: Any
    ) -> pb.AddHouseBotResponse:
        """Seat a house bot."""
        level = request.level or "medium"
        if level not in LEVELS:
            raise _malformed(f"level: {level[:32]!r} is none; choose among {', '.join(LEVELS)}")
        async with self._lobby.hosting(request.table) as hosting:
            seat = await hosting.add_house_bot(request.token, level, _wanted(request))
        return pb.AddHouseBotResponse(seat=seat)

    async def RemoveSeat(
        self, request: pb.RemoveSeatRequest, context: Any
    ) -> pb.RemoveSeatResponse:
        """Free a seat; in a game under way, have it played for nobody."""
        self._require_calm(request.table, request.token)
        async with self._lobby.hosting(request.table) as hosting:
            await hosting.remove(request.token, seat_at("seat", request.seat))
        return pb.RemoveSeatResponse()

    async def StartTable(
        self, request: pb.StartTableRequest, context: Any
    ) -> pb.StartTableResponse:
        """Start the game."""
        async with self._lobby.hosting(request.table) as hosting:
            await hosting.start(request.token)
        return pb.StartTableResponse()

    async def PauseTable(
        self, request: pb.PauseTableRequest, context: Any
    ) -> pb.PauseTableResponse:
        """Stop the game for a while."""
        self._require_calm(request.table, request.token)
        async with self._lobby.hosting(request.table) as hosting:
            await hosting.pause(request.token)
        return pb.PauseTableResponse()

    async def ResumeTable(
        self, request: pb.ResumeTableRequest, context: Any
    ) -> pb.ResumeTableResponse:
        """Let a paused game go on."""
        async with self._lobby.hosting(request.table) as hosting:
            await hosting.resume(request.token)
        return pb.ResumeTableResponse()

    async def HandOver(self, request: pb.HandOverRequest, context: Any) -> pb.HandOverResponse:
        """Make another seat the host's."""
        self._require_calm(request.table, request.token)
        async with self._lobby.hosting(request.table) as hosting:
            await hosting.hand_over(request.token, seat_at("seat", request.seat))
        return pb.HandOverResponse()

    async def PlayAgain(self, request: pb.PlayAgainRequest, context: Any) -> pb.PlayAgainResponse:
        """Take the same seat in the next game."""
        commitment = octets_or_none("commitment", request.commitment)
        async with self._lobby.admission(request.table) as admission:
            seat = await admission.play_again(request.seat_token, commitment)
        return pb.PlayAgainResponse(table=await self._table(request.table), seat=seat)

    def _require_calm(self, table: str, token: str) -> None:
        """Refuse what is written down each time, where one token asks for it too often.

        To come back, or to go on, needs no limit of its own: one must have gone, or stopped.
        """
        a_minute, now = self._limits.goings_a_minute, self._heartbeats.clock.now()
        asker = table, digest_of(token)
        if not self._goings.take(asker, Rate.a_minute(a_minute), now):
            raise too_many_goings(a_minute)

    def _past_guard(
        self, request: pb.JoinTableRequest | pb.TakeOverSeatRequest, peer: Peer
    ) -> LetThrough:
        return partial(self._peers.guard.require, peer, request.table, request.passcode)

    async def _table(self, name: str) -> pb.Table:
        return table_of(await self._lobby.summary(name))

    def _request_id(
        self, request: pb.CreateTableRequest | pb.JoinTableRequest | pb.TakeOverSeatRequest
    ) -> str:
        chosen, longest = request.request_id, self._limits.request_id_length
        if chosen and not SHORTEST_REQUEST_ID <= len(chosen) <= longest:
            raise _malformed(
                f"request_id: {SHORTEST_REQUEST_ID} to {longest} random characters, "
                f"not {len(chosen)}; or none"
            )
        return chosen


def _changes(changes: Changes) -> pb.WatchTablesResponse:
    return pb.WatchTablesResponse(
        tables=[table for table in changes.values() if table is not None],
        gone=[name for name, table in changes.items() if table is None],
    )


def _kind(request: pb.JoinTableRequest | pb.TakeOverSeatRequest) -> SeatKind:
    kind = kind_at("kind", request.kind)
    if kind is SeatKind.HOUSE:
        raise _malformed("kind: house bots are added with AddHouseBot")
    return kind


def _wanted(
    request: pb.JoinTableRequest | pb.TakeOverSeatRequest | pb.AddHouseBotRequest,
) -> Seat | None:
    return seat_at("seat", request.seat) if request.HasField("seat") else None


def _malformed(sentence: str) -> Refused:
    return Refused(Code.INVALID_ARGUMENT, "MALFORMED", sentence)
