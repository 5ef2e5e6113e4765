"""Habits: small rules that choose a card and can say why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hearts_bots.memory import Memory
from hearts_engine.cards import Card


@dataclass(frozen=True, slots=True)
class Habit:
    """A rule of play that good players follow without thinking."""

    name: str
    """What to do, in a few words: ``throw the queen first``."""
    why: str
    """A sentence that a coach could say."""
    choose: Callable[[Memory], Card | None]
    """The card it asks for, or none where it has nothing to say; always a legal one."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A card, and the habit that chose it."""

    card: Card
    name: str
    why: str
