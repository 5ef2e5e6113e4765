"""How `hearts serve` makes itself known on the local network."""

from __future__ import annotations

import logging
import platform
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from enum import Enum, auto
from secrets import token_hex
from typing import Any, TypeVar

import click

from hearts_server.app import Listening
from hearts_server.beacon import Beacon, announced
from hearts_server.clocks import Clock
from hearts_wire.announcement import Announcement
from hearts_wire.hosts import is_loopback


class Announcing(Enum):
    """Whether a server makes itself known."""

    USUAL = auto()
    """Unless nobody but this machine could reach it."""
    ALWAYS = auto()
    NEVER = auto()


F = TypeVar("F", bound=Callable[..., Any])


def announce_option(command: F) -> F:
    """``--no-discovery``, and ``--discovery`` where that is not usual."""
    return click.option(
        "--discovery/--no-discovery",
        "announcing",
        default=None,
        callback=_announcing,
        help="Announce the server on the local network, or do not; else unless --host is loopback.",
    )(command)


@asynccontextmanager
async def announced_if(
    announcing: Announcing, listening: Listening, clock: Clock
) -> AsyncGenerator[None, None]:
    """The server is announced until the block is left, if it is to be."""
    alone = announcing is Announcing.USUAL and is_loopback(listening.host)
    if alone or announcing is Announcing.NEVER:
        yield
        return
    logging.getLogger("zeroconf").setLevel(logging.CRITICAL)  # the beacon itself says what fails
    # Imported here: it takes a while, and a server for this machine alone does not need it.
    from hearts_server.multicast import MulticastResponder  # noqa: PLC0415

    server = platform.node().split(".")[0]

    def now_so() -> Announcement:
        return Announcement.of(server, listening.fingerprint, listening.lobby.open_tables())

    responder = MulticastResponder(listening.host, listening.port, f"hearts-{token_hex(6)}")
    click.echo("announcing it on the local network: there hearts join finds it by itself")
    async with announced(Beacon(clock, responder, now_so)):
        yield


def _announcing(
    _ctx: click.Context,
    _param: click.Parameter,
    value: bool | None,  # noqa: FBT001  (as click calls it)
) -> Announcing:
    if value is None:
        return Announcing.USUAL
    return Announcing.ALWAYS if value else Announcing.NEVER
