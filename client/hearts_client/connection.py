"""A channel to a server, and what its refusals say."""

from __future__ import annotations

import logging
import ssl
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import TypeVar

import grpc
from google.protobuf.message import DecodeError
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio
from grpc_status import rpc_status

from hearts_client.invite import Invite
from hearts_client.pinning import pinned_certificate
from hearts_client.safetext import cleaned, sentence
from hearts_client.trust import NO_MEMORY, Distrust, Trust
from hearts_wire.bounds import WireError
from hearts_wire.certificates import TARGET_NAME
from hearts_wire.errors import error_info

KEEPALIVE = (
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),  # without it, a minute goes by all the same
    ("grpc.http2.max_pings_without_data", 0),
)
"""How a connection that has fallen silent, though nobody ended it, is noticed after 15 seconds."""

_OPTIONS = (
    *KEEPALIVE,
    # The session tries again by itself, sooner than gRPC would.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.min_reconnect_backoff_ms", 5_000),  # in fact: how long one try to connect may take
    # The certificate is looked at without one, and both have to reach the same server.
    ("grpc.enable_http_proxy", 0),
)

_TLS_OPTIONS = (*_OPTIONS, ("grpc.ssl_target_name_override", TARGET_NAME))

# It logs the traceback of every message that it cannot read; we say so in a sentence.
logging.getLogger("grpc._common").addHandler(logging.NullHandler())

T = TypeVar("T")

CALL_SECONDS = 20.0
"""How long a server may take to answer a question."""


class ServerError(Exception):
    """A call that did not succeed; the sentence is for the person at the keyboard."""

    def __init__(self, code: StatusCode, reason: str, message: str) -> None:
        super().__init__(code, reason, message)
        self.code = code
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


@asynccontextmanager
async def connected(
    server: Invite | str, trust: Trust = NO_MEMORY
) -> AsyncGenerator[aio.Channel, None]:
    """A channel to a server, which proves its pin at each connection; closed with the block.

    Raises ``ServerError`` for a server that is not the one that is meant.
    """
    invite = server if isinstance(server, Invite) else Invite.parse(server)
    channel = _channel(invite.address, await _certificate(invite, trust))
    try:
        yield channel
    finally:
        await channel.close()


async def _certificate(invite: Invite, trust: Trust) -> bytes | None:
    try:
        return await pinned_certificate(invite, trust)
    except Distrust as error:
        raise ServerError(StatusCode.UNAUTHENTICATED, error.reason, error.message) from error
    except OSError as error:
        raise _unreachable(invite.address) from error


def _channel(address: str, certificate: bytes | None) -> aio.Channel:
    if certificate is None:
        return aio.insecure_channel(address, options=_OPTIONS)
    only_root = ssl.DER_cert_to_PEM_cert(certificate).encode("ascii")
    credentials = grpc.ssl_channel_credentials(only_root)
    return aio.secure_channel(address, credentials, options=_TLS_OPTIONS)


@contextmanager
def calls_to(address: str) -> Generator[None, None, None]:
    """Turns whatever goes wrong with a call in the block into a ``ServerError``."""
    try:
        yield
    except aio.AioRpcError as error:
        raise server_error(error, address) from error
    except WireError as error:
        sentence = f"the server at {address} sent what cannot be read: {error}"
        raise ServerError(StatusCode.UNKNOWN, "UNREADABLE", sentence) from error


def readable(response: T | None) -> T:
    """What a server sent; ``WireError`` for none, gRPC's word for bytes that are no message."""
    if response is None:
        raise WireError("no message of this kind")
    return response


def server_error(error: aio.AioRpcError, address: str) -> ServerError:
    """What a failed call says."""
    code: StatusCode = error.code()
    status = _status(error)
    info = None if status is None else error_info(status)
    if info is not None:
        return ServerError(code, cleaned(info.reason), sentence(error.details() or ""))
    if code is StatusCode.UNAVAILABLE:
        return _unanswered(error.details() or "", address)
    return ServerError(code, code.name, sentence(error.details() or code.name.lower()))


def _status(error: aio.AioRpcError) -> Status | None:
    """What a server says of a refusal beside its code; none where it contradicts the code."""
    try:
        status: object = rpc_status.from_call(error)  # type: ignore[arg-type]  # has what it needs
    except (ValueError, DecodeError):
        return None
    return status if isinstance(status, Status) else None


def _unanswered(details: str, address: str) -> ServerError:
    """Why there was no connection, as far as gRPC's words tell."""
    if "CERTIFICATE_VERIFY_FAILED" in details:
        return ServerError(
            StatusCode.UNAVAILABLE,
            "CERTIFICATE_CHANGED",
            f"another server than before answers at {address}, and is not talked to: somebody may "
            "be in between, or it was set up anew",
        )
    if details.startswith("failed to connect") and details.endswith("Socket closed"):
        return ServerError(
            StatusCode.UNAVAILABLE,
            "UNREACHABLE",
            f"what answers at {address} hangs up; if that server uses TLS, join with its invite, "
            "or with --tls always",
        )
    return _unreachable(address)


def _unreachable(address: str) -> ServerError:
    return ServerError(StatusCode.UNAVAILABLE, "UNREACHABLE", f"no server answers at {address}")
