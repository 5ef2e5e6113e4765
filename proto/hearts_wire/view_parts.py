"""A view's message in parts, by how long each stays as it is.

Messages whose bytes stand one after the other are read as one message that has the fields of all:
so what did not change need not be written again.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from hearts_engine.events import Absence
from hearts_engine.state import Phase
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2
from hearts_proto.v1 import view_pb2 as pb
from hearts_wire.attendance import ABSENCES, CLOSE_CAUSES, STOP_CAUSES
from hearts_wire.opening import write_opening
from hearts_wire.results import write_ended, write_move, write_scored, write_shown
from hearts_wire.rules import DIRECTIONS, MOON_CHOICES
from hearts_wire.seats import write_seat

PHASES: Final = MappingProxyType(
    {
        Phase.SEATING: pb.PHASE_SEATING,
        Phase.ENTROPY: pb.PHASE_ENTROPY,
        Phase.DEALING: pb.PHASE_DEALING,
        Phase.PASSING: pb.PHASE_PASSING,
        Phase.PLAYING: pb.PHASE_PLAYING,
        Phase.SHOWING: pb.PHASE_SHOWING,
        Phase.ENDED: pb.PHASE_ENDED,
        Phase.SEALED: pb.PHASE_SEALED,
        Phase.CENTRE: pb.PHASE_CENTRE,
        Phase.MOON: pb.PHASE_MOON,
    }
)


class ViewPart(NamedTuple):
    """Some of the fields of a view."""

    made_of: Callable[[SeatView], object]
    """What its bytes follow from: where that is equal, they are."""
    write: Callable[[pb.SeatView, SeatView], None]
    """Fills its fields, which must be empty."""


def _write_game(into: pb.SeatView, view: SeatView) -> None:
    write_opening(into.opened, view.opened)
    for taken in view.seats:
        if taken is not None:
            write_seat(into.seats.add(), taken)
    for scored in view.scored:
        write_scored(into.scored.add(), scored)
    into.totals.extend(view.totals)
    if view.ended is not None:
        write_ended(into.ended, view.ended)
    if view.away.count(None) < len(view.away):
        into.away.extend(map(_absence, view.away))
    if view.stopped is not None:
        into.stopped = STOP_CAUSES[view.stopped]
    if view.closed is not None:
        into.closed = CLOSE_CAUSES[view.closed]


def _absence(absence: Absence | None) -> events_pb2.Absence.ValueType:
    return events_pb2.ABSENCE_UNSPECIFIED if absence is None else ABSENCES[absence]


def _write_deal(into: pb.SeatView, view: SeatView) -> None:
    into.MergeFrom(
        pb.SeatView(
            seat=view.seat,
            deal=view.deal,
            dealer=view.dealer,
            direction=DIRECTIONS[view.direction],
            ready=view.ready,
            passed=view.passed,
            received=view.received,
            claimed=view.claimed,
            kitty_seat=view.kitty_seat,
            kitty=view.kitty,
            moon_seat=view.moon_seat,
        )
    )
    if view.moon_choice is not None:
        into.moon_choice = MOON_CHOICES[view.moon_choice]
    for move in view.moves:
        write_move(into.moves.add(), move)
    for shown in view.shown:
        write_shown(into.shown.add(), shown)


def _write_tricks(into: pb.SeatView, view: SeatView) -> None:
    for trick in view.tricks:
        _write_trick(into.tricks.add(), trick)


def _write_moment(into: pb.SeatView, view: SeatView) -> None:
    into.phase = PHASES[view.phase]
    into.hand.extend(view.hand)
    into.legal.extend(view.legal)
    into.points.extend(view.points)
    into.hearts_broken = view.hearts_broken
    _write_trick(into.trick, view.trick)


def _write_trick(into: pb.Trick, trick: Trick) -> None:
    into.SetInParent()
    into.leader = trick.leader
    into.cards.extend(trick.cards)
    if trick.taker is not None:
        into.taker = trick.taker


GAME: Final = ViewPart(
    attrgetter("opened", "seats", "scored", "ended", "away", "stopped", "closed"), _write_game
)
"""What a whole deal leaves as it is, the same for everyone."""

DEAL: Final = ViewPart(
    attrgetter(
        "seat",
        "deal",
        "dealer",
        "direction",
        "ready",
        "passed",
        "received",
        "claimed",
        "kitty_seat",
        "kitty",
        "moon_seat",
        "moon_choice",
        "moves",
        "shown",
    ),
    _write_deal,
)
"""What the play of a deal leaves as it is, for one viewer."""

TRICKS: Final = ViewPart(attrgetter("tricks"), _write_tricks)
"""What a trick leaves as it is, the same for everyone."""

MOMENT: Final = ViewPart(
    attrgetter("phase", "hand", "legal", "points", "hearts_broken", "trick"), _write_moment
)
"""What every card changes, for one viewer."""

VIEW_PARTS: Final = (GAME, DEAL, TRICKS, MOMENT)
"""Each field is in one of them."""
