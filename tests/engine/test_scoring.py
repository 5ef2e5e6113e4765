"""Points, the moon, and when a game is over and who has won it."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, WHOLE_PACK, CardSet
from hearts_engine.commands import ChooseMoon, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import DealScored, GameEnded, MoonChosen, MoonOffered
from hearts_engine.options import Exact, Moon, MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.scoring import Tally, automatic_choice, end_of_game, moon_shooter, score_deal
from hearts_engine.soundness import MOST_DEALS
from hearts_engine.state import Phase
from hearts_engine.takings import Taking
from hearts_engine.testing import SECRET, Recording, play_script, seated, unscored
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import observe

VECTORS = Path(__file__).parents[1] / "vectors"

STANDARD = Rules()
ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
NOTHING = (0, 0, 0, 0)


def tally(
    *taken: str,
    options: str = "",
    totals: tuple[int, ...] = NOTHING,
    tricks: tuple[int, ...] = (4, 3, 3, 3),
) -> Tally:
    """What the seats took of a deal of the standard game with these options."""
    takings = tuple(map(Taking, map(CardSet.parse, taken), tricks))
    return Tally(1, takings, totals, parse_rules(f"black_lady {options}"))


def scored(
    *taken: str, options: str = "", totals: tuple[int, ...] = NOTHING, tricks: str = "4 3 3 3"
) -> DealScored:
    counted = tuple(map(int, tricks.split()))
    return score_deal(tally(*taken, options=options, totals=totals, tricks=counted))


def ended(*totals: int, deal: int = 7, options: str = "") -> GameEnded | None:
    rules = parse_rules(f"black_lady {options}")
    nothing = (0,) * len(totals)
    return end_of_game(DealScored(deal, nothing, None, nothing, totals), rules)


def test_each_heart_costs_one_and_the_queen_thirteen() -> None:
    assert STANDARD.penalty_total == 26
    assert [STANDARD.points[card] for card in PACK if card.suit is Suit.HEARTS] == [1] * 13
    assert STANDARD.points[Card.parse("QS")] == 13
    assert STANDARD.value_of(WHOLE_PACK) == 26
    assert STANDARD.value_of(CardSet.parse("AS JD 2C")) == 0


def test_hb_033_a_deal_without_a_moon_is_scored_as_taken() -> None:
    result = scored("2H 3H 4H QS", "5H 6H 7H 8H 9H TH JH QH KH", "AH", "")
    assert result.moon is None
    assert result.points == result.scores == (16, 9, 1, 0)


@pytest.mark.parametrize("shooter", range(4))
def test_every_penalty_to_one_seat_costs_each_other_seat_all_of_them(shooter: int) -> None:
    taken = [""] * 4
    taken[shooter] = ALL_HEARTS + " QS"
    result = scored(*taken, totals=(10, 20, 30, 40))
    assert result.moon == shooter
    assert result.points == tuple(26 * (seat == shooter) for seat in range(4))
    assert result.scores == tuple(26 * (seat != shooter) for seat in range(4))
    assert result.totals == tuple(
        10 * (seat + 1) + score for seat, score in enumerate(result.scores)
    )


def test_twenty_five_points_are_just_twenty_five() -> None:
    result = scored(ALL_HEARTS.removesuffix(" AH") + " QS", "AH", "", "")
    assert result.moon is None
    assert result.scores == (25, 1, 0, 0)


def test_all_hearts_without_the_queen_are_no_moon() -> None:
    result = scored(ALL_HEARTS, "QS", "", "")
    assert result.moon is None
    assert result.scores == (13, 13, 0, 0)


def test_a_moon_is_decided_by_what_a_seat_owns_after_every_trick_of_the_deal() -> None:
    game = seated(Rules(pass_cycle=(Direction.HOLD,)))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    columns = zip(*hands, strict=True)
    play_script(game, hands, [], [card for column in columns for card in column])
    *_, result = game.do(ShowDeal(SECRET))
    assert result == DealScored(1, (26, 0, 0, 0), Seat(0), (0, 26, 26, 26), (0, 26, 26, 26))


MOON = ALL_HEARTS + " QS"


def test_a_moon_may_be_taken_off_the_shooter() -> None:
    assert scored(MOON, "", "", "", options="moon=subtract").scores == (-26, 0, 0, 0)


def test_hb_037_totals_go_below_zero() -> None:
    result = scored(MOON, "", "", "", options="moon=subtract", totals=(20, 30, 40, 50))
    assert result.totals == (-6, 30, 40, 50)


def test_without_a_moon_in_the_rules_all_points_are_just_points() -> None:
    result = scored(MOON, "", "", "", options="moon=none")
    assert (result.moon, result.scores) == (None, (26, 0, 0, 0))


def test_hb_036_by_itself_a_moon_is_added_unless_that_ends_a_game_the_shooter_does_not_win() -> (
    None
):
    def auto(*totals: int) -> tuple[int, ...]:
        return scored(MOON, "", "", "", options="moon=auto", totals=totals).scores

    assert auto(80, 95, 20, 50) == (-26, 0, 0, 0)
    assert auto(10, 95, 60, 50) == (0, 26, 26, 26)
    assert auto(80, 60, 20, 50) == (0, 26, 26, 26), "the game goes on"
    assert auto(46, 95, 20, 50) == (0, 26, 26, 26), "a tie for the first place plays on"
    assert auto(45, 95, 20, 50) == (0, 26, 26, 26), "first alone"
    assert auto(47, 95, 20, 50) == (-26, 0, 0, 0)


def test_a_shared_first_place_is_not_alone_in_it() -> None:
    result = scored(MOON, "", "", "", options="moon=auto tie=shared", totals=(46, 95, 20, 50))
    assert result.scores == (-26, 0, 0, 0)


def test_hb_034_the_bonus_card_is_no_part_of_the_moon() -> None:
    jack = "bonus=JD:10"
    assert scored("", MOON, "JD", "", options=jack).scores == (26, 0, 16, 26)
    assert scored(MOON + " JD", "", "", "", options=jack).scores == (-10, 26, 26, 26)


def test_a_moon_may_need_the_bonus_card() -> None:
    needed = "bonus=JD:10 moon_needs_bonus=true"
    without = scored("", MOON, "JD", "", options=needed)
    assert (without.moon, without.scores) == (None, (0, 26, -10, 0))
    assert scored(MOON + " JD", "", "", "", options=needed).scores == (-10, 26, 26, 26)


def test_with_two_packs_the_moon_needs_both_of_every_card() -> None:
    rules = parse_rules("cancellation bonus=JD:10 moon_needs_bonus=true")
    both = CardSet.of(card for card in rules.deck if card in rules.counting)
    nobody = (Taking(NO_CARDS, 3),) * 5
    assert moon_shooter((Taking(both, 2), *nobody), rules) == 0
    for card in ("QS", "AH", "JD"):
        short = both.remove(Card.parse(card))
        rest = Taking(CardSet.parse(card), 3)
        assert moon_shooter((Taking(short, 2), rest, *nobody[1:]), rules) is None
    shot = Tally(1, (Taking(both, 2), *nobody), (0,) * 6, rules)
    assert score_deal(shot).scores == (-20, 52, 52, 52, 52, 52)


@pytest.mark.parametrize(
    ("sun", "worth"), [("none", 26), ("double", 52), ("39", 39)], ids=["none", "double", "39"]
)
def test_a_moon_with_every_trick_is_worth_what_the_sun_says(sun: str, worth: int) -> None:
    def shot(tricks: str, moon: str) -> tuple[int, ...]:
        return scored(MOON, "", "", "", options=f"sun={sun} moon={moon}", tricks=tricks).scores

    assert shot("13 0 0 0", "add") == (0, worth, worth, worth)
    assert shot("13 0 0 0", "subtract") == (-worth, 0, 0, 0)
    assert shot("12 1 0 0", "add") == (0, 26, 26, 26)
    assert shot("12 1 0 0", "subtract") == (-26, 0, 0, 0)


def test_seats_without_a_trick_are_rewarded_but_not_beside_a_moon() -> None:
    bonus = "no_tricks_bonus=5"
    plain = scored(ALL_HEARTS, "QS", "", "", options=bonus, tricks="7 6 0 0")
    assert plain.scores == (13, 13, -5, -5)
    moon = scored(MOON, "", "", "", options=bonus, tricks="7 6 0 0")
    assert moon.scores == (0, 26, 26, 26)
    never = scored(MOON, "", "", "", options=bonus + " moon=none", tricks="7 6 0 0")
    assert never.scores == (26, 0, -5, -5)


def test_a_floor_keeps_bonuses_from_going_below_zero() -> None:
    floor = "bonus=JD:10 no_tricks_bonus=5 bonus_floor=true"
    taken = ("2H 3H 4H JD", "QS", "5H 6H 7H 8H 9H TH JH QH KH AH", "")
    assert scored(*taken, options=floor, tricks="5 4 4 0").scores == (0, 13, 10, 0)
    moon = (MOON, "JD", "", "")
    assert scored(*moon, options=floor, totals=NOTHING).scores == (0, 16, 26, 26)
    below = scored(MOON + " JD", "", "", "", options=floor + " moon=subtract")
    assert below.scores == (-26, 0, 0, 0), "nor further below"


def test_landing_exactly_on_the_target_may_take_fifty_off() -> None:
    fifty = "exact=exact_minus_50"
    result = scored(ALL_HEARTS, "QS", "", "", options=fifty, totals=(87, 88, 100, 50))
    assert result.scores == (-37, 13, -50, 0)
    assert result.totals == (50, 101, 50, 50)


def choosing() -> Recording:
    """Seat 0 has taken every trick, so every heart and the queen, and is to choose."""
    game = seated(Rules(pass_cycle=(Direction.HOLD,), moon=Moon.CHOOSE, target=26))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    columns = zip(*hands, strict=True)
    play_script(game, hands, [], [card for column in columns for card in column])
    return game


@pytest.mark.parametrize(
    ("choice", "scores"),
    [(MoonChoice.ADD, (0, 26, 26, 26)), (MoonChoice.SUBTRACT, (-26, 0, 0, 0))],
)
def test_the_shooter_chooses_how_the_moon_is_scored(
    choice: MoonChoice, scores: tuple[int, ...]
) -> None:
    game = choosing()
    assert game.events[-1] == MoonOffered(Seat(0))
    assert game.state.awaited == (0,)
    game.do(ChooseMoon(Seat(0), choice))
    result = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert result.scores == scores


def test_hb_037_the_choice_is_made_once() -> None:
    game = choosing()
    assert game.do(ChooseMoon(Seat(0), MoonChoice.SUBTRACT)) == (
        MoonChosen(Seat(0), MoonChoice.SUBTRACT),
    )
    for choice in MoonChoice:
        before = game.state
        with pytest.raises(Rejected) as caught:
            game.do(ChooseMoon(Seat(0), choice))
        assert caught.value.reason is Reason.WRONG_PHASE
        assert game.state == before
    result = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert result.totals == (-26, 0, 0, 0)


def test_nobody_else_chooses_and_nothing_is_shown_before() -> None:
    game = choosing()
    for seat in (1, 2, 3, 7):
        with pytest.raises(Rejected) as caught:
            game.do(ChooseMoon(Seat(seat), MoonChoice.ADD))
        assert caught.value.reason is Reason.NOT_YOUR_TURN
    with pytest.raises(Rejected) as caught:
        game.do(ShowDeal(SECRET))
    assert caught.value.reason is Reason.WRONG_PHASE


def test_a_choice_not_made_in_time_is_the_automatic_one() -> None:
    ends = tally(MOON, "", "", "", options="moon=choose", totals=(80, 95, 20, 50))
    assert automatic_choice(ends) is MoonChoice.SUBTRACT
    assert score_deal(ends).scores == (-26, 0, 0, 0)
    wins = tally(MOON, "", "", "", options="moon=choose", totals=(10, 95, 60, 50))
    assert automatic_choice(wins) is MoonChoice.ADD
    assert score_deal(wins, MoonChoice.SUBTRACT).scores == (-26, 0, 0, 0), "said is said"


@st.composite
def tallies(draw: st.DrawFn) -> Tally:
    """Any rules, and the cards of a deal that count given out; to one seat quite often."""
    rules = random_rules(Random(draw(st.integers(0, 2**32))))
    seats = st.integers(0, draw(st.integers(0, rules.players - 1)))
    cards = [NO_CARDS] * rules.players
    for card in rules.deck:
        if card in rules.counting:
            cards[draw(seats)] += CardSet.of([card])
    tricks = [draw(st.integers(0, 2)) for _ in range(rules.players)]
    taken = tuple(
        Taking(own, max(count, bool(own))) for own, count in zip(cards, tricks, strict=True)
    )
    totals = tuple(draw(st.integers(-60, 2 * rules.target)) for _ in range(rules.players))
    return Tally(draw(st.integers(1, 256)), taken, totals, rules)


def worth_by_hand(tally: Tally) -> int:
    rules = tally.rules
    total = sum(rules.points[card] for card in rules.deck)
    if rules.sun == "none" or sum(taking.tricks > 0 for taking in tally.taken) > 1:
        return total
    return 2 * total if rules.sun == "double" else rules.sun


@settings(max_examples=150)
@given(tallies(), st.sampled_from(MoonChoice))
def test_hb_033_whatever_the_rules_a_moon_is_owning_every_penalty_card(
    tally: Tally, choice: MoonChoice
) -> None:
    rules = tally.rules
    wanted = [card for card in rules.deck if rules.points[card]]
    if rules.moon_needs_bonus and rules.bonus:
        wanted += [card for card in rules.deck if card == rules.bonus.card]
    owners = [
        seat
        for seat, taking in enumerate(tally.taken)
        if not Counter(wanted) - Counter(taking.cards) and rules.moon is not Moon.NONE
    ]
    result = score_deal(tally, choice if rules.moon is Moon.CHOOSE else None)
    assert len(owners) <= 1
    assert result.moon == (owners[0] if owners else None)
    assert sum(result.points) == rules.penalty_total
    if result.moon is None:
        assert result.points == tuple(rules.value_of(taking.cards) for taking in tally.taken)


@settings(max_examples=150)
@given(tallies())
def test_whatever_the_rules_scores_follow_the_page_in_its_order(tally: Tally) -> None:
    rules = tally.rules
    result = score_deal(tally)
    assert result.totals == tuple(map(sum, zip(tally.totals, result.scores, strict=True)))

    def by_hand(choice: MoonChoice) -> tuple[int, ...]:
        scores: list[int] = []
        for seat, taking in enumerate(tally.taken):
            score = rules.value_of(taking.cards)
            if result.moon is not None:
                own, others = (0, 1) if choice is MoonChoice.ADD else (-1, 0)
                score = worth_by_hand(tally) * (own if seat == result.moon else others)
            off = (
                sum(rules.bonus.points for c in taking.cards if c == rules.bonus.card)
                if (rules.bonus)
                else 0
            )
            if result.moon is None and not taking.tricks:
                off += rules.no_tricks_bonus
            after = score - off
            if rules.bonus_floor and after < 0:
                after = min(score, 0)
            exact = rules.exact is Exact.EXACT_MINUS_50
            landed = exact and tally.totals[seat] + after == rules.target
            scores.append(after - 50 * landed)
        return tuple(scores)

    allowed = {
        Moon.ADD: [MoonChoice.ADD],
        Moon.SUBTRACT: [MoonChoice.SUBTRACT],
        Moon.NONE: [MoonChoice.ADD],
        Moon.AUTO: [*MoonChoice],
        Moon.CHOOSE: [*MoonChoice],
    }[rules.moon]
    assert result.scores in [by_hand(choice) for choice in allowed]


def test_a_moon_that_takes_the_others_to_the_target_ends_the_game() -> None:
    moon = [NO_CARDS, NO_CARDS, CardSet.parse(ALL_HEARTS + " QS"), NO_CARDS]
    state = unscored(STANDARD, deal=5, totals=(80, 95, 20, 50), taken=moon)
    *_, result, end = decide(state, ShowDeal(SECRET))
    assert result == DealScored(5, (0, 0, 26, 0), Seat(2), (26, 26, 0, 26), (106, 121, 20, 76))
    assert end == GameEnded((106, 121, 20, 76), (3, 4, 1, 2))


def test_the_game_goes_on_below_the_target() -> None:
    assert ended(99, 99, 99, 10) is None


def test_hb_040_reaching_the_target_exactly_ends_the_game() -> None:
    assert ended(100, 50, 40, 30) == GameEnded((100, 50, 40, 30), (4, 3, 2, 1))


def test_hb_038_a_tie_for_a_place_other_than_the_first_does_not_matter() -> None:
    assert ended(106, 45, 45, 20) == GameEnded((106, 45, 45, 20), (4, 2, 2, 1))


def test_a_tie_for_the_lowest_total_plays_on() -> None:
    assert ended(104, 60, 20, 20) is None
    assert ended(150, 120, 110, 110) is None
    assert ended(110, 110, 110, 110) is None


def test_several_seats_beyond_the_target_leave_one_winner() -> None:
    assert ended(130, 102, 101, 100) == GameEnded((130, 102, 101, 100), (4, 3, 2, 1))
    assert ended(101, 140, 140, 140) == GameEnded((101, 140, 140, 140), (1, 2, 2, 2))


def test_a_tie_at_the_target_is_played_on_and_the_pass_cycle_with_it() -> None:
    taken = [CardSet.parse(text) for text in (ALL_HEARTS, "QS", "", "")]
    state = unscored(STANDARD, deal=8, totals=(90, 30, 25, 25), taken=taken)
    happened = decide(state, ShowDeal(SECRET))
    assert happened[-1] == DealScored(8, (13, 13, 0, 0), None, (13, 13, 0, 0), (103, 43, 25, 25))


def test_a_game_that_stays_tied_ends_with_its_last_secret() -> None:
    assert ended(1300, 1300, 20, 20, deal=MOST_DEALS - 1) is None
    assert ended(1300, 1300, 20, 20, deal=MOST_DEALS) == GameEnded(
        (1300, 1300, 20, 20), (3, 3, 1, 1)
    )


def test_hb_040_at_the_target_the_game_is_over_or_beyond_it_if_that_is_played() -> None:
    assert ended(100, 50, 40, 30, options="reach=gt") is None
    assert ended(101, 50, 40, 30, options="reach=gt") == GameEnded((101, 50, 40, 30), (4, 3, 2, 1))


def test_a_game_of_so_many_deals_looks_at_no_target() -> None:
    assert ended(150, 60, 20, 30, deal=4, options="deals=5") is None
    assert ended(15, 60, 20, 30, deal=5, options="deals=5") == GameEnded(
        (15, 60, 20, 30), (1, 4, 2, 3)
    )
    assert ended(20, 60, 20, 30, deal=5, options="deals=5") is None, "a tie plays on"
    assert ended(20, 60, 20, 30, deal=5, options="deals=5 tie=shared") == GameEnded(
        (20, 60, 20, 30), (1, 4, 1, 3)
    )


def test_the_first_place_may_be_shared() -> None:
    assert ended(104, 60, 20, 20, options="tie=shared") == GameEnded(
        (104, 60, 20, 20), (4, 3, 1, 1)
    )


def test_whoever_lands_on_the_target_may_win() -> None:
    wins = "exact=exact_wins"
    assert ended(100, 50, 40, 30, options=wins) == GameEnded((100, 50, 40, 30), (1, 4, 3, 2))
    assert ended(120, 100, 30, 100, options=wins) == GameEnded((120, 100, 30, 100), (4, 1, 3, 1))
    assert ended(101, 50, 40, 30, options=wins) == GameEnded((101, 50, 40, 30), (4, 3, 2, 1))
    assert ended(99, 50, 40, 40, options=wins) is None
    assert ended(100, 100, 30, 30, options=wins) == GameEnded((100, 100, 30, 30), (1, 1, 3, 3))


@given(
    st.lists(st.integers(-50, 150), min_size=3, max_size=10),
    st.sampled_from(["", "reach=gt", "tie=shared", "deals=7", "deals=8", "exact=exact_wins"]),
)
def test_hb_038_only_a_tie_for_the_lowest_total_plays_on(totals: list[int], options: str) -> None:
    seats = {3: "three", 4: "black_lady"}.get(len(totals), f"cancellation players={len(totals)}")
    if len(totals) == 5:
        seats = "five"
    rules = parse_rules(f"{seats} {options}")
    end = end_of_game(DealScored(7, (0,), None, (0,), tuple(totals)), rules)
    reached = max(totals) > 100 or (max(totals) == 100 and "gt" not in options)
    over = options == "deals=7" if "deals" in options else reached
    tied = totals.count(min(totals)) > 1 and "shared" not in options
    exact = 100 in totals and "exact_wins" in options
    assert (end is not None) == (exact or (over and not tied))
    if end is not None and not exact:
        order = sorted(totals)
        assert end.places == tuple(order.index(total) + 1 for total in totals)


def test_two_hundred_and_fifty_six_tied_deals_can_be_played() -> None:
    lines = (VECTORS / "tied_deal.txt").read_text().splitlines()
    *hands, cards = [line for line in lines if not line.startswith("#")]
    game = seated(Rules(pass_cycle=(Direction.HOLD,)))
    for _ in range(MOST_DEALS):
        assert game.state.phase is Phase.DEALING
        play_script(game, [*map(CardSet.parse, hands)], [], map(Card.parse, cards.split()))
        game.do(ShowDeal(SECRET))
    assert game.state.phase is Phase.ENDED
    assert game.state.game.scored[-1].deal == MOST_DEALS
    assert isinstance(game.events[-1], GameEnded)
    assert game.events[-1].places.count(1) == 2


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("2C 2D 2S 2H", (1, 0, 0, 0)),
        ("2C 2D 2S 2H AC AD QS", (1, 0, 0, 0)),
        ("2C 2D 2S 2H AC AD QS AH", (15, 0, 0, 0)),
    ],
)
def test_hb_045_points_shown_during_a_deal_leave_the_open_trick_out(
    cards: str, points: tuple[int, ...]
) -> None:
    game = seated(Rules(pass_cycle=(Direction.HOLD,)))
    hands = [CardSet.of(card for card in PACK if card.suit is suit) for suit in Suit]
    play_script(game, hands, [], map(Card.parse, cards.split()))
    assert observe(game.state, Seat(0)).points == points
