"""What a card is called: with suit symbols, with letters, or in words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import Enum, auto
from typing import Final

from hearts_engine.cards import Card, Suit


class CardStyle(Enum):
    """How cards are written."""

    SYMBOLS = auto()
    """``Q♠``"""
    LETTERS = auto()
    """``QS``"""
    WORDS = auto()
    """``queen of spades``, for ears"""


class SuitChoice(Enum):
    """What a person may choose for the full screen."""

    AUTO = "auto"
    SYMBOLS = "symbols"
    LETTERS = "letters"


_RANK_WORDS: Final = (
    "two three four five six seven eight nine ten jack queen king ace".split()  # noqa: SIM905
)

_CARD_IN_TEXT: Final = re.compile(r"\b[2-9TJQKA][CDSH]\b")


def card_style(choice: SuitChoice, automatic: CardStyle) -> CardStyle:
    """How cards are shown where ``automatic`` is what the terminal shows best."""
    match choice:
        case SuitChoice.SYMBOLS:
            return CardStyle.SYMBOLS
        case SuitChoice.LETTERS:
            return CardStyle.LETTERS
        case SuitChoice.AUTO:
            return automatic


def terminal_style(terminal: str, encoding: str) -> CardStyle:
    """How a terminal of this ``TERM`` and this output encoding shows cards best."""
    unicode = encoding.lower().replace("-", "").replace("_", "") == "utf8"
    plain = terminal in {"linux", "dumb", ""}
    return CardStyle.SYMBOLS if unicode and not plain else CardStyle.LETTERS


def card_name(card: Card, style: CardStyle) -> str:
    """One card in this style."""
    match style:
        case CardStyle.SYMBOLS:
            return card.symbol
        case CardStyle.LETTERS:
            return str(card)
        case CardStyle.WORDS:
            return f"{_RANK_WORDS[card.rank - 2]} of {suit_name(card.suit)}"


def card_names(cards: Iterable[Card], style: CardStyle) -> str:
    """Several cards one after the other; ``no cards`` if there are none."""
    between = ", " if style is CardStyle.WORDS else " "
    return between.join(card_name(card, style) for card in cards) or "no cards"


def suit_name(suit: Suit) -> str:
    """``clubs``, ``diamonds``, ``spades`` or ``hearts``."""
    return suit.name.lower()


def restyled(sentence: str, style: CardStyle) -> str:
    """The sentence with every card in it, written like ``QS``, in this style."""
    return _CARD_IN_TEXT.sub(lambda found: card_name(Card.parse(found[0]), style), sentence)
