"""How the house has its moon scored."""

import pytest

from hearts_bots.arena import apply, next_command, open_table, shuffled
from hearts_bots.house import LEVELS, house_bot
from hearts_bots.moon import better_moon
from hearts_engine.commands import Deal
from hearts_engine.events import DealScored
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe

ADD, SUBTRACT = MoonChoice.ADD, MoonChoice.SUBTRACT

NO_HEARTS = ",".join(f"{rank}H" for rank in "23456789TJQKA")


def moon(own: int, left: int, right: int, options: str = "") -> SeatView:
    """Q♠ costs 13 and nothing else costs anything: the view of the seat that took her.

    It stood at ``own`` before, the seats on its left and right at these.
    """
    rules = parse_rules(f"black_lady players=3 removed={NO_HEARTS} moon=choose {options}")
    state = apply(open_table(rules, "moon"), Deal(shuffled(rules.deck, "moon")))
    bots = [house_bot("easy", "moon")] * 3
    while state.phase is not Phase.MOON:
        state = apply(state, next_command(state, bots))
    shooter = state.awaited[0]
    totals = tuple((own, left, right)[(seat - shooter) % 3] for seat in range(3))
    before = DealScored(0, (0, 0, 0), None, totals, totals)
    return observe(replace(state, game=replace(state.game, scored=(before,))), shooter)


def test_the_seat_that_leads_hurries_the_end() -> None:
    assert better_moon(moon(20, 40, 60)) is ADD


def test_a_seat_that_is_behind_puts_the_end_off() -> None:
    assert better_moon(moon(60, 40, 20)) is SUBTRACT


def test_a_seat_that_can_win_now_does() -> None:
    assert better_moon(moon(30, 95, 40)) is ADD
    assert better_moon(moon(52, 95, 40)) is ADD


def test_a_seat_does_not_end_a_game_that_another_wins() -> None:
    assert better_moon(moon(60, 95, 20)) is SUBTRACT
    assert better_moon(moon(33, 95, 20, "tie=shared")) is SUBTRACT


def test_a_seat_does_not_put_another_exactly_on_a_target_that_wins() -> None:
    assert better_moon(moon(10, 87, 80, "exact=exact_wins")) is SUBTRACT
    assert better_moon(moon(10, 86, 80, "exact=exact_wins")) is ADD


def test_where_the_game_ends_anyway_the_better_place_is_chosen() -> None:
    landing = "exact=exact_minus_50 target=60 deals=none"
    assert better_moon(moon(20, 47, 70, landing)) is SUBTRACT


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("own", [20, 60])
def test_every_level_chooses_what_serves_its_place(level: str, own: int) -> None:
    view = moon(own, 40, 50)
    assert house_bot(level, "demo").choose_moon(view) is better_moon(view)


def test_a_spectator_chooses_nothing() -> None:
    with pytest.raises(ValueError, match="spectator"):
        better_moon(replace(moon(0, 0, 0), seat=None))
