"""What a service raises reaches its caller as a gRPC status: made here, and nowhere else."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from grpc import aio
from grpc_status import rpc_status

from hearts_server.errors import status_of

Behaviour = Callable[[Any, Any], Awaitable[Any]]
"""A handler as the services write it: a coroutine, which writes to the context if it streams."""


class Refusals(aio.ServerInterceptor):
    """Wraps every handler, so that refusals keep their reason on the way out."""

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
        return make(_wrapped(behaviour), handler.request_deserializer, handler.response_serializer)


def _wrapped(behaviour: Behaviour) -> Behaviour:
    async def call(request: Any, context: Any) -> Any:
        try:
            return await behaviour(request, context)
        except aio.AbortError:
            raise
        except Exception as error:  # noqa: BLE001  (this is where errors become statuses)
            await context.abort_with_status(rpc_status.to_status(status_of(error)))

    return call
