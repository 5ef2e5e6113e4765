"""Who is connected at a table, told to everyone there whenever it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Final

from hearts_server.clocks import Clock
from hearts_server.metronome import Metronome
from hearts_server.notices import PresenceNow
from hearts_server.rates import Bucket, Rate
from hearts_server.subscriber import Subscriber

AT_ONCE: Final = Rate(10, timedelta(seconds=10))
"""What is told as it happens. Of a crowd that comes or goes only the sum is told, at each beat:
else everyone would be told of everyone."""


class RollCall:
    """Tells everyone at a table who is connected there."""

    def __init__(
        self,
        look: Callable[[], PresenceNow],
        receivers: Iterable[Subscriber],
        clock: Clock,
        metronome: Metronome,
    ) -> None:
        self._look = look
        self._receivers = receivers
        self._clock = clock
        self._metronome = metronome
        self._at_once = Bucket(AT_ONCE)
        self._told = look()

    def changed(self) -> bool:
        """See to it that everyone is told, if they have not been; whether that was needed."""
        if self._look() == self._told:
            return False
        if self._at_once.take(self._clock.now()):
            self._tell()
        else:
            self._metronome.at_next_beat(self._tell)
        return True

    def greet(self, newcomer: Subscriber) -> None:
        """Tell one who has just come what everyone else was told last."""
        newcomer.tell(self._told)

    def _tell(self) -> None:
        now = self._look()
        if now != self._told:
            self._told = now
            for subscriber in self._receivers:
                subscriber.tell(now)
