"""Finished games of a server, fetched over the wire."""

from __future__ import annotations

from grpc import aio

from hearts_client.connection import calls_to
from hearts_engine.cards import Seat
from hearts_proto.v1 import replay_pb2 as pb
from hearts_proto.v1 import replay_pb2_grpc
from hearts_replays.summary import GameSummary
from hearts_wire.bounds import game_id_at
from hearts_wire.seats import decode_seat


class RemoteArchive:
    """The finished games of one server; its methods raise ``ServerError``."""

    def __init__(self, channel: aio.Channel, server: str) -> None:
        self._stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(
            channel
        )
        self._server = server

    async def ids(self) -> tuple[str, ...]:
        """All finished games, the newest first."""
        return tuple(summary.game_id for summary in await self.summaries())

    async def summaries(self) -> tuple[GameSummary, ...]:
        """All finished games, the newest first."""
        found, page_token = list[GameSummary](), ""
        with calls_to(self._server):
            while True:
                request = pb.ListGamesRequest(page_token=page_token)
                response = await self._stub.ListGames(request)
                found += map(_summary, response.games)
                page_token = response.next_page_token
                if not page_token:
                    return tuple(found)

    async def records(self, game_id: str) -> tuple[bytes, ...]:
        """A finished game's log, as stored."""
        records = list[bytes]()
        call = self._stub.GetGame(pb.GetGameRequest(game_id=game_id))
        try:
            with calls_to(self._server):
                async for part in call:
                    records += part.records
        finally:
            call.cancel()
        return tuple(records)


def _summary(message: pb.GameSummary) -> GameSummary:
    return GameSummary(
        game_id=game_id_at("game_summary.game_id", message.game_id),
        table=message.table,
        opened_time=message.opened_time,
        records=message.records,
        rules=message.rules,
        seats=tuple(map(decode_seat, message.seats)),
        deals=message.deals,
        totals=tuple(message.totals),
        winners=tuple(map(Seat, message.winners)),
        sealed=True,
        head=message.head,
    )
