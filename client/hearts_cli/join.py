"""`hearts join`: a seat at a server's table."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from grpc import StatusCode, aio

from hearts_bots.bot import Bot
from hearts_bots.house import LEVELS, house_bot
from hearts_cli.address import Server, checked_server, tls_asked, tls_option
from hearts_cli.choosing import choose, offers
from hearts_cli.failures import BadInput, ServerFailure, run
from hearts_cli.options import (
    clock_option,
    data_option,
    discovery_option,
    name_option,
    plain_option,
    rules_line,
    rules_option,
    settings_option,
)
from hearts_cli.passcodes import Passcode, passcode_option
from hearts_cli.securing import join_command
from hearts_cli.sitting import Chair, Outcome, play_out, table_of
from hearts_cli.surroundings import Search
from hearts_cli.terminal import Terminal
from hearts_client.connection import ServerError, connected
from hearts_client.invite import Invite
from hearts_client.lobby import Lobby, TableInfo
from hearts_client.orders import carry_out
from hearts_client.safetext import cleaned
from hearts_client.seatnames import place_name
from hearts_client.settings import Settings
from hearts_client.ticket import Conflict, Holding, Ticket, Tickets
from hearts_engine.cards import Seat
from hearts_engine.errors import Reason
from hearts_engine.events import SeatKind
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules


@dataclass(frozen=True, slots=True)
class Wish:
    """The seat that was asked for."""

    table: str | None
    rules: Rules | None
    """What is to be played there; none if anything will do."""
    name: str
    auto: bool
    plain: bool
    settings: Settings
    fill: str | None
    data: Path
    clock: int | None = None
    """Seconds for a card; none if any will do."""
    passcode: Passcode = Passcode(asked_for=False)
    open_hands: bool = False
    """Whether a new table shows every hand to those who watch."""
    new: bool = False
    """Whether a table is to be opened in any case."""
    take_over: str | None = None
    """The seat to take over from a bot, empty for the first; none to sit down before the start."""

    def likes(self, table: TableInfo) -> bool:
        """Whether the person wants to play what is played there."""
        return self.rules in (None, table.rules) and self.clock in (None, table.turn_seconds)

    @property
    def wanted(self) -> str:
        """The options that say what is to be played, as they are typed again."""
        rules = "" if self.rules is None else f" --rules '{format_rules(self.rules)}'"
        clock = "" if self.clock is None else f" --clock {self.clock or 'none'}"
        return rules + clock

    @property
    def kind(self) -> SeatKind:
        """Who is to sit there."""
        return SeatKind.BOT if self.auto else SeatKind.PERSON

    def bot_for(self, ticket: Ticket) -> Bot | None:
        """What plays in the person's place."""
        return house_bot("medium", f"{ticket.game_id}/{ticket.seat}") if self.auto else None


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
        auto,
        plain,
        settings,
        fill,
        data,
        clock,
        passcode,
        new=new,
        open_hands=open_hands,
        take_over=take_over,
    )
    sys.exit(run(_join(server or search, wish)))


def _table_named(server: Server | None, table: str | None) -> str | None:
    """The table that the invite names, or the command."""
    invited = None if server is None else server.invite.table
    if None not in (table, invited) and table != invited:
        raise click.UsageError(f"the invite is for table {invited}: name no other beside it")
    return invited or table


async def _join(at: Server | Search, wish: Wish) -> int:
    terminal = Terminal(plain=wish.plain, watching=wish.auto, settings=wish.settings)
    if isinstance(at, Search):
        found = offers(await at.surroundings(), at, wish.likes, wish.wanted)
        server = await choose(found, terminal)
        return await _play_at(server, replace(wish, table=server.invite.table), terminal)
    return await _play_at(at, wish, terminal)


async def _play_at(server: Server, wish: Wish, terminal: Terminal) -> int:
    try:
        async with connected(server.invite, server.trust(wish.data)) as channel:
            lobby = Lobby(channel, server.address, pin=server.pin(wish.data))
            holding = await _held(lobby, server, wish)
            if holding is None:
                holding = Tickets(wish.data).keep(await _sit_down(lobby, wish, terminal))
                await _fill(lobby, holding.ticket, wish.fill)
                await _welcome(lobby, holding.ticket)
            outcome = await _play(channel, lobby, holding, wish, terminal)
    except (ServerError, Conflict) as error:
        raise ServerFailure(str(error)) from error
    return outcome.exit_code


async def _play(
    channel: aio.Channel, lobby: Lobby, holding: Holding, wish: Wish, terminal: Terminal
) -> Outcome:
    """Play game after game at this table, until the person has had enough."""
    while True:
        ticket = holding.ticket
        chair = Chair(holding, wish.bot_for(ticket), partial(carry_out, lobby, ticket))
        outcome = await play_out(channel, chair, terminal, wish.data)
        if outcome is not Outcome.CLEAN or not terminal.can_ask:
            return outcome
        if not await terminal.agrees("play again at this table?"):
            return outcome
        holding = Tickets(wish.data).keep(await lobby.play_again(ticket))
        await _welcome(lobby, holding.ticket)


