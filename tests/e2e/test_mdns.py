"""What servers announce by mDNS is what others hear, while it is so."""

from __future__ import annotations

import asyncio
import os
from datetime import timedelta

from hearts_client.lookout import MulticastLookout
from hearts_server.multicast import MulticastResponder
from hearts_wire.announcement import Announcement

OWN_NAME = f"den {os.getpid()}"
"""Other servers may be heard on this machine's loopback, too."""

Heard = dict[str, tuple[str, ...]]
"""The tables that are announced, by the address of their server."""


def test_servers_of_one_name_and_port_are_heard_each_at_its_address_as_it_is_by_now() -> None:
    asyncio.run(_heard())


async def _heard() -> None:
    one, other = _responder("127.0.0.2"), _responder("127.0.0.3")
    try:
        await _announce(one, "oak-1")
        await _announce(other, "elm-1", "elm-2")
        assert await _look() == {"127.0.0.2": ("oak-1",), "127.0.0.3": ("elm-1", "elm-2")}
        await _announce(one)
        await other.withdraw()
        assert await _look() == {"127.0.0.2": ()}
    finally:
        await one.withdraw()
        await other.withdraw()


def _responder(host: str) -> MulticastResponder:
    return MulticastResponder(host, 4246, f"hearts-{os.getpid()}-{host.replace('.', '-')}")


async def _announce(responder: MulticastResponder, *tables: str) -> None:
    announcement = Announcement.of(OWN_NAME, None, tables)
    await responder.announce(announcement, await responder.addresses())


async def _look() -> Heard:
    sightings = await MulticastLookout(timedelta(seconds=1)).sightings()
    own = [each for each in sightings if each.announcement.server == OWN_NAME]
    assert all(len(each.hosts) == 1 for each in own), "nobody is sent to the other's address"
    return {each.hosts[0]: each.announcement.tables for each in own}
