"""The easy house bot: a casual player who follows low, dumps points and forgets the rest."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import chain

from hearts_bots.chance import pick, roll
from hearts_bots.moon import better_moon
from hearts_bots.passing import choices
from hearts_bots.prices import prices_of
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Easy:
    """Passes high cards, leads and follows low, counts nothing, and is careless now and then."""

    seed: str

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        """The highest cards; every third time one of them stays and any other goes."""
        count = view.rules.pass_count
        first, *rest = (sorted(cards, key=_height) for cards in choices(view.hand, view.rules))
        if len(first) > count and roll(self.seed, view, "careless pass", 3) == 0:
            return (*first[: count - 1], pick(self.seed, view, "odd card", first[count:]))
        return tuple(chain(first, *rest))[:count]

    def choose_play(self, view: SeatView) -> Card:
        """Any legal card every sixth time, else a sensible one."""
        if roll(self.seed, view, "careless play", 6) == 0:
            return pick(self.seed, view, "any card", list(view.legal))
        led = view.trick.led
        if led is None:
            return self._lead(view)
        return _follow(view) if view.legal.in_suit(led) else self._discard(view)

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """What serves its place in the game; even it can count that far."""
        return better_moon(view)

    def _lead(self, view: SeatView) -> Card:
        """The lowest card of a suit it happens to think of."""
        suit = pick(self.seed, view, "suit to lead", sorted({card.suit for card in view.legal}))
        return view.legal.in_suit(suit).lowest()

    def _discard(self, view: SeatView) -> Card:
        """The dearest card; every fourth time it forgets, and throws its highest."""
        costs = prices_of(view.rules).costs
        if roll(self.seed, view, "forgetful discard", 4) == 0:
            return max(view.legal, key=lambda card: (card.rank, card))
        return max(view.legal, key=lambda card: (costs[card], card.rank, card))


def _height(card: Card) -> tuple[int, Card]:
    return (-card.rank, card)


def _follow(view: SeatView) -> Card:
    """The lowest card, which ducks if anything does, and Q♠ under a higher spade."""
    best = max(card for card in view.trick.cards if card.suit is view.trick.led)
    dear = CardSet.of(c for c in view.legal & view.rules.penalties if c < best)
    return max(dear, key=lambda card: view.rules.points[card]) if dear else view.legal.lowest()
