"""Who may know of an event: everybody, or the seats it is addressed to."""

from __future__ import annotations

from typing import assert_never

from hearts_engine.cards import Seat
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
    MoonOffered,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
    TrickCancelled,
    TrickTaken,
)


def audience(event: Event) -> frozenset[Seat] | None:
    """The seats that an event is addressed to, or none if it is public."""
    match event:
        case CardPlayed() | TrickTaken():  # most events are these
            return None
        case HandDealt(seat) | PassChosen(seat) | CentreTaken(seat) | KittyTaken(seat):
            return frozenset({seat})
        case KittyDealt():
            return frozenset()
        case CardsPassed(giver, taker, _):
            return frozenset({giver, taker})
        case (
            GameOpened()
            | SeatTaken()
            | SeatLeft()
            | SeatsFrozen()
            | EntropyRevealed()
            | EntropyWithheld()
            | DealBegan()
            | SeatReady()
            | PlayBegan()
            | TrickCancelled()
            | KittyWon()
            | RestClaimed()
            | PlayCut()
            | MoonOffered()
            | MoonChosen()
            | HandShown()
            | KittyShown()
            | SecretRevealed()
            | DealScored()
            | GameEnded()
            | LogSealed()
            | SeatAway()
            | SeatBack()
            | SeatTakenOver()
            | ClocksStopped()
            | ClocksStarted()
            | GameClosed()
        ):
            return None
        case _:
            assert_never(event)


def visible_to(seat: Seat | None, event: Event, *, open_hands: bool = False) -> bool:
    """Whether a seat, or a spectator (``None``), may know of an event.

    Where hands are open a spectator may know what any seat may; the table's own secrets stay so.
    """
    seats = audience(event)
    if seats is None or seat in seats:
        return True
    return open_hands and seat is None and bool(seats)
