"""What a message's fields may hold: each check gives the engine's value or names the field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeVar

from hearts_engine.cards import PACK, PACK_SIZE, Card, Seat
from hearts_engine.cardset import CardSet

MOST_SEATS: Final = 10
"""The most seats any rules give a table."""

DIGEST_SIZE: Final = 32
"""Bytes of a hash, a commitment, a secret, someone's entropy or a public key."""

_GAME_ID: Final = re.compile(r"[0-9A-Za-z-]{1,64}", re.ASCII)

T = TypeVar("T")


class WireError(ValueError):
    """A message that says nothing the engine knows; the sentence names the field."""


def seat_at(field: str, value: int, seats: int = MOST_SEATS) -> Seat:
    """The seat with this number, at a table of so many."""
    if not 0 <= value < seats:
        raise WireError(f"{field}: {value} is not a seat, use 0 to {seats - 1}")
    return Seat(value)


def card_at(field: str, value: int) -> Card:
    """The card with this index."""
    if not 0 <= value < PACK_SIZE:
        raise WireError(f"{field}: {value} is not a card, use 0 to {PACK_SIZE - 1}")
    return PACK[value]


def cards_at(field: str, values: Iterable[int]) -> tuple[Card, ...]:
    """The cards with these indexes, in the order given."""
    return tuple(card_at(field, value) for value in values)


def card_set_at(field: str, values: Iterable[int]) -> CardSet:
    """The set of the cards with these indexes."""
    try:
        return CardSet.of(cards_at(field, values))
    except WireError:
        raise
    except ValueError as error:
        raise WireError(f"{field}: {error}") from None


def game_id_at(field: str, value: str) -> str:
    """A game's id, which is safe in the name of a file."""
    if not _GAME_ID.fullmatch(value):
        raise WireError(f"{field}: {value[:64]!r} is no id, use 1 to 64 of 0-9 A-Z a-z and -")
    return value


def octets(field: str, value: bytes, size: int = DIGEST_SIZE) -> bytes:
    """These bytes, which must be just so many."""
    if len(value) != size:
        raise WireError(f"{field}: {len(value)} bytes, not {size}")
    return value


def octets_or_none(field: str, value: bytes, size: int = DIGEST_SIZE) -> bytes:
    """These bytes, which must be just so many, or empty."""
    return octets(field, value, size) if value else b""


def counted(field: str, value: int) -> int:
    """A number that counts from 1."""
    if value < 1:
        raise WireError(f"{field}: counts from 1, not {value}")
    return value


def at_most(field: str, count: int, most: int) -> None:
    """Refuse a list that is longer than any that means something."""
    if count > most:
        raise WireError(f"{field}: {count} entries, at most {most} mean something")


def by_seat(field: str, values: Sequence[T], seats: int) -> tuple[T, ...]:
    """A list with one entry a seat, at a table of so many."""
    if len(values) != seats:
        raise WireError(f"{field}: {len(values)} entries for {seats} seats")
    return tuple(values)


def named(field: str, value: int, names: Mapping[int, T]) -> T:
    """What an enum's number stands for."""
    try:
        return names[value]
    except KeyError:
        known = ", ".join(map(str, sorted(names)))
        raise WireError(f"{field}: {value} has no meaning here, use one of {known}") from None
