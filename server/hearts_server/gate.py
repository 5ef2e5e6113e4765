"""Lets calls in, as far as their peers' limits allow."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from grpc import aio

from hearts_server.peers import Peers, peer_of


class Gate(aio.ServerInterceptor):
    """Counts every call of every peer; stands inside of what turns refusals into statuses."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Any]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """The handler of a call, counted; none for a method that does not exist."""
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        if handler.stream_stream is not None:
            make, behaviour = grpc.stream_stream_rpc_method_handler, handler.stream_stream
        elif handler.unary_stream is not None:
            make, behaviour = grpc.unary_stream_rpc_method_handler, handler.unary_stream
        else:
            make, behaviour = grpc.unary_unary_rpc_method_handler, handler.unary_unary
        counted = self._counted(behaviour)
        if counted is None:
            return None
        return make(counted, handler.request_deserializer, handler.response_serializer)

    def _counted(self, behaviour: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any] | None:
        """The behaviour as a coroutine that is counted; none if nobody has written one."""
        yields = inspect.isasyncgenfunction(behaviour)  # as reflection does
        if not (yields or inspect.iscoroutinefunction(behaviour)):
            return None  # a method that the library's own services have from a newer schema

        async def call(request: Any, context: Any) -> Any:
            with self._peers.calling(peer_of(context.peer())):
                if not yields:
                    return await behaviour(request, context)
                async for response in behaviour(request, context):
                    await context.write(response)
                return None

        return call
