"""The state of a game: the facts its events add up to.

Nothing in it ever changes; each event makes a new one that shares what stayed the same.
"""

from __future__ import annotations

from enum import Enum, auto

from hearts_engine.cards import Seat
from hearts_engine.events import (
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    GameClosed,
    GameEnded,
    GameOpened,
    SeatTaken,
)
from hearts_engine.exchange import Exchange
from hearts_engine.play import Play
from hearts_engine.presence import Presence
from hearts_engine.rules import Rules
from hearts_engine.value import value


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
    CENTRE = auto()
    """The passed cards to be shuffled in the centre."""
    PLAYING = auto()
    """The seat whose turn it is."""
    MOON = auto()
    """The seat that shot the moon to choose how it is scored."""
    SHOWING = auto()
    """The deal to be shown and scored."""
    ENDED = auto()
    """The seal."""
    SEALED = auto()
    """Nothing any more."""


@value
class Game:
    """What holds for the whole game."""

    opened: GameOpened
    rules: Rules
    """Those that record 1 gave the game."""
    seats: tuple[SeatTaken | None, ...]
    entropy: tuple[EntropyRevealed | EntropyWithheld | None, ...]
    presence: Presence
    scored: tuple[DealScored, ...] = ()
    ended: GameEnded | None = None
    closed: GameClosed | None = None

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


@value
class State:
    """Everything that has happened, as it stands."""

    phase: Phase
    game: Game
    exchange: Exchange
    play: Play

    @property
    def turn(self) -> Seat | None:
        """The seat that plays the next card; none also while a full trick is still to be taken."""
        return self.play.turn

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """The seats that a decision is due from."""
        match self.phase:
            case Phase.ENTROPY:
                return self.game.owing
            case Phase.PASSING:
                return tuple(Seat(s) for s, ready in enumerate(self.exchange.ready) if not ready)
            case Phase.PLAYING:
                return () if self.play.turn is None else (self.play.turn,)
            case Phase.MOON:
                shooter = self.play.outcome.moon_seat
                return () if shooter is None else (shooter,)
            case _:
                return ()
