"""The naive game against examples worked out by hand from docs/rules.md."""

from __future__ import annotations

from typing import Any

import pytest
from naive_hearts import Illegal, NaiveGame
from naive_options import CARDS, PRESETS, Options, parse_text
from naive_perft import TEXTS, VECTORS, counts_from, lines_of, recount
from naive_scores import whole_deck


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


def test_presets_can_be_played_and_texts_change_them() -> None:
    for name, options in PRESETS.items():
        assert parse_text(name) == options
    assert parse_text("omnibus moon=auto target=50") == Options(
        bonus=("JD", 10), moon="auto", target=50
    )
    assert parse_text("black_lady players=5 kitty=last_trick").pass_cycle[2] == "left2"
    assert parse_text("cancellation players=8").pass_cycle == ("hold",)
    assert parse_text("plain_hearts players=5 kitty=last_trick").pass_cycle == ("hold",)
    assert parse_text("three players=4 removed=none").pass_cycle[2] == "across"
    assert parse_text("six pass_cycle=left2 players=8 kitty=last_trick").pass_cycle == ("left2",)
    assert parse_text("black_maria extra_penalty=none sun=none").extra_penalty == ()
    for wrong in ("black_lady players=5", "spot removed=QS", "pagat moon=none sun=39", "none"):
        with pytest.raises(ValueError, match=r"."):
            parse_text(wrong)


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


def test_points_are_not_led_to_the_first_trick_while_another_card_is_held() -> None:
    game = table("5H QS 4D", "2C 3C 4C", "2S 3S 4S", opening="eldest", must_break=False)
    assert game.legal() == ["4D"]
    bare = table("5H QS", "2C 3C", "2S 3S", opening="eldest", must_break=False)
    assert bare.legal() == ["QS", "5H"]
    closed = table("5H QS", "2C 3C", "2S 3S", opening="eldest")
    assert closed.legal() == ["QS"]


def test_queen_follows_a_spade_of_the_first_trick_only_as_the_last_spade() -> None:
    game = table("2S 3D", "QS 3S", "4S 4D", opening="eldest")
    play(game, "2S")
    assert game.legal() == ["3S"]
    hands = ("2S 3D 4D", "QS KS 5D", "4S 6D 7D")
    for forced, legal in (("queen", ["QS"]), ("any", ["QS", "KS"])):
        costly = table(*hands, opening="eldest", extra_penalty=(("KS", 10),), first_forced=forced)
        play(costly, "2S")
        assert costly.legal() == legal


def test_a_queen_that_costs_nothing_is_never_the_forced_penalty() -> None:
    game = table("2C 5H", "4D QS", "3C 6H", queen_value=0, first_forced="queen")
    play(game, "2C")
    assert game.legal() == ["4D", "QS"]


def test_a_heart_on_the_first_trick_breaks_hearts() -> None:
    game = table("2C 3H", "5H 6H", "3C 7H", first_trick="any")
    play(game, "2C 5H")
    assert game.hearts_broken


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


def test_a_discard_never_takes_a_trick() -> None:
    hands = ("5C 2D", "AD 3D", "5C 4D")
    for twins, taker in (("first_wins", 0), ("cancel", None)):
        game = table(*hands, decks=2, opening="eldest", twins=twins)
        play(game, "5C AD 5C")
        assert game.tricks[0][2] == taker
    last = table(
        *("4C 9D", "3C AH", "2C 9D"), decks=2, opening="eldest", last_cancelled="second_of_top_pair"
    )
    play(last, "4C 3C 2C 9D AH 9D")
    assert [trick[2:] for trick in last.tricks] == [(0, 0), (2, 1)]


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


def test_a_carried_penalty_brings_the_kitty_and_a_deal_without_one_gives_it_last() -> None:
    kitty: dict[str, Any] = {"kitty": "first_penalty", "opening": "eldest", "first_trick": "any"}
    carried = table(*("5C 7C 2S", "5C 8C 3S", "9H 2D 4S"), kitty_cards="JD", decks=2, **kitty)
    play(carried, "5C 5C 9H")
    assert carried.kitty_seat is None
    play(carried, "7C 8C 2D")
    assert carried.kitty_seat == 1
    none = table("2C 2S", "3C 3S", "4C 4S", kitty_cards="QS", **kitty)
    play(none, "2C 3C 4C")
    assert none.takings().cards[2] == ["2C", "3C", "4C"]
    play(none, "4S 2S 3S")
    assert none.tricks[-1] == (2, ["4S", "2S", "3S"], 2, 0)
    assert none.score().points == [0, 0, 13]


