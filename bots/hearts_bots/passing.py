"""Habits of the pass: what to give away, the most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from hearts_bots.habit import Advice
from hearts_bots.memory import SIDE_SUITS, TOP_SPADES
from hearts_engine.cards import QUEEN_OF_SPADES, Card, Rank, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.rules import Rules

GUARDS: Final = 4
"""How many low spades keep Q♠, or the ace and king without her, safe in the hand."""


class Passing(NamedTuple):
    """A pass half chosen."""

    hand: CardSet
    """All the cards dealt."""
    kept: CardSet
    """Those not chosen yet."""
    room: int
    """How many are still to be chosen; at least one."""
    rules: Rules

    @property
    def low_spades(self) -> CardSet:
        """The spades below the queen."""
        return CardSet.of(c for c in self.hand.in_suit(Suit.SPADES) if c < QUEEN_OF_SPADES)


@dataclass(frozen=True, slots=True)
class PassingHabit:
    """A rule for choosing what to pass."""

    name: str
    why: str
    """A sentence that a coach could say."""
    choose: Callable[[Passing], Iterable[Card]]
    """The cards it asks for, of those kept, the most urgent first; perhaps more than fit."""


def unguarded_queen(passing: Passing) -> Iterable[Card]:
    """Q♠ with few low spades under her."""
    guarded = len(passing.low_spades) >= GUARDS
    costs = passing.rules.points[QUEEN_OF_SPADES] > 0
    return passing.kept & CardSet.of([QUEEN_OF_SPADES]) if costs and not guarded else NO_CARDS


def bare_top_spades(passing: Passing) -> Iterable[Card]:
    """A♠ and K♠ without a run of small spades."""
    if len(passing.low_spades) >= GUARDS or not passing.rules.points[QUEEN_OF_SPADES]:
        return ()
    return sorted(passing.kept & TOP_SPADES, reverse=True)


def make_a_void(passing: Passing) -> Iterable[Card]:
    """All of a side suit that fits into the pass and has a high card to lose."""
    suits = [passing.kept.in_suit(suit) for suit in SIDE_SUITS]
    short = [cards for cards in suits if 0 < len(cards) <= passing.room]
    worth = [cards for cards in short if cards.highest().rank >= Rank.NINE]
    return max(worth, key=lambda cards: cards.highest().rank, default=NO_CARDS)


def beats_most(passing: Passing) -> Iterable[Card]:
    """The cards, spades apart, that beat most of what the other seats hold in their suit."""
    rest = passing.kept - CardSet.of_suit(Suit.SPADES)
    return sorted(rest, key=lambda card: (-_exposure(passing.kept, card), card))


def _exposure(cards: CardSet, card: Card) -> int:
    """How many cards of its suit that other seats hold it beats."""
    lower = sum(1 for other in cards.in_suit(card.suit) if other < card)
    return card.rank - Rank.TWO - lower


def anything_else(passing: Passing) -> Iterable[Card]:
    """What is left when only spades worth keeping are, the highest first."""
    return sorted(passing.kept, key=lambda card: (-card.rank, card))


PASSING: Final = (
    PassingHabit(
        "pass Q♠ without guards",
        "with few low spades beside her she will fall on you",
        unguarded_queen,
    ),
    PassingHabit(
        "pass A♠ and K♠ without guards",
        "they take Q♠ when you have nothing smaller to play",
        bare_top_spades,
    ),
    PassingHabit(
        "make a void in clubs or diamonds",
        "where you cannot follow you throw what hurts",
        make_a_void,
    ),
    PassingHabit(
        "pass what beats most",
        "high hearts and bare high cards take tricks that cost",
        beats_most,
    ),
    PassingHabit(
        "keep guarded spades to the last",
        "low ones are the only guard against Q♠, but nothing else is left",
        anything_else,
    ),
)
"""In this order; each gives what it asks for while there is room, and the last always can."""


def advise_pass(hand: CardSet, rules: Rules) -> tuple[Advice, ...]:
    """As many cards as the rules ask for, each with the habit that chose it."""
    chosen: tuple[Advice, ...] = ()
    for habit in PASSING:
        chosen += _asked_by(habit, hand, chosen, rules)
    return chosen


def _asked_by(
    habit: PassingHabit, hand: CardSet, chosen: tuple[Advice, ...], rules: Rules
) -> tuple[Advice, ...]:
    """What one habit adds to the cards already chosen."""
    room = rules.pass_count - len(chosen)
    if room == 0:
        return ()
    kept = hand - CardSet.of(advice.card for advice in chosen)
    asked = islice(habit.choose(Passing(hand, kept, room, rules)), room)
    return tuple(Advice(card, habit.name, habit.why) for card in asked)
