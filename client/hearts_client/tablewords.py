"""What can be typed, in plain mode and on the screen, that is about the table and not the cards."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from hearts_bots.house import LEVELS
from hearts_client.orders import AddBot, GiveUpSeat, HandOver, Order, Pause, Remove, Resume, Start
from hearts_client.phrases import WORDS
from hearts_client.safetext import cleaned
from hearts_client.seatnames import SeatNames
from hearts_engine.cards import Seat


class SeatVerb(Enum):
    """What is done about somebody at the table; the value is the word to type."""

    REMOVE = "remove"
    HAND_OVER = "host"
    MUTE = "mute"
    UNMUTE = "unmute"


@dataclass(frozen=True, slots=True)
class Speak:
    """Say a text, or the phrase of this number."""

    words: str | int


@dataclass(frozen=True, slots=True)
class AboutSeat:
    """Do something about somebody, who is called by name or place."""

    verb: SeatVerb
    who: str


@dataclass(frozen=True, slots=True)
class Mute:
    """Hear this seat no more, or again."""

    seat: Seat
    muted: bool


@dataclass(frozen=True, slots=True)
class Misread:
    """A line that is no command."""

    sentence: str
    """What is wrong, and what to type instead."""


TableWord: TypeAlias = Speak | AboutSeat | Order

_ALONE: Final[dict[str, Order]] = {
    "pause": Pause(),
    "resume": Resume(),
    "start": Start(),
    "leave": GiveUpSeat(),
}

TABLE_WORDS: Final = ("say", "phrase", *_ALONE, "bot", *(verb.value for verb in SeatVerb))
"""The words that lines about the table begin with."""

HELP: Final = (
    ("say TEXT", "tell everyone at the table"),
    ("phrase N", ", ".join(f"{number} {words}" for number, words in enumerate(WORDS, 1))),
    ("mute NAME, unmute NAME", "hear somebody no more, or again"),
    ("leave", "leave your seat to a bot; join again to come back"),
    ("pause, resume", "the host stops the game for a while, and lets it go on"),
    ("bot, bot easy", "the host seats a house bot"),
    ("start", "the host starts the game"),
    ("remove NAME", "the host takes a seat from somebody"),
    ("host NAME", "the host makes somebody else the host"),
)
"""What can be typed, and what it does."""


def read_table_word(line: str) -> TableWord | Misread | None:
    """What a line asks of the table; none if it is about something else.

    >>> read_table_word("say  Good luck, all")
    Speak(words='Good luck, all')
    """
    verb, _, rest = line.strip().partition(" ")
    verb, rest = verb.lower(), rest.strip()
    if verb in _ALONE:
        return Misread(f"type {verb} alone on its line") if rest else _ALONE[verb]
    match verb:
        case "say":
            return Speak(rest) if rest else Misread("type what to say after the word")
        case "phrase":
            return _phrase(rest)
        case "bot":
            return _bot(rest.lower())
        case "remove" | "host" | "mute" | "unmute":
            about = AboutSeat(SeatVerb(verb), rest)
            return about if rest else Misread(f"name somebody, like: {verb} Ann, or {verb} west")
        case _:
            return None


def meant(about: AboutSeat, names: SeatNames) -> Order | Mute | Misread:
    """What is to be done, with the seat that is meant."""
    seat = seat_called(about.who, names)
    if isinstance(seat, Misread):
        return seat
    match about.verb:
        case SeatVerb.REMOVE:
            return Remove(seat)
        case SeatVerb.HAND_OVER:
            return HandOver(seat)
        case SeatVerb.MUTE:
            return Mute(seat, muted=True)
        case SeatVerb.UNMUTE:
            return Mute(seat, muted=False)


def seat_called(who: str, names: SeatNames) -> Seat | Misread:
    """The seat of this name or at this place, in any case; shortened where that is clear."""
    wanted = " ".join(who.lower().split())
    called = {seat: _called(seat, names) for seat in names.clockwise()}
    exactly = [seat for seat, calls in called.items() if wanted in calls]
    nearly = [seat for seat, calls in called.items() if any(c.startswith(wanted) for c in calls)]
    for found in (exactly, nearly):
        if len(found) == 1:
            return found[0]
    listed = ", ".join(names.label(seat) for seat in called)
    return Misread(f"{cleaned(who[:32])!r} is not one of {listed}")


def _called(seat: Seat, names: SeatNames) -> tuple[str, str]:
    return names.names[seat].lower(), names.places[seat].lower()


def _phrase(number: str) -> TableWord | Misread:
    if number.isascii() and number.isdecimal() and 1 <= int(number) <= len(WORDS):
        return Speak(int(number))
    listed = ", ".join(f"{each} {words}" for each, words in enumerate(WORDS, 1))
    return Misread(f"type the number of a phrase after the word: {listed}")


def _bot(level: str) -> TableWord | Misread:
    if level and level not in LEVELS:
        return Misread(f"a house bot is one of {', '.join(LEVELS)}")
    return AddBot(level)
