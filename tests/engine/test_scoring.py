"""Points, the moon, and when a game is over and who has won it."""

from pathlib import Path

import pytest

from hearts_engine.cards import PACK, Card, Seat, Suit
from hearts_engine.cardset import NO_CARDS, WHOLE_PACK, CardSet
from hearts_engine.commands import ShowDeal
from hearts_engine.decide import decide
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.passing import Direction
from hearts_engine.rules import MOST_DEALS, Rules
from hearts_engine.scoring import end_of_game, score_deal
from hearts_engine.state import Phase
from hearts_engine.testing import SECRET, play_script, seated, unscored
from hearts_engine.view import observe

VECTORS = Path(__file__).parents[1] / "vectors"

STANDARD = Rules()
ALL_HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
NOTHING = (0, 0, 0, 0)


def scored(*taken: str, totals: tuple[int, ...] = NOTHING) -> DealScored:
    return score_deal(1, tuple(map(CardSet.parse, taken)), totals, STANDARD)


def ended(*totals: int, deal: int = 7) -> GameEnded | None:
    return end_of_game(DealScored(deal, NOTHING, None, NOTHING, totals), STANDARD)


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
