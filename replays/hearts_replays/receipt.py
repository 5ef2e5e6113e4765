"""What a client keeps of a game: what it was shown, and what it answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.events import CardPlayed, EntropyRevealed, Event, PassChosen, RestClaimed
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
