"""A bot that fails loses one decision, not its seat."""

from __future__ import annotations

from collections.abc import Callable, Collection
from json import loads
from random import Random

import pytest

from hearts_bots.backed import Backed, IllegalChoice
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import Deal
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import random_choice, seated
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe


class Chooses:
    """Does what it is told, right or wrong."""

    def __init__(
        self,
        cards: Callable[[SeatView], Collection[Card]],
        card: Callable[[SeatView], Card],
        moon: Callable[[SeatView], MoonChoice] = lambda _: MoonChoice.SUBTRACT,
    ) -> None:
        self._cards, self._card, self._moon = cards, card, moon

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        return self._cards(view)

    def choose_play(self, view: SeatView) -> Card:
        return self._card(view)

    def choose_moon(self, view: SeatView) -> MoonChoice:
        return self._moon(view)


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


def passing(text: str = "black_lady") -> SeatView:
    game = seated(parse_rules(text))
    game.do(Deal(game.state.game.rules.deck))
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


TWO_PACKS = "black_lady decks=2 players=6 removed=2C,2D"


@pytest.mark.parametrize(("cards", "right"), [("QS QS 4C", True), ("3C 3C 4C", False)])
def test_twins_may_be_passed_together_and_not_one_of_them_twice(cards: str, *, right: bool) -> None:
    told: list[Exception] = []
    view = replace(passing(TWO_PACKS), hand=CardSet.parse("3C 4C 5C QS QS"))
    chosen = tuple(map(Card.parse, cards.split()))
    passed = Backed(Chooses(lambda _: chosen, raises), told.append).choose_pass(view)
    assert passed == (chosen if right else tuple(CardSet.parse("3C 4C 5C")))
    assert len(told) == (not right)


TOP_SPADES = CardSet.parse("QS KS AS")


def spade_hand(others: str) -> SeatView:
    """A view that must choose four cards, of top spades and these."""
    view = passing("black_lady pass_count=4 keep_top_spades=true")
    return replace(view, hand=TOP_SPADES | CardSet.parse(others))


def test_a_pass_with_top_spades_that_could_have_stayed_becomes_another() -> None:
    told: list[Exception] = []
    view = spade_hand("2C 3C 4C 9H TH")
    wrong = tuple(CardSet.parse("QS 2C 3C 4C"))
    chosen = Backed(Chooses(lambda _: wrong, raises), told.append).choose_pass(view)
    assert chosen == tuple(CardSet.parse("2C 3C 4C 9H"))
    assert [type(error) for error in told] == [IllegalChoice]


@pytest.mark.parametrize("right", ["2C 3C QS AS", "2C 3C KS AS"])
def test_top_spades_fill_a_pass_that_all_others_do_not(right: str) -> None:
    told: list[Exception] = []
    view = spade_hand("2C 3C")
    cards = tuple(CardSet.parse(right))
    assert Backed(Chooses(lambda _: cards, raises), told.append).choose_pass(view) == cards
    assert told == []
    wrong = tuple(CardSet.parse("2C QS KS AS"))
    chosen = Backed(Chooses(lambda _: wrong, raises), told.append).choose_pass(view)
    assert chosen == tuple(CardSet.parse("2C 3C QS KS"))


def raises_as_well(view: SeatView) -> MoonChoice:
    raise ZeroDivisionError(view.seat)


def says_nonsense(_: SeatView) -> MoonChoice:
    nonsense: MoonChoice = loads('"neither"')
    return nonsense


@pytest.mark.parametrize("moon", [raises_as_well, says_nonsense])
def test_a_moon_that_a_bot_fails_to_choose_is_chosen_for_it(
    moon: Callable[[SeatView], MoonChoice],
) -> None:
    told: list[Exception] = []
    view = playing()
    assert Backed(Chooses(raises_too, raises, moon), told.append).choose_moon(view) in MoonChoice
    assert len(told) == 1


def test_a_moon_that_a_bot_chooses_is_left_as_it_is() -> None:
    told: list[Exception] = []
    backed = Backed(Chooses(raises_too, raises), told.append)
    assert backed.choose_moon(playing()) is MoonChoice.SUBTRACT
    assert told == []


def test_what_is_told_of_an_illegal_choice_names_no_card() -> None:
    told: list[Exception] = []
    view = passing()
    Backed(Chooses(lambda seen: tuple(seen.hand)[:2], raises), told.append).choose_pass(view)
    assert not any(str(card) in str(told[0]) for card in PACK)
