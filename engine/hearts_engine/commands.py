"""What can be asked of a table. Chance and time come in as arguments."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_engine.cards import Card, Seat
from hearts_engine.events import Agent, DealSource, SeatKind, Versions
from hearts_engine.rules import Rules


@dataclass(frozen=True, slots=True)
class OpenGame:
    """Open a game at a table."""

    game_id: str
    table: str
    rules: Rules
    source: DealSource
    public_key: bytes
    versions: Versions = Versions()


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Sit down, with a commitment to entropy or without (empty)."""

    seat: Seat
    name: str
    kind: SeatKind
    bot: str = ""
    commitment: bytes = b""


@dataclass(frozen=True, slots=True)
class LeaveSeat:
    """Get up, before the start."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class FreezeSeats:
    """Start the game with those who sit."""


@dataclass(frozen=True, slots=True)
class RevealEntropy:
    """Reveal what a seat committed to; whether it matches is for the caller to check."""

    seat: Seat
    entropy: bytes


@dataclass(frozen=True, slots=True)
class WithholdEntropy:
    """Go on without a seat's entropy."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Deal:
    """Deal this shuffled deck, card t to seat t mod n."""

    deck: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class ChoosePass:
    """Choose the cards to pass."""

    seat: Seat
    cards: tuple[Card, ...]
    by: Agent = Agent.SEAT


@dataclass(frozen=True, slots=True)
class PlayCard:
    """Play a card to the trick."""

    seat: Seat
    card: Card
    by: Agent = Agent.SEAT


@dataclass(frozen=True, slots=True)
class ClaimRest:
    """Claim every remaining trick."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ShowDeal:
    """After the last card: show the hands, reveal the secret behind the deal, and score it."""

    secret: bytes


@dataclass(frozen=True, slots=True)
class SealLog:
    """Close the log of an ended game with a signature."""

    signature: bytes


Command = (
    OpenGame
    | TakeSeat
    | LeaveSeat
    | FreezeSeats
    | RevealEntropy
    | WithholdEntropy
    | Deal
    | ChoosePass
    | PlayCard
    | ClaimRest
    | ShowDeal
    | SealLog
)
