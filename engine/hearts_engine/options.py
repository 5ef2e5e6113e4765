"""The choices that rules are made of; the value of each is its text in rules."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, NamedTuple

from hearts_engine.cards import Card


class Kitty(StrEnum):
    """Who takes the cards that are left over when all seats have got the same number."""

    NONE = "none"
    """There are none: the cards divide."""
    FIRST_TRICK = "first_trick"
    LAST_TRICK = "last_trick"
    FIRST_PENALTY = "first_penalty"
    """The taker of the first penalty card, or else of the last trick."""


class Opening(StrEnum):
    """Who leads the first trick, and with what."""

    LOW_CLUB = "low_club"
    """Whoever holds the lowest club, with that card."""
    ANY_CLUB = "any_club"
    """Whoever holds the lowest club, with any club."""
    ELDEST = "eldest"
    """The seat on the dealer's left, with a card of its choice."""


class FirstTrick(StrEnum):
    """Whether penalty cards may be played to the first trick."""

    NO_POINTS = "no_points"
    ANY = "any"


class FirstForced(StrEnum):
    """Which penalty card is played to a first trick without points, when it must be one."""

    ANY = "any"
    QUEEN = "queen"


class QueenOnlyLead(StrEnum):
    """What a leader of nothing but hearts and the queen of spades leads, hearts not broken."""

    MUST_LEAD_QUEEN = "must_lead_queen"
    FREE = "free"


class QueenDump(StrEnum):
    """Whether the queen of spades may be kept back."""

    FREE = "free"
    FIRST_CHANCE = "first_chance"
    """She is discarded when void, and played under the ace or king of spades."""


class HeartValue(StrEnum):
    """What hearts cost."""

    ONE = "one"
    SPOT = "spot"
    """Their number; J 11, Q 12, K 13, A 14."""
    FACE5 = "face5"
    """One; but J 2, Q 3, K 4, A 5."""
    COURT10 = "court10"
    """Their number; J, Q and K 10, A 15."""


class Moon(StrEnum):
    """What happens when one seat takes every penalty card."""

    ADD = "add"
    """Every other seat gets the penalty total."""
    SUBTRACT = "subtract"
    """The shooter is relieved of the penalty total."""
    CHOOSE = "choose"
    """The shooter says which of the two."""
    AUTO = "auto"
    """As ``add``, unless the game would end so without the shooter alone in first place."""
    NONE = "none"
    """Nothing."""


class MoonChoice(StrEnum):
    """How a moon is scored."""

    ADD = "add"
    SUBTRACT = "subtract"


class Reach(StrEnum):
    """When a total has come to the target."""

    GE = "ge"
    """At it or beyond."""
    GT = "gt"
    """Beyond it."""


class Exact(StrEnum):
    """What landing exactly on the target does."""

    NONE = "none"
    EXACT_WINS = "exact_wins"
    EXACT_MINUS_50 = "exact_minus_50"
    """It takes fifty points off."""


class Tie(StrEnum):
    """What happens when seats share the lowest total at the end."""

    EXTRA_HAND = "extra_hand"
    """More deals, until one is alone."""
    SHARED = "shared"
    """They share the first place."""


class Twins(StrEnum):
    """What the two equal cards of two packs do to each other in one trick."""

    CANCEL = "cancel"
    """Neither can win."""
    FIRST_WINS = "first_wins"
    """The one played first is the higher."""


class LastCancelled(StrEnum):
    """Who takes the last trick when all cards of its suit are cancelled."""

    LEADER = "leader"
    SECOND_OF_TOP_PAIR = "second_of_top_pair"
    """Whoever played the second card of the highest pair."""


class Finish(StrEnum):
    """When a deal ends."""

    PLAY_OUT = "play_out"
    """After the last card."""
    EARLY = "early"
    """As soon as no remaining card can change any score."""


class CardPoints(NamedTuple):
    """A card and the points it stands for."""

    card: Card
    points: int

    def __str__(self) -> str:
        return f"{self.card}:{self.points}"


Sun = Literal["none", "double"] | int
"""What a moon with all tricks is worth: no more than another, twice as much, or so many points."""
