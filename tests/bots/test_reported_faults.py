"""Faults that players reported of other programs' bots, by number."""

from collections.abc import Callable

import pytest

from hearts_bots.medium import advise
from hearts_bots.memory import Memory

Recall = Callable[..., Memory]


def played(memory: Memory) -> str:
    return str(advise(memory).card)


def test_hb_057_last_to_play_the_queen_is_ducked(recall: Recall) -> None:
    assert played(recall("3D KD", "9D QS 4D")) == "3D"


@pytest.mark.parametrize(
    ("hand", "trick"), [("KS QS 3C", "AS"), ("AS QS", "2S KS 5S")], ids=["second", "last"]
)
def test_hb_060_the_queen_goes_under_a_higher_spade(recall: Recall, hand: str, trick: str) -> None:
    assert played(recall(hand, trick)) == "QS"


def test_hb_061_a_suit_that_nobody_else_holds_is_not_led(recall: Recall) -> None:
    assert played(recall("3D 5C", unseen="2C 9C KC 4H 8H QH")) == "5C"


def test_hb_062_a_stopper_is_spent_on_a_seat_with_every_point(recall: Recall) -> None:
    memory = recall("JH 2H", "5H", points=(0, 0, 0, 18))
    assert played(memory) == "JH"


def test_hb_064_the_winning_seat_is_the_one_with_the_low_score(recall: Recall) -> None:
    assert recall("2C", totals=(90, 10, 40, 40)).ahead == (1,)
