"""What a player who pays attention knows: the view, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from hearts_bots.prices import Prices, prices_of
from hearts_engine.cards import Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.kitty import comes_with
from hearts_engine.options import FirstTrick, Moon
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView

CERTAIN: Final = 1000
"""The chance of what is bound to happen; chances are in thousandths, and so are their points."""

MOON_SHARE: Final = 4
"""A seat that has taken every point is watched once they are one in so many of the deal's."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A seat's view when it is asked for a card, read the way a good player reads it."""

    seat: Seat
    rules: Rules
    prices: Prices
    hand: CardSet
    legal: CardSet
    trick: Trick
    carried: tuple[Card, ...]
    """The cards of cancelled tricks, which go to whoever takes this one."""
    unseen: CardSet
    """The cards that the other seats hold, as far as this seat can tell; perhaps in the kitty."""
    known: tuple[CardSet, ...]
    """By seat, cards that it certainly holds: this seat passed them, and it has not played them."""
    void: tuple[frozenset[Suit], ...]
    """By seat, the suits that it certainly holds no card of."""
    cards_left: tuple[int, ...]
    kitty_out: bool
    """Whether cards lie face down that no seat has yet."""
    tricks_taken: int
    """How many this seat has taken in this deal."""
    points: tuple[int, ...]
    """By seat, what it has taken in this deal so far."""
    totals: tuple[int, ...]

    @property
    def clean_trick(self) -> bool:
        """Whether this is the first trick, and one to which no penalty card may be thrown."""
        first = len(self.hand) == self.rules.hand_size
        return first and self.rules.first_trick is FirstTrick.NO_POINTS

    @property
    def dear_out(self) -> CardSet:
        """The dear cards, Q♠ for one, that this seat has not seen."""
        return self.unseen & self.prices.dear

    def keeper(self, card: Card) -> Seat | None:
        """The other seat that certainly holds this unseen card, where one is known."""
        for seat in self.others:
            if card in self.known[seat]:
                return seat
        could = [seat for seat in self.others if card.suit not in self.void[seat]]
        return could[0] if len(could) == 1 and not self.kitty_out else None

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
    def taker(self) -> Seat | None:
        """The seat that is winning the trick so far; none before the lead, or if all cancel."""
        return self.trick.winning(self.rules.twins)

    @property
    def best(self) -> Card | None:
        """The card that is winning the trick; none before the lead, or if all cancel."""
        trick, taker = self.trick, self.taker
        return None if taker is None else trick.cards[(taker - trick.leader) % trick.size]

    def beats(self, card: Card) -> bool:
        """Whether this card would be the one that wins the trick so far."""
        led, best = self.trick.led, self.best
        if led is None:
            return True
        fresh = card.suit is led and card not in self.trick.cards
        return fresh and (best is None or card > best)

    @property
    def trick_points(self) -> int:
        """The points on the trick so far, and of what was carried to it."""
        return self.rules.value_of((*self.trick.cards, *self.carried))

    @property
    def stake(self) -> int:
        """What the trick costs its taker so far, in thousandths; below 0 if it is a gain.

        The kitty that comes with it counts as so many unseen cards, and for this seat the bonus
        for taking no trick as far as the hope of it has come.
        """
        cards = (*self.trick.cards, *self.carried)
        cost = self.prices.cost(cards) * CERTAIN
        if self.kitty_out and comes_with(cards, self.rules, last=len(self.hand) == 1):
            share = CERTAIN * self.rules.kitty_size // len(self.unseen)
            cost += self.prices.cost(self.unseen) * share
        if not self.tricks_taken:
            past = self.rules.hand_size - len(self.hand)
            cost += self.rules.no_tricks_bonus * CERTAIN * past // self.rules.hand_size
        return cost

    @property
    def moon_seat(self) -> Seat | None:
        """The other seat that has taken every point so far, once that is a good part of them."""
        takers = [Seat(seat) for seat, points in enumerate(self.points) if points]
        if len(takers) != 1 or takers[0] == self.seat or self.rules.moon is Moon.NONE:
            return None
        enough = self.points[takers[0]] * MOON_SHARE >= self.rules.penalty_total
        return takers[0] if enough else None

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
    rules, prices = view.rules, prices_of(view.rules)
    unseen = rules.cards - view.played - view.hand
    if view.kitty_seat == view.seat:
        unseen -= view.kitty
    empty = frozenset(suit for suit in Suit if not unseen.in_suit(suit))
    return Memory(
        seat=view.seat,
        rules=rules,
        prices=prices,
        hand=view.hand,
        legal=view.legal,
        trick=view.trick,
        carried=_carried(view.tricks),
        unseen=unseen,
        known=_known(view),
        void=tuple(shown | empty for shown in view.shown_out),
        cards_left=view.cards_left,
        kitty_out=rules.kitty_size > 0 and view.kitty_seat is None,
        tricks_taken=sum(trick.taker == view.seat for trick in view.tricks),
        points=view.points,
        totals=view.totals,
    )


def _carried(tricks: Sequence[Trick]) -> tuple[Card, ...]:
    """The cards of the tricks cancelled since one was taken."""
    cancelled = takewhile(lambda trick: trick.taker is None, reversed(tricks))
    return tuple(card for trick in cancelled for card in trick.cards)


def _known(view: SeatView) -> tuple[CardSet, ...]:
    """By seat, what this seat passed to it and it has not played."""
    held = [NO_CARDS] * view.rules.players
    for move in view.moves:
        if move.giver == view.seat:
            held[move.taker] += move.cards
    if any(held):
        for trick in (*view.tricks, view.trick):
            for seat, card in trick.plays:
                held[seat] = held[seat].remove(card)
    return tuple(held)


def lowest(cards: CardSet) -> Card | None:
    """The card of the lowest rank, the first suit among equals; none of none."""
    return min(cards, key=lambda card: (card.rank, card), default=None)


def highest(cards: CardSet) -> Card | None:
    """The card of the highest rank, the last suit among equals; none of none."""
    return max(cards, key=lambda card: (card.rank, card), default=None)
