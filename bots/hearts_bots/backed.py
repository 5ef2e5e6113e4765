"""Any bot, backed by the lowest legal cards where it fails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hearts_bots.bot import Bot
from hearts_engine.cards import Card
from hearts_engine.view import SeatView

OnFailure = Callable[[Exception], None]
"""Is told of a failure; what it says must not name cards that others may not see."""


class IllegalChoice(ValueError):
    """A bot chose what the rules do not allow."""


@dataclass(frozen=True, slots=True)
class Backed:
    """A bot that loses only the decision in which it raises or chooses illegally."""

    bot: Bot
    on_failure: OnFailure

    def choose_pass(self, view: SeatView) -> tuple[Card, ...]:
        """The bot's pass, or the lowest cards of the hand."""
        try:
            return _legal_pass(tuple(self.bot.choose_pass(view)), view)
        except Exception as error:  # noqa: BLE001  (whatever a bot raises is its author's)
            self.on_failure(error)
            return tuple(view.legal)[: view.rules.pass_count]

    def choose_play(self, view: SeatView) -> Card:
        """The bot's card, or the lowest legal one."""
        try:
            return _legal_play(self.bot.choose_play(view), view)
        except Exception as error:  # noqa: BLE001  (as above)
            self.on_failure(error)
            return view.legal.lowest()


def _legal_pass(cards: tuple[Card, ...], view: SeatView) -> tuple[Card, ...]:
    held = set(cards) & set(view.legal)
    if not len(cards) == len(held) == view.rules.pass_count:
        raise IllegalChoice(f"a pass is {view.rules.pass_count} different cards of the hand")
    return cards


def _legal_play(card: Card, view: SeatView) -> Card:
    if card not in view.legal:
        raise IllegalChoice("the card is not legal now")
    return card
