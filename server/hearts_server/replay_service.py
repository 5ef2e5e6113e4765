"""Games that are over, for anyone who wants to look at them or audit them."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

from hearts_proto.v1 import events_pb2, replay_pb2_grpc
from hearts_proto.v1 import replay_pb2 as pb
from hearts_replays.log import Store
from hearts_replays.summary import GameSummary
from hearts_server.catalogue import Catalogue
from hearts_server.errors import Code, Refused
from hearts_server.peers import Peers, peer_of
from hearts_server.reading_room import ReadingRoom
from hearts_wire.attendance import CLOSE_CAUSES
from hearts_wire.seats import encode_seat

PAGE_SIZE = 100
LARGEST_PAGE = 1000
PART_SIZE = 200
"""Records in one message of a game's log."""

_NOT_CLOSED: Final = events_pb2.CLOSE_CAUSE_UNSPECIFIED


class ReplayService(replay_pb2_grpc.ReplayServiceServicer):
    """Reads logs, sealed ones only: a running game's log would tell what is hidden."""

    def __init__(self, store: Store, peers: Peers) -> None:
        self._logs = store.logs
        self._catalogue = Catalogue(store.logs)
        self._room = ReadingRoom(store.tables, peers.guard)

    async def ListGames(self, request: pb.ListGamesRequest, context: Any) -> pb.ListGamesResponse:
        """The games that are over, newest first; the token of a page is its first game."""
        hidden = await self._room.closed_to(peer_of(context.peer()), request.passcode)
        size = min(request.page_size or PAGE_SIZE, LARGEST_PAGE)
        found = list[GameSummary]()
        ids = iter(await self._from(request.page_token))
        next_page = ""
        for game_id in ids:
            if len(found) == size:
                next_page = game_id
                break
            summary = await self._catalogue.sealed(game_id)
            if summary is not None and summary.table not in hidden:
                found.append(summary)
        return pb.ListGamesResponse(games=map(_message, found), next_page_token=next_page)

    async def GetGame(  # type: ignore[override]  # grpc.aio takes a coroutine that writes
        self, request: pb.GetGameRequest, context: Any
    ) -> None:
        """One game's log as stored, in parts."""
        summary = await self._catalogue.sealed(request.game_id)
        if summary is None:
            raise Refused(
                Code.NOT_FOUND,
                "NO_SUCH_GAME",
                f"no finished game {request.game_id[:64]!r}; list the games, or wait for its end",
            )
        peer, passcode = peer_of(context.peer()), request.passcode
        await self._room.require(peer, summary.table, passcode, request.seat_token)
        records = iter(await (await self._logs.open(request.game_id)).read())
        while part := tuple(islice(records, PART_SIZE)):
            await context.write(pb.GetGameResponse(records=part))

    async def _from(self, page_token: str) -> tuple[str, ...]:
        ids = await self._logs.games()
        if not page_token:
            return ids
        if page_token not in ids:
            raise Refused(
                Code.INVALID_ARGUMENT, "BAD_PAGE_TOKEN", "page_token: use one from a response"
            )
        return ids[ids.index(page_token) :]


def _message(summary: GameSummary) -> pb.GameSummary:
    return pb.GameSummary(
        game_id=summary.game_id,
        table=summary.table,
        opened_time=summary.opened_time,
        records=summary.records,
        rules=summary.rules,
        seats=map(encode_seat, summary.seats),
        deals=summary.deals,
        totals=summary.totals,
        winners=summary.winners,
        head=summary.head,
        closed=_NOT_CLOSED if summary.closed is None else CLOSE_CAUSES[summary.closed],
    )
