"""Habits of the lead."""

from __future__ import annotations

from typing import Final

from hearts_bots.habit import Habit
from hearts_bots.memory import Memory, highest, lowest
from hearts_bots.risk import danger
from hearts_engine.cards import Card, Suit
from hearts_engine.cardset import NO_CARDS, CardSet

EARLY: Final = 3
"""The tricks in which everyone is likely to follow."""


def take_a_heart_on_purpose(memory: Memory) -> Card | None:
    """A heart that nobody can beat, when one seat has taken every point so far."""
    if memory.moon_seat is None:
        return None
    hearts = memory.legal.in_suit(Suit.HEARTS)
    return lowest(CardSet.of(card for card in hearts if not memory.above(card)))


def cash_the_bonus(memory: Memory) -> Card | None:
    """A bonus card that is likely to take its trick."""
    bonus = memory.legal & memory.prices.bonus
    return bonus.lowest() if bonus and danger(memory, bonus.lowest()) < 0 else None


def high_on_a_clean_trick(memory: Memory) -> Card | None:
    """The highest card that costs nothing, to a first trick to which nobody may throw points."""
    free = memory.legal.without(memory.rules.counting)
    return highest(free) if memory.clean_trick and memory.stake <= 0 else None


def fish_for_the_queen(memory: Memory) -> Card | None:
    """The highest spade below a queen that another seat holds, when no top spade is at risk.

    So with other dear cards, when none of their suit in the hand is as high as the lowest.
    """
    suits = (suit for suit in memory.prices.dear_suits if _fishable(memory, suit))
    return highest(CardSet.of(card for suit in suits for card in memory.legal.in_suit(suit)))


def _fishable(memory: Memory, suit: Suit) -> bool:
    lowest_dear, held = memory.prices.dear.in_suit(suit).lowest(), memory.hand.in_suit(suit)
    return bool(memory.dear_out.in_suit(suit)) and bool(held) and held.highest() < lowest_dear


def spades_once_she_has_fallen(memory: Memory) -> Card | None:
    """The lowest spade that someone can beat, when Q♠ is gone."""
    remaining = memory.dear_out | (memory.hand & memory.prices.dear)
    safe = (suit for suit in memory.prices.dear_suits if not remaining.in_suit(suit))
    return lowest(
        CardSet.of(
            card for suit in safe for card in memory.legal.in_suit(suit) if memory.above(card)
        )
    )


def long_suit_early(memory: Memory) -> Card | None:
    """The least dangerous card of the longest suit without penalty cards, in the first tricks."""
    if len(memory.hand) <= memory.rules.hand_size - EARLY:
        return None
    sides = (memory.legal.in_suit(suit) for suit in memory.prices.side_suits)
    return _least_dangerous(memory, max(sides, key=len, default=NO_CARDS))


def least_danger(memory: Memory) -> Card | None:
    """The card that is likely to cost least, the highest among equals."""
    return _least_dangerous(memory, memory.legal)


def _least_dangerous(memory: Memory, cards: CardSet) -> Card | None:
    return min(cards, key=lambda card: (danger(memory, card), -card.rank), default=None)


LEADING: Final = (
    Habit(
        "take a heart on purpose",
        "one seat has taken every point so far, and a point of yours ends its moon",
        take_a_heart_on_purpose,
    ),
    Habit(
        "cash the bonus card",
        "hardly anything can beat it any more",
        cash_the_bonus,
    ),
    Habit(
        "lead high to a clean trick",
        "nobody may throw points on it, and a high card is gone",
        high_on_a_clean_trick,
    ),
    Habit(
        "lead spades to draw the queen",
        "you hold nothing she can fall on, so let her fall on somebody else",
        fish_for_the_queen,
    ),
    Habit(
        "lead spades once she has fallen",
        "Q♠ is gone, and no spade costs anything now",
        spades_once_she_has_fallen,
    ),
    Habit(
        "lead the long suit early",
        "everyone can still follow, and the short suit stays a void in the making",
        long_suit_early,
    ),
    Habit(
        "lead what is least likely to win points",
        "others hold higher cards of the suit, and can follow",
        least_danger,
    ),
)
"""In this order; the first that names a card decides, and the last always does."""
