"""What is said of a pass: to whom, who gets which card, what must stay."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from hearts_client.announce import announce
from hearts_client.cardnames import CardStyle
from hearts_client.news import Happened
from hearts_client.passing import (
    chosen_sentence,
    kept_sentence,
    pass_lines,
    pass_prompt,
    passing_sentence,
    received_sentence,
)
from hearts_client.seatnames import SeatNames
from hearts_client.steps import steps
from hearts_client.testing import LocalSession
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass
from hearts_engine.events import CardsPassed
from hearts_engine.passing import Direction
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import SeatView

LETTERS = CardStyle.LETTERS


def seated(rules: str) -> LocalSession:
    session = LocalSession(parse_rules(rules), random.Random(3))
    session.start()
    return session


def names(view: SeatView) -> SeatNames:
    return SeatNames.of(view)


@pytest.mark.parametrize(
    ("rules", "prompt"),
    [
        ("five pass_cycle=left", "pass 3 cards left to Ann"),
        ("five pass_cycle=right", "pass 3 cards right to Eve"),
        ("five pass_cycle=left2", "pass 3 cards second left to Ben"),
        ("five pass_cycle=right2", "pass 3 cards second right to Cy"),
        ("six pass_cycle=across pass_count=1", "pass 1 card across to Cy"),
        ("five pass_cycle=shuffle", "put 3 cards into the centre, you get 3 back by chance"),
        ("three pass_cycle=scatter pass_count=2", "pass 2 cards, 1st to Ann, 2nd to Ben"),
    ],
)
def test_every_way_to_pass_says_how_many_cards_go_to_whom(rules: str, prompt: str) -> None:
    view = seated(rules).view
    assert pass_prompt(view, names(view)) == prompt


def test_ten_seats_are_told_who_gets_each_of_nine_scattered_cards() -> None:
    view = seated("cancellation players=10 pass_cycle=scatter pass_count=9").view
    prompt = pass_prompt(view, names(view))
    assert prompt.startswith("pass 9 cards, 1st to Ann, 2nd to Ben, 3rd to Cy, 4th to Eve")
    assert prompt.endswith("9th to Jan")


def test_a_spectator_hears_where_cards_go_but_of_no_seat_of_its_own() -> None:
    view = replace(seated("five pass_cycle=left2").view, seat=None)
    assert passing_sentence(view.direction, names(view)) == "pass second left"
    assert pass_prompt(view, names(view)) == "pass 3 cards"
    assert pass_lines(view, names(view), LETTERS) == (
        ("PASSED", "no cards are passed in this deal"),
    )


def test_scattered_cards_are_named_with_the_seats_that_get_them() -> None:
    view = seated("three pass_cycle=scatter pass_count=2").view
    cards = (Card.parse("QS"), Card.parse("2C"))
    sentence = chosen_sentence(cards, Direction.SCATTER, names(view), LETTERS)
    assert sentence == "QS to Ann, 2C to Ben"
    assert chosen_sentence(cards, Direction.LEFT, names(view), LETTERS) == "QS 2C"


def test_a_scattered_card_goes_where_the_client_said_it_would() -> None:
    session = seated("omnibus pass_cycle=scatter")
    chosen = session.view.hand.cards[::-4][:3]
    said = chosen_sentence(chosen, Direction.SCATTER, names(session.view), LETTERS)
    assert session.answer(ChoosePass(session.seat, chosen)) is None
    given = [
        event
        for event in session.events
        if isinstance(event, CardsPassed) and event.giver == session.seat
    ]
    told = ", ".join(f"{move.cards} to {names(session.view).name(move.taker)}" for move in given)
    assert said == told
    (passed, received) = pass_lines(session.view, names(session.view), LETTERS)
    assert passed == ("PASSED", told)
    assert received[1].count(" from ") == 3
    assert received_sentence(session.view, names(session.view)) == "received, one from each seat"


def test_what_comes_back_from_the_centre_is_told() -> None:
    session = seated("five pass_cycle=shuffle")
    before = session.view
    session.answer(ChoosePass(session.seat, before.hand.cards[:3]))
    events = [e for item in session.told if isinstance(item, Happened) for e in item.events]
    started = events.index(next(e for e in events if type(e).__name__ == "PassChosen"))
    notices = announce(steps(before, events[started:]), LETTERS)
    (received,) = [notice for notice in notices if notice.word == "RECEIVED"]
    assert received.sentence == f"{session.view.received} from the centre"
    assert pass_lines(session.view, names(session.view), LETTERS) == (
        (
            "PASSED",
            f"{before.hand.cards[0]} {before.hand.cards[1]} {before.hand.cards[2]} into the centre",
        ),
        ("RECEIVED", f"{session.view.received} from the centre"),
    )


def test_top_spades_that_stay_are_named_with_the_reason() -> None:
    view = seated("black_lady keep_top_spades=true").view
    hand = CardSet.parse("2C 3C 4C QS AS")
    held = replace(view, hand=hand, legal=CardSet.parse("2C 3C 4C"))
    assert kept_sentence(held, LETTERS) == (
        "QS AS stay: top spades are not passed while others can be"
    )
    assert kept_sentence(replace(held, legal=hand), LETTERS) == ""
    few = replace(held, hand=CardSet.parse("2C QS KS AS"), legal=CardSet.parse("2C QS KS AS"))
    assert kept_sentence(few, LETTERS) == (
        "top spades are passed only along with all your other cards"
    )
