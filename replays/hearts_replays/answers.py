"""What a client answered, held against what the log says was due from its seat, and was done.

A server that has a card before it settles those before it could choose them to suit. So an
answer counts only where the client knew all that it was to know when it gave it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from hearts_engine.audience import visible_to
from hearts_engine.decide import decide
from hearts_engine.errors import Rejected
from hearts_engine.events import Event
from hearts_engine.presence import all_present
from hearts_engine.state import State
from hearts_engine.value import replace
from hearts_replays.finding import Finding, Kind
from hearts_replays.prompts import Deed, Duties, duties_of
from hearts_replays.receipt import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipts,
    RecordShown,
)
from hearts_replays.redecide import redecide
from hearts_replays.wording import describe, describe_command
from hearts_wire.commands import SeatCommand
from hearts_wire.records import Record


class Answer(NamedTuple):
    """A command that was sent or acknowledged, and what the client knew before it was."""

    prompt_seq: int
    command: SeatCommand
    head: int
    """The latest record that a head was given for; -1 before the first head."""
    unshown: int
    """The first record that the seat may see and was not shown."""
    again: bool
    """Whether another answer to this prompt had been acknowledged."""


class Answers(NamedTuple):
    """A client's answers held against a log: a question for each thing that it may rely on."""

    receipts: Receipts
    answers: Sequence[Answer]
    duties: Duties
    end: int
    """The seq after the last record."""
    players: int

    @classmethod
    def held(
        cls, receipts: Receipts, log: Sequence[bytes], records: Sequence[Record], since: int
    ) -> Answers:
        """The answers in these receipts, to be held against a log and its readable records.

        Their seat is the client's after record ``since``.
        """
        answers = tuple(_answers(receipts, log, records))
        verdict = redecide([record.event for record in records])
        duties = duties_of(receipts.seat, records, verdict.accepted, since)
        players = verdict.state.game.rules.players if verdict.state else 0
        return cls(receipts, answers, duties, len(log) + 1, players)

    def all_done_that_was_acknowledged(self) -> Iterator[Finding]:
        """Every answer that the server took is in the log, as the seat's next deed."""
        for receipt in self.receipts.kept:
            if not isinstance(receipt, CommandDone):
                continue
            promised = describe_command(receipt.command, self.players)
            deed = self.duties.next_after(receipt.prompt_seq)
            if deed is None:
                yield _finding(self.end, f"the server took what is nowhere in the log: {promised}")
            elif not deed.became_of(receipt.command):
                yield _finding(deed.seq, f"the server took something else: {promised}")

    def nothing_asked_too_early(self) -> Iterator[Finding]:
        """Every answer is to a prompt of the log, given once the client knew all up to it."""
        for answer in self.answers:
            fault = self._too_early(answer)
            if fault is not None:
                deed = self._deed_meant(answer)
                told = describe_command(answer.command, self.players)
                seq = self.end if deed is None else deed.seq
                yield _finding(seq, f"{fault}; your answer: {told}. {_WHY}")

    def nothing_done_that_was_not_sent(self) -> Iterator[Finding]:
        """Every deed that the log calls the seat's own was asked for, at the prompt it answers."""
        sent = defaultdict[int | None, list[SeatCommand]](list)
        for answer in self.answers:
            sent[answer.prompt_seq].append(answer.command)
        for deed in self.duties.deeds:
            if deed.seq > self.duties.sound + 1:
                return
            if not deed.done_for and not any(map(deed.became_of, sent[deed.prompt_seq])):
                sentence = f"you did not ask for this from here: {self._told(deed.event)}"
                yield _finding(deed.seq, sentence)

    def nothing_done_for_a_seat_that_answered(self) -> Iterator[Finding]:
        """Neither clock nor autopilot decided where the seat had sent what the rules allow."""
        for deed in self.duties.deeds:
            if not deed.done_for:
                continue
            for answer in self.answers:
                if answer.prompt_seq == deed.prompt_seq and self._in_time(answer, deed):
                    yield _finding(deed.seq, self._overruled(answer, deed))
                    break

    def _too_early(self, answer: Answer) -> str | None:
        """What the client did not know yet when it gave an answer; none if it knew all."""
        prompt = answer.prompt_seq
        if self.duties.sound < min(prompt + 1, self.end - 1):
            return None  # the log breaks the rules before that: the audit says where
        if prompt not in self.duties.prompts:
            return f"you were asked after record {prompt}, when nothing became due from you"
        if answer.again:
            return f"you were asked again after record {prompt}, which you had answered"
        if answer.head < prompt:
            return f"you were asked before you held a head that covers record {prompt}"
        if answer.unshown <= prompt:
            return f"you were asked before you were shown record {answer.unshown}"
        return None

    def _deed_meant(self, answer: Answer) -> Deed | None:
        """The deed that an answer could have been used for too early."""
        prompt = answer.prompt_seq
        deed = self.duties.answering(prompt) or self.duties.next_after(prompt)
        if answer.again and deed is not None:
            return self.duties.next_after(deed.seq)
        return deed

    def _in_time(self, answer: Answer, deed: Deed) -> bool:
        """Whether an answer could have stood: by the rules, and sent before the deed was shown.

        That the log calls its owner away does not count: an answer would have brought it back.
        """
        if deed.before is None or answer.unshown - 1 in self.duties.barred:
            return False
        try:
            decide(_attended(deed.before), answer.command)
        except Rejected:
            return False
        return answer.unshown <= deed.seq

    def _overruled(self, answer: Answer, deed: Deed) -> str:
        asked = describe_command(answer.command, self.players)
        return (
            f"the log says: {self._told(deed.event)}; you had answered: {asked}. "
            "The server left your answer out, or it came too late"
        )

    def _told(self, event: Event) -> str:
        return describe(event, self.players)


_WHY: Final = "Whoever knew it could still choose what comes before it in the log"


def _answers(
    receipts: Receipts, log: Sequence[bytes], records: Sequence[Record]
) -> Iterator[Answer]:
    """The answers, in the order in which they were kept."""
    seat = receipts.seat
    visible = iter([r.seq for r in records if visible_to(seat, r.event)])
    shown, settled = set[bytes](), dict[int, SeatCommand]()
    unshown, head = next(visible, len(log) + 1), -1
    for receipt in receipts.kept:
        match receipt:
            case HeadSeen(seq):
                head = max(head, seq)
            case RecordShown(data):
                shown.add(data)
                while unshown <= len(log) and log[unshown - 1] in shown:
                    unshown = next(visible, len(log) + 1)
            case CommandSent(prompt, command):
                again = prompt in settled and settled[prompt] != command
                yield Answer(prompt, command, head, unshown, again)
            case CommandDone(prompt, command):
                again = settled.setdefault(prompt, command) != command
                yield Answer(prompt, command, head, unshown, again)
            case LeaveSent():
                pass


def _attended(state: State) -> State:
    """The same with everyone at the table."""
    presence = all_present(state.game.rules.players)
    return replace(state, game=replace(state.game, presence=presence))


def _finding(seq: int, sentence: str) -> Finding:
    return Finding(seq, Kind.RECEIPT, sentence)
