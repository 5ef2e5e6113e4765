"""What each of many holds, counted by what is true of it: nothing has to be given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

Holder = TypeVar("Holder", bound=Hashable)
Thing = TypeVar("Thing", bound=Hashable)

FEW: Final = 1_000
"""Things that may be noted before those that nobody holds any more are forgotten."""


class Holdings(Generic[Holder, Thing]):
    """Things by their holders; ``is_held`` says of each whether it still is.

    Who holds nothing takes no memory.
    """

    def __init__(self, few: int = FEW) -> None:
        self._few = few
        self._enough = few
        self._held: dict[Holder, set[Thing]] = {}
        self._taking: Counter[Holder] = Counter()

    @property
    def holders(self) -> frozenset[Holder]:
        """Everyone of whom there is something to be remembered."""
        return frozenset({*self._held, *self._taking})

    @contextmanager
    def taking(
        self,
        holder: Holder,
        most: int,
        is_held: Callable[[Thing], bool],
        refusal: Callable[[int], Exception],
    ) -> Generator[Callable[[Thing], None], None, None]:
        """Someone who takes one thing, which the block notes; the refusal if they hold too many.

        What they do not hold any more does not count.
        """
        if self._count(holder) >= most:
            self._forget(holder, is_held)
        if self._count(holder) >= most:
            raise refusal(most)
        self._taking[holder] += 1
        try:
            yield lambda thing: self._held.setdefault(holder, set()).add(thing)
        finally:
            self._taking[holder] -= 1
            if not self._taking[holder]:
                del self._taking[holder]
            self._forget_some(is_held)

    def _count(self, holder: Holder) -> int:
        return len(self._held.get(holder, ())) + self._taking[holder]

    def _forget_some(self, is_held: Callable[[Thing], bool]) -> None:
        """Keep what is noted in proportion to what is held, at little cost for each thing."""
        if sum(map(len, self._held.values())) + len(self._held) > self._enough:
            for holder in tuple(self._held):
                self._forget(holder, is_held)
            self._enough = max(self._few, 2 * sum(map(len, self._held.values())))

    def _forget(self, holder: Holder, is_held: Callable[[Thing], bool]) -> None:
        held = set(filter(is_held, self._held.get(holder, ())))
        if held:
            self._held[holder] = held
        else:
            self._held.pop(holder, None)