async def _held(lobby: Lobby, server: Server, wish: Wish) -> Holding | None:
    """The seat this user holds here and nobody plays on just now, unless another is wanted."""
    if wish.new or wish.take_over is not None:
        return None
    tickets = Tickets(wish.data)
    for ticket in tickets.held(server.address, server.pin(wish.data)):
        if wish.table not in (None, ticket.table):
            continue
        holding = tickets.hold(ticket)
        if holding is None:
            continue
        table = await table_of(lobby, ticket)
        if table is not None and wish.likes(table):
            click.echo(f"taking up your seat at {ticket.table} again")
            return holding
        holding.let_go()
    return None


async def _sit_down(lobby: Lobby, wish: Wish, terminal: Terminal) -> Ticket:
    """A seat at the table named; else at the first that will do, or at a new one."""
    if wish.take_over is not None:
        return await _take_over(lobby, wish, wish.take_over, terminal)
    if wish.table is not None:
        return await _sit_at(lobby, wish.table, wish, terminal)
    passcode = await wish.passcode.given(terminal)
    for table in () if wish.new else await lobby.tables():
        fits = table.seating and table.free and table.needs_passcode == bool(passcode)
        if fits and wish.likes(table):
            try:
                return await lobby.join(table.name, wish.name, wish.kind, passcode=passcode)
            except ServerError as error:
                if error.reason not in (Reason.SEAT_OCCUPIED, Reason.WRONG_PHASE):
                    raise  # else someone was faster; the next table may do
    table = await lobby.create(
        wish.rules,
        start_when_full=True,
        turn_seconds=wish.clock,
        passcode=passcode,
        open_hands=wish.open_hands,
    )
    return await lobby.join(table.name, wish.name, wish.kind, passcode=passcode)


async def _sit_at(lobby: Lobby, name: str, wish: Wish, terminal: Terminal) -> Ticket:
    try:
        passcode = await wish.passcode.of(await lobby.table(name), terminal)
        return await lobby.join(name, wish.name, wish.kind, passcode=passcode)
    except ServerError as error:
        if error.reason in (Reason.SEAT_OCCUPIED, Reason.WRONG_PHASE):
            raise await _with_vacancy(lobby, name, error) from error
        if error.reason != "NO_SUCH_TABLE":
            raise
        tables = [table for table in await lobby.tables() if table.seating and table.free]
        free = ", ".join(f"{table.name} ({rules_line(table.rules)})" for table in tables)
        others = f"free seats: {free}" if free else "no table has a free seat now"
        raise ServerFailure(f"{error.message}; {others}") from error


async def _with_vacancy(lobby: Lobby, name: str, error: ServerError) -> ServerError:
    """The same refusal, and that a bot's seat can be had, if one can."""
    if not (await lobby.table(name)).vacant:
        return error
    sentence = f"{error.message}; a bot plays there for nobody: --take-over gives you its seat"
    return ServerError(error.code, error.reason, sentence)


async def _take_over(lobby: Lobby, wish: Wish, place: str, terminal: Terminal) -> Ticket:
    """The seat of a bot, at the table named or the first where there is one to be had."""
    if wish.table is None:
        tables = [table for table in await lobby.tables() if table.vacant and wish.likes(table)]
        if not tables:
            raise ServerFailure("no table has a seat that a bot plays for nobody")
        table = tables[0]
    else:
        table = await lobby.table(wish.table)
    seat = _seat_at(place, table)
    passcode = await wish.passcode.of(table, terminal)
    return await lobby.take_over(table.name, wish.name, wish.kind, seat, passcode)


def _seat_at(place: str, table: TableInfo) -> Seat | None:
    """The seat that is meant by a place or a name; none for the first that is vacant."""
    if not place:
        return None
    sitters = {taken.seat: cleaned(taken.name).lower() for taken in table.seats}
    players = table.rules.players
    vacant = ", ".join(place_name(seat, players) for seat in sorted(table.vacant)) or "none"
    for seat in map(Seat, range(players)):
        name = place_name(seat, players)
        if place.lower() not in (name.lower(), sitters.get(seat)):
            continue
        if seat not in table.vacant:
            raise ServerFailure(f"{name} is somebody's at {table.name}; to take over: {vacant}")
        return seat
    raise BadInput(f"{place!r} is no seat at {table.name}; to take over: {vacant}")


async def _welcome(lobby: Lobby, ticket: Ticket) -> None:
    """Say where one sits, and how the seats still free can be filled."""
    table = await lobby.table(ticket.table)
    place = place_name(ticket.seat, table.rules.players)
    click.echo(f"you sit {place} at {table.name} ({rules_line(table.rules)})")
    if table.seating and table.free:
        seats = "one seat is" if table.free == 1 else f"{table.free} seats are"
        invite = replace(Invite.parse(ticket.server), table=table.name, fingerprint=ticket.pin)
        click.echo(f"{seats} free; others sit down with: {join_command(invite)}")
        click.echo("or the host gives them to house bots: type bot, or join with --fill medium")


async def _fill(lobby: Lobby, ticket: Ticket, level: str | None) -> None:
    """Give what is free to house bots; the game starts when the table is full."""
    if level is None:
        return
    table = await lobby.table(ticket.table)
    try:
        for _ in range(table.free):
            await lobby.add_house_bot(ticket, level)
        table = await lobby.table(ticket.table)
        if table.seating:
            await lobby.start(ticket)
    except ServerError as error:
        if error.code is not StatusCode.PERMISSION_DENIED:
            raise
        click.echo(f"{error.message}; your seat is yours, the game starts when they fill the table")
