"""Habits of the pass: what to give away, the most urgent first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain, islice
from typing import Final, NamedTuple

from hearts_bots.habit import Advice
from hearts_bots.prices import Prices, prices_of
from hearts_engine.cards import SEATS, Card, Rank, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.dealing import KEPT_SPADES
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.view import SeatView

GUARDS: Final = 4
"""How many low spades keep Q♠, or the ace and king without her, safe in the hand."""


class Passing(NamedTuple):
    """A pass half chosen."""

    hand: CardSet
    """All the cards dealt."""
    kept: CardSet
    """Those not chosen yet, of those that may be passed."""
    room: int
    """How many are still to be chosen; at least one."""
    rules: Rules

    @property
    def prices(self) -> Prices:
        """What cards are worth here."""
        return prices_of(self.rules)

    @property
    def bare(self) -> CardSet:
        """The cards kept of suits in which few low ones guard against a dear one."""
        return CardSet.of(chain.from_iterable(map(self._bare_in, self.prices.dear_suits)))

    def _bare_in(self, suit: Suit) -> CardSet:
        cheapest = self.prices.dear.in_suit(suit).lowest()
        guards = sum(1 for card in self.hand.in_suit(suit) if card < cheapest)
        return NO_CARDS if guards >= GUARDS else self.kept.in_suit(suit)

    @property
    def harmful(self) -> CardSet:
        """The cards kept that take no points off and do not catch one that does."""
        return self.kept.without(self.prices.bonus | self.prices.bonus_catchers)


@dataclass(frozen=True, slots=True)
class PassingHabit:
    """A rule for choosing what to pass."""

    name: str
    why: str
    """A sentence that a coach could say."""
    choose: Callable[[Passing], Iterable[Card]]
    """The cards it asks for, of those kept, the most urgent first; perhaps more than fit."""


def unguarded_queen(passing: Passing) -> Iterable[Card]:
    """Q♠ with few low spades under her; so with other dear cards, the dearest first."""
    points = passing.rules.points
    return sorted(passing.bare & passing.prices.dear, key=lambda card: -points[card])


def bare_top_spades(passing: Passing) -> Iterable[Card]:
    """A♠ and K♠ without a run of small spades, and whatever else a dear card falls under."""
    return sorted(passing.bare & passing.prices.catchers, reverse=True)


def make_a_void(passing: Passing) -> Iterable[Card]:
    """All of a side suit that fits into the pass and has a high card to lose."""
    harmful = passing.harmful
    suits = [passing.kept.in_suit(suit) for suit in passing.prices.side_suits]
    short = [cards for cards in suits if 0 < len(cards) <= passing.room and cards <= harmful]
    worth = [cards for cards in short if cards.highest().rank >= Rank.NINE]
    return max(worth, key=lambda cards: cards.highest().rank, default=NO_CARDS)


def beats_most(passing: Passing) -> Iterable[Card]:
    """The cards, spades apart, that beat most of what the other seats hold in their suit."""
    guarded = passing.prices.dear_suits
    rest = [card for card in passing.harmful if card.suit not in guarded]
    return sorted(rest, key=lambda card: (-_exposure(passing.kept, card), card))


def _exposure(cards: CardSet, card: Card) -> int:
    """How many ranks of its suit that other seats hold it beats."""
    lower = sum(1 for other in cards.in_suit(card.suit) if other < card)
    return card.rank - Rank.TWO - lower


def anything_else(passing: Passing) -> Iterable[Card]:
    """What is left when only cards worth keeping are, the highest first, a bonus card last."""
    bonus = passing.prices.bonus
    return sorted(passing.kept, key=lambda card: (card in bonus, -card.rank, card))


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
    """As many cards as the rules ask for, each with the habit that chose it, most urgent first."""
    chosen: tuple[Advice, ...] = ()
    for choice in choices(hand, rules):
        for habit in PASSING:
            chosen += _asked_by(habit, Passing(hand, choice, rules.pass_count, rules), chosen)
    return chosen


def choices(hand: CardSet, rules: Rules) -> tuple[CardSet, ...]:
    """The cards to choose a pass from: none of the second while the first has enough."""
    if not rules.keep_top_spades:
        return (hand,)
    others = hand.without(KEPT_SPADES)
    return (others, hand - others)


def _asked_by(
    habit: PassingHabit, passing: Passing, chosen: tuple[Advice, ...]
) -> tuple[Advice, ...]:
    """What one habit adds to the cards already chosen."""
    room = passing.room - len(chosen)
    if room == 0:
        return ()
    kept = passing.kept - CardSet.of(advice.card for advice in chosen)
    asked = islice(habit.choose(passing._replace(kept=kept, room=room)), room)
    return tuple(Advice(card, habit.name, habit.why) for card in asked)


def addressed(cards: tuple[Card, ...], view: SeatView) -> tuple[Card, ...]:
    """The cards, the most harmful first, in the order in which the seats are to get them.

    Scattered, the most harmful goes to the seat that leads the game, and so on down.
    """
    if view.direction is not Direction.SCATTER or view.seat is None:
        return cards
    players = view.rules.players
    takers = [SEATS[(view.seat + step) % players] for step in range(1, players)]
    by_standing = sorted(takers, key=view.totals.__getitem__)
    gifts = dict(zip(by_standing, cards, strict=True))
    return tuple(gifts[seat] for seat in takers)
