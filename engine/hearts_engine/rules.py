"""The rules of a table as data: every option, checked, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, Card
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
from hearts_engine.soundness import packs_without, problems
from hearts_engine.values import card_points


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
    in_order: tuple[Card, ...] = field(init=False, repr=False, compare=False)
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
        for problem in problems(self):
            raise BadRules(problem)
        deck = packs_without(self.decks, self.removed)
        points = card_points(self.heart_value, self.queen_value, self.extra_penalty)
        cards = CardSet.of(deck)
        penalties = CardSet.of(card for card in cards if points[card])
        bonus = () if self.bonus is None else (self.bonus.card,)
        bonus_cards = CardSet.of(card for card in cards if card in bonus)
        derived: dict[str, object] = {
            "deck": deck,
            "in_order": tuple(sorted(deck)),
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
