"""A session on a real server: what its user is told, what is answered for it, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from grpc import aio

from hearts_bots.house import house_bot
from hearts_client.botrunner import play_bot
from hearts_client.connection import connected
from hearts_client.lobby import Lobby
from hearts_client.news import Ask, Asked, Attending, Cause, Closed, Happened, Joined, News
from hearts_client.session import Session
from hearts_client.ticket import Ticket
from hearts_engine.audience import visible_to
from hearts_engine.cards import PACK
from hearts_engine.events import EntropyRevealed, Event, SeatKind
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import follow
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_replays.receipt_book import ReceiptBook
from hearts_replays.receipts import check
from hearts_server.app import Listening, serving
from hearts_server.policy import Policy
from hearts_server.testing.premises import premises_of
from hearts_wire.records import decode_record

RULES = parse_rules("black_lady target=30")


@dataclass(frozen=True)
class Here:
    """A server of this test, with a way to it."""

    listening: Listening
    channel: aio.Channel
    lobby: Lobby
    store: MemoryStore
    folder: Path

    async def ticket(self, rules: Rules = RULES, people: int = 1) -> list[Ticket]:
        """Seats for so many at a table filled with house bots, not started."""
        table = await self.lobby.create(rules)
        tickets = [
            await self.lobby.join(table.name, f"Ann {number}", SeatKind.PERSON)
            for number in range(people)
        ]
        for _ in range(people, rules.players):
            await self.lobby.add_house_bot(tickets[0], "easy")
        return tickets

    def book(self, ticket: Ticket) -> ReceiptBook:
        """Receipts of this seat."""
        path = self.folder / f"{ticket.game_id}-{ticket.seat}"
        return ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy)

    def events(self, ticket: Ticket) -> list[Event]:
        """What the seat may know of its game's log."""
        events = [decode_record(data).event for data in self.store.games[ticket.game_id]]
        return [event for event in events if visible_to(ticket.seat, event)]


@asynccontextmanager
async def here(folder: Path) -> AsyncGenerator[Here, None]:
    store = MemoryStore()
    async with (
        serving(premises_of(store), "127.0.0.1", 0, Policy(resumes=True)) as listening,
        connected(listening.address) as channel,
    ):
        yield Here(listening, channel, Lobby(channel, listening.address), store, folder)


@asynccontextmanager
async def running(session: Session) -> AsyncGenerator[asyncio.Task[Closed], None]:
    """A session that runs until the block is left."""
    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(session.run())
        yield task
        task.cancel()


def events_in(news: list[News]) -> list[Event]:
    """What the user was told, in order."""
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


@pytest.mark.parametrize(
    "text",
    [
        "black_lady target=30",
        "cancellation players=3 pass_cycle=scatter pass_count=2 moon=choose deals=1",
        "five pass_cycle=shuffle,left2 finish=early exact=exact_wins target=20",
        "cancellation players=4 kitty=first_penalty bonus=JD:10 removed=2C,2C,3D deals=2",
    ],
)
def test_bots_on_sessions_play_a_whole_game_that_agrees_with_every_receipt(
    tmp_path: Path, text: str
) -> None:
    asyncio.run(_whole_game(tmp_path, parse_rules(text)))


async def _whole_game(folder: Path, rules: Rules) -> None:
    async with here(folder) as place:
        tickets = await place.ticket(rules, people=rules.players)
        books = [place.book(ticket) for ticket in tickets]
        heard = [list[News]() for _ in tickets]
        async with asyncio.TaskGroup() as tasks:
            for ticket, book, news in zip(tickets, books, heard, strict=True):
                session = Session(place.channel, ticket, book)
                bot = house_bot("easy", str(ticket.seat))
                tasks.create_task(play_bot(session, session.news(), bot))
                tasks.create_task(_collect(session, news))
                tasks.create_task(session.run())
            await place.lobby.start(tickets[0])
        log = place.store.games[tickets[0].game_id]
        report = audit(log)
        assert report.finding is None
        for ticket, book, news in zip(tickets, books, heard, strict=True):
            assert check(book.receipts, log) is None
            assert events_in(news) == place.events(ticket)
            assert _is(news[-1], Cause.GAME_OVER)
            assert not any(isinstance(item, Closed) for item in news[:-1])
            book.close()


async def _but_presence(news: AsyncIterator[News]) -> News:
    """What is told next, apart from who is connected."""
    item = await anext(news)
    return await _but_presence(news) if isinstance(item, Attending) else item


async def _collect(session: Session, into: list[News]) -> None:
    into.extend([item async for item in session.news()])


def _is(item: News, cause: Cause) -> bool:
    return isinstance(item, Closed) and item.cause is cause


def test_each_piece_of_news_comes_with_the_game_as_it_stands_after_it(tmp_path: Path) -> None:
    asyncio.run(_views(tmp_path))


