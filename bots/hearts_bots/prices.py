"""What cards are worth under the rules of a table, as its bots see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from hearts_engine.cards import PACK, Card, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.rules import Rules

HEARTS: Final = CardSet.of_suit(Suit.HEARTS)


@dataclass(frozen=True, slots=True)
class Prices:
    """Which cards hurt, which help, and which take those that do."""

    costs: tuple[int, ...]
    """What each card, by its index, costs the seat that takes it; below 0 for a bonus card."""
    dear: CardSet
    """The penalty cards that are no hearts, Q♠ for one; both twins where there are two."""
    catchers: CardSet
    """The cards of their suits that a dear card falls under, A♠ and K♠ for Q♠."""
    bonus: CardSet
    """The cards that take points off."""
    bonus_catchers: CardSet
    """The cards of its suit that a bonus card falls under."""
    side_suits: tuple[Suit, ...]
    """The suits without penalty cards."""
    dear_suits: tuple[Suit, ...]
    """The suits with dear cards."""

    def cost(self, cards: Iterable[Card]) -> int:
        """The points that these cards cost together."""
        return sum(map(self.costs.__getitem__, cards))


@lru_cache(maxsize=32)
def prices_of(rules: Rules) -> Prices:
    """What the cards of a table with these rules are worth."""
    bonus = 0 if rules.bonus is None else rules.bonus.points
    dear = rules.penalties.without(HEARTS)
    held = {card.suit for card in rules.penalties}
    return Prices(
        costs=tuple(
            points - bonus * (card in rules.bonus_cards)
            for card, points in zip(PACK, rules.points, strict=True)
        ),
        dear=dear,
        catchers=_over(dear, rules.cards),
        bonus=rules.bonus_cards,
        bonus_catchers=_over(rules.bonus_cards, rules.cards),
        side_suits=tuple(suit for suit in Suit if suit not in held),
        dear_suits=tuple(suit for suit in Suit if dear.in_suit(suit)),
    )


def _over(cards: CardSet, deck: CardSet) -> CardSet:
    """The cards of the deck that are higher than the lowest of these in the same suit."""
    return CardSet.of(
        card
        for suit in Suit
        if cards.in_suit(suit)
        for card in deck.in_suit(suit)
        if card > cards.in_suit(suit).lowest()
    )
