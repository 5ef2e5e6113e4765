"""A session through breaks: nothing is missed, nothing is done twice, and it knows when to stop."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from weakref import ref

import pytest
from grpc import StatusCode, aio

from hearts_bots.house import house_bot
from hearts_client.botrunner import play_bot
from hearts_client.connection import connected
from hearts_client.lobby import Lobby
from hearts_client.news import Asked, Cause, Happened, Joined, News, Offline
from hearts_client.patience import Patience
from hearts_client.session import PlayCall, Session
from hearts_client.ticket import Ticket
from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.events import Event, PassChosen, SeatKind, SeatReady
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import table_pb2 as pb
from hearts_proto.v1 import table_pb2_grpc
from hearts_replays.audit import audit
from hearts_replays.log import Unavailable
from hearts_replays.memory import MemoryStore
from hearts_replays.receipt_book import ReceiptBook
from hearts_replays.receipts import check
from hearts_server import notices
from hearts_server.app import Listening, serving
from hearts_server.policy import Policy
from hearts_server.testing.cable import Cable, cable_to
from hearts_server.testing.premises import Draws, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.records import decode_record

RULES = parse_rules("black_lady target=30")


async def no_pause(_: float) -> None:
    """Wait for nothing but the others' turn."""
    await asyncio.sleep(0)


HASTY = Patience(pause=no_pause)


@dataclass(frozen=True)
class Far:
    """A server at the other end of a cable."""

    listening: Listening
    cable: Cable
    channel: aio.Channel
    lobby: Lobby
    memory: MemoryStore
    store: TroubledStore
    folder: Path

    async def ticket(self) -> Ticket:
        """A seat among house bots, at a table that has not started."""
        table = await self.lobby.create(RULES)
        ticket = await self.lobby.join(table.name, "Ann", SeatKind.PERSON)
        for _ in range(3):
            await self.lobby.add_house_bot(ticket, "easy")
        return ticket

    def book(self, ticket: Ticket) -> ReceiptBook:
        """Receipts of this seat."""
        path = self.folder / ticket.game_id
        return ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy)

    def events(self, ticket: Ticket) -> list[Event]:
        """What the seat may know of its game's log."""
        events = [decode_record(data).event for data in self.memory.games[ticket.game_id]]
        return [event for event in events if visible_to(ticket.seat, event)]


@asynccontextmanager
async def far(folder: Path) -> AsyncGenerator[Far, None]:
    memory = MemoryStore()
    store = TroubledStore(memory)
    async with (
        serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as listening,
        cable_to(listening.host, listening.port) as cable,
        connected(cable.address) as channel,
    ):
        lobby = Lobby(channel, listening.address)
        yield Far(listening, cable, channel, lobby, memory, store, folder)


def events_in(news: list[News]) -> list[Event]:
    told: list[Event] = []
    for item in news:
        match item:
            case Joined(_, missed, _):
                told += missed
            case Happened(events, _):
                told += events
            case _:
                pass
    return told


async def until(kind: type[News], news: AsyncIterator[News], into: list[News]) -> None:
    """Listen until something of this kind is told."""
    async for item in news:
        into.append(item)
        if isinstance(item, kind):
            return
    raise AssertionError("the session is over")


def test_a_game_whose_connection_breaks_again_and_again_misses_and_repeats_nothing(
    tmp_path: Path,
) -> None:
    asyncio.run(_breaks_often(tmp_path))


async def _breaks_often(folder: Path) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, HASTY)
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                tasks.create_task(session.run())
                await until(Joined, news, heard)
                await place.lobby.start(ticket)
                async for item in news:
                    heard.append(item)
                    if (
                        isinstance(item, Asked)
                        and sum(isinstance(i, Asked) for i in heard) % 9 == 4
                    ):
                        place.cable.cut()
            log = place.memory.games[ticket.game_id]
            assert events_in(heard) == place.events(ticket)
            assert audit(log).finding is None
            assert check(book.receipts, log) is None
        returns = [item.returned for item in heard if isinstance(item, Joined)]
        assert returns[0] is False
        assert returns.count(True) > 2
        assert place.cable.made > 2


def test_an_answer_whose_acknowledgement_was_lost_is_sent_again_and_done_once(
    tmp_path: Path,
) -> None:
    asyncio.run(_lost_acknowledgement(tmp_path))


