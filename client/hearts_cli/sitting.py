"""A seat played from this terminal, by a person or a bot, through to the audit of its game."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from grpc import StatusCode, aio

from hearts_bots.bot import Bot
from hearts_cli.configuration import kept_setting
from hearts_cli.failures import ServerFailure
from hearts_cli.settling import open_receipts, settle
from hearts_cli.terminal import Terminal
from hearts_client.botrunner import play_bot
from hearts_client.connection import ServerError
from hearts_client.ending import Ending
from hearts_client.lobby import Lobby, TableInfo
from hearts_client.news import Cause, Closed, News
from hearts_client.orders import GiveOrder, GiveUpSeat, Order
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.scoreboard import points_sentence, winners_sentence
from hearts_client.seatnames import SeatNames
from hearts_client.session import Session
from hearts_client.ticket import Holding, Ticket
from hearts_engine.state import Phase
from hearts_engine.view import SeatView
from hearts_replays.receipt_book import ReceiptBook

if TYPE_CHECKING:
    from hearts_client.screen.app import ScreenOptions


_UNWRITTEN: Final = "that you leave could not be written down, so nothing was sent"


class Outcome(Enum):
    """How playing a seat ended; the value is the exit code."""

    CLEAN = "clean"
    """The game is over and its log holds."""
    FINDING = "finding"
    """The game is over and its log does not hold."""
    LEFT = "left"
    """The person left; the seat is kept."""
    GIVEN_UP = "given up"
    """The person left, and left the seat to a bot or to anyone."""
    NO_INPUT = "no input"
    """A decision was due and there was no more input."""

    @property
    def exit_code(self) -> int:
        """As every command gives it."""
        return {Outcome.FINDING: 1, Outcome.NO_INPUT: 2}.get(self, 0)


@dataclass(frozen=True, slots=True)
class Chair:
    """Where someone plays: a seat, what decides there, and what the table may be asked for."""

    holding: Holding
    bot: Bot | None
    """Plays in the person's place."""
    order: GiveOrder | None = None
    """Has the table do something else than playing; none where there is nobody to ask."""
    ways_in: tuple[str, ...] = ()
    """What others type to sit down here, while seats are free."""


async def play_out(channel: aio.Channel, chair: Chair, terminal: Terminal, data: Path) -> Outcome:
    """Play a seat to the end of its game, then audit what the server says happened.

    Whoever leaves before the start gives the seat back; later it is kept. Raises
    ``ServerFailure`` when the server is lost for good, or the seat is played from elsewhere.
    """
    holding = chair.holding
    ticket = holding.ticket
    try:
        with open_receipts(data, ticket) as book:
            session = Session(channel, ticket, book)
            order = None if chair.order is None else partial(_noted, book, chair.order)
            try:
                ending, closed = await _sit(session, replace(chair, order=order), terminal, data)
            except asyncio.CancelledError:  # Ctrl-C
                await _give_back(channel, holding, session.view, book)
                raise
            if ending is Ending.LEFT:
                click.echo(_given_up(holding, session.view))
                return Outcome.GIVEN_UP
            if closed is None:
                click.echo(await _give_back(channel, holding, session.view, book))
                return Outcome.NO_INPUT if ending is Ending.INPUT_ENDED else Outcome.LEFT
            if closed.cause is Cause.REMOVED:
                holding.throw_away()  # its token opens nothing any more
            if closed.cause is not Cause.GAME_OVER:
                raise ServerFailure(closed.sentence)
            clean = await settle(channel, ticket, book.receipts, data)
        holding.throw_away()
        return Outcome.CLEAN if clean else Outcome.FINDING
    finally:
        holding.let_go()


async def table_of(lobby: Lobby, ticket: Ticket) -> TableInfo | None:
    """The table that a ticket holds a seat at; none if its game is over there."""
    try:
        table = await lobby.table(ticket.table)
    except ServerError as error:
        if error.code is StatusCode.NOT_FOUND:
            return None
        raise
    return table if table.game_id == ticket.game_id and not table.over else None


