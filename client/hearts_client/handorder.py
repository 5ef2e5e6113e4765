"""How a hand is sorted on the screen."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_engine.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class HandOrder:
    """The suits from left to right, and which end of a suit comes first."""

    suits: tuple[Suit, ...] = (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES, Suit.HEARTS)
    high_first: bool = False

    @classmethod
    def of(cls, letters: str, *, high_first: bool) -> HandOrder:
        """The order of suits named by their letters, like ``cdsh``."""
        return cls(tuple(Suit("cdsh".index(letter)) for letter in letters), high_first)

    def place(self, card: Card) -> tuple[int, int]:
        """Sorts cards as the hand shows them."""
        return self.suits.index(card.suit), -card.rank if self.high_first else card.rank
