"""How likely a card is to take the trick, and what it would then cost, in whole numbers."""

from __future__ import annotations

from math import comb

from hearts_bots.memory import CERTAIN, Memory
from hearts_engine.cards import Card, Seat, Suit


def void_chance(memory: Memory, seat: Seat, suit: Suit) -> int:
    """The chance that a seat holds nothing of a suit, if the unseen cards lie at random."""
    if suit in memory.void[seat]:
        return CERTAIN
    if memory.known[seat].in_suit(suit):
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
    if card in memory.prices.bonus:
        return _escaping_chance(memory, card)
    chance = CERTAIN
    for seat in memory.behind:
        chance = chance * (CERTAIN - beaten_chance(memory, card, seat)) // CERTAIN
    return chance


def _escaping_chance(memory: Memory, card: Card) -> int:
    """The chance that no seat behind holds a higher card; with a bonus at stake nobody ducks."""
    others, chance = len(memory.others), CERTAIN
    for _ in memory.above(card):
        chance = chance * (others - len(memory.behind)) // others
    return chance


def expected_points(memory: Memory, card: Card) -> int:
    """What taking the trick with a card would cost, in thousandths of a point."""
    points = memory.stake + memory.prices.costs[card] * CERTAIN
    if memory.clean_trick:
        return points
    hearts = _mean_heart(memory)
    for seat in memory.behind:
        void = void_chance(memory, seat, card.suit)
        points += void * _throw(memory, seat, card.suit, hearts) // CERTAIN
        if card.suit is Suit.HEARTS:
            points += hearts * (CERTAIN - void) // CERTAIN
    return points + sum(_falls(memory, dear) for dear in memory.dear_out if _under(dear, card))


def _under(dear: Card, card: Card) -> bool:
    return dear.suit is card.suit and dear < card


def _mean_heart(memory: Memory) -> int:
    """What a heart in another hand costs, in thousandths of a point."""
    hearts = memory.unseen.in_suit(Suit.HEARTS)
    return memory.prices.cost(hearts) * CERTAIN // len(hearts) if hearts else 0


def _throw(memory: Memory, seat: Seat, led: Suit, hearts: int) -> int:
    """What a seat that is void may be expected to throw, in thousandths of a point.

    The dearest card it holds, of those that are no hearts, or else a heart.
    """
    expected, otherwise = 0, CERTAIN
    for card in sorted(memory.dear_out, key=lambda dear: -memory.prices.costs[dear]):
        if card.suit is not led:
            chance = otherwise * _holds(memory, seat, card) // CERTAIN
            expected += chance * memory.prices.costs[card]
            otherwise -= chance
    return expected + hearts * otherwise // CERTAIN


def _holds(memory: Memory, seat: Seat, card: Card) -> int:
    """The chance that a seat holds a dear card."""
    if card.suit in memory.void[seat]:
        return 0
    keeper = memory.keeper(card)
    if keeper is not None:
        return CERTAIN if keeper == seat else 0
    return CERTAIN // sum(1 for other in memory.others if card.suit not in memory.void[other])


def _falls(memory: Memory, dear: Card) -> int:
    """What a dear card costs, in thousandths of a point, times the chance that it is behind."""
    cost = memory.prices.costs[dear] * CERTAIN
    keeper = memory.keeper(dear)
    if keeper is not None:
        return cost if keeper in memory.behind else 0
    return cost * len(memory.behind) // len(memory.others)


def danger(memory: Memory, card: Card) -> int:
    """What playing a card may cost, in thousandths of a point; a bonus lost counts too."""
    wins = winning_chance(memory, card) if memory.beats(card) else 0
    lost = -min(0, memory.prices.costs[card]) * (CERTAIN - wins)
    return wins * expected_points(memory, card) // CERTAIN + lost
