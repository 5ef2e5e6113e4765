"""The gRPC server around the lobby."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum

from grpc import aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from hearts_proto.v1 import (
    lobby_pb2,
    lobby_pb2_grpc,
    replay_pb2,
    replay_pb2_grpc,
    table_pb2,
    table_pb2_grpc,
)
from hearts_server.certificate import Certificate
from hearts_server.collector import collecting_seldom
from hearts_server.gate import Gate
from hearts_server.heartbeats import Heartbeats
from hearts_server.interceptor import Refusals
from hearts_server.journal import Premises
from hearts_server.lobby import Lobby
from hearts_server.lobby_service import LobbyService
from hearts_server.logbook import Entry, about
from hearts_server.metronome import METRONOME
from hearts_server.peers import Peers
from hearts_server.policy import Policy
from hearts_server.replay_service import ReplayService
from hearts_server.table_service import TableService
from hearts_wire.hosts import is_loopback, parse_host, with_port

log = logging.getLogger(__name__)

GRACE_SECONDS = 2.0
"""How long open streams may take to end when the server stops."""

KEEPALIVE = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),  # without it, a minute goes by all the same
)
"""How a client that is gone without a word is noticed after 30 seconds: its seat is absent then."""

_OPTIONS = (
    ("grpc.so_reuseport", 0),  # a second server on the same port is told so
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    *KEEPALIVE,
)

_SERVICES = (
    lobby_pb2.DESCRIPTOR.services_by_name["LobbyService"].full_name,
    table_pb2.DESCRIPTOR.services_by_name["TableService"].full_name,
    replay_pb2.DESCRIPTOR.services_by_name["ReplayService"].full_name,
)


class CannotListen(Exception):
    """The address cannot be used; the sentence says why."""


class Plaintext(Enum):
    """Who may connect to a server that encrypts nothing."""

    ON_LOOPBACK = "on loopback"
    """This machine alone."""
    ANYWHERE = "anywhere"
    """Anyone, and whoever is on the way can read tokens and hands: only where someone asks for
    it in so many words."""


@dataclass(frozen=True, slots=True)
class Listening:
    """A server that takes calls."""

    host: str
    port: int
    lobby: Lobby
    fingerprint: str | None = None
    """Of the certificate that it proves; none if nothing is encrypted."""

    @property
    def address(self) -> str:
        """Where to reach it."""
        return with_port(self.host, self.port)


@asynccontextmanager
async def serving(
    premises: Premises,
    host: str,
    port: int,
    policy: Policy,
    security: Certificate | Plaintext = Plaintext.ON_LOOPBACK,
) -> AsyncGenerator[Listening, None]:
    """A server on this address, port 0 for a free one, until the block is left.

    Raises ``CannotListen``.
    """
    _require_allowed(host, security)
    heartbeats = Heartbeats(premises.clock)
    async with _tables() as tasks:
        lobby, checks = Lobby(premises, tasks, policy), health.aio.HealthServicer()
        peers = Peers(policy.limits, premises.clock)
        server = await _server(lobby, premises, checks, peers, heartbeats)
        bound = _bind(server, with_port(host, port), security)
        await server.start()
        log.info(Entry.LISTENING, extra=about(host=host, port=bound, owner=policy.resumes))
        keeping_time = premises.metronome.run(premises.clock, heartbeats.beat, lobby.post)
        beat = tasks.create_task(keeping_time, name=METRONOME)
        tasks.create_task(lobby.take_up_all(), name="taking up")
        try:
            yield Listening(host, bound, lobby, _fingerprint(security))
        finally:
            log.info(Entry.DRAINING)
            # First, so that whoever sends callers here sends them elsewhere.
            await checks.enter_graceful_shutdown()
            await lobby.close()
            await server.stop(GRACE_SECONDS)
            beat.cancel()
            peers.guard.close()
    # Only here have the tables done all that was asked of them; stop() may return before that.
    log.info(Entry.STOPPED)


@asynccontextmanager
async def _tables() -> AsyncGenerator[asyncio.TaskGroup, None]:
    """The tables' tasks. None of them ever fails, so a failure is the block's: it stays itself."""
    try:
        with collecting_seldom():
            async with asyncio.TaskGroup() as tasks:
                yield tasks
    except BaseExceptionGroup as group:
        failure = group.exceptions[0]
        raise failure from failure.__cause__


async def _server(
    lobby: Lobby,
    premises: Premises,
    checks: health.aio.HealthServicer,
    peers: Peers,
    heartbeats: Heartbeats,
) -> aio.Server:
    size = ("grpc.max_receive_message_length", peers.limits.message_bytes)
    server = aio.server(
        interceptors=(Refusals(premises.meters), Gate(peers)), options=(*_OPTIONS, size)
    )
    lobby_pb2_grpc.add_LobbyServiceServicer_to_server(
        LobbyService(lobby, peers, heartbeats), server
    )
    table_service = TableService(lobby, heartbeats, premises.meters, peers)
    table_pb2_grpc.add_TableServiceServicer_to_server(table_service, server)
    replay_pb2_grpc.add_ReplayServiceServicer_to_server(
        ReplayService(premises.store, peers), server
    )
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    for name in _SERVICES:
        await checks.set(name, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection(
        (*_SERVICES, health.SERVICE_NAME, reflection.SERVICE_NAME), server
    )
    return server


def _require_allowed(host: str, security: Certificate | Plaintext) -> None:
    """Let nobody outside this machine in unencrypted, unless someone said so."""
    try:
        parse_host(host)
    except ValueError as error:
        raise CannotListen(f"{error}; use 127.0.0.1, or 0.0.0.0 for every network") from None
    if security is Plaintext.ON_LOOPBACK and not is_loopback(host):
        raise CannotListen(
            f"{host}: without TLS connections are not encrypted, so only this machine's own "
            "addresses can be listened on; use 127.0.0.1, or TLS"
        )


def _bind(server: aio.Server, address: str, security: Certificate | Plaintext) -> int:
    try:
        if isinstance(security, Certificate):
            return server.add_secure_port(address, security.credentials())
        return server.add_insecure_port(address)
    except RuntimeError as error:
        raise CannotListen(f"{address} is in use or not allowed; choose another port") from error


def _fingerprint(security: Certificate | Plaintext) -> str | None:
    return security.fingerprint if isinstance(security, Certificate) else None
