"""How fast one seat may send."""

from __future__ import annotations

from hearts_engine.cards import Seat
from hearts_server.clocks import Clock
from hearts_server.rates import Bucket, Buckets, Rate

SeatAt = tuple[str, Seat]
"""A seat at the table of this name, whichever stream holds it."""


class Pace:
    """So many requests a second, and then as many refusals; beyond that nothing more is read.

    What is not read waits in the sender's own machine: a flood costs the table no more than this.
    """

    def __init__(self, clock: Clock, a_second: int, sent: Buckets[SeatAt], seat: SeatAt) -> None:
        self.a_second = a_second
        self._clock = clock
        self._rate = Rate.a_second(a_second)
        self._sent = sent
        self._seat = seat
        self._refused = Bucket(self._rate)

    def allows(self) -> bool:
        """Whether one more request is in time; it counts if it is."""
        return self._sent.take(self._seat, self._rate, self._clock.now())

    async def slow_down(self) -> None:
        """Return when one more refusal is in time."""
        while not self._refused.take(self._clock.now()):
            await self._clock.wait_until(self._refused.ready_at(self._clock.now()))
