"""The cards of a hand one by one, two equal ones told apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from hearts_client.handorder import HandOrder
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet


class Slot(NamedTuple):
    """One card of a hand."""

    card: Card
    twin: bool = False
    """Whether it is the second of two equal cards."""


def slots_of(hand: CardSet, order: HandOrder) -> tuple[Slot, ...]:
    """A hand in the order in which it is shown."""
    cards = sorted(hand.cards, key=order.place)
    return tuple(Slot(card, at > 0 and cards[at - 1] == card) for at, card in enumerate(cards))


SLOT_MARK: Final = "class:slot-"


def slot_mark(at: int) -> str:
    """The style that tells which card of the hand is drawn in a cell; it has no look."""
    return f"{SLOT_MARK}{at}"


def cards_of(slots: Iterable[Slot]) -> tuple[Card, ...]:
    """The cards alone, in this order."""
    return tuple(slot.card for slot in slots)


def slot_kept(slot: Slot | None, hand: tuple[Slot, ...]) -> Slot | None:
    """The same card of a hand that may have changed, or the one nearest to it."""
    if not hand or slot is None or slot in hand:
        return slot if hand and slot is not None else next(iter(hand), None)
    return min(hand, key=lambda other: abs(other.card - slot.card))


def slot_nearest(slot: Slot | None, legal: CardSet, hand: tuple[Slot, ...]) -> Slot | None:
    """The slot if its card may be chosen, else the one fewest keys away whose card may."""
    if slot is None or slot.card in legal or not legal:
        return slot
    at = hand.index(slot)
    choosable = [each for each in hand if each.card in legal]
    return min(choosable, key=lambda each: abs(hand.index(each) - at))
