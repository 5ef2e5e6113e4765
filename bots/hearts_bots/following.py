"""Habits of following suit."""

from __future__ import annotations

from typing import Final

from hearts_bots.habit import Habit
from hearts_bots.memory import Memory, highest
from hearts_bots.risk import danger
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet

FEW: Final = 4
"""A trick costs a few points while they are less than one in so many of the deal's."""


def take_a_heart_on_purpose(memory: Memory) -> Card | None:
    """The highest card, on a trick with a few points that would help a seat to the moon."""
    if memory.moon_seat is None or not _worth_stopping(memory):
        return None
    card = highest(memory.legal.without(memory.prices.dear))
    return card if card is not None and memory.beats(card) else None


def _worth_stopping(memory: Memory) -> bool:
    """Whether the trick costs something, not too much, and the moon's seat may yet take it."""
    cheap = 0 < memory.trick_points * FEW < memory.rules.penalty_total
    return cheap and memory.moon_seat in (memory.taker, *memory.behind)


def queen_under_a_higher_spade(memory: Memory) -> Card | None:
    """Q♠ when A♠ or K♠ is on the trick already; so with other dear cards, the dearest first."""
    under = (card for card in memory.legal & memory.prices.dear if not memory.beats(card))
    return max(under, key=lambda card: memory.rules.points[card], default=None)


def take_the_bonus(memory: Memory) -> Card | None:
    """The bonus card, last to a trick that it wins and that costs less than it takes off."""
    bonus = memory.legal & memory.prices.bonus
    if not bonus or not memory.last or not memory.beats(bonus.lowest()):
        return None
    return bonus.lowest() if danger(memory, bonus.lowest()) < 0 else None


def go_for_a_gain(memory: Memory) -> Card | None:
    """The card that is likely to gain most, on a trick that takes points off."""
    if memory.last or memory.stake >= 0:
        return None
    return least_danger(memory)


def last_without_points(memory: Memory) -> Card | None:
    """The highest card that costs nothing, last to a trick that costs nothing."""
    return highest(_free(memory)) if memory.last and memory.stake <= 0 else None


def high_on_a_clean_trick(memory: Memory) -> Card | None:
    """The highest card on a first trick to which nobody may throw points."""
    return highest(_free(memory)) if memory.clean_trick and memory.stake <= 0 else None


def _free(memory: Memory) -> CardSet:
    """The legal cards that neither cost points nor take them off."""
    return memory.legal.without(memory.rules.counting)


def duck_high(memory: Memory) -> Card | None:
    """The highest card that does not take the trick; a twin of the winning one does not."""
    low = CardSet.of(card for card in memory.legal if not memory.beats(card))
    return highest(low.without(memory.prices.bonus))


def take_it_high(memory: Memory) -> Card | None:
    """The highest card but Q♠, last to a trick that every card in hand would take."""
    return highest(memory.legal.without(memory.prices.dear)) if memory.last else None


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
        "win with the bonus card",
        "nobody plays after you, and the trick costs less than it takes off",
        take_the_bonus,
    ),
    Habit("go for a gain", "the trick takes off more than it costs", go_for_a_gain),
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
