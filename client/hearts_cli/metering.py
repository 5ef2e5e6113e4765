"""Where Prometheus may ask a server, if it may."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from hearts_server.app import Listening
from hearts_server.meters import Meters
from hearts_server.metrics import metrics_on

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class MetricsAddress:
    """Where metrics are to be served."""

    host: str
    port: int | None
    """0 for a free one; none: nowhere."""


def metrics_options(command: F) -> F:
    """``--metrics-port`` and ``--metrics-host``."""
    port = click.option(
        "--metrics-port",
        type=click.IntRange(0, 65535),
        help="Serve metrics for Prometheus on this port, 0 for a free one; else there are none.",
    )
    host = click.option(
        "--metrics-host",
        default="127.0.0.1",
        show_default=True,
        help="The address of that port: whoever reaches it may read them.",
    )
    return port(host(command))


@asynccontextmanager
async def metered(
    listening: Listening, meters: Meters, at: MetricsAddress
) -> AsyncGenerator[None, None]:
    """Metrics of a server where they are wanted, until the block is left; says where that is.

    Raises ``CannotListen``.
    """
    if at.port is None:
        yield
        return
    async with metrics_on(meters, listening.lobby.census, at.host, at.port) as port:
        click.echo(f"metrics on http://{at.host}:{port}/metrics")
        yield
