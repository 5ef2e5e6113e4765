"""The rules of a table as data: options, presets by name, and a text form that round-trips."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from hearts_engine.cards import (
    MOST_SEATS,
    PACK,
    PACK_SIZE,
    QUEEN_OF_SPADES,
    TWO_OF_CLUBS,
    Card,
    Suit,
)
from hearts_engine.cardset import CardSet
from hearts_engine.errors import BadRules
from hearts_engine.legality import (
    FOLLOW_SUIT,
    HEARTS_CLOSED,
    Restrictions,
    clean_first_trick,
    lowest_club,
)
from hearts_engine.passing import Direction

MOST_DEALS: Final = 256
"""The most deals a game can have: the length of the chain of secrets behind them."""

HIGHEST_TARGET: Final = 1000

LONGEST_CYCLE: Final = 20
"""Directions in a pass cycle: every one there is, for the largest table, twice."""

STANDARD_CYCLE: Final = (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD)


class Finish(StrEnum):
    """When a deal ends; the value is its text in rules."""

    PLAY_OUT = "play_out"
    """After the last card."""
    EARLY = "early"
    """As soon as no remaining card can change any score."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a table plays by; the defaults are standard Hearts.

    Raises ``BadRules`` with a sentence when the options cannot be played together.
    """

    players: int = 4
    pass_count: int = 3
    """Cards that each seat passes."""
    pass_cycle: tuple[Direction, ...] = STANDARD_CYCLE
    """One entry a deal, repeating through the game."""
    target: int = 100
    """The total, in points, that ends the game."""
    finish: Finish = Finish.PLAY_OUT

    deck: tuple[Card, ...] = field(init=False, repr=False, compare=False)
    """Every card dealt, in index order."""
    hand_size: int = field(init=False, repr=False, compare=False)
    points: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """What each card, by its index, costs the seat that takes it."""
    penalties: CardSet = field(init=False, repr=False, compare=False)
    """The cards that cost points."""
    penalty_total: int = field(init=False, repr=False, compare=False)
    """The points in one deal."""
    lowest_club: Card = field(init=False, repr=False, compare=False)
    """Whoever holds it after the pass leads it to the first trick."""
    restrictions: Restrictions = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._check()
        points = tuple(map(_standard_points, PACK))
        penalties = CardSet.of(card for card in PACK if points[card])
        clean = clean_first_trick(penalties)
        derived: dict[str, object] = {
            "deck": PACK,
            "hand_size": len(PACK) // self.players,
            "points": points,
            "penalties": penalties,
            "penalty_total": sum(points[card] for card in PACK),
            "lowest_club": TWO_OF_CLUBS,
            "restrictions": Restrictions(
                opening_lead=(lowest_club(TWO_OF_CLUBS),),
                lead=(HEARTS_CLOSED,),
                first_trick=(FOLLOW_SUIT, clean),
                follow=(FOLLOW_SUIT,),
            ),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def _check(self) -> None:
        if not 3 <= self.players <= MOST_SEATS:
            raise BadRules(f"players={self.players}: a table has 3 to {MOST_SEATS} seats")
        if PACK_SIZE % self.players:
            raise BadRules(f"players={self.players}: {PACK_SIZE} cards do not divide among them")
        if not 1 <= self.pass_count <= 4:
            raise BadRules(f"pass_count={self.pass_count}: pass 1 to 4 cards")
        if not 1 <= len(self.pass_cycle) <= LONGEST_CYCLE:
            raise BadRules(f"pass_cycle: name 1 to {LONGEST_CYCLE} directions, hold for no pass")
        if not 1 <= self.target <= HIGHEST_TARGET:
            raise BadRules(f"target={self.target}: a game goes to 1 to {HIGHEST_TARGET} points")

    def value_of(self, cards: Iterable[Card]) -> int:
        """The points that these cards cost together."""
        return sum(map(self.points.__getitem__, cards))

    def __str__(self) -> str:
        return format_rules(self)


def _standard_points(card: Card) -> int:
    if card == QUEEN_OF_SPADES:
        return 13
    return 1 if card.suit is Suit.HEARTS else 0


PRESETS: Final = MappingProxyType({"black_lady": Rules()})
"""The named sets of rules."""

DEFAULT_PRESET: Final = "black_lady"


def parse_rules(text: str) -> Rules:
    """Read a preset's name and overrides, ``black_lady target=50 finish=early``.

    Raises ``BadRules`` naming the word that is wrong and what would be right.
    """
    name, *overrides = text.split() or [DEFAULT_PRESET]
    if name not in PRESETS:
        raise BadRules(f"{name!r} is not a preset; choose among {', '.join(PRESETS)}")
    options: dict[str, object] = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals or key not in _READERS:
            raise BadRules(f"{override!r}: write option=value, options {', '.join(_READERS)}")
        options[key] = _read(key, value)
    return replace(PRESETS[name], **options)  # type: ignore[arg-type]  # _READERS gives each its type


def format_rules(rules: Rules) -> str:
    """The shortest text that :func:`parse_rules` reads back as these rules."""
    candidates = (
        " ".join([name, *(f"{key}={_write(rules, key)}" for key in _differing(rules, preset))])
        for name, preset in PRESETS.items()
    )
    return min(candidates, key=len)


def _differing(rules: Rules, preset: Rules) -> list[str]:
    return [
        f.name
        for f in fields(Rules)
        if f.init and getattr(rules, f.name) != getattr(preset, f.name)
    ]


def _read(key: str, value: str) -> object:
    reader, expected = _READERS[key]
    try:
        return reader(value)
    except ValueError:
        raise BadRules(f"{key}={value}: {expected}") from None


def _write(rules: Rules, key: str) -> str:
    value: object = getattr(rules, key)
    return ",".join(rules.pass_cycle) if key == "pass_cycle" else str(value)


def _read_cycle(text: str) -> tuple[Direction, ...]:
    return tuple(Direction(word) for word in text.split(","))


_Reader = Callable[[str], object]

_READERS: Final[dict[str, tuple[_Reader, str]]] = {
    "players": (int, "write a number of seats"),
    "pass_count": (int, "write a number of cards"),
    "pass_cycle": (_read_cycle, f"write directions with commas, of {', '.join(Direction)}"),
    "target": (int, "write a number of points"),
    "finish": (Finish, f"choose among {', '.join(Finish)}"),
}
"""How the value of each option is read, and what to say when it cannot be."""
