"""What medium throws when it cannot follow."""

from collections.abc import Callable

from hearts_bots.medium import advise
from hearts_bots.memory import Memory
from hearts_engine.cards import Card

Recall = Callable[..., Memory]


def thrown(memory: Memory) -> str:
    return str(advise(memory).card)


def test_void_the_queen_goes_before_every_heart_and_spade(recall: Recall) -> None:
    advice = advise(recall("QS AS AH KD", "4C 9C"))
    assert advice.card == Card.parse("QS")
    assert advice.name == "throw the queen first"


def test_top_spades_go_before_hearts_while_the_queen_is_out(recall: Recall) -> None:
    assert thrown(recall("AS KS AH KD", "4C 9C")) == "AS"
    assert thrown(recall("KS 2S AH KD", "4C 9C")) == "KS"


def test_top_spades_are_kept_once_the_queen_has_fallen(recall: Recall) -> None:
    unseen = "2C 3C 5C JS 2H 3H 4H 5H 6H 7H"
    assert thrown(recall("AS KS AH KD", "4C 9C", unseen=unseen)) == "AH"


def test_high_hearts_go_before_high_side_cards(recall: Recall) -> None:
    assert thrown(recall("3S QH 2H AD", "4C 9C")) == "QH"


def test_a_low_heart_goes_to_the_seat_that_leads_the_game(recall: Recall) -> None:
    at_the_leader = recall("3S 5H 2H AD", "4C 9C", totals=(50, 60, 70, 10))
    advice = advise(at_the_leader)
    assert (str(advice.card), advice.name) == ("5H", "throw hearts at the leader")
    at_the_last = recall("3S 5H 2H AD", "4C 9C", totals=(50, 10, 60, 70))
    assert thrown(at_the_last) == "AD"


def test_the_seat_with_every_point_so_far_is_given_no_more(recall: Recall) -> None:
    hand, trick = "QS AH 2D 9D", "4C 9C"
    assert thrown(recall(hand, trick, points=(0, 0, 0, 9))) == "2D"  # the nine may yet stop it
    assert thrown(recall(hand, trick, points=(0, 0, 9, 0))) == "QS"
    assert thrown(recall(hand, trick, points=(0, 0, 1, 8))) == "QS"


def test_the_two_of_clubs_can_be_the_card_that_keeps_a_stopper(recall: Recall) -> None:
    assert thrown(recall("2C AH 9H", "4D 9D", points=(0, 0, 0, 9))) == "2C"


def test_with_hearts_alone_the_lowest_goes_to_a_moon_and_the_stopper_stays(recall: Recall) -> None:
    assert thrown(recall("AH 9H", "4D 9D", points=(0, 0, 0, 9))) == "9H"


def test_low_cards_are_thrown_highest_first(recall: Recall) -> None:
    assert thrown(recall("2S 3S 7D 4D", "4C 9C")) == "7D"
    assert thrown(recall("2S 3S 5H 4D", "4C 9C", totals=(9, 0, 9, 9))) == "5H"
