"""What a player who pays attention knows: the view, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hearts_engine.cards import QUEEN_OF_SPADES, Card, Rank, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.errors import Reason
from hearts_engine.passing import taker
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView

TOP_SPADES: Final = CardSet.of(Card.of(rank, Suit.SPADES) for rank in (Rank.KING, Rank.ACE))
"""The spades that the queen falls under."""

MOON_SHARE: Final = 4
"""A seat that has taken every point is watched once they are one in so many of the deal's."""

SIDE_SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS)
"""The suits without penalty cards."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A seat's view when it is asked for a card, read the way a good player reads it."""

    seat: Seat
    rules: Rules
    hand: CardSet
    legal: CardSet
    trick: Trick
    unseen: CardSet
    """The cards that the other seats hold, as far as this seat can tell."""
    given: CardSet
    """Of those, the ones that this seat passed."""
    given_to: Seat
    """Who holds what this seat passed."""
    void: tuple[frozenset[Suit], ...]
    """By seat, the suits that it certainly holds no card of."""
    cards_left: tuple[int, ...]
    points: tuple[int, ...]
    """By seat, what it has taken in this deal so far."""
    totals: tuple[int, ...]

    @property
    def clean_trick(self) -> bool:
        """Whether this is the first trick, and one to which no penalty card may be thrown."""
        first = len(self.hand) == self.rules.hand_size
        reasons = {rule.reason for rule in self.rules.restrictions.first_trick}
        return first and Reason.NO_POINTS_ON_FIRST_TRICK in reasons

    @property
    def queen_out(self) -> bool:
        """Whether another seat holds Q♠ and she costs points."""
        return QUEEN_OF_SPADES in self.unseen & self.rules.penalties

    @property
    def queen_keeper(self) -> Seat | None:
        """The other seat that certainly holds Q♠, where one is known."""
        if QUEEN_OF_SPADES in self.given:
            return self.given_to
        could = [s for s in self.others if self.queen_out and Suit.SPADES not in self.void[s]]
        return could[0] if len(could) == 1 else None

    @property
    def others(self) -> tuple[Seat, ...]:
        """The other seats in the order in which they play after this one."""
        players = self.rules.players
        return tuple(Seat((self.seat + step) % players) for step in range(1, players))

    @property
    def behind(self) -> tuple[Seat, ...]:
        """The seats that play to this trick after this one."""
        return self.others[: self.rules.players - 1 - len(self.trick.cards)]

    @property
    def last(self) -> bool:
        """Whether this seat plays the last card of the trick."""
        return not self.behind

    @property
    def best(self) -> Card | None:
        """The card that is winning the trick; none before the lead."""
        led = self.trick.led
        return max((c for c in self.trick.cards if c.suit is led), default=None)

    @property
    def trick_points(self) -> int:
        """The points on the trick so far."""
        return sum(self.rules.points[card] for card in self.trick.cards)

    @property
    def moon_seat(self) -> Seat | None:
        """The other seat that has taken every point so far, once that is a good part of them."""
        takers = [Seat(seat) for seat, points in enumerate(self.points) if points]
        if len(takers) != 1 or takers[0] == self.seat:
            return None
        enough = self.points[takers[0]] * MOON_SHARE >= self.rules.penalty_total
        return takers[0] if enough else None

    @property
    def taker(self) -> Seat | None:
        """The seat that is winning the trick so far; none before the lead."""
        return self.trick.winner if self.trick.cards else None

    @property
    def ahead(self) -> tuple[Seat, ...]:
        """The other seats that lead the game: those with the lowest total among them."""
        lowest = min(self.totals[seat] for seat in self.others)
        return tuple(seat for seat in self.others if self.totals[seat] == lowest)

    def above(self, card: Card) -> CardSet:
        """The unseen cards of its suit that beat this card."""
        return CardSet.of(c for c in self.unseen.in_suit(card.suit) if c > card)

    def below(self, card: Card) -> CardSet:
        """The unseen cards of its suit that this card beats."""
        return CardSet.of(c for c in self.unseen.in_suit(card.suit) if c < card)


def remember(view: SeatView) -> Memory:
    """What this seat knows; ``ValueError`` for a spectator, who is never asked for a card."""
    if view.seat is None:
        raise ValueError("a spectator is never asked for a card")
    rules = view.rules
    unseen = _pack(rules.deck) - view.played - view.hand
    empty = frozenset(suit for suit in Suit if not unseen.in_suit(suit))
    return Memory(
        seat=view.seat,
        rules=rules,
        hand=view.hand,
        legal=view.legal,
        trick=view.trick,
        unseen=unseen,
        given=view.passed & unseen,
        given_to=taker(view.seat, view.direction, rules.players),
        void=tuple(shown | empty for shown in view.shown_out),
        cards_left=view.cards_left,
        points=view.points,
        totals=view.totals,
    )


@lru_cache(maxsize=16)
def _pack(deck: tuple[Card, ...]) -> CardSet:
    return CardSet.of(deck)


def lowest(cards: CardSet) -> Card | None:
    """The card of the lowest rank, the first suit among equals; none of none."""
    return min(cards, key=lambda card: (card.rank, card), default=None)


def highest(cards: CardSet) -> Card | None:
    """The card of the highest rank, the last suit among equals; none of none."""
    return max(cards, key=lambda card: (card.rank, card), default=None)
