"""What each receiver is told of a command: one update for each, made of what it may know."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.events import (
    ClocksStarted,
    ClocksStopped,
    DealScored,
    Event,
    GameClosed,
    GameEnded,
    SeatAway,
    SeatBack,
    SeatsFrozen,
    SeatTakenOver,
)
from hearts_engine.view import observe
from hearts_server.journal import Journal
from hearts_server.ledger import Written
from hearts_server.notices import Acknowledgement, Prompt, Update
from hearts_server.subscriber import Subscriber

_AT_ONCE: Final = frozenset(
    {
        *(ClocksStarted, ClocksStopped, DealScored, GameClosed, GameEnded),
        *(SeatAway, SeatBack, SeatsFrozen, SeatTakenOver),
    }
)
"""What even those are told at once who else wait for their turn."""

OpenPrompt = Callable[[Seat], Prompt | None]
"""What a seat is asked now, if anything."""


def broadcast(
    written: Sequence[Written],
    receivers: Iterable[Subscriber],
    journal: Journal,
    open_prompt: OpenPrompt,
    done: tuple[Subscriber, Acknowledgement] | None = None,
) -> int:
    """Tell receivers of these records, each in one update; how many were told.

    ``done`` is for the sender of the command behind them.
    """
    events = [line.record.event for line in written]
    urgent = any(type(event) in _AT_ONCE for event in events)
    anew = _asked_anew(events)
    public = Update(_visible(written), journal.seq, journal.head, urgent=urgent)
    hidden = len(public.records) < len(written)
    sender, acknowledgement = (None, None) if done is None else done
    count, shown = 0, None
    for subscriber in receivers:
        seat = subscriber.seat
        if seat is None:
            shown = shown or _shown(public, written, journal)
            subscriber.tell(shown)  # all spectators the same, for it is written once
            count += 1
            continue
        prompt = None
        if _newly_asked(seat, written, journal) or anew is None or seat in anew:
            prompt = open_prompt(seat)
        own = acknowledgement if subscriber is sender else None
        if hidden or prompt or own or subscriber.wants_view:
            records = _visible(written, seat) if hidden else public.records
            view = observe(journal.state, seat) if subscriber.wants_view else None
            update = Update(records, journal.seq, journal.head, prompt, own, view, urgent)
        else:
            update = public
        subscriber.tell(update)
        count += 1
    return count


def _visible(written: Iterable[Written], seat: Seat | None = None) -> tuple[bytes, ...]:
    return tuple(line.data for line in written if line.seats is None or seat in line.seats)


def _shown(public: Update, written: Iterable[Written], journal: Journal) -> Update:
    """What spectators are told."""
    state = journal.state
    shown = replace(public, view=observe(state, None))
    if not state.game.opened.open_hands:
        return shown
    lines = [line for line in written if visible_to(None, line.record.event, open_hands=True)]
    return replace(shown, records=tuple(line.data for line in lines))


def _newly_asked(seat: Seat, written: Sequence[Written], journal: Journal) -> bool:
    """Whether what a seat is asked became due with these records."""
    return (journal.prompts.open_for(seat) or 0) >= written[0].record.seq


def _asked_anew(events: Iterable[Event]) -> frozenset[Seat] | None:
    """The seats that are asked again what they had been asked; none stands for all."""
    seats = set[Seat]()
    for event in events:
        match event:
            case ClocksStarted():
                return None
            case SeatBack(seat) | SeatTakenOver(seat):
                seats.add(seat)
            case _:
                pass
    return frozenset(seats)
