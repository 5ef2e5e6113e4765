"""A seat's own fold, and what is read off it, under any rules."""

from __future__ import annotations

import random

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.steps import steps
from hearts_client.turnprompt import card_prompt, playable
from hearts_client.viewstate import carried, winning_seat
from hearts_engine.cards import Seat
from hearts_engine.events import Event, TrickTaken
from hearts_engine.evolve import evolve
from hearts_engine.state import Phase, State
from hearts_engine.testing import Recording, deal_at_random, seated
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import observe, visible


def one_deal(seed: int) -> Recording:
    chance = random.Random(seed)
    game = seated(random_rules(chance))
    deal_at_random(game, chance)
    return game


def states(events: list[Event]) -> list[State]:
    after: list[State] = []
    for event in events:
        after.append(evolve(after[-1] if after else None, event))
    return after


@pytest.mark.parametrize("seed", range(40))
def test_steps_from_any_view_come_to_the_view_the_server_sends_under_any_rules(seed: int) -> None:
    game = one_deal(seed)
    folded = states(game.events)
    chance = random.Random(seed)
    players = game.state.game.rules.players
    for _ in range(12):
        seat = chance.choice([None, *map(Seat, range(players))])
        start = chance.randrange(len(folded))
        end = min(len(folded) - 1, start + chance.choice((1, 7, 60)))
        seen = visible(game.events[start + 1 : end + 1], seat)
        views = [step.after for step in steps(observe(folded[start], seat), seen)]
        assert not views or views[-1] == observe(folded[end], seat)


@pytest.mark.parametrize("seed", range(20))
def test_carried_cards_and_the_seat_that_wins_are_those_of_the_table(seed: int) -> None:
    game = one_deal(seed)
    folded = states(game.events)
    for state, event in zip(folded, game.events[1:], strict=False):
        view = observe(state, None)
        if state.phase is Phase.PLAYING:
            assert carried(view) == state.play.carried
        if isinstance(event, TrickTaken):
            assert winning_seat(view) == event.seat


@pytest.mark.parametrize("seed", range(20))
def test_what_a_seat_is_told_that_it_may_play_is_what_the_table_takes(seed: int) -> None:
    for state in states(one_deal(seed).events):
        if state.phase is not Phase.PLAYING or state.turn is None:
            continue
        view = observe(state, state.turn)
        assert playable(view) == view.legal
        assert card_prompt(view, CardStyle.LETTERS)
