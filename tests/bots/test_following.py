"""How medium follows suit."""

from collections.abc import Callable

from hearts_bots.medium import advise
from hearts_bots.memory import Memory

Recall = Callable[..., Memory]


def played(memory: Memory) -> str:
    return str(advise(memory).card)


def test_last_to_a_trick_without_points_wins_it_high(recall: Recall) -> None:
    advice = advise(recall("2D 9D KD 3C", "4D JD 5D"))
    assert (str(advice.card), advice.name) == ("KD", "last without points, win it high")


def test_last_to_a_free_spade_trick_sheds_the_ace_but_never_the_queen(recall: Recall) -> None:
    assert played(recall("AS QS 2S 3C", "4S JS 5S")) == "AS"
    assert played(recall("QS 2S 3C", "4S JS 5S")) == "2S"


def test_last_to_a_trick_with_points_ducks_as_high_as_it_can(recall: Recall) -> None:
    advice = advise(recall("2D 9D KD 3C", "4D JD 5H"))
    assert (str(advice.card), advice.name) == ("9D", "duck as high as you can")


def test_last_and_bound_to_take_points_takes_them_high(recall: Recall) -> None:
    assert played(recall("QD KD 3C", "4D JD 5H")) == "KD"


def test_last_and_bound_to_take_the_trick_does_not_take_it_with_the_queen(recall: Recall) -> None:
    assert played(recall("QS KS 3C", "4S JS 5H")) == "KS"


def test_the_queen_goes_under_a_king_or_ace(recall: Recall) -> None:
    advice = advise(recall("QS 2S 3C", "4S KS"))
    assert (str(advice.card), advice.name) == ("QS", "play the queen under a higher spade")


def test_the_queen_waits_where_nothing_covers_her(recall: Recall) -> None:
    assert played(recall("QS 2S 3C", "4S")) == "2S"


def test_a_top_spade_hides_while_the_queen_may_come_behind(recall: Recall) -> None:
    assert played(recall("AS 7S 3C", "4S")) == "7S"


def test_the_first_trick_is_played_high_as_nobody_may_throw_points_on_it(recall: Recall) -> None:
    hand = "3C 9C AC 2D 3D 4D 2S 3S 4S 2H 3H 4H 5H"
    assert played(recall(hand, "2C", hearts_broken=False)) == "AC"


def test_one_heart_is_taken_on_purpose_from_a_seat_with_every_point(recall: Recall) -> None:
    hand, trick = "2D KD 3C", "4D 9D 5H"
    assert played(recall(hand, trick, points=(0, 0, 9, 0))) == "KD"
    assert played(recall(hand, trick, points=(0, 1, 9, 0))) == "2D"
    assert played(recall(hand, trick, points=(0, 0, 1, 0))) == "2D"


def test_no_heart_is_taken_where_another_seat_takes_it_anyway(recall: Recall) -> None:
    assert played(recall("2D KD 3C", "9D 4D 5H", points=(0, 0, 9, 0))) == "2D"


def test_the_queen_is_too_dear_for_stopping_a_moon(recall: Recall) -> None:
    assert played(recall("2D KD 3C", "4D 9D QS", points=(0, 0, 9, 0))) == "2D"


def test_where_every_card_beats_the_trick_so_far_the_likeliest_to_be_beaten_goes(
    recall: Recall,
) -> None:
    advice = advise(recall("6D KD 3C", "2D"))
    assert (str(advice.card), advice.name) == ("6D", "hope to be beaten")