async def _views(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket(parse_rules("black_lady target=1"))
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            news = list[News]()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_collect(session, news))
                tasks.create_task(play_bot(session, session.news(), house_bot("easy", "x")))
                tasks.create_task(session.run())
                await place.lobby.start(ticket)
        seen: list[Event] = []
        for item in news:
            seen += events_in([item])
            if isinstance(item, Joined | Happened | Asked):
                assert item.view == follow(ticket.seat, seen)


def test_a_refused_answer_says_why_and_what_is_legal_and_can_be_given_anew(tmp_path: Path) -> None:
    asyncio.run(_refused(tmp_path))


async def _refused(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            news = session.news()
            async with running(session):
                assert await anext(news)
                early = await session.play(PACK[0])
                assert early is not None
                assert early.reason == "NOT_ASKED"
                await place.lobby.start(ticket)
                asked = await _next_asked(news)
                assert asked.ask is Ask.PASS
                hand = tuple(asked.view.hand)
                few = await session.choose_pass(hand[:2])
                assert few is not None
                assert (few.reason, few.legal) == ("WRONG_PASS_COUNT", asked.view.hand)
                foreign = next(card for card in PACK if card not in asked.view.hand)
                other = await session.choose_pass((*hand[:2], foreign))
                assert other is not None
                assert other.reason == "CARD_NOT_HELD"
                first, second = await asyncio.gather(
                    session.choose_pass(hand[:3]), session.choose_pass(hand[3:6])
                )
                assert first is None
                assert second is not None
                assert second.reason == "SENT_ALREADY"
                assert (await _next_asked(news)).ask is Ask.CARD


async def _next_asked(news: AsyncIterator[News]) -> Asked:
    async for item in news:
        if isinstance(item, Asked):
            return item
    raise AssertionError("the session is over")


def test_a_seat_attached_elsewhere_ends_the_session_and_it_stays_away(tmp_path: Path) -> None:
    asyncio.run(_superseded(tmp_path))


async def _superseded(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        with place.book(ticket) as book:
            older, newer = (Session(place.channel, ticket, book) for _ in range(2))
            joined = older.news()
            async with running(older) as run:
                await anext(joined)
                news = newer.news()
                async with running(newer):
                    assert isinstance(await anext(news), Joined)
                    assert (await run).cause is Cause.SUPERSEDED
                    await place.lobby.start(ticket)
                    assert isinstance(await _but_presence(news), Happened)


def test_who_leaves_the_table_is_told_that_the_session_is_over(tmp_path: Path) -> None:
    asyncio.run(_left(tmp_path))


async def _left(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            news = session.news()
            async with running(session) as run:
                await anext(news)
                await place.lobby.leave(ticket)
                assert (await run).cause is Cause.REMOVED
            late = [item async for item in session.news()]
            assert [type(item) for item in late] == [Closed]
            answer = await session.play(PACK[0])
            assert answer is not None
            assert answer.reason == "SESSION_OVER"


@pytest.mark.parametrize("change", ["token", "table"])
def test_a_ticket_that_opens_nothing_ends_the_session_at_once(change: str, tmp_path: Path) -> None:
    asyncio.run(_useless(change, tmp_path))


async def _useless(change: str, folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        wrong = replace(ticket, token="x") if change == "token" else replace(ticket, table="oak-99")
        with place.book(ticket) as book:
            session = Session(place.channel, wrong, book)
            lost = Cause.REMOVED if change == "token" else Cause.LOST
            assert (await session.run()).cause is lost


def test_a_game_that_the_table_has_left_behind_is_over_not_lost(tmp_path: Path) -> None:
    asyncio.run(_left_behind(tmp_path))


async def _left_behind(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        earlier = replace(ticket, game_id="0" * 32)
        with place.book(earlier) as book:
            session = Session(place.channel, earlier, book)
            assert (await session.run()).cause is Cause.GAME_OVER


def test_entropy_is_revealed_without_asking_anyone(tmp_path: Path) -> None:
    asyncio.run(_reveals(tmp_path))


async def _reveals(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        with place.book(ticket) as book:
            session = Session(place.channel, ticket, book)
            news = session.news()
            async with running(session):
                await place.lobby.start(ticket)
                await _next_asked(news)
        assert EntropyRevealed(ticket.seat, ticket.entropy) in place.events(ticket)


def test_entropy_is_kept_back_where_the_log_has_another_commitment(tmp_path: Path) -> None:
    asyncio.run(_keeps_back(tmp_path))


async def _keeps_back(folder: Path) -> None:
    async with here(folder) as place:
        (ticket,) = await place.ticket()
        cheated = replace(ticket, entropy=bytes(32))
        with place.book(cheated) as book:
            session = Session(place.channel, cheated, book)
            news = session.news()
            async with running(session) as run:
                await place.lobby.start(ticket)
                closed = await run
            assert closed.cause is Cause.LOST
            assert "commitment" in closed.sentence
            assert [item async for item in news][-1] == closed
        assert not any(isinstance(event, EntropyRevealed) for event in place.events(ticket))
