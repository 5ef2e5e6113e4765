"""A trick: the cards played to it so far, and who takes it."""

from __future__ import annotations

from typing import NamedTuple

from hearts_engine.cards import SEATS, Card, Seat, Suit


class Trick(NamedTuple):
    """One card from each seat in turn, starting with the leader.

    >>> trick = Trick(Seat(3), 4).add(Card.parse("9D")).add(Card.parse("KD"))
    >>> trick.add(Card.parse("AS")).add(Card.parse("2D")).winner
    0
    """

    leader: Seat
    size: int
    """How many seats play to it."""
    cards: tuple[Card, ...] = ()
    """In the order played; the i-th is from seat ``(leader + i) mod size``."""

    def add(self, card: Card) -> Trick:
        """The trick with the next card on it."""
        return Trick(self.leader, self.size, (*self.cards, card))

    @property
    def led(self) -> Suit | None:
        """The suit to follow, or none before the lead."""
        return self.cards[0].suit if self.cards else None

    @property
    def complete(self) -> bool:
        """Whether every seat has played."""
        return len(self.cards) == self.size

    @property
    def missing(self) -> int:
        """How many cards are still to come."""
        return self.size - len(self.cards)

    @property
    def next_seat(self) -> Seat:
        """The seat that plays the next card."""
        return SEATS[(self.leader + len(self.cards)) % self.size]

    @property
    def winner(self) -> Seat:
        """The seat whose card is winning: the highest of the suit led.

        ``ValueError`` before the lead.
        """
        if not self.cards:
            raise ValueError("nobody has led to this trick yet")
        best = self.cards[0]
        for card in self.cards:
            if card.suit is best.suit and card > best:
                best = card
        return SEATS[(self.leader + self.cards.index(best)) % self.size]

    @property
    def plays(self) -> tuple[tuple[Seat, Card], ...]:
        """Who played what, in order."""
        return tuple(
            (SEATS[(self.leader + place) % self.size], card)
            for place, card in enumerate(self.cards)
        )