def test_the_shooter_is_asked_where_it_may_choose() -> None:
    game = table("AC AH", "2C 2H", "3C 3H", moon="choose")
    play(game, "2C 3C AC AH 2H 3H")
    assert (game.phase, game.moon_seat, game.automatic_choice()) == ("moon", 0, "add")
    game.choose_moon("subtract")
    scored = game.score()
    assert (scored.points, scored.scores, scored.moon) == ([3, 0, 0], [-3, 0, 0], 0)
    assert (game.phase, game.totals) == ("dealing", [-3, 0, 0])


def test_the_cycle_and_eldest_go_round_with_the_deals() -> None:
    deck = whole_deck(Options())
    for deals_before, direction, eldest in ((0, "left", 0), (2, "across", 2), (4, "left", 0)):
        game = NaiveGame(Options(), totals=[9, 8, 7, 6])
        game.deal_number = deals_before
        game.deal(deck)
        assert (game.direction(), game.eldest, game.phase) == (direction, eldest, "passing")
        assert game.totals == [9, 8, 7, 6]
    hold = NaiveGame(Options())
    hold.deal_number = 3
    hold.deal(deck)
    assert (hold.direction(), hold.phase, hold.turn) == ("hold", "playing", 0)
    free = NaiveGame(parse_text("plain_hearts"))
    free.deal_number = 6
    free.deal(deck)
    assert (free.phase, free.turn, free.eldest) == ("playing", 2, 2)


def test_across_goes_to_the_seat_opposite() -> None:
    game = table("2C 3C", "2D 3D", "2S 3S", "2H 3H", pass_cycle=("across",), pass_count=1)
    for seat in range(4):
        game.choose_pass(seat, game.hands[seat][:1])
    assert game.hands == [["3C", "2S"], ["3D", "2H"], ["2C", "3S"], ["2D", "3H"]]
    assert game.turn == 2


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
    other = table(
        "AS 2D 3D 4D", "2C 3C 4C 5C", "2H 3H 4H 5H", pass_cycle=("left",), keep_top_spades=True
    )
    with pytest.raises(Illegal):
        other.choose_pass(0, ["AS", "2D", "3D"])
    other.choose_pass(0, ["2D", "3D", "4D"])


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


def test_a_deal_goes_on_while_a_penalty_lies_carried_or_in_the_kitty() -> None:
    hands = ("5C 7C 2S", "5C 8C 3S", "9H 2D 4S")
    carried = table(*hands, decks=2, opening="eldest", first_trick="any", finish="early")
    play(carried, "5C 5C 9H")
    assert carried.phase == "playing"
    play(carried, "7C 8C 2D")
    assert (carried.phase, carried.hands) == ("scoring", [["2S"], ["3S"], ["4S"]])
    kitty = table(
        *("2C 2S", "3C 3S", "4C 4S"), kitty_cards="QS", kitty="last_trick", finish="early"
    )
    play(kitty, "2C 3C 4C")
    assert kitty.phase == "playing"


def test_claims_wait_for_the_first_trick_and_the_end_of_a_trick() -> None:
    first = table("AC KC", "2C QC", "3C 4C", opening="eldest")
    with pytest.raises(Illegal):
        first.claim()
    game = table("KC QC", "2C AC", "3C 4C", opening="eldest")
    play(game, "KC 2C 3C QC")
    assert game.turn == 1
    with pytest.raises(Illegal):
        game.claim()


def test_a_claim_takes_what_was_carried() -> None:
    hands = ("5C AC KC", "5C 2D 3D", "9H 4D 6D")
    game = table(*hands, decks=2, opening="eldest", first_trick="any")
    play(game, "5C 5C 9H")
    game.claim()
    assert game.score().points == [1, 0, 0]
    assert game.takings().tricks == [2, 0, 0]


def test_a_claim_is_proved_with_the_kitty_only_by_who_saw_it() -> None:
    hands = ("AC KS", "2C 3S", "3C 4S")
    seen = table(*hands, kitty_cards="AS", kitty="first_trick")
    unseen = table(*hands, kitty_cards="AS", kitty="last_trick")
    for game in (seen, unseen):
        play(game, "2C 3C AC")
    seen.claim()
    assert seen.phase == "scoring"
    with pytest.raises(Illegal):
        unseen.claim()


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