async def _lost_acknowledgement(folder: Path) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, HASTY)
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await place.lobby.start(ticket)
                await until(Asked, news, heard)
                asked = heard[-1]
                assert isinstance(asked, Asked)
                await until_others_passed(news, heard)
                place.store.hold_appends()
                answer = tasks.create_task(session.choose_pass(tuple(asked.view.hand)[:3]))
                await place.store.append_is_held()
                place.cable.cut()
                await until(Offline, news, heard)
                assert not answer.done()
                place.store.let_appends_go()
                assert await answer is None
                run.cancel()
        assert own_passes(place, ticket) == 1


async def until_others_passed(news: AsyncIterator[News], into: list[News]) -> None:
    while sum(isinstance(event, SeatReady) for event in events_in(into)) < 3:
        into.append(await anext(news))


def test_an_answer_that_the_store_could_not_take_is_given_again_by_itself(tmp_path: Path) -> None:
    asyncio.run(_store_fails(tmp_path))


async def _store_fails(folder: Path) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        pauses: list[float] = []

        async def pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 4:
                place.store.trouble = None

        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, Patience(pause=pause))
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await place.lobby.start(ticket)
                await until(Asked, news, heard)
                asked = heard[-1]
                assert isinstance(asked, Asked)
                await until_others_passed(news, heard)
                place.store.trouble = Unavailable("the disk is full")
                assert await session.choose_pass(tuple(asked.view.hand)[:3]) is None
                run.cancel()
        assert pauses == [0.2, 0.4, 0.8, 1.6]
        assert own_passes(place, ticket) == 1


def own_passes(place: Far, ticket: Ticket) -> int:
    return sum(
        isinstance(event, PassChosen) and event.seat == ticket.seat
        for event in place.events(ticket)
    )


def test_a_session_gives_up_when_its_patience_ends(tmp_path: Path) -> None:
    asyncio.run(_gives_up(tmp_path))


async def _gives_up(folder: Path) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, Patience(attempts=7, pause=pause))
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await until(Joined, news, heard)
                await place.cable.remove()
                closed = await run
            heard += [item async for item in news]
    assert pauses == [0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]
    assert [item.attempt for item in heard if isinstance(item, Offline)] == list(range(1, 8))
    assert heard[-1] == closed
    assert closed.cause is Cause.LOST
    assert "given up after 7 attempts" in closed.sentence


def test_a_break_that_ends_gives_the_session_its_patience_back(tmp_path: Path) -> None:
    asyncio.run(_patience_again(tmp_path))


async def _patience_again(folder: Path) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, HASTY)
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                for _ in range(3):
                    await until(Joined, news, heard)
                    place.cable.cut()
                    await until(Offline, news, heard)
                run.cancel()
        turns = [item for item in heard if isinstance(item, Joined | Offline)]
        first_attempts = [
            after.attempt
            for before, after in pairwise(turns)
            if isinstance(before, Joined) and isinstance(after, Offline)
        ]
        assert first_attempts == [1, 1, 1]


@pytest.mark.parametrize("cause", [notices.Cause.DRAINING, notices.Cause.TOO_SLOW])
def test_a_session_that_the_server_sends_away_for_now_comes_back(
    cause: notices.Cause, tmp_path: Path
) -> None:
    asyncio.run(_comes_back(cause, tmp_path))


async def _comes_back(cause: notices.Cause, folder: Path) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, HASTY)
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await until(Joined, news, heard)
                table = await place.listening.lobby.get(ticket.table)
                table.receivers.end(ticket.seat, cause, "come back later")
                await until(Joined, news, heard)
                run.cancel()
        again = heard[-1]
        assert isinstance(again, Joined)
        assert (again.returned, again.missed) == (True, ())


def test_a_server_that_starts_again_on_its_store_is_taken_up_again(tmp_path: Path) -> None:
    asyncio.run(_server_restarts(tmp_path))


