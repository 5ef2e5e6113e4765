"""A channel to a server, and what its refusals say."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio
from grpc_status import rpc_status

from hearts_client.safetext import cleaned, sentence
from hearts_wire.bounds import WireError
from hearts_wire.errors import error_info

_OPTIONS = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
    # The session tries again by itself, sooner than gRPC would.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


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
async def connected(address: str) -> AsyncGenerator[aio.Channel, None]:
    """A channel to a server, closed when the block is left."""
    channel = aio.insecure_channel(address, options=_OPTIONS)
    try:
        yield channel
    finally:
        await channel.close()


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


def server_error(error: aio.AioRpcError, address: str) -> ServerError:
    """What a failed call says."""
    code: StatusCode = error.code()
    status: Status | None = rpc_status.from_call(error)  # type: ignore[arg-type]  # has what it needs
    info = None if status is None else error_info(status)  # pyright: ignore[reportUnknownArgumentType]  # untyped
    if info is not None:
        return ServerError(code, cleaned(info.reason), sentence(error.details() or ""))
    if code is StatusCode.UNAVAILABLE:
        return ServerError(code, "UNREACHABLE", f"no server answers at {address}")
    return ServerError(code, code.name, sentence(error.details() or code.name.lower()))
