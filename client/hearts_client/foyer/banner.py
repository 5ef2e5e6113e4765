"""What stands over the first menu."""

from __future__ import annotations

from hearts_client.cardnames import CardStyle, card_name
from hearts_client.screen.lines import BLANK, Line, joined, line
from hearts_client.screen.theme import suit_class
from hearts_engine.cards import Card

_CARDS = ("TC", "JD", "QS", "KH")


def banner(style: CardStyle) -> tuple[Line, ...]:
    """Four cards and a name."""
    cards = [_card(Card.parse(text), style) for text in _CARDS]
    return (joined(line("  "), *cards, line("   Hearts Table", "class:heading")), BLANK)


def _card(card: Card, style: CardStyle) -> Line:
    face = line(f"[{card_name(card, style)}]", f"{suit_class(card.suit)} class:legal")
    return joined(line(" "), face)
