"""Habits of the discard: what to throw when the suit led is not in the hand."""

from __future__ import annotations

from typing import Final

from hearts_bots.habit import Habit
from hearts_bots.memory import Memory, highest, lowest
from hearts_engine.cards import Card, Rank, Suit
from hearts_engine.cardset import CardSet

HIGH: Final = Rank.TEN
"""From this rank up a card is more likely to take a trick than to duck under one."""


def keep_a_stopper(memory: Memory) -> Card | None:
    """No penalty card, or the lowest heart, to the seat that has taken every point so far.

    High cards are kept: only a trick taken stops a moon.
    """
    if memory.moon_seat is None or memory.taker != memory.moon_seat:
        return None
    free = _throwable(memory).without(memory.rules.penalties)
    return lowest(free) if free else lowest(memory.legal.in_suit(Suit.HEARTS))


def throw_the_queen(memory: Memory) -> Card | None:
    """Q♠, whoever takes her, or where other cards than hearts cost points too, the dearest."""
    dear, points = memory.legal & memory.prices.dear, memory.rules.points
    return max(dear, key=lambda card: points[card], default=None)


def throw_top_spades(memory: Memory) -> Card | None:
    """A♠, then K♠, while another seat can still play Q♠ under them; so with other dear cards."""
    out = memory.dear_out
    return highest(
        CardSet.of(
            card
            for card in _throwable(memory) & memory.prices.catchers
            if out.in_suit(card.suit) and card > out.in_suit(card.suit).lowest()
        )
    )


def throw_hearts_at_the_leader(memory: Memory) -> Card | None:
    """The highest heart, however low, when the seat that leads the game is taking the trick."""
    return highest(memory.legal.in_suit(Suit.HEARTS)) if memory.taker in memory.ahead else None


def throw_a_high_heart(memory: Memory) -> Card | None:
    """The highest heart, if it is high, or costs more than a point."""
    heart = highest(memory.legal.in_suit(Suit.HEARTS))
    high = heart is not None and (heart.rank >= HIGH or memory.rules.points[heart] > 1)
    return heart if high else None


def throw_a_high_card(memory: Memory) -> Card | None:
    """The highest card, if it is high."""
    card = highest(_throwable(memory))
    return card if card is not None and card.rank >= HIGH else None


def throw_any_heart(memory: Memory) -> Card | None:
    """The highest heart."""
    return highest(memory.legal.in_suit(Suit.HEARTS))


def throw_the_highest(memory: Memory) -> Card | None:
    """The highest card, a bonus card only when there is no other."""
    return highest(_throwable(memory)) or highest(memory.legal)


def _throwable(memory: Memory) -> CardSet:
    """The legal cards that help nobody who takes them."""
    return memory.legal.without(memory.prices.bonus)


DISCARDING: Final = (
    Habit(
        "keep a stopper",
        "one seat has taken every point so far: give it none, and keep what could stop it",
        keep_a_stopper,
    ),
    Habit(
        "throw the queen first",
        "you cannot follow, so somebody else must take her",
        throw_the_queen,
    ),
    Habit(
        "throw A♠ and K♠ while she is out",
        "as long as Q♠ is in another hand she can fall on them",
        throw_top_spades,
    ),
    Habit(
        "throw hearts at the leader",
        "the seat that leads the game is taking this trick",
        throw_hearts_at_the_leader,
    ),
    Habit("throw a high heart", "it would win a heart trick later", throw_a_high_heart),
    Habit("throw a high card", "it would win a trick later", throw_a_high_card),
    Habit("throw any heart", "a point for somebody else", throw_any_heart),
    Habit("throw the highest card", "low cards are the ones to keep", throw_the_highest),
)
"""In this order; the first that names a card decides, and the last always does."""
