"""What a server shows besides records must be just what the records add up to."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hearts_client.shown import Shown
from hearts_engine.cards import PACK, Seat
from hearts_engine.cardset import NO_CARDS
from hearts_engine.events import CardsPassed, HandDealt, PassChosen, SeatReady
from hearts_engine.evolve import replay
from hearts_engine.rules import Rules
from hearts_engine.testing import deal_at_random, play_at_random, seated
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import observe, visible
from hearts_wire.bounds import WireError

ME = Seat(1)
GAME = play_at_random(Rules(target=1), Random(6))
SEEN = visible(GAME.events, ME)


def test_an_honest_view_is_taken_as_it_is() -> None:
    view = observe(GAME.state, ME)
    assert Shown(ME).after(SEEN).agreed(view) == view


def test_another_hand_than_the_one_in_the_records_is_found() -> None:
    dealt = next(at for at, event in enumerate(SEEN) if isinstance(event, HandDealt))
    shown = Shown(ME).after(SEEN[: dealt + 1])
    assert shown.state is not None
    view = observe(shown.state, ME)
    assert shown.agreed(view) == view
    with pytest.raises(WireError, match="add up to"):
        shown.agreed(replace(view, hand=NO_CARDS))


def test_a_view_before_any_record_is_of_nothing() -> None:
    with pytest.raises(WireError, match="add up to"):
        Shown(ME).agreed(observe(GAME.state, ME))


def test_an_event_of_a_seat_that_the_table_does_not_have_is_refused() -> None:
    with pytest.raises(WireError, match="event"):
        Shown(ME).after([*SEEN[:3], SeatReady(Seat(7))])


def test_a_pass_of_three_equal_cards_adds_up_to_nothing() -> None:
    passed = next(at for at, event in enumerate(SEEN) if isinstance(event, PassChosen))
    shown = Shown(ME).after(SEEN[: passed + 1])
    assert shown.state is not None
    view = observe(shown.state, ME)
    card = view.hand.lowest()
    bent = Shown(ME).after([*SEEN[:passed], PassChosen(ME, (card, card, card))])
    with pytest.raises(WireError, match="add up to"):
        bent.agreed(view)


@pytest.mark.parametrize("seed", range(30))
def test_views_under_any_rules_are_taken_and_a_bent_one_is_not(seed: int) -> None:
    chance = Random(seed)
    game = seated(random_rules(chance))
    deal_at_random(game, chance)
    cut = chance.randrange(1, len(game.events))
    state = replay(game.events[:cut])
    assert state is not None
    view = observe(state, ME)
    shown = Shown(ME).after(visible(game.events[:cut], ME))
    assert shown.agreed(view) == view
    for bent in (
        replace(view, kitty=view.kitty.add(PACK[0])),
        replace(view, moon_seat=Seat(1) if view.moon_seat is None else None),
        replace(view, moves=(*view.moves, CardsPassed(Seat(0), ME, view.hand))),
    ):
        with pytest.raises(WireError, match="add up to"):
            shown.agreed(bent)


def test_events_without_a_beginning_are_refused() -> None:
    with pytest.raises(WireError, match="event"):
        Shown(ME).after(SEEN[1:])
