"""Announcements on the local network itself, by multicast."""

from __future__ import annotations

import asyncio
import socket

from zeroconf import Error, InterfaceChoice, IPVersion
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from hearts_server.addresses import reachable_hosts
from hearts_server.beacon import CannotAnnounce
from hearts_wire.announcement import SERVICE, Announcement, encode_announcement
from hearts_wire.hosts import is_loopback


class MulticastResponder:
    """Announces one server on every interface that it can be reached by."""

    def __init__(self, host: str, port: int, label: str) -> None:
        """``label`` names its addresses; no other server may have it, so it is drawn at random."""
        self._host = host
        self._port = port
        self._target = f"{label}.local."
        self._name: str | None = None
        self._zeroconf: AsyncZeroconf | None = None

    async def addresses(self) -> tuple[str, ...]:
        """Where others find the server now; raises ``CannotAnnounce`` if nowhere."""
        try:
            found = await _addresses(self._host)
        except OSError as error:
            raise CannotAnnounce(str(error)) from error
        if not found:
            raise CannotAnnounce("this machine has no address that others could reach")
        return found

    async def announce(self, announcement: Announcement, addresses: tuple[str, ...]) -> None:
        """Say this, in place of what was said before; raises ``CannotAnnounce``."""
        try:
            await self._announce(announcement, addresses)
        except (OSError, Error, RuntimeError) as error:  # the last: no interface at all
            raise CannotAnnounce(str(error) or type(error).__name__) from error

    async def withdraw(self) -> None:
        """Say that the server is gone; no error if nothing was said."""
        zeroconf, self._zeroconf, self._name = self._zeroconf, None, None
        if zeroconf is not None:
            await zeroconf.async_close()

    async def _announce(self, announcement: Announcement, addresses: tuple[str, ...]) -> None:
        if self._zeroconf is None:
            self._zeroconf = _heard_on(self._host, addresses)
        if self._name is None:
            info = self._info(f"{announcement.server} {self._port}", addresses, announcement)
            # Another server may go by this name: then the library puts a number behind it.
            await (
                await self._zeroconf.async_register_service(  # pyright: ignore[reportUnknownMemberType]  # a bare Awaitable
                    info, allow_name_change=True
                )
            )
            self._name = info.name.removesuffix(f".{SERVICE}")
        else:
            info = self._info(self._name, addresses, announcement)
            await (
                await self._zeroconf.async_update_service(info)  # pyright: ignore[reportUnknownMemberType]  # a bare Awaitable
            )

    def _info(
        self, name: str, addresses: tuple[str, ...], announcement: Announcement
    ) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            port=self._port,
            server=self._target,
            parsed_addresses=list(addresses),
            properties=encode_announcement(announcement),
        )


async def _addresses(host: str) -> tuple[str, ...]:
    """Where others find a server that listens on this host, which may be a name.

    On every address is not on loopback: others have one of their own.
    """
    hosts = reachable_hosts(host)
    if hosts == (host,):
        return await _resolved(host)
    return tuple(each for each in hosts if not is_loopback(each))


async def _resolved(host: str) -> tuple[str, ...]:
    answers = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in answers))


def _heard_on(host: str, addresses: tuple[str, ...]) -> AsyncZeroconf:
    """The interfaces on which a server that listens on this host can be reached."""
    match host:
        case "0.0.0.0":  # noqa: S104  (told apart, not listened on)
            return AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.V4Only)
        case "::":
            return AsyncZeroconf(InterfaceChoice.All, ip_version=IPVersion.All)
        case _:
            return AsyncZeroconf(list(addresses))
