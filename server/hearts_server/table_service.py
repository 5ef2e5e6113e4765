"""The stream of one seat: requests up, what happens down."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary

from hearts_engine.cards import Seat
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1 import table_pb2_grpc
from hearts_server.attempt import Attempt
from hearts_server.clocks import due, later
from hearts_server.entrance import Entrance, Key, Seen
from hearts_server.errors import Code, Refused, not_attached_any_more
from hearts_server.excess import too_many_commands
from hearts_server.heartbeats import Heartbeats, Line
from hearts_server.lobby import Lobby
from hearts_server.messages import Scribe
from hearts_server.meters import Meters
from hearts_server.notices import Notice
from hearts_server.pace import Pace, SeatAt
from hearts_server.peers import Peers, peer_of
from hearts_server.rates import Buckets
from hearts_server.subscriber import Delivery, Subscriber
from hearts_server.table import Answer, Table
from hearts_server.talk import Talk
from hearts_server.telling import Teller, pulse
from hearts_server.visit import Visit
from hearts_server.watching import Watching
from hearts_wire.bounds import WireError, named, octets
from hearts_wire.commands import decode_command

ATTACH_TIME = timedelta(seconds=5)
"""How long a stream may stay unattached."""

_DELIVERIES = {
    int(pb.DELIVERY_UNSPECIFIED): Delivery.LIVE,
    int(pb.DELIVERY_LIVE): Delivery.LIVE,
    int(pb.DELIVERY_ON_TURN): Delivery.ON_TURN,
}


class TableService(table_pb2_grpc.TableServiceServicer):
    """Streams of seats and of spectators."""

    def __init__(self, lobby: Lobby, heartbeats: Heartbeats, meters: Meters, peers: Peers) -> None:
        self._lobby = lobby
        self._heartbeats = heartbeats
        self._clock = heartbeats.clock
        self._meters = meters
        self._peers = peers
        self._scribes = WeakKeyDictionary[Table, Scribe]()
        self._said = Buckets[SeatAt]()
        self._watching = Watching(lobby, heartbeats, meters, peers)

    async def Play(  # type: ignore[override]  # grpc.aio takes a coroutine that writes
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Any
    ) -> None:
        """One seat's stream, from its attach to its end."""
        requests = aiter(request_iterator)
        attach = await self._first(requests)
        async with self._lobby.visited(attach.table) as table:
            subscriber = await _attach(table, attach)
            visit = Visit.begin(table, subscriber, context.peer(), self._clock, self._meters)
            place = attach.table, _seat(subscriber)
            pace = self._peers.pace(peer_of(context.peer()), *place)
            talk = Talk(self._clock, self._peers.limits, self._said, place)
            del attach  # it would take memory for as long as the stream goes on
            try:
                with self._heartbeats.kept(partial(pulse, table, subscriber)) as line:
                    teller = self._teller(context, table, subscriber, line)
                    async with asyncio.TaskGroup() as tasks:
                        reading = tasks.create_task(_read(requests, table, visit, pace, talk))
                        told = await teller.tell(reading)
                if not told and table.receivers.hold_against(subscriber):
                    # To end without a word would ask for another attach, against the newer one.
                    raise not_attached_any_more()
            finally:
                table.part(subscriber)
                visit.end()
                self._lobby.attended(table)

    async def Watch(  # type: ignore[override]  # grpc.aio takes a coroutine that writes
        self, request: pb.WatchRequest, context: Any
    ) -> None:
        """What everyone may know of the game at a table, as it happens."""
        await self._watching.watch(request, context, self._scribe_of)

    def _scribe_of(self, table: Table) -> Scribe:
        return self._scribes.setdefault(table, Scribe())

    def _teller(self, context: Any, table: Table, subscriber: Subscriber, line: Line) -> Teller:
        scribe = self._scribe_of(table)

        async def write(notice: Notice) -> None:
            await context.write(scribe.bytes_of(notice))

        return Teller(subscriber, write, self._clock, line)

    async def _first(self, requests: AsyncIterator[pb.PlayRequest]) -> pb.Attach:
        try:
            async with due(self._clock, later(self._clock.now(), ATTACH_TIME)):
                request = await anext(requests, None)
        except TimeoutError:
            raise _not_attached("attach within five seconds of calling") from None
        if request is None or request.WhichOneof("kind") != "attach":
            raise _not_attached("the first request must attach")
        return request.attach


def _not_attached(sentence: str) -> Refused:
    return Refused(Code.INVALID_ARGUMENT, "NOT_ATTACHED", sentence)


async def _attach(table: Table, attach: pb.Attach) -> Subscriber:
    head = octets("attach.after_head", attach.after_head) if attach.after_seq else b""
    subscriber = Subscriber(
        table.seat_of(attach.seat_token),
        wants_view=attach.view_every_update,
        delivery=named("attach.delivery", attach.delivery, _DELIVERIES),
        attempt=Attempt(attach.client_run, attach.attempt),
    )
    key = Key(attach.seat_token, attach.game_id)
    await Entrance(table).attach(subscriber, Seen(attach.after_seq, head), key)
    return subscriber


def _seat(subscriber: Subscriber) -> Seat:
    assert subscriber.seat is not None, "a spectator sends nothing"
    return subscriber.seat


async def _read(
    requests: AsyncIterator[pb.PlayRequest], table: Table, visit: Visit, pace: Pace, talk: Talk
) -> None:
    """Carry out what a seat asks for, one request after the other; a refusal ends nothing."""
    while True:
        try:
            request = await anext(requests, None)
        except WireError as error:
            visit.refuse(0, error)
            await pace.slow_down()
            continue
        if request is None:
            return
        if pace.allows():
            await _carry_out(request, table, visit, talk)
        else:
            visit.refuse(request.request_id, too_many_commands(pace.a_second))
            await pace.slow_down()


async def _carry_out(request: pb.PlayRequest, table: Table, visit: Visit, talk: Talk) -> None:
    subscriber = visit.subscriber
    try:
        match request.WhichOneof("kind"):
            case "heartbeat":
                pulse(table, subscriber)
            case "say":
                await table.say(talk.words_in(request.say), subscriber)
            case "come_back":
                await table.come_back(subscriber)
            case _:
                command, prompt_seq = decode_command(request, _seat(subscriber))
                await table.answer(Answer(command, prompt_seq, request.request_id), subscriber)
    except Exception as error:  # noqa: BLE001  (the sender is told, the stream goes on)
        visit.refuse(request.request_id, error)
