"""Damage done to messages: what a broken, careless or hostile client might send. Pure."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

Damage = Callable[[Random, bytes], bytes]
"""Bytes that were a message, and are perhaps none any more."""

LARGEST: Final = 60_000
"""Bytes that nothing here grows beyond, so that gRPC does not end the call before it is read."""

_NUMBERS: Final = (0, 1, 127, 128, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def mutated(chance: Random, data: bytes) -> bytes:
    """A message after one to three kinds of damage."""
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        data = chance.choice(DAMAGES)(chance, data)[:LARGEST]
    return data


def varint(number: int) -> bytes:
    """A number as protobuf writes it."""
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    return bytes((*written, number))


def fields_of(data: bytes) -> list[bytes]:
    """The fields of a message, each with its tag, as far as they can be told apart."""
    found, at = list[bytes](), 0
    while at < len(data):
        end = _end_of_field(data, at)
        if end is None or end > len(data):
            return [*found, data[at:]]
        found.append(data[at:end])
        at = end
    return found


def _end_of_field(data: bytes, at: int) -> int | None:
    tag, at = _number(data, at)
    match tag & 7:
        case 0:
            return _number(data, at)[1]
        case 1:
            return at + 8
        case 2:
            size, at = _number(data, at)
            return at + size
        case 5:
            return at + 4
        case _:
            return None


def _number(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while at < len(data) and data[at] & 128:
        number |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
    last = data[at] if at < len(data) else 0
    return number | last << shift, at + 1


def _flip(chance: Random, data: bytes) -> bytes:
    flipped = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        if flipped:
            flipped[chance.randrange(len(flipped))] ^= 1 << chance.randrange(8)
    return bytes(flipped)


def _cut(chance: Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _insert(chance: Random, data: bytes) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.randbytes(chance.choice((1, 2, 9, 100))) + data[at:]


def _replace(chance: Random, data: bytes) -> bytes:
    return chance.randbytes(chance.choice((0, 1, 2, 5, len(data), 3_000)))


def _swap(chance: Random, data: bytes) -> bytes:
    fields = fields_of(data)
    chance.shuffle(fields)
    return b"".join(fields)


def _repeat(chance: Random, data: bytes) -> bytes:
    fields = fields_of(data)
    if not fields:
        return data
    again = chance.choice(fields)
    return data + again * min(chance.choice((1, 2, 50, 2_000)), LARGEST // len(again))


def _drop(chance: Random, data: bytes) -> bytes:
    fields = fields_of(data)
    if fields:
        del fields[chance.randrange(len(fields))]
    return b"".join(fields)


def _renumber(chance: Random, data: bytes) -> bytes:
    """Let a field be another one, or of another kind."""
    fields = fields_of(data)
    if not fields:
        return data
    at = chance.randrange(len(fields))
    tag, rest = _number(fields[at], 0)
    other = chance.choice((tag ^ 1 << chance.randrange(5), tag + 8, tag - 8, 8 * 19_000, 0))
    fields[at] = varint(max(0, other)) + fields[at][rest:]
    return b"".join(fields)


def _another_number(chance: Random, data: bytes) -> bytes:
    """Let a field hold a number at the edge of what it can."""
    fields = fields_of(data)
    numbers = [at for at, field in enumerate(fields) if field and not field[0] & 7]
    if not numbers:
        return data
    at = chance.choice(numbers)
    _, rest = _number(fields[at], 0)
    fields[at] = fields[at][:rest] + varint(chance.choice(_NUMBERS))
    return b"".join(fields)


def _huge_length(chance: Random, data: bytes) -> bytes:
    """A field that says it is longer than anything there is."""
    tag = varint(chance.randrange(1, 16) << 3 | 2)
    return data + tag + varint(chance.choice(_NUMBERS[3:])) + chance.randbytes(3)


def _nest(chance: Random, data: bytes) -> bytes:
    """A message within a message within a message."""
    tag = varint(chance.randrange(1, 16) << 3 | 2)
    for _ in range(chance.choice((1, 10, 99, 101, 2_000))):
        if len(data) > LARGEST // 2:
            break
        data = tag + varint(len(data)) + data
    return data


def _groups(chance: Random, data: bytes) -> bytes:
    """Groups that open and never close, or close and never opened."""
    kind = chance.choice((3, 4))
    return data + varint(chance.randrange(1, 16) << 3 | kind) * chance.choice((1, 50, 20_000))


def _bad_text(chance: Random, data: bytes) -> bytes:
    """A text that is none, in a field that may hold one."""
    text = chance.choice((b"\xff\xfe", b"\xed\xa0\x80", b"\0" * 40, b"\xf0\x9f"))
    return data + varint(chance.randrange(1, 8) << 3 | 2) + varint(len(text)) + text


DAMAGES: Final[tuple[Damage, ...]] = (
    *(_flip, _cut, _insert, _replace, _swap, _repeat, _drop, _renumber),
    *(_another_number, _huge_length, _nest, _groups, _bad_text),
)
"""Every kind of damage."""
