"""Cards, suits, ranks and seats: the nouns everything else is said with."""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property
from typing import Final, NewType

Seat = NewType("Seat", int)
"""A place at the table, from 0, clockwise: seat s+1 plays after s and sits on its left."""

MOST_SEATS: Final = 10

SEATS: Final[tuple[Seat, ...]] = tuple(Seat(seat) for seat in range(MOST_SEATS))
"""Every seat of the largest table."""

PACK_SIZE: Final = 52


class Suit(IntEnum):
    """The four suits in the order that card indexes and hands use."""

    CLUBS = 0
    DIAMONDS = 1
    SPADES = 2
    HEARTS = 3

    @property
    def letter(self) -> str:
        """``C``, ``D``, ``S`` or ``H``."""
        return "CDSH"[self]

    @property
    def symbol(self) -> str:
        """The suit's sign: ``♣``, ``♦``, ``♠`` or ``♥``."""
        return "♣♦♠♥"[self]


class Rank(IntEnum):
    """Two to ace; aces are high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character: ``2`` to ``9``, ``T``, ``J``, ``Q``, ``K`` or ``A``."""
        return "23456789TJQKA"[self - 2]


class Card(int):
    """One of the 52 cards; as a number, its index ``13 * suit + (rank - 2)``.

    The index is what messages and log records hold, so it never changes. There is one
    object for each card.

    >>> Card.parse("10s"), int(Card.parse("QS")), str(Card.parse("qs"))
    (Card.parse('TS'), 36, 'QS')
    """

    def __new__(cls, index: int) -> Card:  # noqa: PYI034  (one object a card)
        """Look up the card with this index; ``ValueError`` outside 0..51."""
        if not 0 <= index < PACK_SIZE:
            raise ValueError(f"a card's index is 0 to {PACK_SIZE - 1}, not {index}")
        return PACK[index]

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """Look up the card of this rank and suit."""
        return PACK[13 * suit + rank - 2]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read rank then suit, in either case, ``10`` or ``T`` for the ten.

        Raises ``ValueError`` for anything else.
        """
        word = text.strip()
        # Other alphabets have letters whose capital is one of ours.
        card = _BY_TEXT.get(word.upper().replace("10", "T")) if word.isascii() else None
        card = _BY_TEXT.get(word) if card is None else card
        if card is None:
            raise ValueError(f"{text!r} is not a card; write rank then suit, like QS or 10d")
        return card

    @cached_property
    def suit(self) -> Suit:
        """The card's suit."""
        return Suit(self // 13)

    @cached_property
    def rank(self) -> Rank:
        """The card's rank."""
        return Rank(self % 13 + 2)

    @cached_property
    def is_heart(self) -> bool:
        """Whether it can break hearts."""
        return self.suit is Suit.HEARTS

    @property
    def symbol(self) -> str:
        """The card for terminals that can show suits: ``Q♠``."""
        return self.rank.letter + self.suit.symbol

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    def __repr__(self) -> str:
        return f"Card.parse({str(self)!r})"

    def __reduce__(self) -> tuple[type[Card], tuple[int]]:
        return Card, (int(self),)


PACK: Final[tuple[Card, ...]] = tuple(int.__new__(Card, index) for index in range(PACK_SIZE))
"""All 52 cards in index order."""

_BY_TEXT: Final = {str(card): card for card in PACK} | {card.symbol: card for card in PACK}

TWO_OF_CLUBS: Final = Card.of(Rank.TWO, Suit.CLUBS)
QUEEN_OF_SPADES: Final = Card.of(Rank.QUEEN, Suit.SPADES)
KING_OF_SPADES: Final = Card.of(Rank.KING, Suit.SPADES)
ACE_OF_SPADES: Final = Card.of(Rank.ACE, Suit.SPADES)
