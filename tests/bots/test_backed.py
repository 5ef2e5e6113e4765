"""A bot that fails loses one decision, not its seat."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

import pytest

from hearts_bots.backed import Backed, IllegalChoice
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.commands import Deal
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing import random_choice, seated
from hearts_engine.view import SeatView, observe


class Chooses:
    """Does what it is told, right or wrong."""

    def __init__(
        self, cards: Callable[[SeatView], Collection[Card]], card: Callable[[SeatView], Card]
    ) -> None:
        self._cards, self._card = cards, card

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        return self._cards(view)

    def choose_play(self, view: SeatView) -> Card:
        return self._card(view)


def raises(view: SeatView) -> Card:
    raise ZeroDivisionError(view.seat)


def raises_too(view: SeatView) -> Collection[Card]:
    raise ZeroDivisionError(view.seat)


def not_held(view: SeatView) -> Card:
    return next(card for card in PACK if card not in view.hand)


GOOD_PASS = Chooses(lambda view: tuple(view.hand)[-3:], raises)
GOOD_PLAY = Chooses(raises_too, lambda view: view.legal.highest())
BAD_PASSES: dict[str, Callable[[SeatView], Collection[Card]]] = {
    "one card three times": lambda view: [view.hand.lowest()] * 3,
    "two cards": lambda view: tuple(view.hand)[:2],
    "four cards": lambda view: tuple(view.hand)[:4],
    "a card it does not hold": lambda view: [*tuple(view.hand)[:2], not_held(view)],
    "an error": raises_too,
}
BAD_PLAYS: dict[str, Callable[[SeatView], Card]] = {
    "a card it does not hold": not_held,
    "an error": raises,
}


def passing() -> SeatView:
    game = seated(Rules())
    game.do(Deal(PACK))
    return observe(game.state, Seat(2))


def playing() -> SeatView:
    game = seated(Rules())
    game.do(Deal(PACK))
    while game.state.phase is not Phase.PLAYING:
        game.do(random_choice(game.state, Random(5)))
    return observe(game.state, game.state.turn)


def test_a_good_choice_is_left_as_it_is() -> None:
    told: list[Exception] = []
    view = passing()
    assert Backed(GOOD_PASS, told.append).choose_pass(view) == tuple(view.hand)[-3:]
    view = playing()
    assert Backed(GOOD_PLAY, told.append).choose_play(view) == view.legal.highest()
    assert told == []


@pytest.mark.parametrize("name", BAD_PASSES)
def test_a_bad_pass_becomes_the_lowest_cards_and_is_told_of(name: str) -> None:
    told: list[Exception] = []
    view = passing()
    backed = Backed(Chooses(BAD_PASSES[name], raises), told.append)
    assert backed.choose_pass(view) == tuple(view.hand)[:3]
    assert [type(error) for error in told] in ([IllegalChoice], [ZeroDivisionError])


@pytest.mark.parametrize("name", BAD_PLAYS)
def test_a_bad_card_becomes_the_lowest_legal_one_and_is_told_of(name: str) -> None:
    told: list[Exception] = []
    view = playing()
    backed = Backed(Chooses(raises_too, BAD_PLAYS[name]), told.append)
    assert backed.choose_play(view) == view.legal.lowest()
    assert [type(error) for error in told] in ([IllegalChoice], [ZeroDivisionError])


def test_what_is_told_of_an_illegal_choice_names_no_card() -> None:
    told: list[Exception] = []
    view = passing()
    Backed(Chooses(lambda seen: tuple(seen.hand)[:2], raises), told.append).choose_pass(view)
    assert not any(str(card) in str(told[0]) for card in PACK)
