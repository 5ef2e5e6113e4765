"""What a client keeps of a game, and whether the log that it fetches later agrees.

A server could show one thing and log another. What it showed, and the heads that came with it,
are receipts: the finished log must have them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from hearts_engine.commands import RevealEntropy
from hearts_engine.events import Absence, EntropyWithheld, Event, GameOpened, SeatAway, SeatsFrozen
from hearts_replays.answers import Answers
from hearts_replays.chain import heads_of
from hearts_replays.fairness import commit
from hearts_replays.finding import Finding, Kind
from hearts_replays.prompts import takes_over
from hearts_replays.reader import read_log
from hearts_replays.receipt import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipt,
    Receipts,
    RecordShown,
    command_behind,
)
from hearts_replays.seating import who_sits
from hearts_replays.wording import describe, seat_name
from hearts_wire.bounds import WireError
from hearts_wire.records import Record, decode_record

__all__ = [
    "CommandDone",
    "CommandSent",
    "HeadSeen",
    "LeaveSent",
    "Receipt",
    "Receipts",
    "RecordShown",
    "check",
    "command_behind",
]


def check(receipts: Receipts, log: Sequence[bytes]) -> Finding | None:
    """The first record in which a log, as stored, differs from these receipts.

    The log is complete and audited by itself; this adds what only the client can know.
    """
    records = read_log(log).records
    first = records[0].event if records else None
    if not isinstance(first, GameOpened) or first.game_id != receipts.game_id:
        return _finding(1, f"this is not the log of game {receipts.game_id}")
    since = _came_with(receipts, log, records)
    held = _Held(receipts, log, records, first.rules.players, since)
    answers = Answers.held(receipts, log, records, since)
    findings = (
        *held.heads_in_the_chain(),
        *held.records_as_shown(),
        *held.commitment_to_its_entropy(),
        *held.entropy_revealed_in_time(),
        *held.entropy_not_withheld(),
        *held.left_only_when_asked(),
        *answers.all_done_that_was_acknowledged(),
        *answers.nothing_asked_too_early(),
        *answers.nothing_done_that_was_not_sent(),
        *answers.nothing_done_for_a_seat_that_answered(),
    )
    return min(findings, key=lambda finding: finding.seq, default=None)


class _Held(NamedTuple):
    """What was shown and revealed, held against a log: a question for each thing to rely on.

    They stand in the order of the list in ``docs/log-format.md``.
    """

    receipts: Receipts
    log: Sequence[bytes]
    records: Sequence[Record]
    """The log, as far as it can be read."""
    players: int
    since: int
    """The record with which the client took the seat over; 0: it sat there from the start."""

    def heads_in_the_chain(self) -> Iterator[Finding]:
        """Every head that was given is in the log's chain."""
        heads = heads_of(self.log)
        for receipt in self.receipts.kept:
            if not isinstance(receipt, HeadSeen):
                continue
            if receipt.seq >= len(heads):
                sentence = f"you were given a head after record {receipt.seq}, the log has no such"
                yield _finding(len(heads), sentence)
            elif heads[receipt.seq] != receipt.head:
                sentence = "you were given another head here: up to here something was altered"
                yield _finding(receipt.seq, sentence)

    def records_as_shown(self) -> Iterator[Finding]:
        """Every record that was shown is the record of that seq."""
        for receipt in self.receipts.kept:
            if not isinstance(receipt, RecordShown):
                continue
            try:
                shown = decode_record(receipt.data)
            except WireError as error:
                yield _finding(1, f"you were shown what is no record: {error}")
                continue
            if receipt.data not in self.log[shown.seq - 1 : shown.seq]:
                sentence = f"you were shown something else here: {self._told(shown.event)}"
                yield _finding(min(shown.seq, len(self.log) + 1), sentence)

    def commitment_to_its_entropy(self) -> Iterator[Finding]:
        """What the seat committed to in the log is the entropy that the client drew.

        Whoever took the seat over drew none, and its commitment was somebody else's.
        """
        if self.since:
            return
        seat, entropy = self.receipts.seat, self.receipts.entropy
        own = takewhile(lambda record: not takes_over(record.event, seat), self.records)
        taken = who_sits(record.event for record in own).get(seat)
        if taken is None:
            name = seat_name(seat, self.players)
            yield _finding(len(self.records) + 1, f"nobody sits at {name}, your seat")
        elif taken.commitment != (commit(entropy) if entropy else b""):
            seq = next(record.seq for record in self.records if record.event is taken)
            yield _finding(seq, "the commitment in your name is not to your entropy")

    def entropy_revealed_in_time(self) -> Iterator[Finding]:
        """The client gave its entropy away only once it held a head that covers the start."""
        frozen = self._seq_of(SeatsFrozen())
        covered = False
        for receipt in self.receipts.kept:
            match receipt:
                case HeadSeen(seq):
                    covered = covered or seq >= frozen
                case CommandSent(prompt, RevealEntropy()) | CommandDone(prompt, RevealEntropy()):
                    if not covered or prompt < frozen:
                        yield _finding(frozen, _TOO_EARLY)
                    return
                case _:
                    pass

    def entropy_not_withheld(self) -> Iterator[Finding]:
        """Entropy that was sent is not called withheld."""
        withheld = self._seq_of(EntropyWithheld(self.receipts.seat))
        if withheld > len(self.records):
            return
        for receipt in self.receipts.kept:
            match receipt:
                case CommandDone(_, RevealEntropy()):
                    yield _finding(withheld, "the server took your entropy and calls it withheld")
                case CommandSent(prompt, RevealEntropy() as reveal):
                    if CommandDone(prompt, reveal) not in self.receipts.kept:
                        yield _finding(withheld, _CALLED_WITHHELD)
                case _:
                    pass

    def left_only_when_asked(self) -> Iterator[Finding]:
        """The seat is called left only where its owner had asked to leave, and once for each time.

        The owner asked before it was shown the record; of one that it was never shown, before it
        was gone.
        """
        if not self.receipts.tells_leaving:
            return
        left = {self.log[seq - 1]: seq for seq in self._leavings()}
        asked = 0
        for receipt in self.receipts.kept:
            match receipt:
                case LeaveSent():
                    asked += 1
                case RecordShown(data) if data in left:
                    seq = left.pop(data)
                    if not asked:
                        yield _finding(seq, _CALLED_LEFT)
                    asked = max(0, asked - 1)
                case _:
                    pass
        for seq in left.values():
            if not asked:
                yield _finding(seq, _CALLED_LEFT)
            asked = max(0, asked - 1)

    def _leavings(self) -> Iterator[int]:
        """The records in which this owner of the seat is said to have left it."""
        for record in self.records:
            if record.seq > self.since and takes_over(record.event, self.receipts.seat):
                return
            if record.seq > self.since and record.event == SeatAway(
                self.receipts.seat, Absence.LEFT
            ):
                yield record.seq

    def _seq_of(self, event: Event) -> int:
        """Where the log has just this event; where it would be next, if it does not."""
        found = (record.seq for record in self.records if record.event == event)
        return next(found, len(self.records) + 1)

    def _told(self, event: Event) -> str:
        return describe(event, self.players)


def _came_with(receipts: Receipts, log: Sequence[bytes], records: Sequence[Record]) -> int:
    """The record with which the client took its seat over; 0: it sat there from the start.

    It was shown that record, and nobody is shown how the seat that was theirs is taken over.
    """
    if receipts.entropy:
        return 0
    shown = {receipt.data for receipt in receipts.kept if isinstance(receipt, RecordShown)}
    taken = (r.seq for r in records if takes_over(r.event, receipts.seat))
    return max((seq for seq in taken if log[seq - 1] in shown), default=0)


_TOO_EARLY: Final = (
    "you revealed your entropy before you held a head that covers all commitments, this record "
    "included: whoever knew it could still choose another"
)

_CALLED_LEFT: Final = (
    "the log says that you left your seat to a bot, and you had not asked for that"
)

_CALLED_WITHHELD: Final = (
    "the log says that you withheld your entropy, and you sent it: the server left it out, or it "
    "arrived after the time to reveal"
)


def _finding(seq: int, sentence: str) -> Finding:
    return Finding(seq, Kind.RECEIPT, sentence)
