"""Any bot, backed by the lowest legal cards where it fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, islice

from hearts_bots.bot import Bot
from hearts_bots.moon import better_moon
from hearts_bots.passing import choices
from hearts_engine.cards import Card
from hearts_engine.options import MoonChoice
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
        """The bot's pass, or the lowest cards that may be passed."""
        try:
            return _legal_pass(tuple(self.bot.choose_pass(view)), view)
        except Exception as error:  # noqa: BLE001  (whatever a bot raises is its author's)
            self.on_failure(error)
            lowest = chain.from_iterable(choices(view.hand, view.rules))
            return tuple(islice(lowest, view.rules.pass_count))

    def choose_play(self, view: SeatView) -> Card:
        """The bot's card, or the lowest legal one."""
        try:
            return _legal_play(self.bot.choose_play(view), view)
        except Exception as error:  # noqa: BLE001  (as above)
            self.on_failure(error)
            return view.legal.lowest()

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """The bot's choice, or what the house bots would choose."""
        try:
            return MoonChoice(self.bot.choose_moon(view))
        except Exception as error:  # noqa: BLE001  (as above)
            self.on_failure(error)
            return better_moon(view)


def _legal_pass(cards: tuple[Card, ...], view: SeatView) -> tuple[Card, ...]:
    count = view.rules.pass_count
    if len(cards) != count or not Counter(cards) <= Counter(view.hand):
        raise IllegalChoice(f"a pass is {count} cards of the hand, a twin as often as it is held")
    first, *_ = choices(view.hand, view.rules)
    if sum(card in first for card in cards) < min(count, len(first)):
        raise IllegalChoice("top spades stay while another card can be passed")
    return cards


def _legal_play(card: Card, view: SeatView) -> Card:
    if card not in view.legal:
        raise IllegalChoice("the card is not legal now")
    return card
