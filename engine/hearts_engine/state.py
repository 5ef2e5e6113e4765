"""The state of a game: the facts its events add up to.

The parts are named tuples: immutable like frozen dataclasses, and built in a third of the time,
which is what most of a replay goes into (``bench/engine.py``).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from hearts_engine.cards import Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    GameEnded,
    GameOpened,
    HandShown,
    SeatTaken,
)
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick


class Phase(Enum):
    """What the table is waiting for."""

    SEATING = auto()
    """Seats to be taken, and the start."""
    ENTROPY = auto()
    """Seats to reveal their entropy."""
    DEALING = auto()
    """The next deal, or the rest of one that is being dealt."""
    PASSING = auto()
    """Seats to choose their pass."""
    PLAYING = auto()
    """The seat whose turn it is."""
    SHOWING = auto()
    """The deal to be shown and scored."""
    ENDED = auto()
    """The seal."""
    SEALED = auto()
    """Nothing any more."""


class Game(NamedTuple):
    """What holds for the whole game."""

    opened: GameOpened
    seats: tuple[SeatTaken | None, ...]
    entropy: tuple[EntropyRevealed | EntropyWithheld | None, ...]
    scored: tuple[DealScored, ...] = ()
    ended: GameEnded | None = None

    @property
    def rules(self) -> Rules:
        """The rules that record 1 gave the game."""
        return self.opened.rules

    @property
    def totals(self) -> tuple[int, ...]:
        """The points each seat stands at."""
        return self.scored[-1].totals if self.scored else (0,) * self.rules.players

    @property
    def owing(self) -> tuple[Seat, ...]:
        """The seats that committed to entropy and have neither revealed nor withheld it."""
        return tuple(
            Seat(index)
            for index, (taken, answer) in enumerate(zip(self.seats, self.entropy, strict=True))
            if taken and taken.commitment and answer is None
        )


class Exchange(NamedTuple):
    """One deal up to the first lead: who was dealt, passed and received what."""

    deal: int
    dealer: Seat
    direction: Direction
    dealt: tuple[CardSet, ...]
    ready: tuple[bool, ...]
    chosen: tuple[CardSet, ...]
    received: tuple[CardSet, ...]
    shown: tuple[HandShown, ...] = ()
    """Empty until the deal is over."""

    @property
    def held(self) -> tuple[CardSet, ...]:
        """What each seat holds when play begins, if all has been passed."""
        return tuple(
            dealt - given + got
            for dealt, given, got in zip(self.dealt, self.chosen, self.received, strict=True)
        )


class Play(NamedTuple):
    """The tricks of one deal."""

    hands: tuple[CardSet, ...]
    trick: Trick
    tricks: tuple[Trick, ...]
    """Those taken, in order; the winner of each leads the next."""
    taken: tuple[CardSet, ...]
    """The penalty cards that each seat took."""
    hearts_broken: bool
    legal: CardSet
    """What the seat on turn may play."""
    claimed: Seat | None = None
    """The seat that claimed the rest."""


class State(NamedTuple):
    """Everything that has happened, as it stands."""

    phase: Phase
    game: Game
    exchange: Exchange
    play: Play

    @property
    def turn(self) -> Seat | None:
        """The seat that plays the next card; none also while a full trick is still to be taken."""
        trick = self.play.trick
        return trick.next_seat if self.phase is Phase.PLAYING and not trick.complete else None

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that a decision is due from."""
        match self.phase:
            case Phase.ENTROPY:
                return self.game.owing
            case Phase.PASSING:
                return tuple(Seat(s) for s, ready in enumerate(self.exchange.ready) if not ready)
            case Phase.PLAYING:
                return () if self.turn is None else (self.turn,)
            case _:
                return ()


def empty_exchange(players: int, deal: int = 0, direction: Direction = Direction.HOLD) -> Exchange:
    """A deal, counted from 1, of which no hand is known yet; deal 0 comes before the first."""
    nobody = (NO_CARDS,) * players
    dealer = Seat((deal - 2) % players)
    return Exchange(deal, dealer, direction, nobody, (False,) * players, nobody, nobody)


def empty_play(players: int) -> Play:
    """No cards anywhere, nobody on lead."""
    nobody = (NO_CARDS,) * players
    return Play(nobody, Trick(Seat(0), players), (), nobody, hearts_broken=False, legal=NO_CARDS)
