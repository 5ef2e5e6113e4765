"""What a session tells whoever plays on it: a person's screen, plain mode, or a bot."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import Event
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView


class Ask(Enum):
    """What the seat has to decide."""

    PASS = auto()
    """Which cards to pass: ``choose_pass``."""
    CARD = auto()
    """Which card to play: ``play``, or ``claim`` when on lead."""
    MOON = auto()
    """How the moon that it shot is scored: ``choose_moon``."""


class Cause(Enum):
    """Why a session is over."""

    GAME_OVER = auto()
    SUPERSEDED = auto()
    """Someone with the same token sat down elsewhere."""
    REMOVED = auto()
    """The seat was given up or taken away."""
    LOST = auto()
    """The server cannot be reached, or refuses."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The seat is attached for the first time, or again after a break."""

    view: SeatView
    missed: tuple[Event, ...]
    """What the seat may know of what happened before, or since the break."""
    returned: bool
    """After a break, rather than for the first time."""


@dataclass(frozen=True, slots=True)
class Happened:
    """Something happened at the table."""

    events: tuple[Event, ...]
    """In order; only those the seat may know."""
    view: SeatView
    """The game after them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """It is for the seat to decide something; the view has the legal cards."""

    ask: Ask
    view: SeatView
    deadline: int | None
    """When the table goes on without an answer, in microseconds since 1970 UTC; none: never."""


@dataclass(frozen=True, slots=True)
class Offline:
    """The connection broke; the session is trying again by itself."""

    attempt: int
    """From 1."""
    sentence: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The last news: the session is over."""

    cause: Cause
    sentence: str


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody at the table said something."""

    seat: Seat
    name: str
    """Whoever sat there then, safe to show."""
    words: str
    """On one line, safe to show."""


@dataclass(frozen=True, slots=True)
class Attending:
    """Who is connected, whenever that changes."""

    connected: frozenset[Seat]
    """The seats that somebody is connected for; house bots are always there and not among them."""
    watchers: int
    """How many watch."""
    host: Seat | None
    """The seat that has the host's powers; none if nobody sits who could."""


@dataclass(frozen=True, slots=True)
class Unsaid:
    """What this seat wanted to say was not told to anybody."""

    sentence: str
    """For people: why."""


News = Joined | Happened | Asked | Offline | Said | Attending | Unsaid | Closed


@dataclass(frozen=True, slots=True)
class Refused:
    """An answer that the table did not take; the seat is still asked."""

    reason: str
    """For programs, like ``MUST_FOLLOW_SUIT``."""
    message: str
    """For people: what, which rule, what is legal."""
    legal: CardSet


class Playable(Protocol):
    """What a screen or a bot needs of a session."""

    def news(self) -> AsyncIterator[News]:
        """Everything that happens from here on, in order; ends after ``Closed``."""
        ...

    async def choose_pass(self, cards: Collection[Card]) -> Refused | None:
        """Pass these cards, twins as often as named; none when the table took them.

        Where they are scattered, the first goes to the next seat clockwise, and so on.
        """
        ...

    async def play(self, card: Card) -> Refused | None:
        """Play this card; none when the table took it."""
        ...

    async def claim(self) -> Refused | None:
        """Claim every remaining trick; none when the table granted it."""
        ...

    async def choose_moon(self, choice: MoonChoice) -> Refused | None:
        """Have one's moon scored like this; none when the table took it."""
        ...

    def say(self, words: str | int) -> None:
        """Tell everyone at the table a text, or the phrase of this number."""
        ...

    def come_back(self) -> None:
        """Decide for oneself again, where a bot does it because one was away."""
        ...
