"""A table to sit down at, for those who have not said which."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import click

from hearts_cli.address import Server
from hearts_cli.failures import BadInput, ServerFailure
from hearts_cli.securing import join_command
from hearts_cli.surroundings import Search
from hearts_cli.tablelist import aligned, free_words, server_line, sitters, terms
from hearts_client.discovery import ServerTables, Surroundings
from hearts_client.lobby import TableInfo
from hearts_client.ticket import Tickets


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that could be joined."""

    place: Server
    """How to get there; its invite names the table."""
    server: ServerTables
    table: TableInfo


def every_table(around: Surroundings, search: Search) -> tuple[Offer, ...]:
    """All tables around, server by server."""
    return tuple(
        Offer(search.server(server.invite, table.name), server, table)
        for server in around.servers
        for table in server.tables
    )


def offers(
    around: Surroundings, search: Search, likes: Callable[[TableInfo], bool], wanted: str = ""
) -> tuple[Offer, ...]:
    """The tables around with a free seat, or the one at which this user holds a seat.

    ``wanted``: the options that say what the person likes. Raises ``ServerFailure`` if there is
    none.
    """
    every = [offer for offer in every_table(around, search) if likes(offer.table)]
    held = [offer for offer in every if _is_held(offer, search.data)]
    free = [offer for offer in every if offer.table.seating and offer.table.free]
    if not held and not free:
        if around.servers:
            raise ServerFailure(_none_to_join(around, wanted))
        raise ServerFailure(search.nothing_in(around))
    return tuple(held[:1] or free)


def watchable(around: Surroundings, search: Search) -> tuple[Offer, ...]:
    """The tables around that can be watched, those with a game under way first.

    Raises ``ServerFailure`` if there is none.
    """
    every = [offer for offer in every_table(around, search) if not offer.table.over]
    if not every:
        raise ServerFailure(
            "no table is open there" if around.servers else search.nothing_in(around)
        )
    return tuple(sorted(every, key=lambda offer: offer.table.seating))


class Asker(Protocol):
    """Asks whoever is there, if someone is."""

    @property
    def can_ask(self) -> bool:
        """Whether a person is there to answer questions."""
        ...

    async def chooses(self, question: str, most: int) -> int:
        """A number from 1 to this; raises ``Abort`` when the person leaves instead."""
        ...


async def choose(found: tuple[Offer, ...], asker: Asker) -> Server:
    """The way to the table that the person wants; without a question if there is but one.

    Raises ``BadInput`` where there are several and nobody can be asked, and ``Abort`` where the
    person leaves.
    """
    if len(found) == 1:
        offer = found[0]
        click.echo(f"found {offer.table.name} at {server_line(offer.server)}")
        return offer.place
    for line in _numbered(found):
        click.echo(line)
    if not asker.can_ask:
        raise BadInput(
            "there is more than one table; say which, like " + join_command(found[0].place.invite)
        )
    return found[await asker.chooses("which table?", len(found)) - 1].place


def _is_held(offer: Offer, data: Path) -> bool:
    """Whether this user holds a seat there that no other terminal plays on just now."""
    tickets, place = Tickets(data), offer.place
    for ticket in tickets.held(place.address, place.pin(data)):
        if ticket.game_id == offer.table.game_id and not offer.table.over:
            holding = tickets.hold(ticket)
            if holding is not None:
                holding.let_go()
                return True
    return False


def _none_to_join(around: Surroundings, wanted: str) -> str:
    command = join_command(around.servers[0].invite) + wanted
    return f"no table that would do has a free seat; a server opens one for you: {command}"


def _numbered(found: Iterable[Offer]) -> Iterator[str]:
    rows = (
        (
            str(number),
            offer.table.name,
            free_words(offer.table),
            terms(offer.table),
            sitters(offer.table),
            server_line(offer.server),
        )
        for number, offer in enumerate(found, start=1)
    )
    return aligned(rows)
