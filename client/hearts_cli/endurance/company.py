"""Four bots at one table, which play game after game, whatever becomes of the server meanwhile."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from grpc import StatusCode, aio

from hearts_cli.endurance.tap import Tally, Tapped
from hearts_cli.endurance.witness import Witness
from hearts_client.connection import KEEPALIVE, ServerError
from hearts_client.lobby import Lobby
from hearts_client.news import Ask, Asked, Cause, News, Offline, Refused
from hearts_client.patience import Patience
from hearts_client.session import Session
from hearts_client.ticket import Ticket
from hearts_engine.cards import Card
from hearts_engine.events import SeatKind
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.view import SeatView

SEATS = 4

T = TypeVar("T")

_OPTIONS = (
    # Connections of their own, as from as many machines, that are tried again soon.
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 200),
    *KEEPALIVE,
)


async def _soon(seconds: float) -> None:
    await asyncio.sleep(min(seconds, 0.1))


PERSISTENT = Patience(attempts=1_000_000, pause=_soon)
"""Tries again until it succeeds."""


class Lost(Exception):
    """A seat whose session ended before its game did."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a company plays, and how."""

    rules: Rules
    games: int
    """At one table."""
    starts_by_itself: bool
    """When all four sit, rather than when the first says so."""


@dataclass(frozen=True, slots=True)
class Company:
    """Four seats, each with a connection of its own."""

    address: str
    notes: Path
    """The folder in which each seat writes down what it was told."""
    chance: random.Random
    tally: Tally

    async def play(self, plan: Plan, enough: asyncio.Event) -> None:
        """Open a table and play the games there, or fewer once it is enough.

        Raises ``Lost`` and ``ServerError``.
        """
        patience = Patience(PERSISTENT.attempts, self._ask_again_soon)
        async with self._channels() as channels:
            lobbies = [Lobby(channel, self.address, patience) for channel in channels]
            tickets = await self._sit_down(lobbies, plan)
            await self._play_game(channels, tickets)
            for _ in range(plan.games - 1):
                if not enough.is_set():
                    tickets = await _all(map(Lobby.play_again, lobbies, tickets))
                    await self._play_game(channels, tickets)

    async def _ask_again_soon(self, seconds: float) -> None:
        self.tally.counts["lobby requests made again"] += 1
        await _soon(seconds)

    @asynccontextmanager
    async def _channels(self) -> AsyncGenerator[Sequence[aio.Channel], None]:
        async with AsyncExitStack() as stack:
            yield [
                await stack.enter_async_context(
                    aio.insecure_channel(self.address, options=_OPTIONS)
                )
                for _ in range(SEATS)
            ]

    async def _sit_down(self, lobbies: Sequence[Lobby], plan: Plan) -> Sequence[Ticket]:
        table = await lobbies[0].create(plan.rules, start_when_full=plan.starts_by_itself)
        # Who sits down first is the host, who alone may start the game.
        host = await lobbies[0].join(table.name, "Bot 0", SeatKind.BOT)
        others = await _all(
            lobby.join(table.name, f"Bot {number}", SeatKind.BOT)
            for number, lobby in enumerate(lobbies[1:], start=1)
        )
        tickets = [host, *others]
        if not plan.starts_by_itself:
            await _start(lobbies[0], tickets[0])
        return tickets

    async def _play_game(self, channels: Sequence[aio.Channel], tickets: Sequence[Ticket]) -> None:
        await _all(map(self._play_seat, channels, tickets))
        self.tally.counts["games ended"] += 1

    async def _play_seat(self, channel: aio.Channel, ticket: Ticket) -> None:
        witness = Witness(self.notes, ticket)
        tapped = Tapped(channel, self.tally)
        session = Session(tapped, ticket, witness, PERSISTENT)  # type: ignore[arg-type]  # it has what stubs call  # pyright: ignore[reportArgumentType]
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._answer(session, session.news()))
                closed = await session.run()
        finally:
            witness.close()
        if closed.cause is not Cause.GAME_OVER:
            raise Lost(f"seat {ticket.seat} in game {ticket.game_id}: {closed.sentence}")

    async def _answer(self, session: Session, news: AsyncIterator[News]) -> None:
        """Answer whatever the seat is asked, at once and without a thought."""
        async for item in news:
            match item:
                case Asked(ask):
                    await self._decide(session, ask)
                case Offline():
                    self.tally.counts["tries to reconnect"] += 1
                case _:
                    pass

    async def _decide(self, session: Session, ask: Ask) -> None:
        view = session.view
        assert view is not None, "a seat that is asked was shown its hand"
        refused = None
        match ask:
            case Ask.PASS:
                refused = await session.choose_pass(_cards_to_pass(view, self.chance))
            case Ask.MOON:
                refused = await session.choose_moon(self.chance.choice(list(MoonChoice)))
            case Ask.CARD:
                if not view.legal:
                    return  # asked twice, before and after a break, and answered since
                if not view.trick.cards and len(view.hand) < 4:
                    refused = await session.claim()
                    self._note_refusal(refused, "claim")
                    if refused is None:
                        return
                refused = await session.play(self.chance.choice(tuple(view.legal)))
        self._note_refusal(refused, "answer")

    def _note_refusal(self, refused: Refused | None, what: str) -> None:
        if refused is not None:
            self.tally.counts[f"{what} not taken: {refused.reason}"] += 1


def _cards_to_pass(view: SeatView, chance: random.Random) -> Sequence[Card]:
    """Cards that may be passed, and where there are too few of them, others too."""
    others = tuple(view.hand - view.legal)
    spare = max(0, view.rules.pass_count - len(view.legal))
    return (*chance.sample(tuple(view.legal), k=view.rules.pass_count - spare), *others[:spare])


async def _start(lobby: Lobby, ticket: Ticket) -> None:
    """Start the game; one that had been started by the request before will do."""
    attempt = 0
    while True:
        try:
            await lobby.start(ticket)
        except ServerError as error:
            attempt += 1
            if error.code not in {StatusCode.UNAVAILABLE, StatusCode.CANCELLED}:
                if attempt == 1 or (await lobby.table(ticket.table)).seating:
                    raise
                return
        else:
            return
        await PERSISTENT.before(attempt)


async def _all(work: Iterable[Awaitable[T]]) -> list[T]:
    """What each comes to; if one fails, the others are given up."""

    async def result(one: Awaitable[T]) -> T:
        return await one

    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(result(one)) for one in work]
    return [task.result() for task in running]
