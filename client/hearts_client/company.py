"""Who is at the table just now, as far as it is in no log, and whom one does not want to hear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hearts_client.news import Attending, Said
from hearts_client.notice import Notice
from hearts_client.safetext import cleaned
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Seat
from hearts_engine.events import Absence, SeatKind, SeatTaken
from hearts_engine.view import SeatView


@dataclass(frozen=True, slots=True)
class Company:
    """Connections, the host, and who is muted."""

    attending: Attending | None = None
    """None before the first word of it."""
    lost: frozenset[Seat] = frozenset()
    """The seats of others whose owners are to decide and are not connected."""
    muted: frozenset[tuple[Seat, str]] = frozenset()
    """Who is not heard: a seat and whoever sat there."""

    @property
    def host(self) -> Seat | None:
        """The seat that has the host's powers."""
        return None if self.attending is None else self.attending.host

    def after(self, now: Attending, view: SeatView) -> tuple[Company, tuple[Notice, ...]]:
        """The company when this is so, and what to tell of the change."""
        lost = frozenset(_lost(now, view))
        told = (*_connections(self, lost, now, view), *_others(self.attending, now, view))
        return replace(self, attending=now, lost=lost), told

    def hears(self, said: Said) -> bool:
        """Whether what somebody says is to be shown."""
        return (said.seat, said.name) not in self.muted

    def with_muted(self, seat: Seat, view: SeatView, *, muted: bool) -> Company:
        """The same with whoever sits there heard no more, or again."""
        taken = view.seats[seat]
        key = frozenset({(seat, "" if taken is None else cleaned(taken.name))})
        return replace(self, muted=self.muted | key if muted else self.muted - key)


def chat_sentence(said: Said, view: SeatView | None) -> str:
    """What somebody said, and who: ``Ann: good luck``."""
    if view is None:
        return f"{said.name}: {said.words}"
    names = SeatNames.of(view)
    taken = view.seats[said.seat] if said.seat < len(view.seats) else None
    sits_there = taken is not None and cleaned(taken.name) == said.name
    return f"{names.name(said.seat) if sits_there else said.name}: {said.words}"


def standing(view: SeatView, seat: Seat, company: Company) -> str:
    """Why a seat is not played by whoever it is of, in few words; or nothing."""
    match view.away[seat]:
        case Absence.MISSED:
            return "away: bot"
        case Absence.LEFT:
            return "left: bot"
        case Absence.REMOVED:
            return "removed: bot"
        case None:
            return "offline" if seat in company.lost else ""


def who_lines(view: SeatView, company: Company) -> Iterator[str]:
    """Who is here: a sentence a seat, then the watchers."""
    names = SeatNames.of(view)
    for seat in names.clockwise():
        label, kind = names.label(seat), names.kinds[seat]
        marks = [kind] * (kind != "empty") + ["host"] * (seat == company.host)
        marks += [standing(view, seat, company)] * bool(standing(view, seat, company))
        taken = view.seats[seat]
        if taken is not None and (seat, cleaned(taken.name)) in company.muted:
            marks.append("muted")
        yield ", ".join((label, *marks))
    watchers = 0 if company.attending is None else company.attending.watchers
    if watchers:
        yield _watching(watchers)


def _lost(now: Attending, view: SeatView) -> Iterator[Seat]:
    for taken in view.seats:
        if taken is None or taken.kind is SeatKind.HOUSE or taken.seat == view.seat:
            continue
        if view.away[taken.seat] is None and taken.seat not in now.connected:
            yield taken.seat


def _connections(
    before: Company, lost: frozenset[Seat], now: Attending, view: SeatView
) -> Iterator[Notice]:
    """Who is gone, and who of those is here again."""
    names = SeatNames.of(view)
    was_here = frozenset[Seat]() if before.attending is None else before.attending.connected
    for seat in sorted(lost - before.lost):
        if before.attending is None or seat in was_here:
            yield Notice("GONE", f"{names.name(seat)} is not connected")
    for seat in sorted(before.lost & now.connected):
        if _sits(view.seats[seat]):
            yield Notice("HERE", f"{names.name(seat)} is connected again")


def _sits(taken: SeatTaken | None) -> bool:
    return taken is not None and taken.kind is not SeatKind.HOUSE


def _others(before: Attending | None, now: Attending, view: SeatView) -> Iterator[Notice]:
    """Who is host, and how many watch, where that has changed."""
    names = SeatNames.of(view)
    changed = before is None or before.host != now.host
    if now.host is not None and changed and _is_shared(view):
        yield Notice("HOST", f"{names.name(now.host)} {_be(now.host, view)} the host")
    if now.watchers != (0 if before is None else before.watchers):
        yield Notice("WATCHED", _watching(now.watchers))


def _is_shared(view: SeatView) -> bool:
    """Whether anybody else but house bots sits there, or may yet sit down."""
    others = (taken for seat, taken in enumerate(view.seats) if seat != view.seat)
    return any(taken is None or taken.kind is not SeatKind.HOUSE for taken in others)


def _be(seat: Seat, view: SeatView) -> str:
    return "are" if seat == view.seat else "is"


def _watching(watchers: int) -> str:
    if not watchers:
        return "nobody watches any more"
    return "1 watches" if watchers == 1 else f"{watchers} watch"
