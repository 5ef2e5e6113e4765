"""What a bot is: two choices, made from what its seat may know."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from hearts_engine.cards import Card
from hearts_engine.view import SeatView


class Bot(Protocol):
    """Anyone who can choose for a seat."""

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        """The cards to pass: ``view.rules.pass_count`` different ones of ``view.hand``."""
        ...

    def choose_play(self, view: SeatView) -> Card:
        """The card to play: one of ``view.legal``."""
        ...
