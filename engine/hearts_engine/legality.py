"""Which cards may be played: restrictions of the form "you must, if you can".

Nearly every rule of play in Hearts narrows the hand, and is waived when it would leave nothing.
Folding the hand over them in order gives the legal cards, never none; the first restriction
that takes a card away is the reason for refusing it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from hearts_engine.cards import Card, Suit
from hearts_engine.cardset import ALL_CARDS, SUITS, CardSet
from hearts_engine.errors import Reason, Rejected


class Turn(NamedTuple):
    """All that a rule of play may look at."""

    hand: CardSet
    led: Suit | None
    """None for the leader."""
    first_trick: bool
    hearts_broken: bool


class Restriction(NamedTuple):
    """One rule: the cards it allows, and what to say to someone who plays another."""

    reason: Reason
    sentence: str
    """What is asked for; ``{led}`` stands for the suit led."""
    allows: Callable[[Turn], CardSet]
    """A mask of cards, over the whole pack; the hand need not hold any of them."""


class Restrictions(NamedTuple):
    """The rules of play of a table, in order, by the situation of the seat to play."""

    opening_lead: tuple[Restriction, ...]
    lead: tuple[Restriction, ...]
    first_trick: tuple[Restriction, ...]
    follow: tuple[Restriction, ...]

    def binding(self, turn: Turn) -> tuple[Restriction, ...]:
        """The restrictions that this turn is under."""
        if turn.led is None:
            return self.opening_lead if turn.first_trick else self.lead
        return self.first_trick if turn.first_trick else self.follow


def legal_plays(turn: Turn, restrictions: Restrictions) -> CardSet:
    """The cards that may be played; never empty while the hand is not."""
    cards = turn.hand
    for restriction in restrictions.binding(turn):
        cards = cards.narrowed_to(restriction.allows(turn))
    return cards


def refusal(card: Card, turn: Turn, restrictions: Restrictions) -> Rejected:
    """Why this held card may not be played; ``ValueError`` if it may."""
    legal = legal_plays(turn, restrictions)
    cards = turn.hand
    for restriction in restrictions.binding(turn):
        narrowed = cards.narrowed_to(restriction.allows(turn))
        if card in cards and card not in narrowed:
            led = turn.led.name.lower() if turn.led is not None else ""
            message = f"{card}: {restriction.sentence.format(led=led)}; legal: {legal}"
            return Rejected(restriction.reason, message, legal)
        cards = narrowed
    raise ValueError(f"{card} is legal")


def lowest_club(card: Card) -> Restriction:
    """The opening lead is this card, the lowest club dealt."""
    mask = CardSet.of([card])

    def allows(_turn: Turn) -> CardSet:
        return mask

    return Restriction(Reason.MUST_LEAD_LOWEST_CLUB, f"the first trick is led with {card}", allows)


def _of_the_suit_led(turn: Turn) -> CardSet:
    return ALL_CARDS if turn.led is None else SUITS[turn.led]


FOLLOW_SUIT: Final = Restriction(
    Reason.MUST_FOLLOW_SUIT, "you still hold {led}, follow suit", _of_the_suit_led
)


def clean_first_trick(penalties: CardSet) -> Restriction:
    """Nobody discards a scoring card on trick one."""
    clean = CardSet.of(card for card in ALL_CARDS if card not in penalties)

    def allows(_turn: Turn) -> CardSet:
        return clean

    return Restriction(
        Reason.NO_POINTS_ON_FIRST_TRICK,
        "no scoring card on the first trick while you hold another",
        allows,
    )


_NOT_HEARTS: Final = ALL_CARDS - CardSet.of_suit(Suit.HEARTS)


def _hearts_once_broken(turn: Turn) -> CardSet:
    return ALL_CARDS if turn.hearts_broken else _NOT_HEARTS


HEARTS_CLOSED: Final = Restriction(
    Reason.HEARTS_NOT_BROKEN, "hearts are not broken yet, lead another suit", _hearts_once_broken
)
