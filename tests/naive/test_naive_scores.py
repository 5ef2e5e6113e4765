"""The naive game's scores and ends against examples worked out by hand from docs/rules.md."""

from __future__ import annotations

from typing import Any

from naive_options import PRESETS, Options
from naive_scores import Takings, cost, places, score_deal, whole_deck


def shot_by_seat_0(tricks: list[int]) -> Takings:
    return Takings([whole_deck(Options()), [], [], []], tricks)


def test_cards_cost_what_their_table_says() -> None:
    hearts = ["2H", "TH", "JH", "QH", "KH", "AH"]
    worth = {
        scale: [cost(Options(heart_value=scale), card) for card in hearts]
        for scale in ("one", "spot", "face5", "court10")
    }
    assert worth["one"] == [1, 1, 1, 1, 1, 1]
    assert worth["spot"] == [2, 10, 11, 12, 13, 14]
    assert worth["face5"] == [1, 1, 2, 3, 4, 5]
    assert worth["court10"] == [2, 10, 10, 10, 10, 15]
    maria = PRESETS["black_maria"]
    assert sum(cost(maria, card) for card in whole_deck(maria)) == 43


def test_moon_is_added_unless_that_loses_the_game() -> None:
    def auto(before: list[int], **values: Any) -> list[int]:
        options = Options(moon="auto", **values)
        return score_deal(options, shot_by_seat_0([12, 1, 0, 0]), before, 9, None).scores

    assert auto([10, 10, 10, 10]) == [0, 26, 26, 26]
    assert auto([30, 85, 40, 50]) == [0, 26, 26, 26]
    assert auto([80, 85, 10, 20]) == [-26, 0, 0, 0]
    assert auto([36, 85, 10, 50]) == [0, 26, 26, 26]
    assert auto([36, 85, 10, 50], tie="shared") == [-26, 0, 0, 0]
    spot: dict[str, Any] = {"heart_value": "spot", "queen_value": 25, "target": 200}
    assert auto([150, 10, 12, 80], **spot) == [-129, 0, 0, 0]
    assert auto([150, 30, 30, 80], **spot) == [0, 129, 129, 129]


def test_sun_needs_every_trick() -> None:
    def worth(sun: str | int, tricks: list[int]) -> list[int]:
        return score_deal(Options(sun=sun), shot_by_seat_0(tricks), [0] * 4, 1, None).scores

    assert worth("double", [13, 0, 0, 0]) == [0, 52, 52, 52]
    assert worth(39, [13, 0, 0, 0]) == [0, 39, 39, 39]
    assert worth("double", [12, 0, 1, 0]) == [0, 26, 26, 26]


def test_a_moon_may_need_the_bonus() -> None:
    options = Options(bonus=("JD", 10), moon_needs_bonus=True)
    cards = whole_deck(options)
    cards.remove("JD")
    takings = Takings([cards, ["JD"], [], []], [12, 1, 0, 0])
    scored = score_deal(options, takings, [0] * 4, 1, None)
    assert (scored.moon, scored.scores) == (None, [26, -10, 0, 0])
    without = score_deal(Options(bonus=("JD", 10)), takings, [0] * 4, 1, None)
    assert (without.moon, without.scores) == (0, [0, 16, 26, 26])


def test_each_twin_of_the_bonus_counts_and_no_tricks_counts_not_beside_a_moon() -> None:
    twins = Options(bonus=("JD", 10), decks=2)
    takings = Takings([["JD", "JD", "2H"], ["QS"], [], []], [1, 1, 0, 0])
    assert score_deal(twins, takings, [0] * 4, 1, None).scores == [-19, 13, 0, 0]
    moon = score_deal(Options(no_tricks_bonus=5), shot_by_seat_0([9, 4, 0, 0]), [0] * 4, 1, None)
    assert moon.scores == [0, 26, 26, 26]


def test_bonuses_stop_at_the_floor() -> None:
    takings = Takings([["JD", "2H"], ["QS"], ["3H"], []], [1, 1, 1, 0])
    plain = Options(bonus=("JD", 10), no_tricks_bonus=5)
    floor = Options(bonus=("JD", 10), no_tricks_bonus=5, bonus_floor=True)
    assert score_deal(plain, takings, [0] * 4, 1, None).scores == [-9, 13, 1, -5]
    assert score_deal(floor, takings, [0] * 4, 1, None).scores == [0, 13, 1, 0]
    moon = Options(bonus=("JD", 10), bonus_floor=True, moon="subtract", no_tricks_bonus=5)
    assert score_deal(moon, shot_by_seat_0([9, 4, 0, 0]), [0] * 4, 1, None).scores[0] == -26


def test_landing_on_the_target_wins_or_takes_50_off() -> None:
    wins = Options(exact="exact_wins", target=100)
    assert places(wins, [100, 20, 120, 20], 5) == [1, 2, 4, 2]
    assert places(wins, [100, 20, 100, 30], 5) == [1, 3, 1, 4]
    minus = Options(exact="exact_minus_50", target=100)
    takings = Takings([["QS"], ["2H"], [], []], [1, 1, 0, 0])
    scored = score_deal(minus, takings, [87, 98, 0, 1], 5, None)
    assert scored.scores == [-37, 1, 0, 0]
    assert (scored.totals, scored.places) == ([50, 99, 0, 1], None)
    past = score_deal(minus, takings, [88, 98, 0, 1], 5, None)
    assert (past.totals, past.places) == ([101, 99, 0, 1], [4, 3, 1, 2])
    assert places(wins, [105, 20, 30, 40], 5) == [4, 1, 2, 3]
    assert places(wins, [105, 20, 20, 40], 5) is None


def test_a_shared_lead_goes_on_or_is_shared() -> None:
    assert places(Options(), [104, 20, 20, 60], 5) is None
    assert places(Options(tie="shared"), [104, 20, 20, 60], 5) == [4, 1, 1, 3]
    assert places(Options(), [104, 20, 20, 60], 256) == [4, 1, 1, 3]
    assert places(Options(reach="gt"), [100, 20, 30, 60], 5) is None
    assert places(Options(deals=3), [9, 20, 30, 19], 3) == [1, 3, 4, 2]
    assert places(Options(deals=3), [9, 20, 30, 9], 3) is None
    assert places(Options(deals=3), [109, 20, 30, 9], 2) is None
    assert places(Options(deals=3), [9, 20, 30, 19], 4) == [1, 3, 4, 2]
