"""The naive game against examples worked out by hand from docs/rules.md."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from naive_hearts import Illegal, NaiveGame
from naive_options import CARDS, PRESETS, Options, parse_text
from naive_perft import TEXTS, counts_from, lines_of, recount
from naive_scores import Takings, cost, places, score_deal, whole_deck

VECTORS = Path(__file__).resolve().parents[1] / "vectors" / "perft.txt"


def table(*hands: str, kitty_cards: str = "", **values: Any) -> NaiveGame:
    """Deal these hands from a deck of just these cards; nobody passes unless asked for."""
    split = [hand.split() for hand in hands]
    deck = [hand[i] for i in range(len(split[0])) for hand in split] + kitty_cards.split()
    removed = CARDS * values.get("decks", 1)
    for card in deck:
        removed.remove(card)
    values = {"pass_cycle": ("hold",)} | values
    game = NaiveGame(Options(players=len(hands), removed=tuple(removed), **values))
    game.deal(deck)
    return game


def play(game: NaiveGame, cards: str) -> None:
    for card in cards.split():
        game.play(card)


def shot_by_seat_0(tricks: list[int]) -> Takings:
    return Takings([whole_deck(Options()), [], [], []], tricks)


def test_presets_can_be_played_and_texts_change_them() -> None:
    for name, options in PRESETS.items():
        assert parse_text(name) == options
    assert parse_text("omnibus moon=auto target=50") == Options(
        bonus=("JD", 10), moon="auto", target=50
    )
    assert parse_text("black_lady players=5 kitty=last_trick").pass_cycle[2] == "left2"
    assert parse_text("cancellation players=8").pass_cycle == ("hold",)
    assert parse_text("black_maria extra_penalty=none sun=none").extra_penalty == ()
    for wrong in ("black_lady players=5", "spot removed=QS", "pagat moon=none sun=39", "none"):
        with pytest.raises(ValueError, match=r"."):
            parse_text(wrong)


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


def test_first_trick_takes_points_only_from_a_hand_of_nothing_else() -> None:
    game = table("2C 3H 4H", "QS 5H 6H", "QD 7H 8H")
    assert game.legal() == ["2C"]
    play(game, "2C")
    assert game.legal() == ["QS", "5H", "6H"]
    play(game, "QS")
    assert not game.hearts_broken
    assert game.legal() == ["QD"]
    play(game, "QD")
    assert game.tricks == [(0, ["2C", "QS", "QD"], 0, 13)]
    forced = table("2C 3H 4H", "QS 5H 6H", "QD 7H 8H", first_forced="queen")
    play(forced, "2C")
    assert forced.legal() == ["QS"]


def test_a_leader_of_hearts_and_queen_leads_the_queen_unless_free() -> None:
    hands = ("AC QS 3H", "2C 4H 4D", "3C 5H 5D")
    strict, free = table(*hands), table(*hands, queen_only_lead="free")
    for game in (strict, free):
        play(game, "2C 3C AC")
        assert game.turn == 0
    assert strict.legal() == ["QS"]
    assert free.legal() == ["QS", "3H"]


def test_queen_goes_at_the_first_chance() -> None:
    hands = ("2C KS 4D", "3C 2S QS", "4C 3S 5D")
    game = table(*hands, queen_dump="first_chance", opening="eldest")
    play(game, "2C 3C 4C")
    play(game, "3S KS")
    assert game.legal() == ["QS"]
    relaxed = table(*hands, opening="eldest")
    play(relaxed, "2C 3C 4C 3S KS")
    assert relaxed.legal() == ["2S", "QS"]
    void = table("2C 3D", "QS 4D", "5C 5D", queen_dump="first_chance", first_trick="any")
    play(void, "2C")
    assert void.legal() == ["QS"]


def test_twins_cancel_and_the_next_card_takes_the_trick() -> None:
    hands = ("KC 2D", "3C 3D", "KC 5H", "2C 4D")
    game = table(*hands, decks=2, opening="eldest")
    play(game, "KC 3C KC 2C")
    assert game.tricks[0] == (0, ["KC", "3C", "KC", "2C"], 1, 0)
    first = table(*hands, decks=2, opening="eldest", twins="first_wins")
    play(first, "KC 3C KC 2C")
    assert first.tricks[0][2] == 0


def test_a_cancelled_trick_is_carried_to_the_next_taker() -> None:
    game = table("5C 7C", "5C 8C", "9H 2D", decks=2, opening="eldest", first_trick="any")
    play(game, "5C 5C 9H")
    assert game.tricks[0] == (0, ["5C", "5C", "9H"], None, 0)
    assert game.turn == 0
    play(game, "7C 8C 2D")
    assert game.tricks[1] == (0, ["7C", "8C", "2D"], 1, 1)
    assert game.takings().tricks == [0, 1, 0]


def test_a_cancelled_last_trick_goes_to_its_leader_or_the_second_of_the_top_pair() -> None:
    hands = ("2C 5D", "3C 9D", "4C 9D", "AH 5D")
    for way, taker in (("leader", 2), ("second_of_top_pair", 1)):
        game = table(*hands, decks=2, opening="eldest", first_trick="any", last_cancelled=way)
        play(game, "2C 3C 4C AH 9D 5D 5D 9D")
        assert game.tricks[1] == (2, ["9D", "5D", "5D", "9D"], taker, 0)
        assert game.phase == "scoring"


def test_the_kitty_goes_where_its_form_says() -> None:
    def seats(form: str) -> list[int | None]:
        game = table(
            *("5C 7C 3H 6D", "5C 8C 2H 7S", "9D 2D 4D JD"),
            kitty_cards="QS",
            kitty=form,
            decks=2,
            opening="eldest",
            must_break=False,
        )
        found: list[int | None] = []
        for trick in ("5C 5C 9D", "7C 8C 2D", "2H 4D 3H", "6D 7S JD"):
            play(game, trick)
            found.append(game.kitty_seat)
        assert game.kitty_seat is not None
        assert "QS" in game.takings().cards[game.kitty_seat]
        return found

    assert seats("first_trick") == [None, 1, 1, 1]
    assert seats("first_penalty") == [None, None, 0, 0]
    assert seats("last_trick") == [None, None, None, 2]


def test_moon_is_added_unless_that_loses_the_game() -> None:
    def auto(before: list[int], **values: Any) -> list[int]:
        options = Options(moon="auto", **values)
        return score_deal(options, shot_by_seat_0([12, 1, 0, 0]), before, 9, None).scores

    assert auto([10, 10, 10, 10]) == [0, 26, 26, 26]
    assert auto([30, 85, 40, 50]) == [0, 26, 26, 26]
    assert auto([80, 85, 10, 20]) == [-26, 0, 0, 0]
    assert auto([36, 85, 10, 50]) == [0, 26, 26, 26]
    assert auto([36, 85, 10, 50], tie="shared") == [-26, 0, 0, 0]


def test_sun_needs_every_trick() -> None:
    def worth(sun: str | int, tricks: list[int]) -> list[int]:
        return score_deal(Options(sun=sun), shot_by_seat_0(tricks), [0] * 4, 1, None).scores

    assert worth("double", [13, 0, 0, 0]) == [0, 52, 52, 52]
    assert worth(39, [13, 0, 0, 0]) == [0, 39, 39, 39]
    assert worth("double", [12, 0, 1, 0]) == [0, 26, 26, 26]


def test_the_shooter_is_asked_where_it_may_choose() -> None:
    game = table("AC AH", "2C 2H", "3C 3H", moon="choose")
    play(game, "2C 3C AC AH 2H 3H")
    assert (game.phase, game.moon_seat, game.automatic_choice()) == ("moon", 0, "add")
    game.choose_moon("subtract")
    scored = game.score()
    assert (scored.points, scored.scores, scored.moon) == ([3, 0, 0], [-3, 0, 0], 0)
    assert (game.phase, game.totals) == ("dealing", [-3, 0, 0])


def test_a_moon_may_need_the_bonus() -> None:
    options = Options(bonus=("JD", 10), moon_needs_bonus=True)
    cards = whole_deck(options)
    cards.remove("JD")
    takings = Takings([cards, ["JD"], [], []], [12, 1, 0, 0])
    scored = score_deal(options, takings, [0] * 4, 1, None)
    assert (scored.moon, scored.scores) == (None, [26, -10, 0, 0])


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


def test_a_shared_lead_goes_on_or_is_shared() -> None:
    assert places(Options(), [104, 20, 20, 60], 5) is None
    assert places(Options(tie="shared"), [104, 20, 20, 60], 5) == [4, 1, 1, 3]
    assert places(Options(), [104, 20, 20, 60], 256) == [4, 1, 1, 3]
    assert places(Options(reach="gt"), [100, 20, 30, 60], 5) is None
    assert places(Options(deals=3), [9, 20, 30, 19], 3) == [1, 3, 4, 2]
    assert places(Options(deals=3), [9, 20, 30, 9], 3) is None
    assert places(Options(deals=3), [109, 20, 30, 9], 2) is None


def test_scatter_sends_the_first_card_to_the_next_seat() -> None:
    game = table("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", pass_cycle=("scatter",), pass_count=2)
    game.choose_pass(0, ["4C", "3C"])
    with pytest.raises(Illegal):
        game.choose_pass(0, ["4C", "3C"])
    with pytest.raises(Illegal):
        game.choose_pass(1, ["2D", "2D"])
    game.choose_pass(1, ["2D", "3D"])
    assert game.to_pass() == [2]
    game.choose_pass(2, ["4H", "2H"])
    assert game.hands == [["2C", "3D", "4H"], ["4C", "4D", "2H"], ["3C", "2D", "3H"]]


def test_the_centre_goes_back_in_blocks() -> None:
    game = table("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", pass_cycle=("shuffle",), pass_count=2)
    for seat, cards in enumerate((["4C", "3C"], ["2D", "3D"], ["4H", "2H"])):
        game.choose_pass(seat, cards)
    assert game.phase == "centre"
    assert game.centre() == ["3C", "4C", "2D", "3D", "2H", "4H"]
    game.share_centre(["4H", "2D", "3C", "4C", "3D", "2H"])
    assert game.hands == [["2C", "2D", "4H"], ["3C", "4C", "4D"], ["3D", "2H", "3H"]]


def test_top_spades_are_kept_while_another_card_can_go() -> None:
    hands = ("AS KS QS 2D", "2C 3C 4C 5C", "2H 3H 4H 5H")
    game = table(*hands, pass_cycle=("left",), keep_top_spades=True)
    with pytest.raises(Illegal):
        game.choose_pass(0, ["AS", "KS", "QS"])
    game.choose_pass(0, ["AS", "KS", "2D"])
    assert game.to_pass() == [1, 2]


def test_a_deal_ends_early_only_when_nothing_can_change() -> None:
    hands = ("2C QS 4D 7D", "AC AS 5D 8D", "3C 2S 6D JD")

    def after_the_queen(**values: Any) -> str:
        game = table(*hands, finish="early", **values)
        play(game, "2C AC 3C AS 2S QS")
        return game.phase

    assert after_the_queen() == "scoring"
    assert after_the_queen(bonus=("JD", 10)) == "playing"
    assert after_the_queen(no_tricks_bonus=5) == "playing"
    assert after_the_queen(sun="double") == "playing"


def test_a_claim_needs_a_proof_and_takes_what_is_out() -> None:
    hands = ("AC AS KS 2S", "2C QS 3S 2D", "3C 4S 3D 4D")
    game = table(*hands, kitty_cards="5H", kitty="last_trick")
    with pytest.raises(Illegal):
        game.claim()
    play(game, "2C 3C AC")
    with pytest.raises(Illegal):
        game.claim()
    play(game, "AS 3S 4S")
    game.claim()
    assert (game.phase, game.kitty_seat, game.moon_seat) == ("scoring", 0, 0)
    assert game.takings().tricks == [4, 0, 0]


def test_an_unseen_twin_is_not_lower() -> None:
    game = table("AC AS 4D", "2C 2S 3D", "3C 5S AS", decks=2)
    play(game, "2C 3C AC")
    with pytest.raises(Illegal):
        game.claim()


def test_lines_of_the_counts_come_out_again() -> None:
    lines = [line for line in VECTORS.read_text().splitlines() if not line.startswith("#")]
    for line in lines[::40]:
        known, counted = recount(line)
        assert known == counted
    for text in TEXTS[::9]:
        assert all(line in lines for line in lines_of(text, 1))


def test_counts_of_a_tiny_deal_are_those_counted_by_hand() -> None:
    # 2C is forced; seat 1 follows with either club; seat 2 may not throw its heart. If seat 1
    # took the trick it leads its other club, else seat 0 leads its diamond; the rest is forced.
    game = table("2C 5D", "3C 4C", "2D 7H")
    assert counts_from(game) == [1, 2, 2, 2, 2, 2, 0]
