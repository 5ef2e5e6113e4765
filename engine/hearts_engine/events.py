"""What can happen at a table: every event.

Events carry facts, those that follow from others too, so that an auditor can compare what the
log claims with what the rules say. Each is public or addressed to seats (``audience.py``); nothing
is ever blanked.
"""

from __future__ import annotations

from enum import StrEnum

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.value import value


class SeatKind(StrEnum):
    """Who sits on a seat."""

    PERSON = "person"
    BOT = "bot"
    """A bot of somebody's, connected like a person."""
    HOUSE = "house"
    """A bot that the server runs."""


class Agent(StrEnum):
    """Who chose for a seat: a card, a pass, or how its moon is scored."""

    SEAT = "seat"
    CLOCK = "clock"
    """The seat's time was up."""
    AUTOPILOT = "autopilot"
    """The seat was away."""


class Absence(StrEnum):
    """Why a seat is away, the weakest reason first."""

    MISSED = "missed"
    """Its time ran out twice in a row; whatever its owner does brings it back."""
    LEFT = "left"
    """Its owner left, and may come back."""
    REMOVED = "removed"
    """The host removed its owner; somebody else may take the seat over."""


class StopCause(StrEnum):
    """Why time stands still."""

    HOST = "host"
    """The host paused the game: nobody may decide anything."""
    ABSENCE = "absence"
    """None of the people at the table is connected. Bots play on, on their time."""
    RESTART = "restart"
    """The server was started again; else as absence."""


class CloseCause(StrEnum):
    """Why a game was given up."""

    UNATTENDED = "unattended"
    """For too long nobody was connected."""


@value
class Anchor:
    """The deals come from the seats' entropy and a chain of secrets that ends in this value."""

    digest: bytes
    """32 bytes; hashing the secret of deal 1 gives it."""


@value
class FixedSeed:
    """The deals come from a text that anyone may know: reproducible, not fair."""

    text: str


DealSource = Anchor | FixedSeed


@value
class Versions:
    """What wrote the log; an auditor re-decides it by the same versions."""

    format: int = 1
    engine: int = 1
    shuffle: int = 1


@value
class GameOpened:
    """A game was opened at a table: the first event of every log."""

    game_id: str
    """Random and globally unique."""
    table: str
    """The table's name, a label."""
    rules: Rules
    source: DealSource
    public_key: bytes
    """The server's Ed25519 key, 32 bytes, whose signature seals the log."""
    versions: Versions = Versions()
    turn_seconds: int = 0
    """What a person has for a card, and twice that for a pass; 0: as long as it takes."""
    bot_seconds: int = 0
    """The same for a bot."""
    open_hands: bool = False
    """Spectators may know what is addressed to any seat."""


@value
class SeatTaken:
    """Someone sat down."""

    seat: Seat
    name: str
    kind: SeatKind
    bot: str = ""
    """The level of a house bot, else empty."""
    commitment: bytes = b""
    """The commitment to the seat's entropy, 32 bytes; empty if it takes no part in the deal."""


@value
class SeatLeft:
    """Someone got up before the start."""

    seat: Seat


@value
class SeatsFrozen:
    """The game started: from here seats and commitments are fixed."""


@value
class EntropyRevealed:
    """A seat revealed what it had committed to."""

    seat: Seat
    entropy: bytes


@value
class EntropyWithheld:
    """A seat would not reveal; its commitment takes the place of its entropy."""

    seat: Seat


@value
class DealBegan:
    """A deal began; in the same breath every seat is dealt its hand."""

    deal: int
    """From 1, through the game."""
    dealer: Seat
    direction: Direction


@value
class HandDealt:
    """A seat was dealt these cards; addressed to it."""

    seat: Seat
    cards: CardSet


@value
class KittyDealt:
    """The cards that are left over lie face down; addressed to nobody."""

    cards: CardSet


@value
class SeatReady:
    """A seat has chosen its pass; everyone may know that, not which cards."""

    seat: Seat


@value
class PassChosen:
    """What a seat chose to pass; addressed to it."""

    seat: Seat
    cards: tuple[Card, ...]
    """In index order; where they are scattered, the first for the next seat clockwise."""
    by: Agent = Agent.SEAT


