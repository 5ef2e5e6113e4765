"""What the seats of a table are called, as one of them, or a spectator, sees them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hearts_client.celltext import clipped
from hearts_client.safetext import cleaned
from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind, SeatTaken
from hearts_engine.passing import Direction, taker
from hearts_engine.view import SeatView

_COMPASS: Final = ("South", "West", "North", "East")

LONGEST_NAME: Final = 16
"""Cells of a name in a sentence."""


@dataclass(frozen=True, slots=True)
class SeatNames:
    """The seats in the order of their numbers."""

    me: Seat | None
    """None for a spectator."""
    names: tuple[str, ...]
    """Safe to show, and no two alike; ``You`` for one's own."""
    places: tuple[str, ...]
    """``South``, ``West``, ``North``, ``East`` at a table of four; else ``Seat 1`` and so on."""
    kinds: tuple[str, ...]
    """``person``, ``bot``, ``easy bot``; ``empty`` where nobody sits."""
    marks: tuple[str, ...] = ()
    """Why a seat's owner does not play it, where that is to be shown: ``left: bot``; or nothing."""

    @classmethod
    def of(cls, view: SeatView) -> SeatNames:
        """The names at the table of this view."""
        players = len(view.seats)
        places = tuple(place_name(Seat(seat), players) for seat in range(players))
        plain = [_plain_name(taken, view.seat) for taken in view.seats]
        names = _told_apart(plain, places)
        return cls(view.seat, names, places, tuple(map(_kind, view.seats)))

    def name(self, seat: Seat) -> str:
        """``Ann``, or ``You``."""
        return self.names[seat]

    def label(self, seat: Seat) -> str:
        """``West Ann``; where two have the same name, the place before it tells them apart."""
        place = self.places[seat]
        return f"{place} {self.names[seat].removesuffix(f' ({place})')}"

    def mark(self, seat: Seat) -> str:
        """Why the seat's owner does not play it: ``left: bot``; or nothing."""
        return self.marks[seat] if self.marks else ""

    def does(self, seat: Seat, verb: str) -> str:
        """``Ann leads``, but ``You lead``."""
        return f"{self.names[seat]} {verb}" if seat == self.me else f"{self.names[seat]} {verb}s"

    def giver(self, direction: Direction) -> Seat | None:
        """The one seat that passes cards to oneself; none where there is none, or no pass."""
        if self.me is None:
            return None
        seats = self.clockwise()
        givers = (seat for seat in seats if taker(seat, direction, len(seats)) == self.me)
        return next(givers, None)

    def clockwise(self) -> tuple[Seat, ...]:
        """All seats, one's own first, then as play goes round."""
        players = len(self.names)
        start = self.me or 0
        return tuple(Seat((start + step) % players) for step in range(players))

    def listed(self, seats: Iterable[Seat]) -> str:
        """``Ann``, ``Ann and Ben``, ``Ann, Ben and Cy``; ``nobody``."""
        names = [self.names[seat] for seat in seats]
        if len(names) < 2:
            return names[0] if names else "nobody"
        return f"{', '.join(names[:-1])} and {names[-1]}"


def place_name(seat: Seat, players: int) -> str:
    """The compass point of a seat at a table of four, ``Seat 3`` (from 1) at any other."""
    return _COMPASS[seat] if players == len(_COMPASS) else f"Seat {seat + 1}"


def _told_apart(plain: list[str], places: tuple[str, ...]) -> tuple[str, ...]:
    """The names; with their places where two are alike, or someone is called just like that."""
    placed = [f"{name} ({place})" for name, place in zip(plain, places, strict=True)]
    told = [
        name if plain.count(name) == 1 else with_place
        for name, with_place in zip(plain, placed, strict=True)
    ]
    return tuple(told if len(set(told)) == len(told) else placed)


def _plain_name(taken: SeatTaken | None, me: Seat | None) -> str:
    if taken is None:
        return "empty"
    if taken.seat == me:
        return "You"
    return clipped(cleaned(taken.name), LONGEST_NAME) or "nameless"


def _kind(taken: SeatTaken | None) -> str:
    if taken is None:
        return "empty"
    match taken.kind:
        case SeatKind.PERSON:
            return "person"
        case SeatKind.BOT:
            return "bot"
        case SeatKind.HOUSE:
            return f"{cleaned(taken.bot)} bot".strip()
