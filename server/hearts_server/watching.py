"""The streams of spectators: what everyone may know, as it happens."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from hearts_proto.v1 import table_pb2 as pb
from hearts_server.entrance import Entrance, Seen
from hearts_server.gallery import Gallery
from hearts_server.heartbeats import Heartbeats
from hearts_server.lobby import Lobby
from hearts_server.messages import Scribe
from hearts_server.meters import Meters
from hearts_server.notices import Notice
from hearts_server.peers import Peers, peer_of
from hearts_server.subscriber import Subscriber
from hearts_server.table import Table
from hearts_server.telling import Teller, pulse
from hearts_server.visit import Visit
from hearts_wire.bounds import octets


class Watching:
    """Lets spectators in, and tells them."""

    def __init__(self, lobby: Lobby, heartbeats: Heartbeats, meters: Meters, peers: Peers) -> None:
        self._lobby = lobby
        self._heartbeats = heartbeats
        self._meters = meters
        self._peers = peers
        self._gallery = Gallery(peers.limits.watchers)

    async def watch(
        self, request: pb.WatchRequest, context: Any, scribe_of: Callable[[Table], Scribe]
    ) -> None:
        """One spectator's stream, to its end; ``Refused`` before anything is told."""
        head = octets("after_head", request.after_head) if request.after_seq else b""
        async with self._lobby.visited(request.table) as table:
            peer, guard = peer_of(context.peer()), self._peers.guard
            await guard.require(peer, request.table, request.passcode, table.facts.passcode)
            with self._gallery.place(table.facts.name):
                subscriber = Subscriber(None)
                await Entrance(table).watch(
                    subscriber, Seen(request.after_seq, head), request.game_id
                )
                try:
                    await self._tell(table, subscriber, scribe_of(table), context)
                finally:
                    table.part(subscriber)

    async def _tell(
        self, table: Table, subscriber: Subscriber, scribe: Scribe, context: Any
    ) -> None:
        async def write(notice: Notice) -> None:
            await context.write(scribe.shown_bytes_of(notice))

        clock = self._heartbeats.clock
        visit = Visit.begin(table, subscriber, context.peer(), clock, self._meters)
        try:
            with self._heartbeats.kept(partial(pulse, table, subscriber)) as line:
                await Teller(subscriber, write, clock, line).tell()
        finally:
            visit.end()
