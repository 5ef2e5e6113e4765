"""A trick: the cards played to it so far, and who takes it."""

from __future__ import annotations

from typing import NamedTuple

from hearts_engine.cards import SEATS, Card, Seat, Suit
from hearts_engine.options import LastCancelled, Twins


class Trick(NamedTuple):
    """One card from each seat in turn, starting with the leader.

    >>> trick = Trick(Seat(3), 4).add(Card.parse("9D")).add(Card.parse("KD"))
    >>> trick.add(Card.parse("AS")).add(Card.parse("2D")).winning()
    0
    """

    leader: Seat
    size: int
    """How many seats play to it."""
    cards: tuple[Card, ...] = ()
    """In the order played; the i-th is from seat ``(leader + i) mod size``."""
    taker: Seat | None = None
    """Who took it; none while it is open, and if it was cancelled."""

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
        return self.seat_at(len(self.cards))

    def seat_at(self, place: int) -> Seat:
        """The seat that plays the card at this place, from 0."""
        return SEATS[(self.leader + place) % self.size]

    def winning(self, twins: Twins = Twins.CANCEL) -> Seat | None:
        """The seat whose card is winning: the highest of the suit led.

        None before the lead, and while every card of that suit is cancelled by its twin.
        """
        place = winning_place(self.cards, twins)
        return None if place is None else self.seat_at(place)

    def taken_if_last(self, twins: Twins, cancelled: LastCancelled) -> Seat:
        """Who takes the complete trick when there is none after it."""
        winner = self.winning(twins)
        if winner is not None:
            return winner
        if cancelled is LastCancelled.LEADER:
            return self.leader
        top = highest_of_the_suit_led(self.cards)
        return self.seat_at(max(place for place, card in enumerate(self.cards) if card == top))

    @property
    def plays(self) -> tuple[tuple[Seat, Card], ...]:
        """Who played what, in order."""
        return tuple((self.seat_at(place), card) for place, card in enumerate(self.cards))


def winning_place(cards: tuple[Card, ...], twins: Twins) -> int | None:
    """The place of the winning card among these, from 0; none where nothing wins."""
    best = highest_of_the_suit_led(cards)
    if best is None:
        return None
    if twins is Twins.CANCEL and cards.count(best) > 1:
        led = best.suit
        single = [card for card in cards if card.suit is led and cards.count(card) == 1]
        return cards.index(max(single)) if single else None
    return cards.index(best)


def highest_of_the_suit_led(cards: tuple[Card, ...]) -> Card | None:
    """The highest card that follows suit, cancelled or not; none before the lead."""
    if not cards:
        return None
    best = cards[0]
    for card in cards:
        if card > best and card.suit is best.suit:
            best = card
    return best
