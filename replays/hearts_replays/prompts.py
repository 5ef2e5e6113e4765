"""Which decisions were due: derived from the log alone, each known by the record behind it.

A server may ask a seat for something only after a certain record, so whoever holds the log can
tell whether it asked too early.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, assert_never

from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import Absence, Agent, Event, SeatTakenOver, StopCause
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.presence import Presence
from hearts_engine.state import State
from hearts_replays.receipt import command_behind
from hearts_wire.commands import SeatCommand
from hearts_wire.records import Record


class Deed(NamedTuple):
    """Something that the log says a seat did, or was done for it."""

    seq: int
    prompt_seq: int | None
    """The record after which it was due; none if it was not."""
    before: State | None
    """The game as the deed met it."""
    event: Event
    command: SeatCommand
    """What was asked for, by the seat or for it."""

    @property
    def done_for(self) -> bool:
        """Whether the log says that clock or autopilot decided this for the seat."""
        match self.command:
            case PlayCard(by=by) | ChoosePass(by=by) | ChooseMoon(by=by):
                return by is not Agent.SEAT
            case ClaimRest() | RevealEntropy():
                return False
            case _:
                assert_never(self.command)

    def became_of(self, command: SeatCommand) -> bool:
        """Whether this is what a seat's command does; a pass has an order only to be scattered."""
        match command, self.command:
            case ChoosePass(seat, cards, by), ChoosePass(its_seat, its_cards, its_by):
                alike = (
                    cards == its_cards if self._scattered else sorted(cards) == sorted(its_cards)
                )
                return alike and (seat, by) == (its_seat, its_by)
            case _:
                return command == self.command

    @property
    def _scattered(self) -> bool:
        before = self.before
        return before is not None and before.exchange.direction is Direction.SCATTER


class Duties(NamedTuple):
    """All that was due from a seat, and what became of it."""

    prompts: frozenset[int]
    """The seqs of the records after which something became due."""
    deeds: Sequence[Deed]
    """In the order of the log."""
    barred: frozenset[int]
    """The seqs of the records after which no answer of its owner could be taken."""
    sound: int
    """How many records were replayed: past them, it is not known what was due."""

    def next_after(self, seq: int) -> Deed | None:
        """The first deed after a record."""
        return next((deed for deed in self.deeds if deed.seq > seq), None)

    def answering(self, prompt_seq: int) -> Deed | None:
        """What was done at a prompt; none if nothing was."""
        return next((deed for deed in self.deeds if deed.prompt_seq == prompt_seq), None)


def due_after(due: Mapping[Seat, int], state: State, seq: int) -> dict[Seat, int]:
    """By seat, the prompt that is open after record ``seq``, given those open before it."""
    return {seat: due.get(seat, seq) for seat in state.awaited}


def takes_over(event: Event, seat: Seat) -> bool:
    """Whether from here on the seat is somebody else's."""
    return isinstance(event, SeatTakenOver) and event.seat == seat


def duties_of(seat: Seat, records: Iterable[Record], sound: int, since: int = 0) -> Duties:
    """What these records, from the first on, asked of a seat; the rules accept ``sound`` of them.

    Of whoever has the seat after record ``since``, until somebody takes it over. What the rules
    refuse can be told, but not replayed.
    """
    due: dict[Seat, int] = {}
    state: State | None = None
    prompts, barred, deeds = set[int](), set[int](), list[Deed]()
    for record in records:
        if record.seq > since and takes_over(record.event, seat):
            break
        command = command_behind(record.event)
        if command is not None and command.seat == seat and record.seq > since:
            known = record.seq <= sound + 1
            prompt_seq = due.get(seat) if known else None
            before = state if known else None
            deeds.append(Deed(record.seq, prompt_seq, before, record.event, command))
        if record.seq > sound:
            continue
        state = evolve(state, record.event)
        due = due_after(due, state, record.seq)
        if seat in due:
            prompts.add(due[seat])
        if not _is_heard(state.game.presence, seat):
            barred.add(record.seq)
    return Duties(frozenset(prompts), tuple(deeds), frozenset(barred), sound)


def _is_heard(presence: Presence, seat: Seat) -> bool:
    """Whether an answer of a seat's owner can be taken; one that is away comes back with it."""
    return presence.stopped is not StopCause.HOST and presence.away[seat] is not Absence.REMOVED
