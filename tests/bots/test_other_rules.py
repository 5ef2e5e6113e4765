"""Habits of medium where cards are worth something else, or are there twice."""

from collections.abc import Callable

import pytest

from hearts_bots.medium import advise
from hearts_bots.memory import Memory

Recall = Callable[..., Memory]
RecallAt = Callable[[str], Recall]

BLACK = "black_lady extra_penalty=KS:10,AS:7"
PLAIN = "black_lady queen_value=0"
TWO_PACKS = "black_lady decks=2"


def played(memory: Memory) -> str:
    return str(advise(memory).card)


def told(memory: Memory) -> tuple[str, str]:
    advice = advise(memory)
    return str(advice.card), advice.name


def test_the_bonus_card_is_thrown_to_nobody(recall_at: RecallAt) -> None:
    omnibus = recall_at("omnibus")
    assert played(omnibus("JD 2S 3S", "4C 9C")) == "3S"
    assert played(omnibus("JD 2S 3S", "4C 9C", points=(0, 0, 0, 9))) == "2S"
    assert played(recall_at("black_lady")("JD 2S 3S", "4C 9C")) == "JD"


def test_last_the_bonus_card_takes_a_trick_that_costs_less(recall_at: RecallAt) -> None:
    omnibus = recall_at("omnibus")
    assert told(omnibus("JD KD 3C", "4D 9D 5H")) == ("JD", "win with the bonus card")
    assert played(omnibus("JD 3D 3C", "4D 9D QS")) == "3D"
    assert played(omnibus("JD 3D 3C", "4D KD 5D")) == "3D"


def test_a_bonus_card_on_the_table_is_gone_for(recall_at: RecallAt) -> None:
    omnibus = recall_at("omnibus")
    assert told(omnibus("2D AD 3C", "JD")) == ("AD", "go for a gain")
    assert played(omnibus("2D KD 3C", "4D JD 5D")) == "KD"
    assert played(omnibus("2D KD 3C", "4D JD QS")) == "2D"


def test_the_bonus_card_does_not_duck(recall_at: RecallAt) -> None:
    assert played(recall_at("omnibus")("JD 4D 3C", "KD 5H")) == "4D"
    assert played(recall_at("black_lady")("JD 4D 3C", "KD 5H")) == "JD"


def test_a_bonus_card_that_nobody_can_beat_is_led(recall_at: RecallAt) -> None:
    omnibus = recall_at("omnibus")
    safe = "2D 4D 9D 2C 4C 9C 3C 5C TC"
    assert told(omnibus("JD 8C", unseen=safe)) == ("JD", "cash the bonus card")
    assert played(omnibus("JD 8C", unseen=f"{safe} QD KD AD")) == "8C"


def test_any_card_can_be_the_bonus_card(recall_at: RecallAt) -> None:
    ten = recall_at("black_lady bonus=TC:10")
    assert told(ten("TC KC 3D", "4C 9C 5H")) == ("TC", "win with the bonus card")
    assert played(ten("TC 2S 3S", "4D 9D")) == "3S"


def test_where_other_spades_cost_too_the_dearest_goes_first(recall_at: RecallAt) -> None:
    black = recall_at(BLACK)
    assert told(black("KS AS AH 3D", "4C 9C")) == ("KS", "throw the queen first")
    assert played(black("AS AH 3D", "4C 9C")) == "AS"
    assert played(black("KS QS 2S", "3S AS")) == "QS"
    assert told(black("KS JS 2C", "3S AS")) == ("KS", "play the queen under a higher spade")


def test_a_dear_king_is_no_card_to_win_a_free_trick_with(recall_at: RecallAt) -> None:
    assert played(recall_at(BLACK)("KS 7S 2C", "3S 4S 5S")) == "7S"
    assert played(recall_at("black_lady")("KS 7S 2C", "3S 4S 5S")) == "KS"


def test_where_she_costs_nothing_the_queen_is_an_ordinary_spade(recall_at: RecallAt) -> None:
    plain = recall_at(PLAIN)
    assert played(plain("QS AH 3D", "4C 9C")) == "AH"
    assert played(plain("QS AS 3D", "4S 5S KS")) == "AS"
    assert told(plain("QS 3S 2C", "4S 5S 6S")) == ("QS", "last without points, win it high")