async def _server_restarts(folder: Path) -> None:
    store = MemoryStore()
    async with serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as first:
        port = first.port
        channel = aio.insecure_channel(first.address)
        lobby = Lobby(channel, first.address)
        table = await lobby.create(RULES)
        ticket = await lobby.join(table.name, "Ann", SeatKind.PERSON)
        book = ReceiptBook.open(folder / "book", ticket.game_id, ticket.seat, ticket.entropy)

        async def pause(_: float) -> None:
            await channel.channel_ready()

        session = Session(channel, ticket, book, Patience(pause=pause))
        news, heard = session.news(), list[News]()
        run = asyncio.create_task(session.run())
        await until(Joined, news, heard)
    premises = premises_of(store, draws=Draws("again"))
    async with serving(premises, "127.0.0.1", port, Policy(resumes=True)):
        await until(Joined, news, heard)
        await lobby.add_house_bot(ticket, "easy")
        await until(Happened, news, heard)
    run.cancel()
    await asyncio.wait([run])
    await channel.close()
    book.close()
    offline = [item for item in heard if isinstance(item, Offline)]
    assert offline


class Counted:
    """A stub whose calls can be counted while they live, and while they take memory."""

    def __init__(self, session: Session) -> None:
        self._play = session._stub.Play  # pyright: ignore[reportPrivateUsage]
        self._calls: list[ref[PlayCall]] = []

    def Play(self) -> PlayCall:  # noqa: N802  (the method's name on the wire)
        call: PlayCall = self._play()
        self._calls.append(ref(call))
        return call

    @property
    def made(self) -> int:
        return len(self._calls)

    @property
    def alive(self) -> int:
        calls = [found() for found in self._calls]
        return sum(call is not None and not call.done() for call in calls)

    @property
    def kept(self) -> int:
        gc.collect()
        return sum(found() is not None for found in self._calls)


def test_no_call_outlives_the_stream_that_it_was_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_calls_end(tmp_path, monkeypatch))


async def _calls_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book, HASTY)
            stub = Counted(session)
            monkeypatch.setattr(session, "_stub", stub)
            news, heard = session.news(), list[News]()
            table = await place.listening.lobby.get(ticket.table)
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                for broken in range(6):
                    await until(Joined, news, heard)
                    # A try may come before the broken connection is known to be: one more call.
                    assert stub.made > broken
                    assert stub.alive == 1
                    if broken % 2:
                        place.cable.cut()
                    else:
                        table.receivers.end(ticket.seat, notices.Cause.TOO_SLOW, "too slow")
                await until(Joined, news, heard)
                run.cancel()
            assert stub.alive == 0
        assert stub.kept <= 1, "all but the last, in whose task the call still is"


def test_a_session_that_ends_by_itself_ends_its_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(_ends_its_call(tmp_path, monkeypatch))


async def _ends_its_call(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with far(folder) as place:
        ticket = await place.ticket()
        cheated = replace(ticket, entropy=bytes(32))
        with place.book(cheated) as book:
            session = Session(place.channel, cheated, book, HASTY)
            stub = Counted(session)
            monkeypatch.setattr(session, "_stub", stub)
            await place.lobby.start(ticket)
            assert (await session.run()).cause is Cause.LOST
        assert (stub.made, stub.alive) == (1, 0)
        assert stub.kept == 0


class Nonsense(table_pb2_grpc.TableServiceServicer):
    """A server that says what means nothing."""

    async def Play(  # type: ignore[override]  # noqa: N802  (grpc.aio takes a coroutine)
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Any
    ) -> None:
        await anext(request_iterator)
        await context.write(pb.PlayResponse(attached=pb.Attached(seq=1, head=bytes(32))))
        await context.write(pb.PlayResponse(attached=pb.Attached(seq=2, head=bytes(32))))

    async def Watch(  # type: ignore[override]  # noqa: N802  (as above)
        self, request: pb.WatchRequest, context: Any
    ) -> None:
        await context.abort(StatusCode.UNIMPLEMENTED, "nobody watches nonsense")


def test_a_server_that_talks_nonsense_ends_the_session_with_a_sentence(tmp_path: Path) -> None:
    asyncio.run(_nonsense(tmp_path))


async def _nonsense(folder: Path) -> None:
    server = aio.server()
    table_pb2_grpc.add_TableServiceServicer_to_server(Nonsense(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    ticket = Ticket("x", "oak-1", "g", Seat(0), "Ann", "token", b"")
    async with connected(f"127.0.0.1:{port}") as channel:
        with ReceiptBook.open(folder / "book", "g", Seat(0), b"") as book:
            closed = await Session(channel, ticket, book, HASTY).run()
    await server.stop(0)
    assert closed.cause is Cause.LOST
    assert "cannot be read" in closed.sentence
