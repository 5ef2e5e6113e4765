"""A game in a few facts, for lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hearts_engine.cards import Seat
from hearts_engine.events import (
    CloseCause,
    DealScored,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    LogSealed,
    SeatTaken,
)
from hearts_engine.ruletext import format_rules
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.reader import read_log
from hearts_replays.seating import who_sits


@dataclass(frozen=True, slots=True)
class GameSummary:
    """What a log says of its game, taken at its word; an audit judges it."""

    game_id: str
    table: str
    opened_time: int
    """Of the first record, in microseconds since 1970 UTC."""
    records: int
    rules: str
    """The rules as text."""
    seats: tuple[SeatTaken, ...]
    """Who sat, by seat; an empty seat is left out."""
    deals: int
    """How many deals were scored."""
    totals: tuple[int, ...]
    """What each seat stands at, by seat."""
    winners: tuple[Seat, ...]
    """Nobody while the game goes on, or where it was given up."""
    sealed: bool
    """Whether it ends with a seal, which is not verified here."""
    head: bytes
    """The head after the last record, 32 bytes."""
    closed: CloseCause | None = None
    """Why the game was given up, if it was."""


def summarise(log: Sequence[bytes]) -> GameSummary | None:
    """The summary of a log, as stored; none if its first record cannot be read.

    A damaged log is summed up as far as it can be read.
    """
    records = read_log(log).records
    if not records or not isinstance(opened := records[0].event, GameOpened):
        return None
    events = [record.event for record in records]
    scored = [event for event in events if isinstance(event, DealScored)]
    return GameSummary(
        game_id=opened.game_id,
        table=opened.table,
        opened_time=records[0].time,
        records=len(records),
        rules=format_rules(opened.rules),
        seats=tuple(who_sits(events).values()),
        deals=len(scored),
        totals=scored[-1].totals if scored else (0,) * opened.rules.players,
        winners=_winners(events),
        sealed=isinstance(events[-1], LogSealed),
        head=EMPTY_CHAIN.extended(log[: len(records)]).head,
        closed=next((event.cause for event in events if isinstance(event, GameClosed)), None),
    )


def _winners(events: Iterable[Event]) -> tuple[Seat, ...]:
    return tuple(
        Seat(seat)
        for event in events
        if isinstance(event, GameEnded)
        for seat, place in enumerate(event.places)
        if place == 1
    )