def test_dear_hearts_are_thrown_before_high_cards(recall_at: RecallAt) -> None:
    totals = (50, 10, 60, 70)
    assert played(recall_at("spot")("5H AD 3D", "4C 9C", totals=totals)) == "5H"
    assert played(recall_at("black_lady")("5H AD 3D", "4C 9C", totals=totals)) == "AD"


def test_a_dear_trick_is_not_taken_to_stop_a_moon(recall_at: RecallAt) -> None:
    moon = (0, 0, 60, 0)
    assert played(recall_at("spot")("2D KD 3C", "4D 9D 5H", points=moon)) == "KD"
    assert played(recall_at("spot")("2D KD 3C", "4D QS AH", points=moon)) == "2D"


def test_without_a_moon_nobody_takes_a_heart_on_purpose(recall_at: RecallAt) -> None:
    hand, trick, points = "2D KD 3C", "4D 9D 5H", (0, 0, 9, 0)
    assert played(recall_at("black_lady moon=none")(hand, trick, points=points)) == "2D"
    assert played(recall_at("black_lady")(hand, trick, points=points)) == "KD"


def test_a_hope_of_no_tricks_is_not_spent_on_a_free_trick(recall_at: RecallAt) -> None:
    nil = recall_at("black_lady no_tricks_bonus=10")
    assert played(nil("2D KD 3C", "4D JD 5D")) == "2D"
    assert played(nil("2D KD 3C", "4D JD 5D", tricks_taken=1)) == "KD"


def test_a_kitty_makes_a_free_trick_dear(recall_at: RecallAt) -> None:
    kitty = recall_at("black_lady removed=2C,3C kitty=first_trick")
    assert played(kitty("2D KD 4C", "4D JD 5D", kitty_out=True)) == "2D"
    assert played(kitty("2D KD 4C", "4D JD 5D")) == "KD"


@pytest.mark.parametrize("kitty", ["first_penalty", "last_trick"])
def test_a_kitty_that_does_not_come_yet_costs_nothing(recall_at: RecallAt, kitty: str) -> None:
    later = recall_at(f"black_lady removed=2C,3C kitty={kitty}")
    assert played(later("2D KD 4C", "4D JD 5D", kitty_out=True)) == "KD"


def test_carried_points_make_a_free_trick_dear(recall_at: RecallAt) -> None:
    two = recall_at(TWO_PACKS)
    assert played(two("2D KD 3C", "4D JD 5D")) == "KD"
    assert played(two("2D KD 3C", "4D JD 5D", carried="QS 2C 2C 3C")) == "2D"


def test_a_twin_of_the_winning_card_wins_nothing(recall_at: RecallAt) -> None:
    memory = recall_at(TWO_PACKS)("KD 3D", "4D KD")
    assert not memory.beats(memory.legal.highest())


def test_a_cancelled_pair_leaves_the_trick_to_lower_cards(recall_at: RecallAt) -> None:
    memory = recall_at(TWO_PACKS)("5D 3C", "KD KD")
    assert (memory.taker, memory.best) == (None, None)
    assert memory.beats(memory.legal.lowest())


@pytest.mark.parametrize("twins", ["cancel", "first_wins"])
def test_a_twin_of_the_winning_card_ducks_under_it(recall_at: RecallAt, twins: str) -> None:
    memory = recall_at(f"{TWO_PACKS} twins={twins}")("KD 9D 3C", "4D KD 5H")
    assert told(memory) == ("KD", "duck as high as you can")


def test_a_second_queen_is_still_out_when_the_first_has_fallen(recall_at: RecallAt) -> None:
    unseen = "2C 3C 5C JS QS 2H 3H 4H"
    assert played(recall_at(TWO_PACKS)("AS 2H 3D", "4C 9C", unseen=unseen)) == "AS"
    assert len(recall_at(TWO_PACKS)("2C", "4S QS").dear_out) == 1


def test_on_a_clean_first_trick_a_free_choice_of_lead_sheds_a_high_card(
    recall_at: RecallAt,
) -> None:
    hand = "3C 9C AC 2D 3D 4D 2S 3S 4S 2H 3H 4H 5H"
    eldest = recall_at("black_lady opening=eldest")
    lead = told(eldest(hand, hearts_broken=False))
    assert lead == ("AC", "lead high to a clean trick")
    dirty = recall_at("black_lady opening=eldest first_trick=any")
    assert played(dirty(hand, hearts_broken=False)) != "AC"
