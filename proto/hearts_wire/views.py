"""What one seat may know, as a message and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from hearts_engine.cards import Seat
from hearts_engine.events import Absence, SeatTaken
from hearts_engine.options import MoonChoice
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2
from hearts_proto.v1 import view_pb2 as pb
from hearts_wire.attendance import (
    absence_at,
    close_cause_at,
    stop_cause_at,
)
from hearts_wire.bounds import WireError, by_seat, card_set_at, cards_at, named, seat_at
from hearts_wire.opening import decode_opening
from hearts_wire.results import (
    decode_ended,
    decode_move,
    decode_scored,
    decode_shown,
)
from hearts_wire.rules import direction_at, moon_choice_at
from hearts_wire.seats import decode_seat
from hearts_wire.view_parts import PHASES, VIEW_PARTS

_PHASES_BACK: Final = {int(number): phase for phase, number in PHASES.items()}


def encode_view(view: SeatView) -> pb.SeatView:
    """The message for a view."""
    into = pb.SeatView()
    for part in VIEW_PARTS:
        part.write(into, view)
    return into


def decode_view(message: pb.SeatView) -> SeatView:
    """The view in a message; ``WireError`` where a field is out of bounds."""
    if not message.HasField("opened"):
        raise WireError("view.opened: missing")
    opened = decode_opening(message.opened)
    players = opened.rules.players
    return SeatView(
        seat=_seat_or_none(message, "seat", players),
        opened=opened,
        phase=named("view.phase", message.phase, _PHASES_BACK),
        seats=_decode_seats(message.seats, players),
        deal=message.deal,
        dealer=seat_at("view.dealer", message.dealer, players),
        direction=direction_at("view.direction", message.direction),
        hand=card_set_at("view.hand", message.hand),
        legal=card_set_at("view.legal", message.legal),
        ready=by_seat("view.ready", message.ready, players),
        passed=card_set_at("view.passed", message.passed),
        received=card_set_at("view.received", message.received),
        trick=_decode_trick("view.trick", message.trick, players),
        tricks=tuple(_decode_trick("view.tricks", trick, players) for trick in message.tricks),
        points=by_seat("view.points", message.points, players),
        hearts_broken=message.hearts_broken,
        claimed=_seat_or_none(message, "claimed", players),
        moves=tuple(map(decode_move, message.moves)),
        kitty_seat=_seat_or_none(message, "kitty_seat", players),
        kitty=card_set_at("view.kitty", message.kitty),
        moon_seat=_seat_or_none(message, "moon_seat", players),
        moon_choice=_moon_choice_or_none(message),
        shown=tuple(map(decode_shown, message.shown)),
        scored=tuple(map(decode_scored, message.scored)),
        totals=by_seat("view.totals", message.totals, players),
        ended=decode_ended(message.ended) if message.HasField("ended") else None,
        away=_decode_away(message, players),
        stopped=stop_cause_at("view.stopped", message.stopped) if message.stopped else None,
        closed=close_cause_at("view.closed", message.closed) if message.closed else None,
    )


def _decode_away(message: pb.SeatView, players: int) -> tuple[Absence | None, ...]:
    """Why seats are away; the list is absent where none is."""
    if not message.away:
        return (None,) * players
    away = by_seat("view.away", message.away, players)
    return tuple(absence_at("view.away", number) if number else None for number in away)


def _seat_or_none(
    message: pb.SeatView, field: Literal["seat", "claimed", "kitty_seat", "moon_seat"], players: int
) -> Seat | None:
    if not message.HasField(field):
        return None
    return seat_at(f"view.{field}", getattr(message, field), players)


def _moon_choice_or_none(message: pb.SeatView) -> MoonChoice | None:
    choice = message.moon_choice
    return moon_choice_at("view.moon_choice", choice) if choice else None


def _decode_seats(
    messages: Iterable[events_pb2.SeatTaken], players: int
) -> tuple[SeatTaken | None, ...]:
    seats: list[SeatTaken | None] = [None] * players
    for message in messages:
        taken = decode_seat(message)
        seat_at("view.seats", taken.seat, players)
        if seats[taken.seat] is not None:
            raise WireError(f"view.seats: seat {taken.seat} is listed twice")
        seats[taken.seat] = taken
    return tuple(seats)


def _decode_trick(field: str, message: pb.Trick, players: int) -> Trick:
    cards = cards_at(f"{field}.cards", message.cards)
    if len(cards) > players:
        raise WireError(f"{field}.cards: {len(cards)} cards from {players} seats")
    leader = seat_at(f"{field}.leader", message.leader, players)
    taken = message.HasField("taker")
    taker = seat_at(f"{field}.taker", message.taker, players) if taken else None
    return Trick(leader, players, cards, taker)
