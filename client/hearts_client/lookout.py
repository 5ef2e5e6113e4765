"""What servers say of themselves on the local network, heard by mDNS."""

from __future__ import annotations

import asyncio
import ipaddress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from zeroconf import Error, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from hearts_client.discovery import CannotListen, Sighting
from hearts_wire.announcement import SERVICE, decode_announcement
from hearts_wire.bounds import WireError

ENOUGH: Final = timedelta(seconds=2)
"""Answers come within 0.2 s; one that is lost on the way is asked for again after 1 s."""

MOST_SERVERS: Final = 32
"""More are not looked at: anyone on the network can invent any number of them."""

MOST_ADDRESSES: Final = 8
"""Of one server that are tried, one after another: each may let us wait."""

_DETAIL_MILLISECONDS = 1_000
"""How long a server may take to say where it is, once it was heard of."""


@dataclass(frozen=True, slots=True)
class MulticastLookout:
    """Listens on every interface of this machine."""

    time: timedelta = ENOUGH

    async def sightings(self) -> tuple[Sighting, ...]:
        """Everything heard, by name; raises ``CannotListen`` where there is no network."""
        try:
            async with _on_all_interfaces() as zeroconf:
                names = await self._names(zeroconf.zeroconf)
                found = await asyncio.gather(
                    *(_sighting(zeroconf.zeroconf, each) for each in names)
                )
        except (OSError, Error, RuntimeError) as error:  # the last: no interface at all
            raise CannotListen(str(error) or type(error).__name__) from error
        return tuple(sighting for sighting in found if sighting is not None)

    async def _names(self, zeroconf: Zeroconf) -> list[str]:
        heard: dict[str, None] = {}

        def hear(name: str, state_change: ServiceStateChange, **_: object) -> None:
            if state_change is ServiceStateChange.Removed:
                heard.pop(name, None)
            elif len(heard) < MOST_SERVERS:
                heard[name] = None

        browser = AsyncServiceBrowser(zeroconf, SERVICE, handlers=[hear])
        try:
            await asyncio.sleep(self.time.total_seconds())
        finally:
            await browser.async_cancel()
        return sorted(heard)


def _on_all_interfaces() -> AsyncZeroconf:
    try:
        return AsyncZeroconf(ip_version=IPVersion.All)
    except (OSError, RuntimeError):  # there is no IPv6 in this system
        return AsyncZeroconf(ip_version=IPVersion.V4Only)


async def _sighting(zeroconf: Zeroconf, name: str) -> Sighting | None:
    """What a server says of itself; none if it says nothing that can be understood."""
    try:
        info = AsyncServiceInfo(SERVICE, name)
    except Error:  # no name that a service can have; the others are not to be lost by it
        return None
    if not await info.async_request(zeroconf, _DETAIL_MILLISECONDS) or not info.port:
        return None
    try:
        announcement = decode_announcement(info.properties)
    except WireError:
        return None
    return Sighting(usable_hosts(info), info.port, announcement)


def usable_hosts(info: AsyncServiceInfo) -> tuple[str, ...]:
    """The addresses to try, those of version 4 first."""
    addresses = [ipaddress.ip_address(text) for text in info.parsed_scoped_addresses()]
    usable = (each for each in addresses if not each.is_unspecified and not each.is_multicast)
    return tuple(map(str, sorted(usable, key=lambda each: (each.version, int(each)))))[
        :MOST_ADDRESSES
    ]
