"""What medium gives away."""

import pytest

from hearts_bots.discarding import DISCARDING
from hearts_bots.following import FOLLOWING
from hearts_bots.habit import Habit
from hearts_bots.leading import LEADING
from hearts_bots.medium import Medium
from hearts_bots.passing import PASSING, PassingHabit, advise_pass
from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import Deal
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import seated
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe

TOP = {"AS", "KS", "QS"}


def passed(hand: str, rules: Rules | None = None) -> str:
    advice = advise_pass(CardSet.parse(hand), rules or Rules())
    return str(CardSet.of(each.card for each in advice))


def test_low_spades_are_kept_whatever_else_goes() -> None:
    assert "S" not in passed("2S 3S 5S JS 7C 8C 2D 3D 4D 2H 3H 4H 5H")


def test_low_spades_go_only_when_nothing_else_is_left() -> None:
    four = parse_rules("black_lady pass_count=4")
    assert passed("2S 3S 4S 5S 6S 7S 8S 9S TS JS 2C 3C 4C", four) == "2C 3C 4C JS"


def test_ace_and_king_of_spades_go_without_a_run_of_small_ones() -> None:
    assert {"AS", "KS"} <= set(passed("AS KS 4S 2C 3C 4C 2D 3D 4D 2H 3H 4H 5H").split())


def test_ace_and_king_of_spades_stay_with_a_run_of_small_ones() -> None:
    assert "S" not in passed("AS KS 2S 3S 4S 5S 2C 9C TC 2D 9D JD 5H")


def test_a_bare_queen_goes_and_a_guarded_one_stays() -> None:
    assert "QS" in passed("QS 4S 2C 3C 4C 5C 2D 3D 4D 2H 3H 4H 5H").split()
    assert "QS" not in passed("QS 2S 3S 4S 5S 3C 4C 5C 2D 3D 4D 2H KH").split()


def test_a_short_side_suit_is_passed_whole() -> None:
    assert {"9D", "4D"} <= set(passed("4D 9D 2C 3C 4C 5C 6C 2S 3S 4S 5S 2H 3H").split())


def test_a_void_is_never_made_in_spades() -> None:
    assert "JS" not in passed("JS 2C 3C 4C 8C 2D 3D 4D 9D 2H 3H 4H 6H").split()


def test_every_passed_card_says_which_habit_chose_it() -> None:
    advice = advise_pass(CardSet.parse("AS 4S AH 2C 3C 4C 5C 2D 3D 4D 5D 3H 4H"), Rules())
    assert [(str(a.card), a.name) for a in advice[:2]] == [
        ("AS", "pass A♠ and K♠ without guards"),
        ("AH", "pass what beats most"),
    ]
    assert all(a.why for a in advice)


def test_as_many_cards_go_as_the_rules_ask_for() -> None:
    hand = "AS KS 4S QH AH 4C 5C 2D 3D 4D 5D 3H 4H"
    for count in range(1, 5):
        rules = parse_rules(f"black_lady pass_count={count}")
        assert len(passed(hand, rules).split()) == count


@pytest.mark.parametrize("habits", [PASSING, LEADING, FOLLOWING, DISCARDING])
def test_each_habit_can_name_itself_and_say_why(
    habits: tuple[Habit | PassingHabit, ...],
) -> None:
    assert all(habit.why for habit in habits)
    assert len({habit.name for habit in habits}) == len(habits)


def test_a_hand_without_side_suits_can_still_pass() -> None:
    assert len(passed("2S 3S 4S 5S 6S QS KS 2H 3H 4H 5H 6H 7H").split()) == 3
    assert len(passed("2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS").split()) == 3


def test_the_bonus_card_and_what_could_catch_it_stay() -> None:
    hand = "JD KD AD 2C 3C 4C 5C 2S 3S 4S 2H 3H 4H"
    assert "D" not in passed(hand, parse_rules("omnibus"))
    assert {"KD", "AD"} <= set(passed(hand).split())


def test_dear_spades_go_without_guards_the_dearest_first() -> None:
    black = parse_rules("black_lady extra_penalty=KS:10,AS:7")
    advice = advise_pass(CardSet.parse("QS KS AS 2S 2C 3C 4C 5C 2D 3D 4D 2H 3H"), black)
    assert [str(each.card) for each in advice] == ["QS", "KS", "AS"]


def test_where_the_queen_costs_nothing_spades_are_a_side_suit() -> None:
    plain = parse_rules("black_lady queen_value=0")
    assert "QS" in passed("QS 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H 4H 5H", plain).split()
    assert "JS" in passed("JS 2C 3C 4C 8C 2D 3D 4D 8D 2H 3H 4H 6H", plain).split()


def test_top_spades_stay_where_they_must_while_another_card_can_go() -> None:
    keeps = parse_rules("black_lady keep_top_spades=true")
    assert not TOP & set(passed("AS KS QS 2S 3C 4C 5C 2D 3D 4D 2H 3H 4H", keeps).split())
    two_packs = parse_rules("black_lady keep_top_spades=true decks=2 players=10 kitty=last_trick")
    short = set(passed("AS AS KS KS QS QS 2C 3C", two_packs).split())
    assert {"2C", "3C"} < short
    assert "QS" in short


def scattering(totals: tuple[int, ...]) -> SeatView:
    """Seat 1 is to scatter A♠, a bare Q♠ and low cards; the seats stand at these totals."""
    game = seated(parse_rules("black_lady pass_cycle=scatter"))
    game.do(Deal(game.state.game.rules.deck))
    hand = CardSet.parse("QS AS 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H AH")
    return replace(observe(game.state, Seat(1)), hand=hand, totals=totals)


def test_scattered_the_most_harmful_card_goes_to_the_seat_that_leads_the_game() -> None:
    def given(*totals: int) -> str:
        return " ".join(map(str, Medium().choose_pass(scattering(totals))))

    assert given(0, 0, 10, 20) == "AS AH QS"
    assert given(20, 0, 0, 10) == "QS AS AH"
