"""What a table tells one receiver, before it becomes a message."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from hearts_engine.cards import Seat
from hearts_engine.state import Phase, State
from hearts_engine.value import value
from hearts_engine.view import SeatView, observe
from hearts_server.clocks import Microseconds


class Ask(Enum):
    """What a prompt asks for."""

    ENTROPY = auto()
    PASS = auto()
    CARD = auto()
    MOON = auto()


@value
class Prompt:
    """A decision that is due from a seat."""

    seq: int
    """The record that made it due."""
    ask: Ask
    view: SeatView
    deadline: Microseconds | None


@value
class Acknowledgement:
    """A command was done and is on disk."""

    request_id: int
    prompt_seq: int
    repeated: bool


@dataclass(frozen=True, slots=True)
class Attached:
    """The game as it stands, for someone who just came or came back."""

    view: SeatView
    records: tuple[bytes, ...]
    seq: int
    head: bytes
    prompt: Prompt | None


@value
class Update:
    """What one command did."""

    records: tuple[bytes, ...]
    seq: int
    head: bytes
    prompt: Prompt | None = None
    acknowledgement: Acknowledgement | None = None
    view: SeatView | None = None
    urgent: bool = False
    """Whether even those must know at once who are told only when they are asked."""


class Cause(Enum):
    """Why a receiver is told nothing more."""

    SUPERSEDED = auto()
    GAME_OVER = auto()
    DRAINING = auto()
    TOO_SLOW = auto()
    REMOVED = auto()


@dataclass(frozen=True, slots=True)
class Detached:
    """The last notice."""

    cause: Cause
    sentence: str


@dataclass(frozen=True, slots=True)
class NotDone:
    """A request of this receiver was refused; nothing changed."""

    request_id: int
    error: Exception


@dataclass(frozen=True, slots=True)
class Pulse:
    """The answer to a heartbeat, or a sign of life."""

    seq: int
    head: bytes


class Phrase(Enum):
    """What is said often."""

    HELLO = auto()
    GOOD_LUCK = auto()
    WELL_PLAYED = auto()
    OUCH = auto()
    SORRY = auto()
    THANKS = auto()
    ONE_MOMENT = auto()
    GOOD_GAME = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody at the table said something."""

    seat: Seat
    name: str
    """Whoever sat there then."""
    time: Microseconds
    words: str | Phrase


@dataclass(frozen=True, slots=True)
class PresenceNow:
    """Who is connected; not in the log."""

    connected: tuple[Seat, ...]
    """The seats that somebody is connected for; house bots are always there and not listed."""
    watchers: int
    host: Seat | None


Notice = Attached | Update | NotDone | Pulse | Said | PresenceNow | Detached


def prompt_for(state: State, seat: Seat, seq: int, deadline: Microseconds | None) -> Prompt:
    """The prompt of a seat that a decision is due from."""
    match state.phase:
        case Phase.ENTROPY:
            ask = Ask.ENTROPY
        case Phase.PASSING:
            ask = Ask.PASS
        case Phase.MOON:
            ask = Ask.MOON
        case _:
            ask = Ask.CARD
    return Prompt(seq, ask, observe(state, seat), deadline)
