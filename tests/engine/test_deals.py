"""What holds at every step of every game, whatever the seats choose."""

from collections.abc import Iterator
from functools import reduce
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Card
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import Deal
from hearts_engine.decide import decide
from hearts_engine.events import CardPlayed, DealScored, Event, GameEnded, PlayCut, TrickTaken
from hearts_engine.evolve import evolve, replay
from hearts_engine.passing import Direction
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import deal_at_random, play_at_random, random_choice, seated

SEEDS = st.integers(0, 2**32)
SHORT_GAMES = st.builds(
    Rules,
    target=st.integers(1, 60),
    pass_count=st.integers(1, 4),
    pass_cycle=st.lists(st.sampled_from(Direction), min_size=1, max_size=3).map(tuple),
    finish=st.sampled_from(Finish),
)


def states(rules: Rules, seed: int) -> Iterator[tuple[Event, State]]:
    """Every event of a random game with the state after it."""
    events = play_at_random(rules, Random(seed)).events
    state = evolve(None, events[0])
    for event in events[1:]:
        state = evolve(state, event)
        yield event, state


def cards_in(state: State) -> list[Card]:
    """Every card in hands, in the open trick, and in the tricks taken."""
    play = state.play
    tricks = play.tricks if play.trick in play.tricks[-1:] else (*play.tricks, play.trick)
    return sorted(
        [card for hand in play.hands for card in hand]
        + [card for trick in tricks for card in trick.cards]
    )


@given(SHORT_GAMES, SEEDS)
def test_no_card_is_ever_lost_or_doubled(rules: Rules, seed: int) -> None:
    for event, state in states(rules, seed):
        # Between two events of one deal or pass, some cards are on the way.
        if isinstance(event, CardPlayed | TrickTaken | DealScored):
            assert cards_in(state) == list(PACK)


@given(SHORT_GAMES, SEEDS)
def test_the_seat_on_turn_always_has_a_legal_card_of_its_own(rules: Rules, seed: int) -> None:
    for _, state in states(rules, seed):
        if state.turn is not None:
            hand = state.play.hands[state.turn]
            assert NO_CARDS != state.play.legal <= hand
            assert state.awaited == (state.turn,)
        else:
            assert state.play.legal == NO_CARDS


@given(SHORT_GAMES, SEEDS)
def test_the_points_of_a_deal_add_up(rules: Rules, seed: int) -> None:
    totals: tuple[int, ...] = (0, 0, 0, 0)
    for event, state in states(rules, seed):
        if isinstance(event, DealScored):
            assert sum(event.points) == 26
            assert sum(event.scores) == (26 if event.moon is None else 78)
            totals = tuple(map(sum, zip(totals, event.scores, strict=True)))
            assert event.totals == totals == state.game.totals


@given(SHORT_GAMES, SEEDS)
def test_a_game_ends_with_one_winner_and_no_earlier(rules: Rules, seed: int) -> None:
    events = play_at_random(rules, Random(seed)).events
    scored = [event for event in events if isinstance(event, DealScored)]
    for result in scored:
        over = max(result.totals) >= rules.target and result.totals.count(min(result.totals)) == 1
        assert over == (result is scored[-1])
    end = events[-1]
    assert isinstance(end, GameEnded)
    assert end.totals == scored[-1].totals
    assert end.places.count(1) == 1
    assert end.totals[end.places.index(1)] == min(end.totals)


@given(SEEDS)
def test_replaying_the_log_gives_the_state_that_was_played(seed: int) -> None:
    game = play_at_random(Rules(target=40), Random(seed))
    assert replay(game.events) == game.state
    half = len(game.events) // 2
    assert reduce(evolve, game.events[half:], replay(game.events[:half])) == game.state


@given(SEEDS)
def test_deciding_changes_nothing_and_says_the_same_again(seed: int) -> None:
    chance = Random(seed)
    game = seated(Rules())
    deck = list(PACK)
    chance.shuffle(deck)
    game.do(Deal(tuple(deck)))
    while game.state.phase is not Phase.SHOWING:
        state, text = game.state, repr(game.state)
        command = random_choice(state, chance)
        events = decide(state, command)
        assert repr(state) == text
        assert decide(state, command) == events == game.do(command)


@given(SEEDS)
def test_tricks_are_won_by_who_leads_the_next(seed: int) -> None:
    last: TrickTaken | None = None
    for event, state in states(Rules(target=1), seed):
        if isinstance(event, TrickTaken):
            assert event.points == sum(map(Rules().points.__getitem__, state.play.tricks[-1].cards))
            assert state.play.tricks[-1].winner == event.seat
            last = event
        elif isinstance(event, CardPlayed):
            assert last is None or event.seat == last.seat
            last = None
        elif isinstance(event, DealScored):
            last = None


@given(SEEDS)
def test_an_early_finish_comes_exactly_when_no_penalty_is_left(seed: int) -> None:
    rules = Rules(target=30, finish=Finish.EARLY)
    history = list(states(rules, seed))
    for (event, state), (following, _) in pairwise(history):
        if isinstance(event, TrickTaken):
            gone = CardSet.of(card for trick in state.play.tricks for card in trick.cards)
            to_play = len(state.play.tricks) < rules.hand_size
            assert isinstance(following, PlayCut) == (to_play and rules.penalties <= gone)
        else:
            assert not isinstance(following, PlayCut)


@given(SEEDS)
def test_an_early_finish_scores_as_playing_out_would(seed: int) -> None:
    early = seated(Rules(pass_cycle=(Direction.HOLD,), finish=Finish.EARLY))
    deal_at_random(early, Random(seed))
    full = seated(Rules(pass_cycle=(Direction.HOLD,)))
    deal_at_random(full, Random(seed))
    assert early.state.game.scored == full.state.game.scored


@pytest.mark.parametrize("seed", range(20))
def test_a_standard_deal_is_played_out(seed: int) -> None:
    game = seated(Rules())
    deal_at_random(game, Random(seed))
    assert sum(isinstance(event, TrickTaken) for event in game.events) == 13
    assert not any(isinstance(event, PlayCut) for event in game.events)
