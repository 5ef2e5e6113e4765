"""A server, as people type it: an invite, or HOST:PORT."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from hearts_client.invite import BadInvite, Invite
from hearts_client.known_servers import KnownServers
from hearts_client.trust import Tls, Trust

F = TypeVar("F", bound=Callable[..., Any])

_TLS_KEY = "hearts_cli.tls"


@dataclass(frozen=True, slots=True)
class Server:
    """A server that was asked for, and how to be sure of it."""

    invite: Invite
    tls: Tls = Tls.AUTO
    hearsay: bool = False
    """It was found on the network, not named by someone."""

    @property
    def address(self) -> str:
        """HOST:PORT, which seats are kept under."""
        return self.invite.address

    def trust(self, data: Path) -> Trust:
        """What to ask of it, by what is remembered in a data folder."""
        return Trust(KnownServers(data), self.tls, self.hearsay, _tell)

    def pin(self, data: Path) -> str | None:
        """The fingerprint that it has proved, once connected; none if the connection is plain."""
        return KnownServers(data).pin_of(self.address)


def tls_option(command: F) -> F:
    """``--tls WHEN``: for the server that the command names; parsed before that."""
    return click.option(
        "--tls",
        type=click.Choice([when.value for when in Tls]),
        default=Tls.AUTO.value,
        show_default=True,
        is_eager=True,
        expose_value=False,
        callback=_keep,
        help="Encrypt; auto: unless it is on this machine and has no known certificate.",
    )(command)


def tls_asked(ctx: click.Context) -> Tls:
    """What :func:`tls_option` was given, for servers that are not named but found."""
    tls: Tls = ctx.meta[_TLS_KEY]
    return tls


def checked_server(ctx: click.Context, _param: click.Parameter, value: str | None) -> Server | None:
    """The server that a text names; for ``callback=``, beside :func:`tls_option`."""
    if value is None:
        return None
    try:
        return Server(Invite.parse(value), ctx.meta[_TLS_KEY])
    except BadInvite as error:
        raise click.BadParameter(str(error)) from error


def _keep(ctx: click.Context, _param: click.Parameter, value: str) -> None:
    ctx.meta[_TLS_KEY] = Tls(value)


def _tell(sentence: str) -> None:
    click.echo(sentence, err=True)
