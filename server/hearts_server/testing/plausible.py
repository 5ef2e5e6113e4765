"""Requests that a client might well send, filled field by field from their descriptors.

A field or a method that is added to the schema is filled without a word here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from hearts_engine.testing_rules import random_rules
from hearts_proto.v1 import rules_pb2
from hearts_wire.rules import encode_rules

_DEEPEST: Final = 4

_TEXTS: Final = (
    *("", "Ann", "easy", "medium", "x" * 33, "x" * 5_000, "../../x", "ZZ", "a\u202eb", "\0"),
    *(
        "李雷",
        "👩\u200d🚀ace",
        "\x1b[2J",
        "oak-99",
        "a\u0301\u0323" * 999,
        "'; DROP TABLE tables; --",
    ),
)
_NUMBERS: Final = (0, 0, 1, 1, 2, 3, 4, 5, 9, 13, 36, 51, 52, 100, 255, 2**31 - 1)


@dataclass(slots=True)
class Known:
    """What a client has heard of, by the names of fields that may hold it."""

    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    numbers: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    octets: dict[str, list[bytes]] = field(default_factory=dict[str, list[bytes]])

    def hear(self, name: str, text: str) -> None:
        """Note a text that a field of this name may hold, in place of the oldest of many."""
        heard = self.texts.setdefault(name, [])
        heard.append(text)
        del heard[:-20]


class Method(NamedTuple):
    """A method of a service."""

    path: str
    request: Descriptor
    response: Descriptor
    takes_a_stream: bool
    gives_a_stream: bool


def methods_of(services: Sequence[ServiceDescriptor]) -> tuple[Method, ...]:
    """Every method of these services."""
    return tuple(
        Method(
            f"/{service.full_name}/{method.name}",
            method.input_type,
            method.output_type,
            method.client_streaming,
            method.server_streaming,
        )
        for service in services
        for method in service.methods
    )


def plausible(chance: Random, kind: Descriptor, known: Known, depth: int = 0) -> Message:
    """A message of this kind, of which most fields hold what they might."""
    if kind is rules_pb2.Rules.DESCRIPTOR and chance.random() < 0.7:
        return encode_rules(random_rules(chance))
    message = GetMessageClass(kind)()
    chosen = {group.name: chance.choice(group.fields) for group in kind.oneofs}
    for each in kind.fields:
        group = each.containing_oneof
        if group is not None and chosen[group.name] is not each:
            continue
        if (group is not None or chance.random() < 0.8) and depth < _DEEPEST:
            _fill(chance, message, each, known, depth)
    return message


def _fill(
    chance: Random, message: Message, each: FieldDescriptor, known: Known, depth: int
) -> None:
    if each.message_type is not None:
        inner = plausible(chance, each.message_type, known, depth + 1)
        if each.is_repeated:
            getattr(message, each.name).add().MergeFrom(inner)
        else:
            getattr(message, each.name).MergeFrom(inner)
    elif each.is_repeated:
        values = [_value(chance, each, known) for _ in range(chance.choice((0, 1, 3, 3, 14)))]
        getattr(message, each.name).extend(values)
    else:
        setattr(message, each.name, _value(chance, each, known))


def _value(chance: Random, each: FieldDescriptor, known: Known) -> bool | int | str | bytes:
    usual = chance.random() < 0.85
    if each.enum_type is not None:
        return chance.choice(each.enum_type.values).number if usual else 99
    match each.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return chance.random() < 0.5
        case FieldDescriptor.CPPTYPE_STRING if each.type == FieldDescriptor.TYPE_BYTES:
            heard = known.octets.get(each.name)
            return chance.choice(heard) if heard and usual else _octets(chance)
        case FieldDescriptor.CPPTYPE_STRING:
            texts = known.texts.get(each.name)
            return chance.choice(texts) if texts and usual else chance.choice(_TEXTS)
        case _:
            numbers = known.numbers.get(each.name)
            return chance.choice(numbers) if numbers and usual else chance.choice(_NUMBERS)


def _octets(chance: Random) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 31, 32, 32, 33, 1_000)))
