"""One deal up to the first lead: who was dealt, passed and received what."""

from __future__ import annotations

from typing import TypeVar, assert_never

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardsPassed,
    CentreTaken,
    DealBegan,
    HandDealt,
    HandShown,
    KittyDealt,
    PassChosen,
    SeatReady,
)
from hearts_engine.passing import Direction
from hearts_engine.value import value

T = TypeVar("T")


def put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """The items with another one at this place."""
    changed = list(items)
    changed[place] = item
    return tuple(changed)


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

    def after(self, event: HandDealt | KittyDealt | PassChosen | SeatReady | HandShown) -> Exchange:
        """The deal after one more thing is known of it that moves no card."""
        dealt, kitty, ready, chosen, shown = (
            self.dealt,
            self.kitty,
            self.ready,
            self.chosen,
            self.shown,
        )
        match event:
            case HandDealt():
                dealt = put(dealt, event.seat, event.cards)
            case PassChosen():
                chosen = put(chosen, event.seat, event.cards)
            case SeatReady():
                ready = put(ready, event.seat, True)
            case HandShown():
                shown = (*shown, event)
            case KittyDealt():
                kitty = event.cards
            case _:
                assert_never(event)
        return Exchange(self.began, dealt, kitty, ready, chosen, self.received, self.moves, shown)

    def received_by(self, event: CardsPassed | CentreTaken) -> Exchange:
        """The deal after cards came to a seat, from another or from the centre."""
        if isinstance(event, CardsPassed):
            taker, moves = event.taker, (*self.moves, event)
        else:
            taker, moves = event.seat, self.moves
        received = put(self.received, taker, self.received[taker] + event.cards)
        return Exchange(
            self.began,
            self.dealt,
            self.kitty,
            self.ready,
            self.chosen,
            received,
            moves,
            self.shown,
        )


def empty_exchange(began: DealBegan, players: int) -> Exchange:
    """A deal of which no hand is known yet."""
    nobody = (NO_CARDS,) * players
    return Exchange(began, nobody, NO_CARDS, (False,) * players, ((),) * players, nobody)


def before_the_first(players: int) -> Exchange:
    """What stands in the place of a deal before the first."""
    return empty_exchange(DealBegan(0, SEATS[-2 % players], Direction.HOLD), players)
