"""What was worked out lately: as much of it as there is room for."""

from __future__ import annotations

from collections import OrderedDict
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """Values by name; the one that nobody asked for the longest goes first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[str, T] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, name: str) -> T | None:
        """The value of this name, if it is known still."""
        value = self._kept.get(name)
        if value is not None:
            self._kept.move_to_end(name)
        return value

    def put(self, name: str, value: T) -> None:
        """Remember a value."""
        self._kept[name] = value
        self._kept.move_to_end(name)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
