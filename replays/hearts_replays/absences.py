"""Who was away, when and why; who took seats over, and when time stood still."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hearts_engine.cards import Seat
from hearts_engine.events import (
    ClocksStarted,
    ClocksStopped,
    Event,
    SeatAway,
    SeatBack,
    SeatTakenOver,
)
from hearts_replays.wording import absence_words, plain, seat_name, stop_words


@dataclass(frozen=True, slots=True)
class Span:
    """An absence or a stop of the clocks, from its record to the one that ended it."""

    event: SeatAway | ClocksStopped
    first: int
    last: int | None = None
    """None where it lasts."""

    @property
    def _records(self) -> str:
        if self.last is None:
            return f"from record {self.first} on"
        return f"from record {self.first} to {self.last}"

    def told(self, players: int) -> str:
        """It in a sentence."""
        match self.event:
            case SeatAway(seat, absence):
                name = seat_name(seat, players)
                return f"{name}: away {self._records}, {absence_words(absence)}"
            case ClocksStopped(cause):
                return f"time stood still {self._records}, {stop_words(cause)}"


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who was there in a game, in the order of the log."""

    spans: tuple[Span, ...] = ()
    taken_over: tuple[tuple[int, SeatTakenOver], ...] = ()
    """With the seqs of their records."""

    @classmethod
    def of(cls, events: Iterable[Event]) -> Attendance:
        """Who was there while these events happened, which are all of a log from its first on."""
        spans = list[Span]()
        running: dict[Seat | None, int] = {}
        taken_over = list[tuple[int, SeatTakenOver]]()
        for seq, event in enumerate(events, start=1):
            match event:
                case SeatAway(seat) | SeatBack(seat) | SeatTakenOver(seat):
                    whose: Seat | None = seat
                case ClocksStopped() | ClocksStarted():
                    whose = None
                case _:
                    continue
            if whose in running:
                at = running.pop(whose)
                spans[at] = replace(spans[at], last=seq)
            if isinstance(event, SeatTakenOver):
                taken_over.append((seq, event))
            if isinstance(event, SeatAway | ClocksStopped):
                running[whose] = len(spans)
                spans.append(Span(event, seq))
        return cls(tuple(spans), tuple(taken_over))

    def lines(self, players: int) -> Iterator[str]:
        """It for people."""
        for seq, over in self.taken_over:
            who = f"{plain(over.name)} ({over.kind})"
            yield f"{seat_name(over.seat, players)}: taken over by {who} in record {seq}"
        for span in self.spans:
            yield span.told(players)

    def json(self) -> dict[str, object]:
        """It for machines, of types that ``json`` writes."""
        return {
            "away": [
                {
                    "seat": span.event.seat,
                    "absence": span.event.absence.value,
                    "first": span.first,
                    "last": span.last,
                }
                for span in self.spans
                if isinstance(span.event, SeatAway)
            ],
            "stopped": [
                {"cause": span.event.cause.value, "first": span.first, "last": span.last}
                for span in self.spans
                if isinstance(span.event, ClocksStopped)
            ],
            "taken_over": [
                {"seat": over.seat, "name": over.name, "kind": over.kind.value, "record": seq}
                for seq, over in self.taken_over
            ],
        }
