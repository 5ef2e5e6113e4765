"""What a service raises reaches its caller as a gRPC status: made here, and nowhere else."""

from __future__ import annotations

import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from grpc import aio
from grpc_status import rpc_status

from hearts_server.errors import Code, Refused, reason_of, status_of
from hearts_server.logbook import Entry, about
from hearts_server.meters import Meters
from hearts_wire.bounds import WireError

log = logging.getLogger(__name__)

Behaviour = Callable[[Any, Any], Awaitable[Any]]
"""A handler as the services write it: a coroutine, which writes to the context if it streams."""


class Refusals(aio.ServerInterceptor):
    """Wraps every handler, so that refusals keep their reason on the way out."""

    def __init__(self, meters: Meters) -> None:
        self._meters = meters

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call, wrapped; none for a method that does not exist."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        if handler.stream_stream is not None:
            make, behaviour = grpc.stream_stream_rpc_method_handler, handler.stream_stream
        elif handler.unary_stream is not None:
            make, behaviour = grpc.unary_stream_rpc_method_handler, handler.unary_stream
        else:
            make, behaviour = grpc.unary_unary_rpc_method_handler, handler.unary_unary
        if not inspect.iscoroutinefunction(behaviour):
            return handler  # reflection and health bring their own
        read = _tolerant(handler.request_deserializer)
        method = handler_call_details.method.rpartition(".")[2]
        write = _ready(handler.response_serializer)
        return make(self._wrapped(behaviour, method), read, write)

    def _wrapped(self, behaviour: Behaviour, method: str) -> Behaviour:
        async def call(request: Any, context: Any) -> Any:
            try:
                return await behaviour(_readable(request), context)
            except aio.AbortError:
                raise
            except Exception as error:  # noqa: BLE001  (this is where errors become statuses)
                self._note(error, method, context.peer())
                status = rpc_status.to_status(  # pyright: ignore[reportUnknownMemberType]  # untyped
                    status_of(error)
                )
                await context.abort_with_status(status)

        return call

    def _note(self, error: Exception, method: str, peer: str) -> None:
        reason = reason_of(error)
        self._meters.refusals[reason] += 1
        # Whoever asks for too much must not fill the disk with being told so.
        excess = isinstance(error, Refused) and error.code is Code.RESOURCE_EXHAUSTED
        level = logging.DEBUG if excess else logging.INFO
        log.log(level, Entry.REFUSED, extra=about(peer=peer, method=method, reason=reason))


class Readable:
    """A stream's requests; one that cannot be read raises ``WireError``, the next may be fine."""

    def __init__(self, requests: AsyncIterator[Any]) -> None:
        self._requests = requests

    def __aiter__(self) -> Readable:
        return self

    async def __anext__(self) -> Any:
        return _read(await anext(self._requests))


def _tolerant(deserialize: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """Reads a request; where gRPC would end the call without a reason, the error is the result."""

    def read(data: bytes) -> Any:
        try:
            return deserialize(data)
        except DecodeError:
            return WireError("request: these bytes are no message of this method")

    return read


def _ready(serialize: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    """Writes a response; bytes are one already."""

    def write(response: Any) -> bytes:
        return response if isinstance(response, bytes) else serialize(response)

    return write


def _readable(request: Any) -> Any:
    """The request of a call, or the requests of a stream."""
    return Readable(request) if hasattr(request, "__anext__") else _read(request)


def _read(request: Any) -> Any:
    if isinstance(request, WireError):
        raise request
    return request
