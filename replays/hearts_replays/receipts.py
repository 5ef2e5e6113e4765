"""What a client keeps of a game, and whether the log that it fetches later agrees.

A server could show one thing and log another. What it showed, and the heads that came with it,
are receipts: the finished log must have them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, assert_never

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import (
    Agent,
    CardPlayed,
    EntropyRevealed,
    Event,
    GameOpened,
    PassChosen,
    RestClaimed,
    SeatsFrozen,
    SeatTaken,
)
from hearts_replays.chain import NO_HEAD, extend
from hearts_replays.fairness import commit
from hearts_replays.finding import Finding, Kind
from hearts_replays.reader import read_log
from hearts_replays.wording import describe
from hearts_wire.bounds import WireError
from hearts_wire.commands import SeatCommand
from hearts_wire.records import Record, decode_record


@dataclass(frozen=True, slots=True)
class HeadSeen:
    """The head that the server gave after a record."""

    seq: int
    head: bytes


@dataclass(frozen=True, slots=True)
class RecordShown:
    """A record that the server showed, as it came."""

    data: bytes


@dataclass(frozen=True, slots=True)
class CommandSent:
    """An answer to a prompt, on its way."""

    prompt_seq: int
    command: SeatCommand


@dataclass(frozen=True, slots=True)
class CommandDone:
    """The server said that this answer is on disk."""

    prompt_seq: int
    command: SeatCommand


Receipt = HeadSeen | RecordShown | CommandSent | CommandDone


@dataclass(frozen=True, slots=True)
class Receipts:
    """All that a client keeps of one seat in one game."""

    game_id: str
    seat: Seat
    entropy: bytes
    """What the seat put into the deals; empty if it took no part."""
    kept: tuple[Receipt, ...] = ()
    """In the order in which they came."""


class Deed(NamedTuple):
    """Something that the log says a seat did."""

    seq: int
    after: int
    """The seq of the seat's deed before; the prompt for this one came at that or later."""
    event: Event


def check(receipts: Receipts, log: Sequence[bytes]) -> Finding | None:
    """The first record in which a log, as stored, differs from these receipts.

    The log is complete and audited by itself; this adds what only the client can know.
    """
    records = read_log(log).records
    first = records[0].event if records else None
    if not isinstance(first, GameOpened) or first.game_id != receipts.game_id:
        return _finding(1, f"this is not the log of game {receipts.game_id}")
    deeds = tuple(_deeds(records, receipts.seat))
    findings = (
        *_shown_otherwise(receipts, log),
        *_heads_elsewhere(receipts, log),
        *_not_promised(receipts, records),
        *_not_done(receipts, deeds, len(log)),
        *_not_sent(receipts, deeds),
    )
    return min(findings, key=lambda finding: finding.seq, default=None)


def event_of(command: SeatCommand) -> Event:
    """What the log says once a seat's command is done."""
    match command:
        case ChoosePass(seat, cards, by):
            return PassChosen(seat, CardSet.of(cards), by)
        case PlayCard(seat, card, by):
            return CardPlayed(seat, card, by)
        case ClaimRest(seat):
            return RestClaimed(seat)
        case RevealEntropy(seat, entropy):
            return EntropyRevealed(seat, entropy)
        case _:
            assert_never(command)


def _finding(seq: int, sentence: str) -> Finding:
    return Finding(seq, Kind.RECEIPT, sentence)


def _deeds(records: Sequence[Record], seat: Seat) -> Iterator[Deed]:
    after = 0
    for record in records:
        match record.event:
            case (
                PassChosen(seat=who)
                | CardPlayed(seat=who)
                | RestClaimed(seat=who)
                | EntropyRevealed(seat=who)
            ) if who == seat:
                yield Deed(record.seq, after, record.event)
                after = record.seq
            case _:
                pass


def _shown_otherwise(receipts: Receipts, log: Sequence[bytes]) -> Iterator[Finding]:
    """Records that were shown and are not what the log has there."""
    for receipt in receipts.kept:
        if isinstance(receipt, RecordShown) and not _is_in(receipt.data, log):
            try:
                shown = decode_record(receipt.data)
            except WireError as error:
                yield _finding(1, f"you were shown what is no record: {error}")
            else:
                sentence = f"you were shown something else here: {describe(shown.event)}"
                yield _finding(min(shown.seq, len(log) + 1), sentence)


def _is_in(data: bytes, log: Sequence[bytes]) -> bool:
    try:
        seq = decode_record(data).seq
    except WireError:
        return False
    return seq <= len(log) and log[seq - 1] == data


def _heads_elsewhere(receipts: Receipts, log: Sequence[bytes]) -> Iterator[Finding]:
    """Heads that were given and are not in the log's chain."""
    heads = tuple(accumulate(log, extend, initial=NO_HEAD))
    for receipt in receipts.kept:
        if not isinstance(receipt, HeadSeen):
            continue
        if receipt.seq >= len(heads):
            sentence = f"you were given a head after record {receipt.seq}, the log has no such"
            yield _finding(len(log) + 1, sentence)
        elif heads[receipt.seq] != receipt.head:
            sentence = "the head you were given here is another: up to here something was altered"
            yield _finding(receipt.seq, sentence)


def _not_promised(receipts: Receipts, records: Sequence[Record]) -> Iterator[Finding]:
    """A commitment in the seat's name that the client did not make."""
    sat: Record | None = None
    for record in records:
        match record.event:
            case SeatTaken(seat) if seat == receipts.seat:
                sat = record
            case SeatsFrozen():
                break
            case _:
                pass
    if sat is None or not isinstance(sat.event, SeatTaken):
        yield _finding(len(records) + 1, f"nobody ever sat on seat {receipts.seat}, yours")
    elif sat.event.commitment != (commit(receipts.entropy) if receipts.entropy else b""):
        yield _finding(sat.seq, "the commitment in your name is not to your entropy")


def _not_done(receipts: Receipts, deeds: Sequence[Deed], length: int) -> Iterator[Finding]:
    """Commands that the server acknowledged and the log does not have."""
    for receipt in receipts.kept:
        if isinstance(receipt, CommandDone):
            promised = event_of(receipt.command)
            deed = next((deed for deed in deeds if deed.seq > receipt.prompt_seq), None)
            if deed is None:
                sentence = f"the server took what is nowhere in the log: {describe(promised)}"
                yield _finding(length + 1, sentence)
            elif deed.event != promised:
                yield _finding(deed.seq, f"the server took something else: {describe(promised)}")


def _not_sent(receipts: Receipts, deeds: Sequence[Deed]) -> Iterator[Finding]:
    """Deeds that the log says are the seat's own, and the client did not ask for."""
    sent = [
        (receipt.prompt_seq, event_of(receipt.command))
        for receipt in receipts.kept
        if isinstance(receipt, CommandSent | CommandDone)
    ]
    for deed in deeds:
        event = deed.event
        if isinstance(event, CardPlayed | PassChosen) and event.by is not Agent.SEAT:
            continue  # the clock's and autopilot's; what they may do is for the rules to say
        if not any(deed.after <= prompt < deed.seq and asked == event for prompt, asked in sent):
            sentence = f"you did not ask for this from here: {describe(event)}"
            yield _finding(deed.seq, sentence)
