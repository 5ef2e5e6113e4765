"""A log sorted the way people tell a game: who sat, then deal by deal, trick by trick.

Taken at its word, as far as it goes; where some records are hidden, the rest is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    LogSealed,
    MoonChosen,
    PassChosen,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatTaken,
    SeatTakenOver,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.passing import Direction
from hearts_replays.dealing import Dealing
from hearts_replays.seating import who_sits

Turnout = SeatAway | SeatBack | SeatTakenOver | ClocksStopped | ClocksStarted
"""Somebody who comes or goes, or time that stops or starts."""


@dataclass(slots=True)
class TrickStory:
    """One trick, perhaps still open."""

    plays: list[CardPlayed] = field(default_factory=list[CardPlayed])
    taken: TrickTaken | TrickCancelled | None = None
    carried: bool = False
    """Whether its taker gets the cards of cancelled tricks too."""
    with_kitty: bool = False
    """Whether its taker got the kitty too."""
    before: list[Turnout] = field(default_factory=list[Turnout])
    """Who came and went since the trick before, or the deal."""


@dataclass(slots=True)
class DealStory:
    """One deal, perhaps still going on."""

    began: DealBegan
    dealt: dict[Seat, CardSet] = field(default_factory=dict[Seat, CardSet])
    """The hands known, by seat."""
    kitty: CardSet | None = None
    """The cards left over, if they are known."""
    passed: list[CardsPassed] = field(default_factory=list[CardsPassed])
    centre: list[PassChosen | CentreTaken] = field(default_factory=list[PassChosen | CentreTaken])
    """What is known to have gone into the shuffled centre, then what came back, by seat."""
    tricks: list[TrickStory] = field(default_factory=list[TrickStory])
    stop: RestClaimed | PlayCut | None = None
    """Why it ended before the last card, if it did."""
    claimed_kitty: bool = False
    """Whether the kitty came with a claim."""
    moon: MoonChosen | None = None
    scored: DealScored | None = None
    turnout: list[Turnout] = field(default_factory=list[Turnout])
    """Who came and went after the last trick that was led."""

    @property
    def carrying(self) -> bool:
        """Whether the cards of cancelled tricks wait for whoever takes next."""
        return bool(self.tricks) and isinstance(self.tricks[-1].taken, TrickCancelled)

    def take(self, event: Event) -> None:
        """Sort one more event in."""
        match event:
            case CardPlayed():
                if not self.tricks or self.tricks[-1].taken is not None:
                    before, self.turnout = self.turnout, []
                    self.tricks.append(TrickStory(carried=self.carrying, before=before))
                self.tricks[-1].plays.append(event)
            case TrickTaken() | TrickCancelled():
                if self.tricks:
                    self.tricks[-1].taken = event
            case HandDealt(seat, cards) | HandShown(seat, cards, _):
                self.dealt[seat] = cards
            case KittyDealt(cards) | KittyTaken(_, cards) | KittyShown(cards):
                self.kitty = cards
            case PassChosen() if self.began.direction is Direction.SHUFFLE:
                self.centre.append(event)
            case CentreTaken():
                self.centre.append(event)
            case CardsPassed():
                self.passed.append(event)
            case RestClaimed() | PlayCut():
                self.stop = event
            case KittyWon():
                self._kitty_won()
            case MoonChosen():
                self.moon = event
            case DealScored():
                self.scored = event
            case SeatAway() | SeatBack() | SeatTakenOver() | ClocksStopped() | ClocksStarted():
                self.turnout.append(event)
            case _:
                pass  # the rest follows from these

    def _kitty_won(self) -> None:
        """The kitty goes along with what was taken just before."""
        if isinstance(self.stop, RestClaimed):
            self.claimed_kitty = True
        elif self.tricks:
            self.tricks[-1].with_kitty = True


@dataclass(slots=True)
class GameStory:
    """One game, perhaps still going on."""

    opened: GameOpened
    seats: dict[Seat, SeatTaken]
    """Who sits, by seat, or did in the end; an empty seat is left out."""
    first: dict[Seat, SeatTaken]
    """The same at the start."""
    answers: list[EntropyRevealed | EntropyWithheld] = field(
        default_factory=list[EntropyRevealed | EntropyWithheld]
    )
    deals: list[DealStory] = field(default_factory=list[DealStory])
    turnout: list[Turnout] = field(default_factory=list[Turnout])
    """Who came and went before the first deal."""
    ended: GameEnded | None = None
    closed: GameClosed | None = None
    sealed: bool = False

    @property
    def players(self) -> int:
        """How many seats there are."""
        return self.opened.rules.players

    @property
    def dealing(self) -> Dealing:
        """Who had a say in the deals."""
        return Dealing.among(self.opened, self.answers)

    def take(self, event: Event) -> None:
        """Sort one more event in."""
        match event:
            case EntropyRevealed() | EntropyWithheld():
                self.answers.append(event)
            case DealBegan():
                self.deals.append(DealStory(event))
            case GameEnded():
                self.ended = event
            case GameClosed():
                self.closed = event
            case LogSealed():
                self.sealed = True
            case SeatAway() | SeatBack() | SeatTakenOver() | ClocksStopped() | ClocksStarted() if (
                not self.deals
            ):
                self.turnout.append(event)
            case _:
                if self.deals:
                    self.deals[-1].take(event)


def story_of(events: Iterable[Event]) -> GameStory | None:
    """The story that these events tell; none if they do not begin with the opening of a game."""
    told = tuple(events)
    match told[:1]:
        case [GameOpened() as opened]:
            start = takewhile(lambda event: not isinstance(event, SeatTakenOver), told)
            story = GameStory(opened, who_sits(told), who_sits(start))
        case _:
            return None
    for event in told[1:]:
        story.take(event)
    return story
