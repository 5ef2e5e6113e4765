"""What can be asked of a table. Chance and time come in as arguments."""

from __future__ import annotations

from hearts_engine.cards import Card, Seat
from hearts_engine.events import (
    Absence,
    Agent,
    CloseCause,
    DealSource,
    SeatKind,
    StopCause,
    Versions,
)
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.value import value


@value
class OpenGame:
    """Open a game at a table."""

    game_id: str
    table: str
    rules: Rules
    source: DealSource
    public_key: bytes
    versions: Versions = Versions()
    turn_seconds: int = 0
    bot_seconds: int = 0
    open_hands: bool = False


@value
class TakeSeat:
    """Sit down, with a commitment to entropy or without (empty)."""

    seat: Seat
    name: str
    kind: SeatKind
    bot: str = ""
    commitment: bytes = b""


@value
class LeaveSeat:
    """Get up, before the start."""

    seat: Seat


@value
class FreezeSeats:
    """Start the game with those who sit."""


@value
class RevealEntropy:
    """Reveal what a seat committed to; whether it matches is for the caller to check."""

    seat: Seat
    entropy: bytes


@value
class WithholdEntropy:
    """Go on without a seat's entropy."""

    seat: Seat


@value
class Deal:
    """Deal this shuffled deck, card t to seat t mod n; what is left over is the kitty."""

    deck: tuple[Card, ...]


@value
class ChoosePass:
    """Choose the cards to pass; to be scattered, the first for the next seat clockwise."""

    seat: Seat
    cards: tuple[Card, ...]
    by: Agent = Agent.SEAT


@value
class ShareCentre:
    """Share out the passed cards, shuffled: seat s takes block s."""

    cards: tuple[Card, ...]


@value
class PlayCard:
    """Play a card to the trick."""

    seat: Seat
    card: Card
    by: Agent = Agent.SEAT


@value
class ClaimRest:
    """Claim every remaining trick."""

    seat: Seat


@value
class ChooseMoon:
    """Choose how the moon that the seat shot is scored."""

    seat: Seat
    choice: MoonChoice
    by: Agent = Agent.SEAT


@value
class MarkAway:
    """From here on have decisions made for a seat."""

    seat: Seat
    absence: Absence


@value
class MarkBack:
    """Let a seat decide by itself again."""

    seat: Seat


@value
class TakeOver:
    """Sit down on a seat that is played for nobody, in a game under way."""

    seat: Seat
    name: str
    kind: SeatKind


@value
class StopClocks:
    """Let time stand still."""

    cause: StopCause


@value
class StartClocks:
    """Let time run again."""


@value
class CloseGame:
    """Give the game up, revealing the secret behind the deal under way, if there is one."""

    cause: CloseCause
    secret: bytes


@value
class ShowDeal:
    """After the last card: show the hands, reveal the secret behind the deal, and score it."""

    secret: bytes


@value
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
    | ShareCentre
    | PlayCard
    | ClaimRest
    | ChooseMoon
    | ShowDeal
    | SealLog
    | MarkAway
    | MarkBack
    | TakeOver
    | StopClocks
    | StartClocks
    | CloseGame
)
