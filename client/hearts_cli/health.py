"""`hearts health`: whether a server takes calls, for scripts and whatever restarts servers."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

import click
from grpc import aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse

from hearts_cli.address import Server, checked_server, tls_option
from hearts_cli.failures import ServerFailure, run
from hearts_cli.serve import PORT
from hearts_client.connection import ServerError, calls_to, connected, readable
from hearts_client.trust import Trust

Check = aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]

SECONDS: Final = 5.0
"""How long a server may take to answer; one that is well does at once."""


@click.command("health")
@tls_option
@click.argument(
    "server", callback=checked_server, default=f"127.0.0.1:{PORT}", metavar="[HOST:PORT]"
)
def command(*, server: Server) -> None:
    """Ask a server whether it takes calls, this machine's own if none is named.

    Without an invite any certificate will do, as nothing is said that others may not hear.
    """
    sys.exit(run(_ask(server)))


async def _ask(server: Server) -> int:
    try:
        async with asyncio.timeout(SECONDS):
            serving = await _is_serving(server)
    except TimeoutError as error:
        raise ServerFailure(
            f"{server.address} has not answered in {SECONDS:.0f} seconds"
        ) from error
    except ServerError as error:
        raise ServerFailure(error.message) from error
    if not serving:
        raise ServerFailure(f"{server.address} takes no calls; it is about to stop")
    click.echo(f"{server.address} is serving")
    return 0


async def _is_serving(server: Server) -> bool:
    async with connected(server.invite, Trust(tls=server.tls)) as channel:
        check: Check = channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        with calls_to(server.address):
            answer = readable(await check(HealthCheckRequest()))
    return answer.status == HealthCheckResponse.SERVING
