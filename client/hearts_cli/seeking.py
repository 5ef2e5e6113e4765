"""A seat at a server's table: found, taken, and played until its owner has had enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click
from grpc import StatusCode, aio

from hearts_bots.bot import Bot
from hearts_bots.house import house_bot
from hearts_cli.address import Server
from hearts_cli.failures import BadInput, ServerFailure
from hearts_cli.options import rules_line
from hearts_cli.passcodes import Passcode
from hearts_cli.securing import join_command
from hearts_cli.sitting import Chair, Outcome, play_out, table_of
from hearts_cli.terminal import Terminal
from hearts_client.connection import ServerError, connected
from hearts_client.invite import Invite
from hearts_client.lobby import Lobby, TableInfo
from hearts_client.orders import carry_out
from hearts_client.safetext import cleaned
from hearts_client.seatnames import place_name
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
    data: Path
    auto: bool = False
    fill: str | None = None
    clock: int | None = None
    """Seconds for a card; none if any will do."""
    passcode: Passcode = Passcode(asked_for=False)
    open_hands: bool = False
    """Whether a new table shows every hand to those who watch."""
    new: bool = False
    """Whether a table is to be opened in any case."""
    ways_in: Callable[[str], Iterable[str]] | None = None
    """What others type to sit down at the table of a name; none: what this person could type."""
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


async def play_at(server: Server, wish: Wish, terminal: Terminal) -> int:
    """Sit down and play, game after game, until the person has had enough; the exit code."""
    try:
        async with connected(server.invite, server.trust(wish.data)) as channel:
            lobby = Lobby(channel, server.address, pin=server.pin(wish.data))
            holding = await _held(lobby, server, wish)
            if holding is None:
                holding = Tickets(wish.data).keep(await _sit_down(lobby, wish, terminal))
                await _fill(lobby, holding.ticket, wish.fill)
                await _welcome(lobby, holding.ticket, wish)
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
        order = partial(carry_out, lobby, ticket)
        chair = Chair(holding, wish.bot_for(ticket), order, _ways_in(wish, ticket))
        outcome = await play_out(channel, chair, terminal, wish.data)
        if outcome is not Outcome.CLEAN or not terminal.can_ask:
            return outcome
        if not await terminal.agrees("play again at this table?"):
            return outcome
        holding = Tickets(wish.data).keep(await lobby.play_again(ticket))
        await _welcome(lobby, holding.ticket, wish)


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


async def _welcome(lobby: Lobby, ticket: Ticket, wish: Wish) -> None:
    """Say where one sits, and how the seats still free can be filled."""
    table = await lobby.table(ticket.table)
    place = place_name(ticket.seat, table.rules.players)
    click.echo(f"you sit {place} at {table.name} ({rules_line(table.rules)})")
    if table.seating and table.free:
        seats = "one seat is" if table.free == 1 else f"{table.free} seats are"
        click.echo(f"{seats} free; others sit down with: {_ways_in(wish, ticket)[0]}")
        click.echo("or the host gives them to house bots: type bot, or join with --fill medium")


def _ways_in(wish: Wish, ticket: Ticket) -> tuple[str, ...]:
    """What others type to sit down at the table."""
    if wish.ways_in is not None:
        return tuple(wish.ways_in(ticket.table))
    invite = replace(Invite.parse(ticket.server), table=ticket.table, fingerprint=ticket.pin)
    return (join_command(invite),)


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
