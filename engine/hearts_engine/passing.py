"""Who passes to whom, how often, and who leads with what everyone then holds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, assert_never

from hearts_engine.cards import SEATS, Card, Seat, Suit
from hearts_engine.cardset import CardSet


class Direction(StrEnum):
    """Where the passed cards go; the value is its text in rules."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    LEFT2 = "left2"
    """To the second seat clockwise."""
    RIGHT2 = "right2"
    HOLD = "hold"
    """Nowhere."""
    SCATTER = "scatter"
    """One to each other seat, the first named to the next seat clockwise."""
    SHUFFLE = "shuffle"
    """Into the centre, and from there to everyone by chance."""


_FOUR: Final = (Direction.LEFT, Direction.RIGHT, Direction.ACROSS, Direction.HOLD)
_FIVE: Final = (
    Direction.LEFT,
    Direction.RIGHT,
    Direction.LEFT2,
    Direction.RIGHT2,
    Direction.HOLD,
)
_SIX: Final = (*_FIVE[:4], Direction.ACROSS, Direction.HOLD)
_OTHERS: Final = (Direction.LEFT, Direction.RIGHT, Direction.HOLD)


def usual_cycle(players: int) -> tuple[Direction, ...]:
    """The pass cycle that tables of so many seats play when nothing else is said."""
    return {4: _FOUR, 5: _FIVE, 6: _SIX}.get(players, _OTHERS)


def direction_of(deal: int, cycle: tuple[Direction, ...]) -> Direction:
    """The direction of a deal, counted from 1; the cycle repeats through the game."""
    return cycle[(deal - 1) % len(cycle)]


def eldest(deal: int, players: int) -> Seat:
    """The seat on the dealer's left in a deal, counted from 1."""
    return SEATS[(deal - 1) % players]


def taker(giver: Seat, direction: Direction, players: int) -> Seat | None:
    """The one seat that receives what ``giver`` passes; none where there is no such seat."""
    match direction:
        case Direction.LEFT:
            step = 1
        case Direction.RIGHT:
            step = -1
        case Direction.ACROSS:
            step = players // 2
        case Direction.LEFT2:
            step = 2
        case Direction.RIGHT2:
            step = -2
        case Direction.HOLD | Direction.SCATTER | Direction.SHUFFLE:
            return None
        case _:
            assert_never(direction)
    return SEATS[(giver + step) % players]


def parcels(
    giver: Seat, cards: Sequence[Card], direction: Direction, players: int
) -> tuple[tuple[Seat, CardSet], ...]:
    """Which cards go from ``giver`` to which seat; nothing on hold and into the centre."""
    if direction is Direction.SCATTER:
        places = range(1, players)
        return tuple(
            (SEATS[(giver + place) % players], CardSet.of([card]))
            for place, card in zip(places, cards, strict=True)
        )
    to = taker(giver, direction, players)
    return () if to is None else ((to, CardSet.of(cards)),)


def lowest_club_seat(hands: Sequence[CardSet], first: Seat) -> Seat:
    """The seat with the lowest club of all; of two, the one met first clockwise from ``first``.

    Raises ``ValueError`` when nobody holds a club.
    """
    turns = [*SEATS[first : len(hands)], *SEATS[:first]]
    clubs = [(hands[seat].in_suit(Suit.CLUBS), seat) for seat in turns]
    # Of equal ones min takes the first it meets.
    return min((held.lowest(), place, seat) for place, (held, seat) in enumerate(clubs) if held)[2]
