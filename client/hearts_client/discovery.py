"""Which servers can be reached from here, and their tables.

There are those of the local network, and one on this machine. What is heard on the network is
only where to ask: everything that is shown a server itself has answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, Protocol

from hearts_client.connection import ServerError, connected
from hearts_client.invite import Invite
from hearts_client.lobby import Lobby, TableInfo
from hearts_client.safetext import cleaned
from hearts_client.trust import Trust
from hearts_wire.announcement import Announcement

ANSWER_TIME: Final = timedelta(seconds=3)
"""How long a server may take to list its tables; those that are near take milliseconds."""


class CannotListen(Exception):
    """There is no network to listen on; the sentence says why."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """A server that was heard of; nobody vouches for what it says."""

    hosts: tuple[str, ...]
    """The addresses at which it says it can be reached."""
    port: int
    announcement: Announcement


class Lookout(Protocol):
    """Listens for servers."""

    async def sightings(self) -> tuple[Sighting, ...]:
        """Everything heard, after as long as it takes; raises ``CannotListen``."""
        ...


@dataclass(frozen=True, slots=True)
class ServerTables:
    """A server that answered."""

    name: str
    invite: Invite
    """The way there."""
    tables: tuple[TableInfo, ...]


@dataclass(frozen=True, slots=True)
class Silent:
    """A server that was heard of and did not answer."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What there is to join from here."""

    servers: tuple[ServerTables, ...]
    silent: tuple[Silent, ...] = ()
    deaf: str | None = None
    """Why the network could not be listened to; none if it could, or was not to be."""


Ask = Callable[[Invite], Awaitable[tuple[TableInfo, ...]]]
"""Gives a server's tables; raises ``ServerError``."""


async def tables_at(invite: Invite, trust: Trust) -> tuple[TableInfo, ...]:
    """The tables that a server lists now; raises ``ServerError``, also where it is not trusted."""
    async with connected(invite, trust) as channel:
        return await Lobby(channel, invite.address).tables()


async def look_around(lookout: Lookout | None, here: Invite, ask: Ask) -> Surroundings:
    """The tables of the network, if there is a lookout, and of a server at this address here."""
    async with asyncio.TaskGroup() as tasks:
        own = tasks.create_task(_answer("this machine", (here,), ask))
        away = tasks.create_task(_away(lookout, ask))
    found, at_home = away.result(), own.result()
    if isinstance(at_home, Silent):
        return found
    others = (each for each in found.servers if not _same(each, at_home))
    return replace(found, servers=(at_home, *others))


async def _away(lookout: Lookout | None, ask: Ask) -> Surroundings:
    if lookout is None:
        return Surroundings(())
    try:
        heard = await lookout.sightings()
    except CannotListen as error:
        return Surroundings((), deaf=str(error))
    answers = await asyncio.gather(
        *(_answer(cleaned(each.announcement.server), _ways_to(each), ask) for each in heard)
    )
    servers = tuple(each for each in answers if isinstance(each, ServerTables))
    return Surroundings(servers, tuple(each for each in answers if isinstance(each, Silent)))


def _ways_to(sighting: Sighting) -> tuple[Invite, ...]:
    fingerprint = sighting.announcement.fingerprint
    return tuple(Invite(host, sighting.port, fingerprint=fingerprint) for host in sighting.hosts)


async def _answer(name: str, ways: Iterable[Invite], ask: Ask) -> ServerTables | Silent:
    """What a server answers at the first of its addresses that leads to it."""
    why = "it gives no address"
    for way in ways:
        try:
            async with asyncio.timeout(ANSWER_TIME.total_seconds()):
                return ServerTables(name, way, await ask(way))
        except TimeoutError:
            why = f"no server answers at {way.address}"
        except ServerError as error:
            why = error.message
    return Silent(name, why)


def _same(one: ServerTables, other: ServerTables) -> bool:
    """Whether it is one server at two addresses: games' ids are unique everywhere."""
    games = {table.game_id for table in one.tables}
    return any(table.game_id in games for table in other.tables)
