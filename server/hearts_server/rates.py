"""How often something may be done, and who has done it too often: bounded, whoever asks. Pure."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Generic, TypeVar

from hearts_server.clocks import Microseconds

Key = TypeVar("Key", bound=Hashable)
Kept = TypeVar("Kept")

MOST_KEYS: Final = 10_000
"""Whose doings are remembered. An attacker with more addresses than this gains one burst for each,
and no memory."""

FIRST_WAIT: Final = timedelta(seconds=1)
LONGEST_WAIT: Final = timedelta(minutes=5)
FORGOTTEN_AFTER: Final = timedelta(hours=1)
"""How long wrong tries count."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many at once, and as many again in each such time."""

    count: int
    every: timedelta

    @classmethod
    def a_second(cls, count: int) -> Rate:
        """So many a second."""
        return cls(count, timedelta(seconds=1))

    @classmethod
    def a_minute(cls, count: int) -> Rate:
        """So many a minute."""
        return cls(count, timedelta(minutes=1))

    @property
    def period(self) -> Microseconds:
        """The time in which an empty bucket becomes full."""
        return self.every // timedelta(microseconds=1)

    @property
    def one(self) -> Microseconds:
        """The time in which one more can be done."""
        return max(1, self.period // self.count)

    def take(self, full_at: Microseconds, now: Microseconds) -> tuple[Microseconds, bool]:
        """Take one token out of a bucket that is full at this moment: when it is, and if there was.

        A clock that is set back makes nobody wait for longer than the period.
        """
        before = min(max(full_at, now), now + self.period)
        after = before + self.one
        taken = after <= now + self.period
        return (after if taken else before), taken


class Bucket:
    """A token bucket, full at first."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._full_at: Microseconds = 0

    def take(self, now: Microseconds) -> bool:
        """Take one token; whether there was one."""
        self._full_at, taken = self._rate.take(self._full_at, now)
        return taken

    def ready_at(self, now: Microseconds) -> Microseconds:
        """When there is a token to take."""
        full_at = min(self._full_at, now + self._rate.period)
        return max(now, full_at + self._rate.one - self._rate.period)


class Buckets(Generic[Key]):
    """A bucket for each of many, of which those that are full take no memory."""

    def __init__(self, most: int = MOST_KEYS) -> None:
        self._most = most
        self._full_at: dict[Key, Microseconds] = {}

    def __len__(self) -> int:
        return len(self._full_at)

    def take(self, key: Key, rate: Rate, now: Microseconds) -> bool:
        """Take one token out of someone's bucket; whether there was one."""
        self._full_at[key], taken = rate.take(self._full_at.pop(key, 0), now)
        if len(self._full_at) > self._most:
            in_use = {key: full_at for key, full_at in self._full_at.items() if full_at > now}
            self._full_at = _fewer(in_use, self._most)
        return taken


@dataclass(frozen=True, slots=True)
class _Wrong:
    count: int
    until: Microseconds
    """No further try before that."""


class Tries(Generic[Key]):
    """Wrong guesses: some are free, and after each further one there is twice as long to wait."""

    def __init__(self, free: int, most: int = MOST_KEYS) -> None:
        self._free = free
        self._most = most
        self._wrong: dict[Key, _Wrong] = {}

    def __len__(self) -> int:
        return len(self._wrong)

    def wait(self, key: Key, now: Microseconds) -> timedelta:
        """How long someone must wait before the next try; zero: not at all."""
        wrong = self._wrong.get(key)
        until = now if wrong is None else wrong.until
        return min(LONGEST_WAIT, timedelta(microseconds=max(0, until - now)))

    def failed(self, key: Key, now: Microseconds) -> None:
        """Note a wrong guess."""
        before = self._wrong.pop(key, None)
        count = 1 if before is None or _is_past(before, now) else before.count + 1
        doublings = count - self._free
        longest = LONGEST_WAIT // FIRST_WAIT
        seconds = 0 if doublings < 0 else min(longest, 2 ** min(doublings, longest.bit_length()))
        self._wrong[key] = _Wrong(count, now + (FIRST_WAIT * seconds) // timedelta(microseconds=1))
        if len(self._wrong) > self._most:
            in_force = {key: each for key, each in self._wrong.items() if not _is_past(each, now)}
            self._wrong = _fewer(in_force, self._most)

    def passed(self, key: Key) -> None:
        """Forget the wrong guesses of who was right at last."""
        self._wrong.pop(key, None)


def _is_past(wrong: _Wrong, now: Microseconds) -> bool:
    return now - wrong.until > FORGOTTEN_AFTER // timedelta(microseconds=1)


def _fewer(kept: dict[Key, Kept], most: int) -> dict[Key, Kept]:
    """All of them if there is room for more, else those that came last: pruning must be rare."""
    return kept if len(kept) <= most * 3 // 4 else dict(list(kept.items())[-(most // 2) :])
