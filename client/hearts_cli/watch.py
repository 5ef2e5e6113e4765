"""`hearts watch`: a table, seen by someone who does not sit there."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import click

from hearts_cli.address import Server, checked_server, tls_asked, tls_option
from hearts_cli.choosing import choose, watchable
from hearts_cli.failures import ServerFailure, run
from hearts_cli.options import data_option, discovery_option, plain_option, settings_option
from hearts_cli.passcodes import Passcode, passcode_option
from hearts_cli.sitting import result_lines, screen_options
from hearts_cli.surroundings import Search
from hearts_cli.terminal import Terminal
from hearts_client.connection import ServerError, connected
from hearts_client.ending import Ending
from hearts_client.lobby import Lobby, TableInfo
from hearts_client.news import Cause, Closed, News
from hearts_client.patience import PATIENT
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.settings import Settings
from hearts_client.watching import Game, Watching


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be watched, and how."""

    table: str | None
    follow: bool
    passcode: Passcode
    data: Path


@click.command("watch")
@click.argument("server", required=False, callback=checked_server, metavar="[INVITE]")
@click.argument("table", required=False)
@tls_option
@discovery_option
@click.option("--follow", is_flag=True, help="When the game is over, wait for the next one there.")
@passcode_option
@plain_option
@settings_option
@data_option
def command(  # noqa: PLR0913  (one argument an option)
    *,
    server: Server | None,
    table: str | None,
    discovery: bool,
    follow: bool,
    passcode: Passcode,
    plain: bool,
    settings: Settings,
    data: Path,
) -> None:
    """Watch a table of the server behind an INVITE, or at HOST:PORT, without sitting down.

    It is the TABLE named in the invite or beside it, else the first where a game is under way.
    What you see is what everyone may know. Without INVITE the tables around are listed.
    """
    wish = Wish(table, follow, passcode, data)
    terminal = Terminal(plain=plain, watching=False, settings=settings)
    search = Search(data, tls_asked(click.get_current_context()), discovery=discovery)
    sys.exit(run(_watch(server or search, wish, terminal)))


async def _watch(at: Server | Search, wish: Wish, terminal: Terminal) -> int:
    server = at
    if isinstance(server, Search):
        server = await choose(watchable(await server.surroundings(), server), terminal)
    return await watch_at(server, wish, terminal)


async def watch_at(server: Server, wish: Wish, terminal: Terminal) -> int:
    """Watch a table of a server to the end of its game, or of all that follow; the exit code."""
    try:
        async with connected(server.invite, server.trust(wish.data)) as channel:
            lobby = Lobby(channel, server.address, PATIENT, server.pin(wish.data))
            table = await _table(lobby, server.invite.table or wish.table)
            passcode = await wish.passcode.of(table, terminal)
            while True:
                game = Game(server.address, table.name, table.game_id, passcode)
                watching = Watching(channel, game)
                if await _follow(watching, terminal, wish.data) is not Ending.GAME_OVER:
                    return 0
                if not wish.follow:
                    return 0
                click.echo(f"waiting for the next game at {table.name}; Ctrl-C leaves")
                table = await lobby.next_game(table)
    except ServerError as error:
        raise ServerFailure(error.message) from error


async def _table(lobby: Lobby, name: str | None) -> TableInfo:
    """The table of this name, else the first where a game is under way, else the first."""
    if name is not None:
        return await lobby.table(name)
    tables = await lobby.tables()
    if not tables:
        raise ServerFailure("no table is open there")
    return next((table for table in tables if not table.seating and not table.over), tables[0])


async def _follow(watching: Watching, terminal: Terminal, data: Path) -> Ending:
    """Watch one game to its end, or until the person leaves."""
    news = watching.news()
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(watching.run())
        if terminal.by_lines:
            ending = await _by_lines(watching, news, terminal)
        else:
            ending = await _on_screen(watching, news, terminal, data)
        closed = await running if ending in (Ending.GAME_OVER, Ending.CLOSED) else None
        running.cancel()
    _require_not_lost(closed)
    return ending


def _require_not_lost(closed: Closed | None) -> None:
    if closed is not None and closed.cause is not Cause.GAME_OVER:
        raise ServerFailure(closed.sentence)


async def _by_lines(watching: Watching, news: AsyncIterator[News], terminal: Terminal) -> Ending:
    lines = terminal.lines if terminal.can_ask else None
    return await play_plain(
        watching,
        news=news,
        read_line=None if lines is None else lines.next,
        write=click.echo,
        options=PlainOptions(style=terminal.spoken_style),
    )


async def _on_screen(
    watching: Watching, news: AsyncIterator[News], terminal: Terminal, data: Path
) -> Ending:
    # Imported here: it is much of the start-up time, and only people need it.
    from hearts_client.screen.app import play_screen  # noqa: PLC0415

    options = screen_options(terminal, data)
    ending = await play_screen(watching, news=news, options=options)
    for line in result_lines(watching.view):
        click.echo(line)
    return ending
