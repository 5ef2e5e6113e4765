"""`hearts join`: a seat at a server's table."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from hearts_bots.house import LEVELS
from hearts_cli.address import Server, checked_server, tls_asked, tls_option
from hearts_cli.choosing import choose, offers
from hearts_cli.failures import run
from hearts_cli.options import (
    clock_option,
    data_option,
    discovery_option,
    name_option,
    plain_option,
    rules_option,
    settings_option,
)
from hearts_cli.passcodes import Passcode, passcode_option
from hearts_cli.seeking import Wish, play_at
from hearts_cli.surroundings import Search
from hearts_cli.terminal import Terminal
from hearts_client.settings import Settings
from hearts_engine.rules import Rules


@click.command("join")
@click.argument("server", required=False, callback=checked_server, metavar="[INVITE]")
@click.argument("table", required=False)
@tls_option
@discovery_option
@click.option("--auto", is_flag=True, help="Let a bot play your seat; no keyboard needed.")
@click.option(
    "--fill", type=click.Choice(LEVELS), help="Give the seats still free to house bots, and start."
)
@click.option(
    "--take-over",
    is_flag=False,
    flag_value="",
    metavar="[SEAT]",
    help="In a game under way, take the seat of a bot: the first, or west, say. Put it last.",
)
@click.option("--new", is_flag=True, help="Open a table, whatever else there is.")
@click.option(
    "--open-hands",
    is_flag=True,
    help="With --new: whoever watches sees every hand, as all are told.",
)
@rules_option
@clock_option("Only at a table that gives so many seconds for a card, or at a new one.")
@passcode_option
@name_option
@plain_option
@settings_option
@data_option
def command(  # noqa: PLR0913  (one argument an option)
    *,
    server: Server | None,
    table: str | None,
    discovery: bool,
    auto: bool,
    fill: str | None,
    take_over: str | None,
    new: bool,
    open_hands: bool,
    rules: Rules | None,
    clock: int | None,
    passcode: Passcode,
    name: str,
    plain: bool,
    settings: Settings,
    data: Path,
) -> None:
    """Sit down at a table of the server behind an INVITE, or at HOST:PORT.

    It is the TABLE named in the invite or beside it, else the first with a free seat. With --rules
    or --clock the first that plays by them; if there is none, a new one is opened. A seat that you
    hold there in a game under way is taken up again, also after you left it to a bot.

    Without INVITE the tables on the local network and on this machine are listed to choose from.
    """
    table = _table_named(server, table)
    if table is not None and (rules is not None or clock is not None or new):
        raise click.UsageError("a table has rules and a clock of its own: name it, or say those")
    if open_hands and not new:
        raise click.UsageError("--open-hands is for a table of your own: add --new")
    search = Search(data, tls_asked(click.get_current_context()), discovery=discovery)
    wish = Wish(
        table,
        rules,
        name,
        data,
        auto=auto,
        fill=fill,
        clock=clock,
        passcode=passcode,
        open_hands=open_hands,
        new=new,
        take_over=take_over,
    )
    terminal = Terminal(plain=plain, watching=auto, settings=settings)
    sys.exit(run(_join(server or search, wish, terminal)))


def _table_named(server: Server | None, table: str | None) -> str | None:
    """The table that the invite names, or the command."""
    invited = None if server is None else server.invite.table
    if None not in (table, invited) and table != invited:
        raise click.UsageError(f"the invite is for table {invited}: name no other beside it")
    return invited or table


async def _join(at: Server | Search, wish: Wish, terminal: Terminal) -> int:
    if isinstance(at, Search):
        found = offers(await at.surroundings(), at, wish.likes, wish.wanted)
        server = await choose(found, terminal)
        return await play_at(server, replace(wish, table=server.invite.table), terminal)
    return await play_at(at, wish, terminal)
