"""How likely a card is to take the trick, and what it would then cost, in whole numbers."""

from __future__ import annotations

from math import comb
from typing import Final

from hearts_bots.memory import TOP_SPADES, Memory
from hearts_engine.cards import QUEEN_OF_SPADES, Card, Seat, Suit

CERTAIN: Final = 1000
"""The chance of what is bound to happen; chances are in thousandths."""


def void_chance(memory: Memory, seat: Seat, suit: Suit) -> int:
    """The chance that a seat holds nothing of a suit, if the unseen cards lie at random."""
    if suit in memory.void[seat]:
        return CERTAIN
    if seat == memory.given_to and memory.given.in_suit(suit):
        return 0
    unseen, held = len(memory.unseen), memory.cards_left[seat]
    elsewhere = unseen - len(memory.unseen.in_suit(suit))
    return CERTAIN * comb(elsewhere, held) // comb(unseen, held)


def beaten_chance(memory: Memory, card: Card, seat: Seat) -> int:
    """The chance that a seat that ducks when it can has to play a higher card of the suit."""
    above, below = len(memory.above(card)), len(memory.below(card))
    if not above or card.suit in memory.void[seat]:
        return 0
    holders = sum(1 for other in memory.others if card.suit not in memory.void[other])
    share = max(1, (above + below) // holders)
    return CERTAIN * comb(above, share) // comb(above + below, share)


def winning_chance(memory: Memory, card: Card) -> int:
    """The chance that a card that leads, or beats the trick so far, takes the trick."""
    chance = CERTAIN
    for seat in memory.behind:
        chance = chance * (CERTAIN - beaten_chance(memory, card, seat)) // CERTAIN
    return chance


def expected_points(memory: Memory, card: Card) -> int:
    """What taking the trick with a card would cost, in thousandths of a point."""
    points = (memory.trick_points + memory.rules.points[card]) * CERTAIN
    if memory.clean_trick:
        return points
    for seat in memory.behind:
        void = void_chance(memory, seat, card.suit)
        points += void * _throw(memory, seat) // CERTAIN
        if card.suit is Suit.HEARTS:
            points += CERTAIN - void
    if card in TOP_SPADES and memory.queen_out:
        points += _queen_falls(memory)
    return points


def _throw(memory: Memory, seat: Seat) -> int:
    """What a seat that is void may be expected to throw, in thousandths of a point."""
    queen = memory.rules.points[QUEEN_OF_SPADES] * CERTAIN
    hearts = CERTAIN if memory.unseen.in_suit(Suit.HEARTS) else 0
    if not memory.queen_out or Suit.SPADES in memory.void[seat]:
        return hearts
    keeper = memory.queen_keeper
    if keeper is not None:
        return queen if keeper == seat else hearts
    holders = sum(1 for other in memory.others if Suit.SPADES not in memory.void[other])
    return queen // holders + hearts * (holders - 1) // holders


def _queen_falls(memory: Memory) -> int:
    """What Q♠ costs, in thousandths of a point, times the chance that she is behind."""
    queen = memory.rules.points[QUEEN_OF_SPADES] * CERTAIN
    keeper = memory.queen_keeper
    if keeper is not None:
        return queen if keeper in memory.behind else 0
    return queen * len(memory.behind) // len(memory.others)


def danger(memory: Memory, card: Card) -> int:
    """What playing a card may cost, in thousandths of a point."""
    return winning_chance(memory, card) * expected_points(memory, card) // CERTAIN
