"""What can be typed in plain mode."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from hearts_client.tablewords import HELP as TABLE_HELP
from hearts_client.tablewords import TABLE_WORDS, Misread, TableWord, read_table_word
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules


class Question(Enum):
    """What can be asked for at any time; the value is the word to type."""

    LEGAL = "legal"
    HAND = "hand"
    LAST = "last"
    PASSED = "passed"
    SCORES = "scores"
    RULES = "rules"
    WHO = "who"
    CLOCK = "clock"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class PassThese:
    """Pass these cards."""

    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class PlayThis:
    """Play this card."""

    card: Card


@dataclass(frozen=True, slots=True)
class ClaimAll:
    """Claim every remaining trick."""


@dataclass(frozen=True, slots=True)
class MoonBy:
    """Have one's moon scored like this."""

    choice: MoonChoice


@dataclass(frozen=True, slots=True)
class Quit:
    """Leave the game."""


Answer = PassThese | PlayThis | ClaimAll | MoonBy
"""What decides something."""

Typed = Answer | Question | Quit | TableWord | Misread

_EXAMPLES: Final = ["2c", "5d", "9s", "jh", "4c", "7d", "ts", "kh", "6c", "8d", "3s", "qh", "ac"]


def pass_example(rules: Rules) -> str:
    """``pass 2c 5d 9s``, with as many cards as are passed; empty where none ever are."""
    if set(rules.pass_cycle) == {Direction.HOLD}:
        return ""
    return " ".join(["pass", *_EXAMPLES[: rules.pass_count]])


HELP_LINES: Final = (
    "play qs - play the queen of spades; qs alone does the same",
    "claim - when you lead and every remaining trick is yours",
    "add, subtract - how your moon is scored, when you are asked; a and s do the same",
    "legal - the cards you may play or pass now",
    "hand - the cards you hold now",
    "last - the last trick, and the one on the table",
    "passed - what you passed and received in this deal",
    "scores - the points of every deal, and of this one so far",
    "rules - the rules of this table",
    "who - who is here, away or not connected, and who is host",
    "clock - how long you have to decide",
    "help - these lines",
    *(f"{words} - {does}" for words, does in TABLE_HELP),
    "quit - leave the game; your seat is kept",
    "cards: rank 2 to 9, t or 10, j, q, k, a, then suit c, d, s, h",
)

_WORDS: Final = ", ".join(
    (
        *("pass", "play", "claim", "add", "subtract"),
        *(question.value for question in Question),
        *TABLE_WORDS,
        "quit",
    )
)


def read_command(line: str) -> Typed | None:
    """What a line asks for; none if it is empty.

    >>> read_command("play 10d")
    PlayThis(card=Card.parse('TD'))
    """
    about_table = read_table_word(line)
    if about_table is not None:
        return about_table
    words = line.replace(",", " ").lower().split()
    if not words:
        return None
    verb, *rest = words
    match verb:
        case "pass":
            return _pass(rest)
        case "play":
            return _play(rest)
        case _ if rest or verb not in _ALONE:
            return _bare_cards(words)
        case _:
            return _ALONE[verb]


_ALONE: Final[dict[str, Typed]] = {
    "claim": ClaimAll(),
    "add": MoonBy(MoonChoice.ADD),
    "a": MoonBy(MoonChoice.ADD),
    "subtract": MoonBy(MoonChoice.SUBTRACT),
    "s": MoonBy(MoonChoice.SUBTRACT),
    "quit": Quit(),
    **{question.value: question for question in Question},
}


def _pass(words: list[str]) -> Typed:
    if not words:
        return Misread("name the cards to pass after the word, each like qs")
    cards = _cards(words)
    return cards if isinstance(cards, Misread) else PassThese(cards)


def _play(words: list[str]) -> Typed:
    if len(words) != 1:
        return Misread("name one card to play, like: play qs")
    cards = _cards(words)
    return cards if isinstance(cards, Misread) else PlayThis(cards[0])


def _bare_cards(words: list[str]) -> Typed:
    cards = _cards(words)
    if isinstance(cards, Misread):
        if words[0] in _ALONE:
            return Misread(f"type {words[0]} alone on its line")
        return Misread(f"{words[0]!r} is not a command; type one of {_WORDS}, or a card like qs")
    return PlayThis(cards[0]) if len(cards) == 1 else PassThese(cards)


def _cards(words: list[str]) -> tuple[Card, ...] | Misread:
    try:
        return tuple(Card.parse(word) for word in words)
    except ValueError as error:
        return Misread(str(error))
