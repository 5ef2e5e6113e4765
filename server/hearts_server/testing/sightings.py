"""Every card that a message tells of, found by walking its descriptors.

What a number means is decided by the name of its field, and a name that is not decided here is an
error: a field added to the schema cannot slip by.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from hearts_engine.cards import Card
from hearts_proto.v1 import log_pb2, rules_pb2

CARD_FIELDS: Final = frozenset(
    {"card", "cards", "dealt", "hand", "held", "kitty", "legal", "passed", "received"}
)
"""Numbers that are cards."""

OTHER_NUMBERS: Final = frozenset(
    {
        *("attempt", "client_run"),
        *("after_seq", "claimed", "code", "deadline", "deal", "dealer", "engine_version"),
        *("format_version", "giver", "kitty_seat", "leader", "moon", "moon_seat", "places"),
        *("points", "prompt_seq", "request_id", "scores", "seat", "seq", "shuffle_version"),
        *("taker", "time", "totals"),
        *("absence", "away", "bot_seconds", "connected", "delivery", "host", "phrase"),
        *("closed", "stopped", "turn_seconds", "vacant", "watchers"),
    }
)
"""Numbers that are none."""

RECORD_FIELDS: Final = frozenset({"records"})
"""Bytes that are log records."""

OPAQUE_BYTES: Final = frozenset(
    {"after_head", "anchor", "commitment", "entropy", "head", "public_key", "salt", "secret"}
    | {"signature"}
)
"""Bytes that tell of no card."""

OPEN_MESSAGES: Final = frozenset({rules_pb2.Rules.DESCRIPTOR.full_name})
"""Messages that everyone may read: the cards in rules tell of nobody's hand."""

_IN_TEXT: Final = re.compile(r"(?<![0-9A-Za-z])(?:10|[2-9TJQKA])[CDSH♣♦♠♥](?![0-9A-Za-z])")

_NUMBERS: Final = frozenset(
    {
        *(FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64),
        *(FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64),
    }
)


class Undecided(Exception):
    """A field of which this module does not know whether it holds cards."""


@dataclass(frozen=True, slots=True)
class Sighting:
    """One mention of a card."""

    path: str
    """The fields that lead to it, like ``update.view.hand``."""
    card: Card


def sightings(message: Message, path: str = "") -> Iterator[Sighting]:
    """Every mention of a card in a message, records and texts inside it included."""
    for field in message.DESCRIPTOR.fields:
        assert isinstance(field, FieldDescriptor), "whatever implements it"
        if is_open(field) or (field.has_presence and not message.HasField(field.name)):
            continue
        value = getattr(message, field.name)
        for item in value if field.is_repeated else (value,):
            yield from _in_field(field, item, f"{path}.{field.name}".lstrip("."))


def _in_field(field: FieldDescriptor, value: object, path: str) -> Iterator[Sighting]:
    match value:
        case Message():
            yield from sightings(value, path)
        case bytes():
            if is_record(field):
                yield from sightings(log_pb2.LogRecord.FromString(value), path)
        case str():
            yield from (
                Sighting(path, Card.parse(_plain(word))) for word in _IN_TEXT.findall(value)
            )
        case int() if is_card(field):
            yield Sighting(path, Card(value))
        case _:
            pass


def is_card(field: FieldDescriptor) -> bool:
    """Whether the numbers of a field are cards; ``Undecided`` if nobody said."""
    return field.cpp_type in _NUMBERS and _decided(field, CARD_FIELDS, OTHER_NUMBERS)


def is_open(field: FieldDescriptor) -> bool:
    """Whether a field holds a message whose cards are no secret."""
    return field.message_type is not None and field.message_type.full_name in OPEN_MESSAGES


def is_record(field: FieldDescriptor) -> bool:
    """Whether the bytes of a field are records; ``Undecided`` if nobody said."""
    octets = field.type == FieldDescriptor.TYPE_BYTES
    return octets and _decided(field, RECORD_FIELDS, OPAQUE_BYTES)


def _decided(field: FieldDescriptor, yes: frozenset[str], no: frozenset[str]) -> bool:
    if field.name not in yes | no:
        raise Undecided(f"say in this module whether {field.full_name} tells of cards")
    return field.name in yes


def card_fields(root: Descriptor) -> tuple[tuple[FieldDescriptor, ...], ...]:
    """Every way from a message to a field that holds cards, through records too."""
    return tuple(_ways(root, ()))


def _ways(
    message: Descriptor, before: tuple[FieldDescriptor, ...]
) -> Iterable[tuple[FieldDescriptor, ...]]:
    for field in message.fields:
        if is_open(field):
            continue
        way = (*before, field)
        inner = log_pb2.LogRecord.DESCRIPTOR if is_record(field) else field.message_type
        if inner is not None:
            yield from _ways(inner, way)
        elif is_card(field):
            yield way


def _plain(word: str) -> str:
    return word.translate(str.maketrans("♣♦♠♥", "CDSH"))
