"""The seats of a table: who sits there, and what an event says of seats that it does not have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def who_sits(events: Iterable[Event]) -> dict[Seat, SeatTaken]:
    """How each seat was last taken, by seat; without those that are empty."""
    sitting: dict[Seat, SeatTaken] = {}
    for event in events:
        match event:
            case SeatTaken(seat):
                sitting[seat] = event
            case SeatLeft(seat):
                sitting.pop(seat, None)
            case SeatTakenOver(seat, name, kind):
                before = sitting.get(seat)
                commitment = b"" if before is None else before.commitment
                sitting[seat] = SeatTaken(seat, name, kind, commitment=commitment)
            case _:
                pass
    return dict(sorted(sitting.items()))


def seat_fault(event: Event, players: int) -> str | None:
    """What is wrong with the seats of an event at a table of so many."""
    match event:
        case (
            CardPlayed(seat=seat)
            | TrickTaken(seat=seat)
            | HandShown(seat=seat)
            | HandDealt(seat=seat)
            | SeatReady(seat=seat)
            | PassChosen(seat=seat)
            | PlayBegan(leader=seat)
            | DealBegan(dealer=seat)
            | RestClaimed(seat=seat)
            | CentreTaken(seat=seat)
            | KittyWon(seat=seat)
            | KittyTaken(seat=seat)
            | MoonOffered(seat=seat)
            | MoonChosen(seat=seat)
            | SeatTaken(seat=seat)
            | SeatLeft(seat=seat)
            | EntropyRevealed(seat=seat)
            | EntropyWithheld(seat=seat)
            | SeatAway(seat=seat)
            | SeatBack(seat=seat)
            | SeatTakenOver(seat=seat)
        ):
            return None if seat < players else _outside(seat, players)
        case CardsPassed(giver, taker):
            last = max(giver, taker)
            return None if last < players else _outside(last, players)
        case DealScored(points=by_seat, moon=moon):
            if moon is not None and moon >= players:
                return _outside(moon, players)
            return _uneven(by_seat, players)
        case GameEnded(totals=by_seat):
            return _uneven(by_seat, players)
        case (
            GameOpened()
            | SeatsFrozen()
            | KittyDealt()
            | TrickCancelled()
            | PlayCut()
            | KittyShown()
            | SecretRevealed()
            | LogSealed()
            | ClocksStopped()
            | ClocksStarted()
            | GameClosed()
        ):
            return None
        case _:
            assert_never(event)


def _outside(seat: Seat, players: int) -> str:
    return f"there is no seat {seat} at this table, its seats are 0 to {players - 1}"


def _uneven(by_seat: Sequence[int], players: int) -> str | None:
    """What is wrong with lists by seat; reading an event sees to it that they are equally long."""
    if len(by_seat) == players:
        return None
    return f"it has {len(by_seat)} entries by seat, and this table has {players} seats"
