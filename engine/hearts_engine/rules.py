"""The rules of a table as data: every option, checked, and what follows from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from hearts_engine.cards import MOST_SEATS, PACK, PACK_SIZE, QUEEN_OF_SPADES, Card, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.errors import BadRules
from hearts_engine.legality import Restrictions, restrictions_of
from hearts_engine.options import (
    CardPoints,
    Exact,
    Finish,
    FirstForced,
    FirstTrick,
    HeartValue,
    Kitty,
    LastCancelled,
    Moon,
    Opening,
    QueenDump,
    QueenOnlyLead,
    Reach,
    Sun,
    Tie,
    Twins,
)
from hearts_engine.passing import Direction, usual_cycle
from hearts_engine.values import card_points

MOST_DEALS: Final = 256
"""The most deals a game can have: the length of the chain of secrets behind them."""

HIGHEST_TARGET: Final = 1000
"""Points: of a target, and of what a moon with all tricks is worth."""

DEAREST_CARD: Final = 100
"""Points: of one card, and of a bonus."""

LONGEST_CYCLE: Final = 20
"""Directions in a pass cycle: every one there is, for the largest table, twice."""

LARGEST_PASS: Final = 4
"""Cards passed, unless they are scattered."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table plays by; the defaults are standard Hearts, ``docs/rules.md`` says all of it.

    Raises ``BadRules`` with a sentence when the options cannot be played together.
    """

    players: int = 4
    decks: int = 1
    """Packs of 52."""
    removed: tuple[Card, ...] = ()
    """Cards left out, in index order; one twin for each time it is named."""
    kitty: Kitty = Kitty.NONE
    pass_count: int = 3
    """Cards that each seat passes."""
    pass_cycle: tuple[Direction, ...] = usual_cycle(4)
    """One entry a deal, repeating through the game."""
    keep_top_spades: bool = False
    """Whether ace, king and queen of spades are not passed while another card could be."""
    opening: Opening = Opening.LOW_CLUB
    first_trick: FirstTrick = FirstTrick.NO_POINTS
    first_forced: FirstForced = FirstForced.ANY
    must_break: bool = True
    """Whether hearts are not led before one was played."""
    queen_breaks: bool = False
    """Whether the queen of spades breaks hearts too."""
    queen_only_lead: QueenOnlyLead = QueenOnlyLead.MUST_LEAD_QUEEN
    queen_dump: QueenDump = QueenDump.FREE
    twins: Twins = Twins.CANCEL
    last_cancelled: LastCancelled = LastCancelled.LEADER
    heart_value: HeartValue = HeartValue.ONE
    queen_value: int = 13
    """Points of the queen of spades."""
    extra_penalty: tuple[CardPoints, ...] = ()
    """Other cards that cost points, in index order."""
    bonus: CardPoints | None = None
    """A card that takes points off."""
    bonus_floor: bool = False
    """Whether bonuses cannot take the score of a deal below zero."""
    no_tricks_bonus: int = 0
    """Points off for a seat that takes no trick."""
    moon: Moon = Moon.ADD
    moon_needs_bonus: bool = False
    """Whether the moon takes every bonus card too."""
    sun: Sun = "none"
    target: int = 100
    """The total, in points, that ends the game."""
    reach: Reach = Reach.GE
    deals: int | None = None
    """How many deals the game has, instead of a target."""
    exact: Exact = Exact.NONE
    tie: Tie = Tie.EXTRA_HAND
    finish: Finish = Finish.PLAY_OUT

    deck: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """Every card dealt: the first pack in index order, then the second; any order is a deal."""
    in_order: list[Card] = field(init=False, repr=False, compare=False)
    """The deck in index order, twins side by side."""
    cards: CardSet = field(init=False, repr=False, compare=False)
    """The deck as a set."""
    hand_size: int = field(init=False, repr=False, compare=False)
    kitty_size: int = field(init=False, repr=False, compare=False)
    points: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """What each card, by its index, costs the seat that takes it."""
    penalties: CardSet = field(init=False, repr=False, compare=False)
    """The cards that cost points."""
    penalty_total: int = field(init=False, repr=False, compare=False)
    """The points in one deal."""
    bonus_cards: CardSet = field(init=False, repr=False, compare=False)
    """The cards that take points off, twins included."""
    counting: CardSet = field(init=False, repr=False, compare=False)
    """The cards that matter to a score: those that cost points and those that take them off."""
    counts: tuple[bool, ...] = field(init=False, repr=False, compare=False)
    """Whether each card, by its index, matters to a score."""
    breakers: tuple[bool, ...] = field(init=False, repr=False, compare=False)
    """Whether each card, by its index, breaks hearts."""
    restrictions: Restrictions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise BadRules(problem)
        points = card_points(self.heart_value, self.queen_value, self.extra_penalty)
        cards = CardSet.of(self._deck())
        penalties = CardSet.of(card for card in cards if points[card])
        bonus = () if self.bonus is None else (self.bonus.card,)
        bonus_cards = CardSet.of(card for card in cards if card in bonus)
        derived: dict[str, object] = {
            "deck": self._deck(),
            "in_order": sorted(self._deck()),
            "cards": cards,
            "hand_size": len(cards) // self.players,
            "kitty_size": len(cards) % self.players,
            "points": points,
            "penalties": penalties,
            "penalty_total": sum(points[card] for card in penalties),
            "bonus_cards": bonus_cards,
            "counting": penalties | bonus_cards,
            "counts": tuple(card in penalties | bonus_cards for card in PACK),
            "breakers": tuple(
                card.is_heart or (self.queen_breaks and card == QUEEN_OF_SPADES) for card in PACK
            ),
            "restrictions": restrictions_of(self, penalties),
        }
        for name, derived_value in derived.items():
            object.__setattr__(self, name, derived_value)

    def value_of(self, cards: Iterable[Card]) -> int:
        """The points that these cards cost together."""
        return sum(map(self.points.__getitem__, cards))

    def bonus_of(self, cards: CardSet) -> int:
        """The points that these cards take off."""
        return 0 if self.bonus is None else self.bonus.points * len(cards & self.bonus_cards)

    def _deck(self) -> tuple[Card, ...]:
        left_out = Counter(self.removed)
        deck: list[Card] = []
        for card in PACK * self.decks:
            if left_out[card]:
                left_out[card] -= 1
            else:
                deck.append(card)
        return tuple(deck)

    def _problems(self) -> Iterator[str]:
        """What is wrong; a later question may rely on the answers to the earlier ones."""
        return chain(
            self._out_of_range(),
            self._bad_deck(),
            self._bad_values(),
            self._bad_passing(),
            self._bad_opening(),
            self._bad_scoring(),
        )

    def _out_of_range(self) -> Iterator[str]:
        ranges = (
            ("players", self.players, 3, MOST_SEATS, "seats"),
            ("decks", self.decks, 1, 2, "packs"),
            ("queen_value", self.queen_value, 0, DEAREST_CARD, "points"),
            ("no_tricks_bonus", self.no_tricks_bonus, 0, DEAREST_CARD, "points"),
            ("target", self.target, 1, HIGHEST_TARGET, "points"),
            ("deals", self.deals, 1, MOST_DEALS, "deals, or none"),
            ("sun", self.sun, 1, HIGHEST_TARGET, "points, none or double"),
            *(("extra_penalty", cost, 1, DEAREST_CARD, "points") for _, cost in self.extra_penalty),
            ("bonus", self.bonus.points if self.bonus else None, 1, DEAREST_CARD, "points"),
        )
        for name, number, least, most, unit in ranges:
            if isinstance(number, int) and not least <= number <= most:
                yield f"{name}={number}: {least} to {most} {unit}"
        if isinstance(self.sun, str) and self.sun not in ("none", "double"):
            yield f"sun={self.sun}: 1 to {HIGHEST_TARGET} points, none or double"

    def _bad_deck(self) -> Iterator[str]:
        for card, times in Counter(self.removed).items():
            if times > self.decks:
                yield f"removed: {card} is in the deck {self.decks} times, not {times}"
        if self.removed != tuple(sorted(self.removed)):
            yield "removed: name the cards in order, clubs first, low to high"
        size = PACK_SIZE * self.decks - len(self.removed)
        if size < self.players:
            yield f"removed: leave a card for each of the {self.players} seats"
        if size % self.players and self.kitty is Kitty.NONE:
            yield (
                f"players={self.players}: {size} cards do not divide among them; remove "
                f"{size % self.players} more, or say who takes the kitty"
            )

    def _bad_values(self) -> Iterator[str]:
        extra = [card for card, _ in self.extra_penalty]
        for card in extra:
            if card == QUEEN_OF_SPADES or card.is_heart:
                yield f"extra_penalty: {card} has its price by queen_value or heart_value"
        if extra != sorted(set(extra)):
            yield "extra_penalty: name each card once, clubs first, low to high"
        points = card_points(self.heart_value, self.queen_value, self.extra_penalty)
        if self.bonus is not None and points[self.bonus.card]:
            yield f"bonus: {self.bonus.card} costs points, choose a card that does not"
        scoring = {card for card in PACK if points[card] and not card.is_heart}
        for card in scoring | ({self.bonus.card} if self.bonus else set()):
            if card in self.removed:
                yield f"removed: {card} scores, so it stays in the deck"
        if not any(points[card] for card in self._deck()):
            yield "removed: some card that costs points stays in the deck"

    def _bad_passing(self) -> Iterator[str]:
        cycle, others = self.pass_cycle, self.players - 1
        if not 1 <= len(cycle) <= LONGEST_CYCLE:
            yield f"pass_cycle: name 1 to {LONGEST_CYCLE} directions, hold for no pass"
        if Direction.ACROSS in cycle and self.players % 2:
            usual = ",".join(usual_cycle(self.players))
            yield f"pass_cycle: nobody sits across with {self.players} seats; usual is {usual}"
        if Direction.SCATTER in cycle:
            if self.pass_count != others:
                yield f"pass_count={self.pass_count}: scatter passes one to each seat, {others}"
        elif not 1 <= self.pass_count <= LARGEST_PASS:
            yield f"pass_count={self.pass_count}: 1 to {LARGEST_PASS} cards"
        hand = (PACK_SIZE * self.decks - len(self.removed)) // self.players
        if self.pass_count > hand and any(way is not Direction.HOLD for way in cycle):
            yield f"pass_count={self.pass_count}: a hand has {hand} cards"

    def _bad_opening(self) -> Iterator[str]:
        deck = self._deck()
        clubs = sum(card.suit is Suit.CLUBS for card in deck)
        if self.opening is not Opening.ELDEST and clubs <= len(deck) % self.players:
            yield f"opening={self.opening}: perhaps nobody holds a club; choose eldest"

    def _bad_scoring(self) -> Iterator[str]:
        if self.moon_needs_bonus and (self.bonus is None or self.moon is Moon.NONE):
            yield "moon_needs_bonus: only with a bonus card and a moon"
        if self.sun != "none" and self.moon is Moon.NONE:
            yield f"sun={self.sun}: only with a moon"
        if self.exact is not Exact.NONE and self.deals is not None:
            yield f"exact={self.exact}: a game of {self.deals} deals has no target to land on"
