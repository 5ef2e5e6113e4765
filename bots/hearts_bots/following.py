"""Habits of following suit."""

from __future__ import annotations

from typing import Final

from hearts_bots.habit import Habit
from hearts_bots.memory import TOP_SPADES, Memory, highest
from hearts_bots.risk import danger
from hearts_engine.cards import QUEEN_OF_SPADES, Card
from hearts_engine.cardset import CardSet


def take_a_heart_on_purpose(memory: Memory) -> Card | None:
    """The highest card, on a trick with a few points that would help a seat to the moon."""
    if memory.moon_seat is None or not _worth_stopping(memory):
        return None
    card = highest(memory.legal - CardSet.of([QUEEN_OF_SPADES]))
    return card if card is not None and _beats_the_trick(memory, card) else None


def _worth_stopping(memory: Memory) -> bool:
    """Whether the trick costs something, no queen, and the moon's seat may yet take it."""
    cheap = memory.trick_points > 0 and QUEEN_OF_SPADES not in memory.trick.cards
    return cheap and memory.moon_seat in (memory.taker, *memory.behind)


def _beats_the_trick(memory: Memory, card: Card) -> bool:
    best = memory.best
    return best is None or card > best


def queen_under_a_higher_spade(memory: Memory) -> Card | None:
    """Q♠ when A♠ or K♠ is on the trick already."""
    held = QUEEN_OF_SPADES in memory.legal & memory.rules.penalties
    under = memory.best is not None and memory.best in TOP_SPADES
    return QUEEN_OF_SPADES if held and under else None


def last_without_points(memory: Memory) -> Card | None:
    """The highest card that costs nothing, last to a trick that costs nothing."""
    free = memory.legal - memory.rules.penalties
    return highest(free) if memory.last and memory.trick_points <= 0 else None


def high_on_a_clean_trick(memory: Memory) -> Card | None:
    """The highest card on a first trick to which nobody may throw points."""
    return highest(memory.legal - memory.rules.penalties) if memory.clean_trick else None


def duck_high(memory: Memory) -> Card | None:
    """The highest card that does not take the trick."""
    return highest(CardSet.of(c for c in memory.legal if not _beats_the_trick(memory, c)))


def take_it_high(memory: Memory) -> Card | None:
    """The highest card but Q♠, last to a trick that every card in hand would take."""
    return highest(memory.legal - CardSet.of([QUEEN_OF_SPADES])) if memory.last else None


def least_danger(memory: Memory) -> Card | None:
    """The card that is likely to cost least."""
    return min(memory.legal, key=lambda card: (danger(memory, card), -card), default=None)


FOLLOWING: Final = (
    Habit(
        "take a heart on purpose",
        "one seat has taken every point so far, and a point of yours ends its moon",
        take_a_heart_on_purpose,
    ),
    Habit(
        "play the queen under a higher spade",
        "a king or ace is on the trick, so she is somebody else's",
        queen_under_a_higher_spade,
    ),
    Habit(
        "last without points, win it high",
        "the trick costs nothing, and a high card is gone",
        last_without_points,
    ),
    Habit(
        "play high on the first trick",
        "nobody may throw points on it",
        high_on_a_clean_trick,
    ),
    Habit("duck as high as you can", "it stays below the trick, keep the lower ones", duck_high),
    Habit("if you must take it, take it high", "keep the low card for later", take_it_high),
    Habit("hope to be beaten", "the others are likeliest to hold a higher card", least_danger),
)
"""In this order; the first that names a card decides, and the last always does."""
