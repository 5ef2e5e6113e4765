"""What medium leads."""

from collections.abc import Callable

from hearts_bots.medium import advise
from hearts_bots.memory import Memory

Recall = Callable[..., Memory]


def led(memory: Memory) -> tuple[str, str]:
    advice = advise(memory)
    return str(advice.card), advice.name


def test_spades_draw_out_a_queen_that_cannot_fall_on_the_leader(recall: Recall) -> None:
    assert led(recall("JS 4S 2D 3C")) == ("JS", "lead spades to draw the queen")


def test_spades_stay_at_home_with_a_card_the_queen_can_fall_on(recall: Recall) -> None:
    assert led(recall("KS 4S 2D 3C"))[0] != "4S"


def test_the_queen_keeps_her_guards(recall: Recall) -> None:
    assert led(recall("QS 4S 3D 3C"))[0] in {"3D", "3C"}


def test_spades_are_the_safe_suit_once_the_queen_has_fallen(recall: Recall) -> None:
    unseen = "4C 9C TC 4D 9D TD 8S KS 4H 5H 6H 7H"
    assert led(recall("AS 7S JD JC", unseen=unseen)) == ("7S", "lead spades once she has fallen")


def test_a_spade_that_only_the_leader_can_win_is_not_safe(recall: Recall) -> None:
    unseen = "4C 9C TC 4D 9D TD 8S 6S 4H 5H 6H 7H"
    assert led(recall("AS KS 2D 2C", unseen=unseen))[0] in {"2D", "2C"}


def test_early_the_long_suit_is_led_and_the_short_one_kept_short(recall: Recall) -> None:
    hand = "3C 5C 6C 8C TC QC 4D KS AS QS 5H 6H"
    card, name = led(recall(hand, hearts_broken=False))
    assert (card[1], name) == ("C", "lead the long suit early")


def test_late_the_length_of_a_suit_no_longer_decides(recall: Recall) -> None:
    unseen = "TC JC 2D 4D 8D 9D TD 3S KS 4H 5H 6H"
    assert led(recall("KC QC AC 3D", unseen=unseen)) == (
        "3D",
        "lead what is least likely to win points",
    )


def test_a_heart_nobody_can_beat_is_led_to_end_a_moon(recall: Recall) -> None:
    moon = recall("AH 2D 3C", points=(0, 18, 0, 0))
    assert led(moon) == ("AH", "take a heart on purpose")
    assert led(recall("AH 2D 3C", points=(0, 9, 9, 0)))[0] != "AH"


def test_a_suit_in_which_others_are_void_is_left_alone(recall: Recall) -> None:
    unseen = "2C 9C KC TC 2D 9D KD TD 4H 8H QH JH"
    void = {1: "D", 2: "D"}
    assert led(recall("5C 5D", unseen=unseen, void=void))[0] == "5C"
