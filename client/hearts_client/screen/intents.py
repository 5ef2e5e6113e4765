"""What a person wants of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hearts_client.news import Asked
from hearts_client.orders import Order
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice


@dataclass(frozen=True, slots=True)
class SendPass:
    """Pass these cards."""

    asked: Asked
    cards: tuple[Card, ...]
    """Where they are scattered, the first goes to the next seat clockwise, and so on."""


@dataclass(frozen=True, slots=True)
class SendCard:
    """Play this card."""

    asked: Asked
    card: Card


@dataclass(frozen=True, slots=True)
class SendClaim:
    """Claim every remaining trick."""

    asked: Asked


@dataclass(frozen=True, slots=True)
class SendMoon:
    """Have the moon scored like this."""

    asked: Asked
    choice: MoonChoice


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Tell everyone at the table a text, or the phrase of this number."""

    words: str | int


@dataclass(frozen=True, slots=True)
class Keep:
    """Have a setting be so the next time too."""

    setting: str
    word: str


@dataclass(frozen=True, slots=True)
class Give:
    """Have the table do something."""

    order: Order


Answer: TypeAlias = SendPass | SendCard | SendClaim | SendMoon
Intent: TypeAlias = Answer | Tell | Give | Keep | Leave
