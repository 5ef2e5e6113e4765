"""What a bot is: three choices, made from what its seat may know."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
from hearts_engine.view import SeatView


class Bot(Protocol):
    """Anyone who can choose for a seat."""

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        """The cards to pass: ``view.rules.pass_count`` of ``view.legal``.

        A twin is named as often as it is passed. Where the cards are scattered their order says
        who gets which: the first goes to the next seat clockwise. Where top spades are kept and
        ``view.legal`` still has them, the hand has too few others: all of those go along.
        """
        ...

    def choose_play(self, view: SeatView) -> Card:
        """The card to play: one of ``view.legal``."""
        ...

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """How the moon that this seat shot is scored."""
        ...
