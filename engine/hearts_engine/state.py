"""The state of a game: the facts its events add up to.

Nothing in it ever changes; each event makes a new one that shares what stayed the same.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardsPassed,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    GameEnded,
    GameOpened,
    HandShown,
    SeatTaken,
)
from hearts_engine.legality import FREE, Binding
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.trick import Trick
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
    scored: tuple[DealScored, ...] = ()
    ended: GameEnded | None = None

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
class Exchange:
    """One deal up to the first lead: who was dealt, passed and received what; by seat."""

    began: DealBegan
    dealt: tuple[CardSet, ...]
    kitty: CardSet
    """The cards left over, which lie face down."""
    ready: tuple[bool, ...]
    chosen: tuple[tuple[Card, ...], ...]
    received: tuple[CardSet, ...]
    moves: tuple[CardsPassed, ...] = ()
    """What went from seat to seat, in order."""
    shown: tuple[HandShown, ...] = ()
    """Empty until the deal is over."""

    @property
    def deal(self) -> int:
        """Its number, from 1 through the game; 0 before the first."""
        return self.began.deal

    @property
    def dealer(self) -> Seat:
        """The seat that deals."""
        return self.began.dealer

    @property
    def direction(self) -> Direction:
        """Where the passed cards go."""
        return self.began.direction

    @property
    def held(self) -> tuple[CardSet, ...]:
        """What each seat holds when play begins, if all has been passed."""
        return tuple(
            dealt - CardSet.of(given) + got
            for dealt, given, got in zip(self.dealt, self.chosen, self.received, strict=True)
        )


@value
class Outcome:
    """What came of a deal beside its tricks."""

    kitty_seat: Seat | None = None
    """The seat that the kitty went to."""
    kitty: CardSet = NO_CARDS
    """What it was, once it is taken and as far as that is known."""
    kitty_shown: bool = False
    """Whether everyone has seen it."""
    claimed: Seat | None = None
    """The seat that claimed the rest."""
    moon_seat: Seat | None = None
    """The seat that was offered the choice of how its moon is scored."""
    moon_choice: MoonChoice | None = None


NOTHING_YET: Final = Outcome()


@value
class Play:
    """The tricks of one deal."""

    hands: tuple[CardSet, ...]
    leader: Seat
    """Of the open trick."""
    cards: tuple[Card, ...]
    """Of the open trick, in the order played."""
    turn: Seat | None
    """The seat to play; none while a full trick is still to be taken, and outside play."""
    binding: Binding
    """The restrictions that the seat on turn is under."""
    legal: CardSet
    """What the seat on turn may play."""
    hearts_broken: bool
    tricks: tuple[Trick, ...]
    """Those completed, in order; the taker of each leads the next."""
    points: tuple[int, ...]
    """What each seat has taken in tricks, or by a claim."""
    outcome: Outcome = NOTHING_YET

    @property
    def trick(self) -> Trick:
        """The open trick, perhaps still empty."""
        return Trick(self.leader, len(self.hands), self.cards)

    @property
    def carried(self) -> tuple[Card, ...]:
        """The cards of cancelled tricks that wait for the next taker."""
        waiting: tuple[Card, ...] = ()
        if not self.tricks or self.tricks[-1].taker is not None:
            return waiting
        for trick in reversed(self.tricks):
            if trick.taker is not None:
                break
            waiting = (*trick.cards, *waiting)
        return waiting


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


def empty_exchange(began: DealBegan, players: int) -> Exchange:
    """A deal of which no hand is known yet."""
    nobody = (NO_CARDS,) * players
    return Exchange(began, nobody, NO_CARDS, (False,) * players, ((),) * players, nobody)


def before_the_first(players: int) -> Exchange:
    """What stands in the place of a deal before the first."""
    return empty_exchange(DealBegan(0, SEATS[-2 % players], Direction.HOLD), players)


def empty_play(players: int) -> Play:
    """No cards anywhere, nobody on lead."""
    return Play(
        hands=(NO_CARDS,) * players,
        leader=SEATS[0],
        cards=(),
        turn=None,
        binding=FREE,
        legal=NO_CARDS,
        hearts_broken=False,
        tricks=(),
        points=(0,) * players,
    )
