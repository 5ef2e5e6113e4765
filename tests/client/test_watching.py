"""Other people at a real server: watching, talking, leaving, coming back and taking over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest
from grpc import aio

from hearts_bots.house import house_bot
from hearts_client.botrunner import play_bot
from hearts_client.connection import ServerError, connected
from hearts_client.lobby import Lobby
from hearts_client.news import Attending, Cause, Happened, Joined, News, Offline, Said, Unsaid
from hearts_client.orders import Pause, Resume, Start, carry_out
from hearts_client.patience import Patience
from hearts_client.session import Session
from hearts_client.ticket import Ticket
from hearts_client.watching import Game, Watching
from hearts_engine.cards import Seat
from hearts_engine.events import Absence, Event, SeatKind, SeatTakenOver
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import visible
from hearts_replays.memory import MemoryStore
from hearts_replays.receipt_book import ReceiptBook
from hearts_replays.receipts import check
from hearts_server.app import Listening, serving
from hearts_server.policy import Policy
from hearts_server.testing.cable import Cable, cable_to
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_wire.records import decode_record

RULES = parse_rules("black_lady target=30")


async def no_pause(_: float) -> None:
    """Wait for nothing but the others' turn."""
    await asyncio.sleep(0)


HASTY = Patience(pause=no_pause)


@dataclass(frozen=True)
class Place:
    """A server, a way to it, and another over a cable that can be cut."""

    listening: Listening
    lobby: Lobby
    channel: aio.Channel
    cable: Cable
    far: aio.Channel
    store: MemoryStore
    clock: VirtualClock
    folder: Path

    async def seated(self, name: str = "Ann", bots: int = 3) -> Ticket:
        """A seat at a new table with so many house bots, not started."""
        table = await self.lobby.create(RULES)
        ticket = await self.lobby.join(table.name, name, SeatKind.PERSON)
        for _ in range(bots):
            await self.lobby.add_house_bot(ticket, "easy")
        return ticket

    def book(self, ticket: Ticket) -> ReceiptBook:
        """Receipts of this seat."""
        path = self.folder / f"{ticket.game_id}-{ticket.seat}"
        return ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy)

    def game(self, ticket: Ticket) -> Game:
        """What a spectator watches there."""
        return Game("the server", ticket.table, ticket.game_id)

    def public(self, ticket: Ticket) -> tuple[Event, ...]:
        """What everyone may know of the game's log."""
        events = [decode_record(data).event for data in self.store.games[ticket.game_id]]
        return visible(events, None)


@asynccontextmanager
async def place_in(folder: Path) -> AsyncGenerator[Place, None]:
    store, clock = MemoryStore(), VirtualClock()
    async with (
        serving(premises_of(store, clock), "127.0.0.1", 0, Policy(resumes=True)) as listening,
        cable_to(listening.host, listening.port) as cable,
        connected(cable.address) as far,
        connected(listening.address) as channel,
    ):
        lobby = Lobby(channel, listening.address)
        yield Place(listening, lobby, channel, cable, far, store, clock, folder)


async def until(kind: type[News], news: AsyncIterator[News], into: list[News]) -> None:
    """Listen until something of this kind is told."""
    async for item in news:
        into.append(item)
        if isinstance(item, kind):
            return
    raise AssertionError("nothing more is told")


def events_in(news: list[News]) -> tuple[Event, ...]:
    told: list[Event] = []
    for item in news:
        match item:
            case Joined(_, missed, _):
                told += missed
            case Happened(events, _):
                told += events
            case _:
                pass
    return tuple(told)


def test_a_spectator_whose_connection_breaks_misses_and_repeats_nothing(tmp_path: Path) -> None:
    asyncio.run(_watched_game(tmp_path))


