"""What can be joined from here, and words for when nothing can."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from hearts_cli.address import Server
from hearts_client.discovery import Lookout, Surroundings, look_around, tables_at
from hearts_client.invite import Invite
from hearts_client.known_servers import KnownServers
from hearts_client.lobby import TableInfo
from hearts_client.trust import OnlyKnown, Tls, Trust

HERE = Invite("127.0.0.1", 4246)
"""Where a server on this machine listens unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Search:
    """A look at this machine and, unless that is not wanted, at the local network."""

    data: Path
    tls: Tls
    discovery: bool

    async def surroundings(self) -> Surroundings:
        """What there is. What went wrong is said on stderr: the list may lack what one looks for.

        No server is remembered for having been looked at; those that are, must be the same.
        """
        trust = Trust(OnlyKnown(KnownServers(self.data)), self.tls, hearsay=True)

        async def ask(invite: Invite) -> tuple[TableInfo, ...]:
            return await tables_at(invite, trust)

        around = await look_around(_lookout() if self.discovery else None, HERE, ask)
        for line in _troubles(around):
            click.echo(line, err=True)
        return around

    def server(self, invite: Invite, table: str) -> Server:
        """A server that was found, to go to one of its tables."""
        return Server(replace(invite, table=table), self.tls, hearsay=True)

    def nothing_in(self, around: Surroundings) -> str:
        """What to do where no server was found that can be joined."""
        if around.silent:
            return "no server that was heard of can be joined; ask who runs one for its invite"
        where = "on the local network or this machine" if self.discovery else "on this machine"
        return f"no server was found {where}; start one with hearts serve, or ask for an invite"


def _lookout() -> Lookout:
    if sys.stderr.isatty():
        click.echo("looking for tables on the local network", err=True)
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # the lookout itself says what fails
    # Imported here: it takes a while, and only those who look around need it.
    from hearts_client.lookout import MulticastLookout  # noqa: PLC0415

    return MulticastLookout()


def _troubles(around: Surroundings) -> list[str]:
    heard = [f"{each.name} was heard of, but: {each.why}" for each in around.silent]
    if around.deaf is None:
        return heard
    return [f"the local network cannot be listened to: {around.deaf}", *heard]