def _given_up(holding: Holding, view: SeatView | None) -> str:
    """What became of a seat that was left for good, or until its owner is back."""
    table = holding.ticket.table
    if view is not None and view.phase is not Phase.SEATING:
        return f"left; a bot plays for you at {table} until you come back by the same command"
    holding.throw_away()
    return f"left; your seat at {table} is free again"


async def _noted(book: ReceiptBook, order: GiveOrder, what: Order) -> str:
    """Have the table do something; that one asks to leave is written down before."""
    if isinstance(what, GiveUpSeat):
        try:
            book.leaving()
        except OSError as error:
            return f"{_UNWRITTEN}: {error.strerror}"
    return await order(what)


async def _give_back(
    channel: aio.Channel, holding: Holding, view: SeatView | None, book: ReceiptBook
) -> str:
    """Leave the table if the game has not begun; what became of the seat."""
    ticket = holding.ticket
    if view is None or view.phase is not Phase.SEATING:
        return f"left; your seat at {ticket.table} is kept, run the same command to take it again"
    try:
        book.leaving()  # the game may have started meanwhile
        await Lobby(channel, ticket.server).leave(ticket)
    except OSError as error:
        return f"left, but {_UNWRITTEN}: {error.strerror}; your seat is kept"
    except ServerError as error:
        return f"left, but your seat could not be given back: {error.message}"
    holding.throw_away()
    return f"left; your seat at {ticket.table} is free again"


async def _sit(
    session: Session, chair: Chair, terminal: Terminal, data: Path
) -> tuple[Ending, Closed | None]:
    """Play until the session is over, or whoever plays leaves: no last news then."""
    watching = session.news()
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(session.run())
        playing = None
        if chair.bot is not None:
            playing = tasks.create_task(play_bot(session, session.news(), chair.bot))
        if terminal.by_lines:
            ending = await _by_lines(session, watching, terminal, chair.order)
        else:
            ending = await _on_screen(session, watching, screen_options(terminal, data, chair))
        if ending in (Ending.GAME_OVER, Ending.CLOSED):
            return ending, await running
        running.cancel()
        if playing is not None:
            playing.cancel()
    return ending, None


async def _by_lines(
    session: Session, watching: AsyncIterator[News], terminal: Terminal, order: GiveOrder | None
) -> Ending:
    lines = terminal.lines
    return await play_plain(
        session,
        news=watching,
        read_line=None if lines is None else lines.next,
        write=click.echo,
        options=PlainOptions(
            style=terminal.spoken_style, type_ahead=not sys.stdin.isatty(), order=order
        ),
    )


async def _on_screen(
    session: Session, watching: AsyncIterator[News], options: ScreenOptions
) -> Ending:
    # Imported here: it is much of the start-up time, and only people need it.
    from hearts_client.screen.app import play_screen  # noqa: PLC0415

    ending = await play_screen(session, news=watching, options=options)
    for line in result_lines(session.view):
        click.echo(line)
    return ending


def screen_options(terminal: Terminal, data: Path, chair: Chair | None = None) -> ScreenOptions:
    """How the full screen looks in this terminal."""
    from hearts_client.screen.app import ScreenOptions  # noqa: PLC0415  (as above)

    return ScreenOptions(
        style=terminal.card_style,
        settings=terminal.settings,
        keep=kept_setting,
        stderr_file=data / "screen.log",
        order=None if chair is None else chair.order,
        ways_in=() if chair is None else chair.ways_in,
    )


def result_lines(view: SeatView | None) -> Iterator[str]:
    """What is worth having in the terminal when the full screen is gone."""
    if view is not None and view.ended is not None:
        names = SeatNames.of(view)
        yield points_sentence(view.totals, names)
        yield winners_sentence(view.ended, names)