async def _watched_game(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        watching = Watching(place.far, place.game(ticket), HASTY)
        news, heard = watching.news(), list[News]()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            async with asyncio.TaskGroup() as tasks:
                watched = tasks.create_task(watching.run())
                await until(Attending, news, heard)
                tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                tasks.create_task(session.run())
                await place.lobby.start(ticket)
                async for item in news:
                    heard.append(item)
                    if isinstance(item, Happened) and len(heard) % 40 == 9:
                        place.cable.cut()
        assert (await watched).cause is Cause.GAME_OVER
        assert any(isinstance(item, Offline) for item in heard)
        assert events_in(heard) == place.public(ticket)
        assert watching.view is not None
        assert watching.view.hand.cards == ()


def test_a_spectator_is_asked_nothing_and_does_not_speak(tmp_path: Path) -> None:
    asyncio.run(_silent_spectator(tmp_path))


async def _silent_spectator(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        watching = Watching(place.channel, place.game(ticket))
        news, heard = watching.news(), list[News]()
        watching.say("hello")
        await until(Unsaid, news, heard)
        refused = await watching.claim()
        assert refused is not None
        assert refused.reason == "NOT_ASKED"


def test_a_game_that_is_not_played_there_any_more_ends_the_watching(tmp_path: Path) -> None:
    asyncio.run(_left_behind(tmp_path))


async def _left_behind(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        watching = Watching(place.channel, Game("the server", ticket.table, "0" * 32))
        assert (await watching.run()).cause is Cause.GAME_OVER


def test_a_table_with_a_passcode_lets_in_who_knows_it(tmp_path: Path) -> None:
    asyncio.run(_passcode(tmp_path))


async def _passcode(folder: Path) -> None:
    async with place_in(folder) as place:
        table = await place.lobby.create(RULES, passcode="swordfish", turn_seconds=90)
        assert (table.needs_passcode, table.turn_seconds) == (True, 90)
        with pytest.raises(ServerError, match="passcode"):
            await place.lobby.join(table.name, "Eve", SeatKind.PERSON)
        ticket = await place.lobby.join(table.name, "Ann", SeatKind.PERSON, passcode="swordfish")
        closed = await Watching(place.channel, place.game(ticket)).run()
        assert closed.cause is Cause.LOST
        assert "passcode" in closed.sentence
        game = Game("the server", table.name, table.game_id, "swordfish")
        watching = Watching(place.channel, game)
        news, heard = watching.news(), list[News]()
        async with asyncio.TaskGroup() as tasks:
            run = tasks.create_task(watching.run())
            await until(Joined, news, heard)
            run.cancel()


def test_what_is_said_at_a_table_everyone_there_hears(tmp_path: Path) -> None:
    asyncio.run(_talk(tmp_path))


async def _talk(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated(bots=0)
        watching = Watching(place.channel, place.game(ticket))
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            own, theirs = session.news(), watching.news()
            session.say("too early")
            heard, overheard = list[News](), list[News]()
            await until(Unsaid, own, heard)
            async with asyncio.TaskGroup() as tasks:
                runs = [tasks.create_task(each.run()) for each in (session, watching)]
                await until(Joined, own, heard)
                await until(Joined, theirs, overheard)
                session.say("x" * 201)
                await until(Unsaid, own, heard)
                for words in ("good \x1b[2Jluck", 5):
                    session.say(words)
                    await until(Said, own, heard)
                    await until(Said, theirs, overheard)
                for run in runs:
                    run.cancel()
    said = [item for item in overheard if isinstance(item, Said)]
    assert said == [item for item in heard if isinstance(item, Said)]
    assert [(item.name, item.words) for item in said] == [("Ann", "good [2Jluck"), ("Ann", "sorry")]


def test_who_left_a_seat_to_a_bot_comes_back_and_plays_to_the_end(tmp_path: Path) -> None:
    asyncio.run(_leaves_and_returns(tmp_path))


async def _leaves_and_returns(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            news, heard = session.news(), list[News]()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await until(Joined, news, heard)
                await place.lobby.start(ticket)
                await until(Happened, news, heard)
                book.leaving()
                await place.lobby.leave(ticket)
                assert (await run).cause is Cause.REMOVED
            table = await place.listening.lobby.get(ticket.table)
            assert table.journal.state.game.presence.away[ticket.seat] is Absence.LEFT
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                assert (await session.run()).cause is Cause.GAME_OVER
            assert check(book.receipts, place.store.games[ticket.game_id]) is None


def test_a_person_takes_over_a_bots_seat_in_mid_game(tmp_path: Path) -> None:
    asyncio.run(_takes_over(tmp_path))


async def _takes_over(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        await place.lobby.start(ticket)
        guest = await place.lobby.take_over(ticket.table, "Bob", SeatKind.PERSON, Seat(2))
        assert (guest.seat, guest.game_id) == (2, ticket.game_id)
        with place.book(ticket) as book, place.book(guest) as other:
            sessions = [
                Session(place.channel, seat, receipts)
                for seat, receipts in ((ticket, book), (guest, other))
            ]
            async with asyncio.TaskGroup() as tasks:
                for session in sessions:
                    tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                    tasks.create_task(session.run())
            log = place.store.games[ticket.game_id]
            assert check(book.receipts, log) is None
            assert check(other.receipts, log) is None
        taken = [event for event in place.public(ticket) if isinstance(event, SeatTakenOver)]
        assert [(event.seat, event.name) for event in taken] == [(2, "Bob")]


def test_orders_are_the_hosts_and_anybody_else_hears_why_not(tmp_path: Path) -> None:
    asyncio.run(_orders(tmp_path))


async def _orders(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated(bots=2)
        guest = await place.lobby.join(ticket.table, "Bob", SeatKind.PERSON)
        assert "Ann" in await carry_out(place.lobby, guest, Start())
        assert await carry_out(place.lobby, ticket, Start()) == ""
        assert "Ann" in await carry_out(place.lobby, guest, Pause())
        assert await carry_out(place.lobby, ticket, Pause()) == ""
        assert await carry_out(place.lobby, ticket, Resume()) == ""


def test_whoever_waits_for_the_next_game_hears_when_it_is_opened(tmp_path: Path) -> None:
    asyncio.run(_next_game(tmp_path))


async def _next_game(folder: Path) -> None:
    async with place_in(folder) as place:
        ticket = await place.seated()
        last = await place.lobby.table(ticket.table)
        await place.lobby.start(ticket)
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                await session.run()
        async with asyncio.TaskGroup() as tasks:
            waiting = tasks.create_task(place.lobby.next_game(last))
            again = await place.lobby.play_again(ticket)
            while not waiting.done():
                place.clock.advance(timedelta(seconds=1))
                await asyncio.sleep(0)
        assert waiting.result().game_id == again.game_id != last.game_id
