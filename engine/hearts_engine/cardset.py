"""A set of cards over one integer that still reads as a set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from hearts_engine.cards import PACK, PACK_SIZE, Card, Suit

_ONE_PACK: Final = (1 << PACK_SIZE) - 1


class CardSet:
    """Immutable cards, each held once or, where two packs are in play, twice.

    A bit stands for a card, another 52 places up for its twin; a lone card always has the
    lower one, so that equal sets have equal bits. With one pack the upper half stays empty
    and costs nothing.

    >>> hand = CardSet.parse("2C QS AH")
    >>> Card.parse("QS") in hand, len(hand), str(hand & CardSet.of_suit(Suit.HEARTS))
    (True, 3, 'AH')
    """

    __slots__ = ("bits",)
    bits: int

    def __init__(self, bits: int = 0) -> None:
        """Wrap a bit mask; use :meth:`of` or :meth:`parse` to build one from cards."""
        self.bits = bits

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """Collect these cards; a card met a second time is its twin.

        Raises ``ValueError`` for a third one.
        """
        bits = 0
        for card in cards:
            bit = 1 << card
            if bits & bit:
                bit <<= PACK_SIZE
                if bits & bit:
                    raise ValueError(f"there are only two of {card} in two packs")
            bits |= bit
        return cls(bits)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Read cards separated by blanks, ``"2C QS AH"``."""
        return cls.of(Card.parse(word) for word in text.split())

    @classmethod
    def of_suit(cls, suit: Suit) -> CardSet:
        """Every card of a suit, twins included: a mask to intersect with."""
        return SUITS[suit]

    def add(self, card: Card) -> CardSet:
        """The set with one more of this card."""
        bit = 1 << card
        return CardSet(self.bits | (bit << PACK_SIZE if self.bits & bit else bit))

    def remove(self, card: Card) -> CardSet:
        """The set with one less of this card; unchanged if it holds none."""
        bits, bit = self.bits, 1 << card
        if bits > _ONE_PACK and bits & bit << PACK_SIZE:
            bit <<= PACK_SIZE
        return CardSet(bits & ~bit)

    def in_suit(self, suit: Suit) -> CardSet:
        """The cards of one suit."""
        return CardSet(self.bits & SUITS[suit].bits)

    def narrowed_by(self, narrowings: tuple[Narrowing, ...]) -> CardSet:
        """The cards that all of them keep, in order; one that has no hold on the rest is waived."""
        bits = self.bits
        for holding, keeps in narrowings:
            if bits & holding:
                bits &= keeps
        return CardSet(bits)

    def without(self, mask: CardSet) -> CardSet:
        """The cards that the mask does not have: of a kind it has, both twins go."""
        kinds = mask.bits & _ONE_PACK | mask.bits >> PACK_SIZE
        return CardSet(self.bits & ~(kinds | kinds << PACK_SIZE))

    def lowest(self) -> Card:
        """The card with the lowest index; ``ValueError`` if there is none."""
        if not self.bits:
            raise ValueError("an empty set has no lowest card")
        return PACK[(self.bits & -self.bits).bit_length() - 1]

    def highest(self) -> Card:
        """The card with the highest index; ``ValueError`` if there is none."""
        if not self.bits:
            raise ValueError("an empty set has no highest card")
        return PACK[(self.bits & _ONE_PACK).bit_length() - 1]

    def __contains__(self, card: Card) -> bool:
        return self.bits >> card & 1 == 1

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in index order, twins side by side."""
        bits = self.bits
        listed = _LISTED.get(bits)
        if listed is None:
            listed = (
                *_in_order(bits & _CLUBS),
                *_in_order(bits & _DIAMONDS),
                *_in_order(bits & _SPADES),
                *_in_order(bits & _HEARTS),
            )
        return listed

    def __iter__(self) -> Iterator[Card]:
        return iter(self.cards)

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & other.bits)

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits | other.bits)

    def __sub__(self, other: CardSet) -> CardSet:
        rest = self.bits & ~other.bits
        return CardSet(rest if rest <= _ONE_PACK else _settled(rest))

    def __add__(self, other: CardSet) -> CardSet:
        mine, more = self.bits, other.bits
        return CardSet(mine | more | (mine & more) << PACK_SIZE)

    def __le__(self, other: CardSet) -> bool:
        return not self.bits & ~other.bits

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CardSet) and self.bits == other.bits

    def __hash__(self) -> int:
        return hash(self.bits)

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"CardSet.parse({str(self)!r})"


class Narrowing(NamedTuple):
    """While a set holds any of some cards, it is narrowed to some; bit masks, twins included."""

    holding: int
    keeps: int

    @classmethod
    def of(cls, keeps: CardSet, holding: CardSet | None = None) -> Narrowing:
        """To ``keeps``, while there is one of them, or else one of ``holding``."""
        return cls((keeps if holding is None else holding).bits, keeps.bits)


def _settled(bits: int) -> int:
    """The same cards with every lone twin moved to its lower place."""
    lower, upper = bits & _ONE_PACK, bits >> PACK_SIZE
    return lower | upper | (upper & lower) << PACK_SIZE


_LISTED: Final[dict[int, tuple[Card, ...]]] = {0: ()}
"""The sets within one suit that were listed so far: with one pack at most 8192 a suit."""

_MOST_LISTED: Final = 4 * 2**13


def _in_order(bits: int) -> tuple[Card, ...]:
    """The cards of a set within one suit."""
    listed = _LISTED.get(bits)
    if listed is not None:
        return listed
    cards: list[Card] = []
    lower, upper = bits & _ONE_PACK, bits >> PACK_SIZE
    while lower:
        bit = lower & -lower
        card = PACK[bit.bit_length() - 1]
        cards += (card, card) if upper & bit else (card,)
        lower ^= bit
    if len(_LISTED) < _MOST_LISTED:
        _LISTED[bits] = tuple(cards)
    return tuple(cards)


def _mask_of(suit: Suit) -> CardSet:
    bits = sum(1 << card for card in PACK if card.suit is suit)
    return CardSet(bits | bits << PACK_SIZE)


SUITS: Final = tuple(_mask_of(suit) for suit in Suit)
"""Every card of each suit, twins included: masks to intersect with."""

_CLUBS, _DIAMONDS, _SPADES, _HEARTS = (mask.bits for mask in SUITS)

NO_CARDS: Final = CardSet()
WHOLE_PACK: Final = CardSet(_ONE_PACK)
ALL_CARDS: Final = CardSet(_ONE_PACK | _ONE_PACK << PACK_SIZE)
"""A mask that keeps every card and every twin."""
