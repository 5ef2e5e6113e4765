"""A channel on which every message that comes down a seat's stream is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from grpc import aio

from hearts_proto.v1 import table_pb2 as pb


class Tally:
    """How often what happened."""

    def __init__(self) -> None:
        self.counts = Counter[str]()

    def heard(self, response: pb.PlayResponse) -> None:
        """A message came down a stream."""
        match response.WhichOneof("kind"):
            case "attached":
                self.counts["attached"] += 1
            case "detached":
                self.counts[pb.Detached.Cause.Name(response.detached.cause)] += 1
            case "refusal":
                self.counts[f"refused {response.refusal.reason}"] += 1
            case "update" if response.update.HasField("acknowledgement"):
                again = response.update.acknowledgement.repeated
                self.counts["repeated acknowledgements" if again else "acknowledgements"] += 1
            case _:
                pass


class Tapped:
    """A channel as the services' stubs ask for it, with a tally of what comes down streams."""

    def __init__(self, channel: aio.Channel, tally: Tally) -> None:
        self._channel = channel
        self._tally = tally

    def stream_stream(
        self,
        method: str,
        request_serializer: Callable[[Any], bytes] | None = None,
        response_deserializer: Callable[[bytes], Any] | None = None,
        **options: Any,
    ) -> aio.StreamStreamMultiCallable[Any, Any]:
        """The method, of which each response is counted as it is read."""
        assert response_deserializer is not None, "responses are messages"
        read: Callable[[bytes], Any] = response_deserializer

        def counted(data: bytes) -> Any:
            response = read(data)
            if isinstance(response, pb.PlayResponse):
                self._tally.heard(response)
            return response

        return self._channel.stream_stream(method, request_serializer, counted, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._channel, name)
