"""How values are made: classes that nobody changes, and that cost little to build."""

from __future__ import annotations

import dataclasses
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=True)
def value(cls: type[T]) -> type[T]:
    """Make a class of slots that is compared and hashed by what it holds.

    The type checkers hold it to be frozen, and so does everybody: nothing in the code changes
    one. At run time no guard is paid for, which a game of a thousand small facts would feel:
    a frozen dataclass takes three times as long to build.
    """
    return dataclasses.dataclass(slots=True, unsafe_hash=True)(cls)


if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(old: T, /, **changes: object) -> T:
        """A value that differs from this one in these fields.

        ``dataclasses.replace`` for values, whose fields all are arguments: a fifth of its time.
        """
        cls = type(old)
        places, fields_of = _layout(cls)
        fields = list(fields_of(old))
        for name, change in changes.items():
            fields[places[name]] = change
        return cls(*fields)

    @cache
    def _layout(cls: type[T]) -> tuple[dict[str, int], attrgetter]:
        """Where each field stands among the arguments, and how to read them all."""
        names = [field.name for field in dataclasses.fields(cls)]
        return {name: place for place, name in enumerate(names)}, attrgetter(*names)


__all__ = ["replace", "value"]
