"""Which decisions are due, and which have been made: derived from the log alone.

A prompt is known by the seq of the record that made it due, so that it is the same after a
restart. A repeated answer is recognised here instead of being applied twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import (
    Agent,
    CardPlayed,
    EntropyRevealed,
    Event,
    MoonChosen,
    PassChosen,
    RestClaimed,
)
from hearts_engine.passing import Direction
from hearts_replays.prompts import due_after
from hearts_server.answers_given import AnswersGiven, Given
from hearts_server.errors import answered_otherwise, stale_prompt
from hearts_server.ledger import Written
from hearts_wire.commands import SeatCommand
from hearts_wire.records import decode_record


class Prompts:
    """The open prompts of every seat, and the answers given to earlier ones."""

    def __init__(self, record: Callable[[int], bytes]) -> None:
        """``record``: the record of a seq that was noted."""
        self._record = record
        self._open: dict[Seat, int] = {}
        self._answers = AnswersGiven()

    def note(self, written: Written) -> None:
        """Take account of one more record."""
        event = written.record.event
        match event:
            case (
                CardPlayed(seat, by=Agent.SEAT)
                | PassChosen(seat, by=Agent.SEAT)
                | MoonChosen(seat, by=Agent.SEAT)
                | RestClaimed(seat)
                | EntropyRevealed(seat)
            ):
                scattered = written.state.exchange.direction is Direction.SCATTER
                given = Given(written.record.seq, scattered)
                self._answers.note(seat, self._open[seat], given)
            case _:
                pass  # what was decided for a seat is no answer of its own
        self._open = due_after(self._open, written.state, written.record.seq)

    @property
    def open(self) -> Mapping[Seat, int]:
        """The prompts not answered, by seat."""
        return self._open

    def open_for(self, seat: Seat) -> int | None:
        """The prompt that this seat has not answered, if there is one."""
        return self._open.get(seat)

    def is_repeat(self, command: SeatCommand, prompt_seq: int) -> bool:
        """Whether this very answer was given to that prompt before.

        Raises ``Refused`` when the prompt was answered otherwise, or the seat's open prompt is
        another one. A seat that is asked nothing hears from the rules why not.
        """
        given = self._answers.to(command.seat, prompt_seq)
        if given is not None:
            event = decode_record(self._record(given.seq)).event
            if not _says(event, command, scattered=given.scattered):
                raise answered_otherwise(prompt_seq)
            return True
        open_seq = self._open.get(command.seat)
        if open_seq is not None and open_seq != prompt_seq:
            raise stale_prompt(prompt_seq, open_seq)
        return False


def _says(event: Event, command: SeatCommand, *, scattered: bool) -> bool:
    """Whether the logged answer is what this command asks for.

    Cards that are scattered go by the order in which they were named.
    """
    match event, command:
        case CardPlayed(_, card), PlayCard(_, wanted):
            return card == wanted
        case PassChosen(_, cards), ChoosePass(_, wanted):
            return cards == (wanted if scattered else tuple(sorted(wanted)))
        case MoonChosen(_, choice), ChooseMoon(_, wanted):
            return choice == wanted
        case RestClaimed(), ClaimRest():
            return True
        case EntropyRevealed(_, entropy), RevealEntropy(_, wanted):
            return entropy == wanted
        case _:
            return False
