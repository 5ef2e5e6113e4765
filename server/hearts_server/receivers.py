"""Who is attached at a table: at most one receiver for each seat."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_engine.cards import Seat
from hearts_server.notices import Cause, Detached, Subscriber


class Receivers:
    """The receivers of a table, each the newest of its seat."""

    def __init__(self) -> None:
        self._by_seat: dict[Seat, Subscriber] = {}

    def __iter__(self) -> Iterator[Subscriber]:
        return iter(tuple(self._by_seat.values()))

    def __len__(self) -> int:
        return len(self._by_seat)

    def __contains__(self, subscriber: object) -> bool:
        return isinstance(subscriber, Subscriber) and self._of(subscriber.seat) is subscriber

    def add(self, subscriber: Subscriber) -> None:
        """Let a receiver hold its seat, which no other holds any more."""
        self._by_seat[subscriber.seat] = subscriber

    def discard(self, subscriber: Subscriber) -> None:
        """Forget a receiver whose stream has ended; the seat stays taken."""
        subscriber.close()
        if subscriber in self:
            del self._by_seat[subscriber.seat]

    def hold_against(self, subscriber: Subscriber) -> bool:
        """Whether another receiver holds this one's seat by now."""
        return self._of(subscriber.seat) not in (None, subscriber)

    def end(self, seat: Seat, cause: Cause, sentence: str) -> None:
        """End the stream of one seat, if it has one."""
        subscriber = self._by_seat.pop(seat, None)
        if subscriber is not None:
            subscriber.tell(Detached(cause, sentence))

    def end_all(self, cause: Cause, sentence: str) -> None:
        """End every stream."""
        for seat in tuple(self._by_seat):
            self.end(seat, cause, sentence)

    def _of(self, seat: Seat) -> Subscriber | None:
        return self._by_seat.get(seat)
