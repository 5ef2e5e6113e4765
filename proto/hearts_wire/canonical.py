"""The one way to write a record: whoever says the same in other bytes is refused by an audit.

What one reader skips another might believe, so nothing may be in a record that is not read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from hearts_proto.v1 import events_pb2, log_pb2

_CARDS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "hand_dealt": ("cards",),
        "cards_passed": ("cards",),
        "centre_taken": ("cards",),
        "kitty_dealt": ("cards",),
        "kitty_taken": ("cards",),
        "kitty_shown": ("cards",),
        "hand_shown": ("dealt", "held"),
    }
)
"""The fields that are sets of cards, by the kind of event."""


def is_canonical(record: bytes, message: log_pb2.LogRecord) -> bool:
    """Whether these bytes are how an encoder writes the message that they were parsed to.

    The message loses what is unknown in it. Compared as a message, not as an event: a record
    that was written before some option existed stays as right as it was.
    """
    message.DiscardUnknownFields()
    return message.SerializeToString(deterministic=True) == record and _sorted(message.event)


def _sorted(event: events_pb2.Event) -> bool:
    kind = event.WhichOneof("kind") or ""
    if kind not in _CARDS:
        return True
    sets: list[Sequence[int]] = [getattr(getattr(event, kind), name) for name in _CARDS[kind]]
    return all(one <= another for cards in sets for one, another in pairwise(cards))
