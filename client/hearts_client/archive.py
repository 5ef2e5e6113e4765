"""Finished games of a server, fetched over the wire."""

from __future__ import annotations

from grpc import aio

from hearts_client.connection import CALL_SECONDS, calls_to, readable
from hearts_client.following import LARGEST_LOG
from hearts_proto.v1 import replay_pb2 as pb
from hearts_proto.v1 import replay_pb2_grpc
from hearts_replays.summary import GameSummary
from hearts_wire.attendance import close_cause_at
from hearts_wire.bounds import WireError, game_id_at, seat_at
from hearts_wire.seats import decode_seat

LATEST_TIME = 10**16
"""The year 2286, in microseconds since 1970 UTC."""

FETCH_SECONDS = 120.0
"""How long a log may take to arrive."""

MOST_PAGES = 1_000
"""Of a list of games, a hundred on each; a server could invent more for ever."""


class RemoteArchive:
    """The finished games of one server; its methods raise ``ServerError``."""

    def __init__(self, channel: aio.Channel, server: str, passcode: str = "") -> None:
        """``passcode`` shows the games of the tables that it guards too."""
        self._stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(
            channel
        )
        self._server = server
        self._passcode = passcode

    async def ids(self) -> tuple[str, ...]:
        """All finished games, the newest first."""
        return tuple(summary.game_id for summary in await self.summaries())

    async def summaries(self) -> tuple[GameSummary, ...]:
        """All finished games, the newest first."""
        found, page_token, asked = list[GameSummary](), "", set[str]()
        with calls_to(self._server):
            while page_token not in asked and len(asked) < MOST_PAGES:
                asked.add(page_token)
                request = pb.ListGamesRequest(page_token=page_token, passcode=self._passcode)
                response = readable(await self._stub.ListGames(request, timeout=CALL_SECONDS))
                found += map(_summary, response.games)
                page_token = response.next_page_token
                if not page_token:
                    return tuple(found)
            raise WireError("next_page_token: the same page again, or pages without end")

    async def records(self, game_id: str, seat_token: str = "") -> tuple[bytes, ...]:
        """A finished game's log, as stored; who sat there needs no passcode but the token."""
        records, size = list[bytes](), 0
        request = pb.GetGameRequest(game_id=game_id, seat_token=seat_token, passcode=self._passcode)
        call = self._stub.GetGame(request, timeout=FETCH_SECONDS)
        try:
            with calls_to(self._server):
                async for part in call:
                    records += readable(part).records
                    size += sum(len(record) + 1 for record in part.records)
                    if size > LARGEST_LOG:
                        raise WireError(f"records: over {LARGEST_LOG} bytes, no game is so long")
        finally:
            call.cancel()
        return tuple(records)


def _summary(message: pb.GameSummary) -> GameSummary:
    seats = tuple(map(decode_seat, message.seats))
    if any(taken.seat >= len(message.totals) for taken in seats):
        raise WireError("game_summary.totals: one entry a seat")
    if message.opened_time > LATEST_TIME:
        raise WireError("game_summary.opened_time: not in any century of ours")
    return GameSummary(
        game_id=game_id_at("game_summary.game_id", message.game_id),
        table=message.table,
        opened_time=message.opened_time,
        records=message.records,
        rules=message.rules,
        seats=seats,
        deals=message.deals,
        totals=tuple(message.totals),
        winners=tuple(seat_at("game_summary.winners", seat) for seat in message.winners),
        sealed=True,
        head=message.head,
        closed=close_cause_at("game_summary.closed", message.closed) if message.closed else None,
    )
