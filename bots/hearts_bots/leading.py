"""Habits of the lead."""

from __future__ import annotations

from typing import Final

from hearts_bots.habit import Habit
from hearts_bots.memory import SIDE_SUITS, TOP_SPADES, Memory, highest, lowest
from hearts_bots.risk import danger
from hearts_engine.cards import QUEEN_OF_SPADES, Card, Suit
from hearts_engine.cardset import CardSet

EARLY: Final = 3
"""The tricks in which everyone is likely to follow."""


def take_a_heart_on_purpose(memory: Memory) -> Card | None:
    """A heart that nobody can beat, when one seat has taken every point so far."""
    if memory.moon_seat is None:
        return None
    hearts = memory.legal.in_suit(Suit.HEARTS)
    return lowest(CardSet.of(card for card in hearts if not memory.above(card)))


def fish_for_the_queen(memory: Memory) -> Card | None:
    """The highest spade below a queen that another seat holds, when no top spade is at risk."""
    if not memory.queen_out or memory.hand & TOP_SPADES:
        return None
    return highest(memory.legal.in_suit(Suit.SPADES))


def spades_once_she_has_fallen(memory: Memory) -> Card | None:
    """The lowest spade that someone can beat, when Q♠ is gone."""
    if memory.queen_out or QUEEN_OF_SPADES in memory.hand & memory.rules.penalties:
        return None
    spades = memory.legal.in_suit(Suit.SPADES)
    return lowest(CardSet.of(card for card in spades if memory.above(card)))


def long_suit_early(memory: Memory) -> Card | None:
    """The least dangerous card of the longer of clubs and diamonds, in the first tricks."""
    if len(memory.hand) <= memory.rules.hand_size - EARLY:
        return None
    longest = max((memory.legal.in_suit(suit) for suit in SIDE_SUITS), key=len)
    return _least_dangerous(memory, longest)


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
