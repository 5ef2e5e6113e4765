"""Who is told what happens at a table: at most one receiver for each seat, and spectators."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_engine.cards import Seat
from hearts_server.notices import Cause, Detached
from hearts_server.subscriber import Subscriber


class Receivers:
    """The receivers of a table: the newest of each seat, and those who watch."""

    def __init__(self) -> None:
        self._by_seat: dict[Seat, Subscriber] = {}
        self._watching: dict[Subscriber, None] = {}

    def __iter__(self) -> Iterator[Subscriber]:
        return iter((*self._by_seat.values(), *self._watching))

    def __len__(self) -> int:
        return len(self._by_seat) + len(self._watching)

    def __contains__(self, subscriber: object) -> bool:
        if not isinstance(subscriber, Subscriber):
            return False
        return self._of(subscriber.seat) is subscriber or subscriber in self._watching

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats that are held, in order."""
        return tuple(sorted(self._by_seat))

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watching)

    def add(self, subscriber: Subscriber) -> None:
        """Let a receiver hold its seat, which no other holds any more; or watch."""
        if subscriber.seat is None:
            self._watching[subscriber] = None
        else:
            self._by_seat[subscriber.seat] = subscriber

    def discard(self, subscriber: Subscriber) -> None:
        """Forget a receiver whose stream has ended; the seat stays taken."""
        subscriber.close()
        self._watching.pop(subscriber, None)
        if subscriber.seat is not None and self._of(subscriber.seat) is subscriber:
            del self._by_seat[subscriber.seat]

    def hold_against(self, subscriber: Subscriber) -> bool:
        """Whether another receiver holds this one's seat by now."""
        return self._of(subscriber.seat) not in (None, subscriber)

    def outrun(self, subscriber: Subscriber) -> bool:
        """Whether this one's client has attached again before it came, and holds the seat."""
        holder = self._of(subscriber.seat)
        return holder is not None and subscriber.attempt.is_before(holder.attempt)

    def end(self, seat: Seat, cause: Cause, sentence: str) -> None:
        """End the stream of one seat, if it has one."""
        subscriber = self._by_seat.pop(seat, None)
        if subscriber is not None:
            subscriber.tell(Detached(cause, sentence))

    def end_all(self, cause: Cause, sentence: str) -> None:
        """End every stream."""
        for subscriber in self:
            subscriber.tell(Detached(cause, sentence))
        self._by_seat.clear()
        self._watching.clear()

    def _of(self, seat: Seat | None) -> Subscriber | None:
        return None if seat is None else self._by_seat.get(seat)
