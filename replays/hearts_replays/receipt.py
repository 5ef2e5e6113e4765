"""What a client keeps of a game: what it was shown, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import (
    CardPlayed,
    EntropyRevealed,
    Event,
    MoonChosen,
    PassChosen,
    RestClaimed,
)
from hearts_wire.commands import SeatCommand


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


@dataclass(frozen=True, slots=True)
class LeaveSent:
    """The owner is about to ask to leave the seat, for the so-manieth time."""

    number: int


Receipt = HeadSeen | RecordShown | CommandSent | CommandDone | LeaveSent


@dataclass(frozen=True, slots=True)
class Receipts:
    """All that a client keeps of one seat in one game."""

    game_id: str
    seat: Seat
    entropy: bytes
    """What the seat put into the deals; empty if it took no part."""
    kept: tuple[Receipt, ...] = ()
    """In the order in which they came."""
    tells_leaving: bool = True
    """Whether asking to leave is kept too; books that were begun earlier have nothing of it."""


def command_behind(event: Event) -> SeatCommand | None:
    """What a seat, or someone for it, asked for where this is what became of it; else none."""
    match event:
        case PassChosen(seat, cards, by):
            return ChoosePass(seat, cards, by)
        case CardPlayed(seat, card, by):
            return PlayCard(seat, card, by)
        case RestClaimed(seat):
            return ClaimRest(seat)
        case MoonChosen(seat, choice, by):
            return ChooseMoon(seat, choice, by)
        case EntropyRevealed(seat, entropy):
            return RevealEntropy(seat, entropy)
        case _:
            return None
