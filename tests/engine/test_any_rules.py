"""What holds whatever is played: for random rules, and for random games by them."""

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cards import SEATS, Card
from hearts_engine.events import DealScored, Event, GameEnded, HandDealt, KittyDealt
from hearts_engine.evolve import evolve, replay
from hearts_engine.options import Moon
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.takings import takings
from hearts_engine.testing import Recording, deal_at_random, seated
from hearts_engine.testing_rules import CHOICES, random_rules
from hearts_engine.view import follow, observe, visible

seeds = st.integers(0, 2**32 - 1)


def game_by(rules: Rules, chance: Random, deals: int = 2) -> Recording:
    game = seated(rules)
    while game.state.phase is Phase.DEALING and game.state.exchange.deal < deals:
        deal_at_random(game, chance)
    return game


@cache
def game_of(seed: int) -> Recording:
    """Two deals of random rules."""
    chance = Random(seed)
    return game_by(random_rules(chance), chance)


def states_of(events: list[Event]) -> list[State]:
    states: list[State] = []
    state = None
    for event in events:
        state = evolve(state, event)
        states.append(state)
    return states


def cards_anywhere(state: State) -> Counter[Card]:
    """Every card of the deal, wherever it lies."""
    exchange, play = state.exchange, state.play
    lying = Counter(exchange.kitty)
    for hand in play.hands:
        lying.update(hand)
    for trick in (*play.tricks, play.trick):
        lying.update(trick.cards)
    return lying


@given(seeds)
def test_any_rules_read_back_from_their_text(seed: int) -> None:
    rules = random_rules(Random(seed))
    assert parse_rules(format_rules(rules)) == rules


def test_random_rules_reach_every_value_of_every_option() -> None:
    drawn = [random_rules(Random(seed)) for seed in range(1500)]
    for option, choices in CHOICES.items():
        assert {getattr(rules, option) for rules in drawn} == set(choices), option
    assert {way for rules in drawn for way in rules.pass_cycle} >= set(PRESETS["six"].pass_cycle)
    assert any(rules.bonus for rules in drawn)
    assert any(rules.extra_penalty for rules in drawn)
    assert any(rules.removed for rules in drawn)


@settings(max_examples=40)
@given(seeds, st.data())
def test_whoever_follows_any_game_sees_what_the_table_would_show(
    seed: int, data: st.DataObject
) -> None:
    game = game_of(seed)
    rules = game.state.game.rules
    for _ in range(4):
        prefix = game.events[: data.draw(st.integers(1, len(game.events)))]
        state = replay(prefix)
        assert state is not None
        for seat in (None, *SEATS[: rules.players]):
            assert follow(seat, visible(prefix, seat)) == observe(state, seat)


@pytest.mark.parametrize("name", PRESETS)
def test_whoever_follows_a_preset_sees_at_every_moment_what_the_table_would_show(name: str) -> None:
    game = game_by(PRESETS[name], Random(name), deals=1)
    for seat in (None, *SEATS[: PRESETS[name].players]):
        seen: State | None = None
        for event, state in zip(game.events, states_of(game.events), strict=True):
            for shown in visible([event], seat):
                seen = evolve(seen, shown)
            assert seen is not None
            assert observe(seen, seat) == observe(state, seat)


@settings(max_examples=40)
@given(seeds)
def test_no_card_is_lost_or_made_from_the_deal_to_the_last_trick(seed: int) -> None:
    game = game_of(seed)
    deck = Counter(game.state.game.rules.deck)
    dealing = False
    for event, state in zip(game.events, states_of(game.events), strict=True):
        dealing = dealing or isinstance(event, HandDealt | KittyDealt)
        if state.phase in {Phase.PASSING, Phase.CENTRE, Phase.PLAYING, Phase.MOON, Phase.SHOWING}:
            whole = sum(map(len, state.exchange.dealt)) + len(state.exchange.kitty)
            halfway = bool(state.exchange.moves) and not state.play.turn and not state.play.tricks
            if whole == sum(deck.values()) and not halfway and not _sharing(state):
                assert cards_anywhere(state) == deck
    assert dealing


def _sharing(state: State) -> bool:
    """Whether some seats have got their cards from the centre and others have not."""
    return state.phase is Phase.CENTRE and any(state.exchange.received)


@settings(max_examples=40)
@given(seeds)
def test_every_point_of_a_deal_is_somebodys_and_every_score_is_in_the_totals(seed: int) -> None:
    game = game_of(seed)
    rules = game.state.game.rules
    totals = (0,) * rules.players
    for event in game.events:
        if isinstance(event, DealScored):
            assert sum(event.points) == rules.penalty_total
            assert event.totals == tuple(map(sum, zip(totals, event.scores, strict=True)))
            assert event.moon is None or rules.moon is not Moon.NONE
            assert event.moon is None or event.points[event.moon] == rules.penalty_total
            totals = event.totals
        elif isinstance(event, GameEnded):
            assert event.totals == totals
            assert min(event.places) == 1


@settings(max_examples=40)
@given(seeds)
def test_what_the_seats_took_is_every_card_that_counts(seed: int) -> None:
    game = game_of(seed)
    rules = game.state.game.rules
    for event, state in zip(game.events, states_of(game.events), strict=True):
        if isinstance(event, DealScored):
            owned = takings(state.play, rules)
            taken = Counter(card for taking in owned for card in taking.cards)
            assert taken <= Counter(rules.counting)
            cut = len(state.play.tricks) < rules.hand_size
            assert cut or rules.kitty_size or taken == Counter(rules.counting)


@settings(max_examples=40)
@given(seeds)
def test_a_seat_on_turn_always_has_a_card_to_play(seed: int) -> None:
    for state in states_of(game_of(seed).events):
        if state.turn is not None:
            hand = state.play.hands[state.turn]
            assert state.play.legal
            assert state.play.legal <= hand