@value
class CardsPassed:
    """Cards changed hands; addressed to both seats."""

    giver: Seat
    taker: Seat
    cards: CardSet


@value
class CentreTaken:
    """What a seat got back from the shuffled centre; addressed to it."""

    seat: Seat
    cards: CardSet


@value
class PlayBegan:
    """The hands are final, and this seat leads the first trick."""

    leader: Seat


@value
class CardPlayed:
    """A card was played to the trick."""

    seat: Seat
    card: Card
    by: Agent = Agent.SEAT


@value
class TrickTaken:
    """The trick is complete, and this seat took it and leads the next."""

    seat: Seat
    points: int
    """What its cards cost, and those carried from cancelled tricks."""


@value
class TrickCancelled:
    """The trick is complete and every card of its suit cancelled: its leader leads again.

    The cards are carried: whoever takes the next trick takes them too.
    """


@value
class KittyWon:
    """The kitty goes to this seat."""

    seat: Seat


@value
class KittyTaken:
    """What the kitty was; addressed to the seat that took it."""

    seat: Seat
    cards: CardSet


@value
class RestClaimed:
    """The seat on lead proved that every remaining trick is its own, and took all the cards."""

    seat: Seat
    points: int
    """What the cards still out cost, and those carried; an unclaimed kitty not counted."""


@value
class SeatAway:
    """From here on decisions are made for a seat, until it is back."""

    seat: Seat
    absence: Absence


@value
class SeatBack:
    """The owner of a seat decides again."""

    seat: Seat


@value
class SeatTakenOver:
    """Somebody took over, in a game under way, a seat that was played for nobody."""

    seat: Seat
    name: str
    kind: SeatKind


@value
class ClocksStopped:
    """Time stands still."""

    cause: StopCause


@value
class ClocksStarted:
    """Time runs again; a clock that was stopped has all of its time."""


@value
class GameClosed:
    """The game was given up without a result."""

    cause: CloseCause


@value
class PlayCut:
    """The deal stopped early: no remaining card can change any score."""


@value
class MoonOffered:
    """This seat took every penalty card and is to choose how its moon is scored."""

    seat: Seat


@value
class MoonChosen:
    """How the moon is scored."""

    seat: Seat
    choice: MoonChoice
    by: Agent = Agent.SEAT


@value
class HandShown:
    """At the end of a deal: what a seat was dealt, and what it held when play began."""

    seat: Seat
    dealt: CardSet
    held: CardSet


@value
class KittyShown:
    """At the end of a deal: what the kitty was."""

    cards: CardSet


@value
class SecretRevealed:
    """At the end of a deal: the server's secret behind it."""

    deal: int
    secret: bytes


@value
class DealScored:
    """The result of a deal; every tuple is by seat."""

    deal: int
    points: tuple[int, ...]
    """What the cards that each seat took cost."""
    moon: Seat | None
    """The seat that shot the moon."""
    scores: tuple[int, ...]
    """What each seat is given for the deal: moon, bonuses and an exact landing counted."""
    totals: tuple[int, ...]


@value
class GameEnded:
    """The game is over; every tuple is by seat."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    """1 for the winner; seats may share a place."""


@value
class LogSealed:
    """The server signed the log; nothing comes after."""

    signature: bytes
    """Ed25519, 64 bytes."""


Event = (
    GameOpened
    | SeatTaken
    | SeatLeft
    | SeatsFrozen
    | EntropyRevealed
    | EntropyWithheld
    | DealBegan
    | HandDealt
    | KittyDealt
    | SeatReady
    | PassChosen
    | CardsPassed
    | CentreTaken
    | PlayBegan
    | CardPlayed
    | TrickTaken
    | TrickCancelled
    | KittyWon
    | KittyTaken
    | RestClaimed
    | PlayCut
    | MoonOffered
    | MoonChosen
    | HandShown
    | KittyShown
    | SecretRevealed
    | DealScored
    | GameEnded
    | LogSealed
    | SeatAway
    | SeatBack
    | SeatTakenOver
    | ClocksStopped
    | ClocksStarted
    | GameClosed
)
