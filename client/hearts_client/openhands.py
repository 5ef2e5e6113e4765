"""The hands at a table whose spectators see them all. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hearts_client.handorder import HandOrder
from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardsPassed,
    CentreTaken,
    DealBegan,
    Event,
    GameOpened,
    HandDealt,
    PassChosen,
)
from hearts_engine.passing import Direction
from hearts_engine.view import SeatView

_KEPT: Final = 3
"""Deals whose hands are kept: a screen may be behind."""

Hands = Mapping[Seat, CardSet]


@dataclass(frozen=True, slots=True)
class OpenHands:
    """What each seat holds when play begins, by deal; nothing where hands are not shown."""

    shown: bool = False
    began: DealBegan | None = None
    deals: Mapping[int, Hands] = field(default_factory=dict[int, Hands])

    def after(self, events: Iterable[Event]) -> OpenHands:
        """With what these events say."""
        found = self
        for event in events:
            found = found._with(event)
        return found

    def left(self, view: SeatView) -> Mapping[Seat, CardSet]:
        """What each seat still holds where a spectator stands; nothing if that is not shown."""
        if view.seat is not None:
            return {}
        played: dict[Seat, list[Card]] = {}
        for trick in (*view.tricks, view.trick):
            for seat, card in trick.plays:
                played.setdefault(seat, []).append(card)
        held = self.deals.get(view.deal, {})
        return {seat: hand - CardSet.of(played.get(seat, [])) for seat, hand in held.items()}

    def _with(self, event: Event) -> OpenHands:
        match event:
            case GameOpened(open_hands=shown):
                return OpenHands(shown=shown)
            case DealBegan(deal):
                kept = {at: hands for at, hands in self.deals.items() if at > deal - _KEPT}
                return replace(self, began=event, deals=kept)
            case HandDealt(seat, cards):
                return self._moved((seat, cards, NO_CARDS))
            case CardsPassed(giver, taker, cards):
                return self._moved((giver, NO_CARDS, cards), (taker, cards, NO_CARDS))
            case PassChosen(seat, cards) if self._goes_to_the_centre:
                return self._moved((seat, NO_CARDS, CardSet.of(cards)))
            case CentreTaken(seat, cards):
                return self._moved((seat, cards, NO_CARDS))
            case _:
                return self

    @property
    def _goes_to_the_centre(self) -> bool:
        return self.began is not None and self.began.direction is Direction.SHUFFLE

    def _moved(self, *moves: tuple[Seat, CardSet, CardSet]) -> OpenHands:
        """With seats that got cards and gave others away, in this order."""
        if not self.shown or self.began is None:
            return self
        deal = self.began.deal
        hands = dict(self.deals.get(deal, {}))
        for seat, gets, gives in moves:
            hands[seat] = hands.get(seat, NO_CARDS) - gives + gets
        return replace(self, deals={**self.deals, deal: hands})


def sorted_hand(hand: CardSet, order: HandOrder) -> list[Card]:
    """A hand as it is laid out."""
    return sorted(hand.cards, key=order.place)
