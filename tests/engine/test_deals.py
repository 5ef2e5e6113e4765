"""What holds at every step of every game, whatever the seats choose."""

from collections.abc import Iterator
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cards import QUEEN_OF_SPADES, Card
from hearts_engine.cardset import NO_CARDS
from hearts_engine.commands import Deal
from hearts_engine.decide import decide
from hearts_engine.events import (
    CardPlayed,
    DealBegan,
    DealScored,
    Event,
    GameEnded,
    MoonChosen,
    MoonOffered,
    PlayBegan,
    PlayCut,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.evolve import evolve, replay
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.options import Moon, QueenDump
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import Recording, deal_at_random, play_at_random, random_choice, seated
from hearts_engine.testing_rules import random_rules

SEEDS = st.integers(0, 2**32)
ANY_RULES = SEEDS.map(lambda seed: random_rules(Random(seed)))
"""Every option at stake."""


def short_game(*, scatters: bool, count: int, cycle: list[Direction], target: int) -> Rules:
    """The standard game to a low target, whatever it passes."""
    directions = (*cycle, Direction.SCATTER) if scatters else tuple(cycle)
    return Rules(target=target, pass_count=3 if scatters else count, pass_cycle=directions)


SHORT_GAMES = st.builds(
    short_game,
    scatters=st.booleans(),
    count=st.integers(1, 4),
    cycle=st.lists(
        st.sampled_from([way for way in Direction if way is not Direction.SCATTER]),
        min_size=1,
        max_size=3,
    ),
    target=st.integers(1, 60),
)


def some_deals(rules: Rules, seed: int) -> Recording:
    """Two deals of random choices, or one if that was the game."""
    game = seated(rules)
    chance = Random(seed)
    for _ in range(2):
        if game.state.phase is not Phase.ENDED:
            deal_at_random(game, chance)
    return game


def states(rules: Rules, seed: int) -> Iterator[tuple[Event, State]]:
    """Every event of some random deals with the state after it."""
    events = some_deals(rules, seed).events
    state = evolve(None, events[0])
    for event in events[1:]:
        state = evolve(state, event)
        yield event, state


def cards_in(state: State) -> list[Card]:
    """Every card in hands, in the kitty, in the open trick, and in the tricks completed."""
    play = state.play
    cards = [card for hand in play.hands for card in hand]
    cards += [card for trick in (*play.tricks, play.trick) for card in trick.cards]
    return sorted([*cards, *state.exchange.kitty])


@given(ANY_RULES, SEEDS)
def test_no_card_is_ever_lost_or_doubled(rules: Rules, seed: int) -> None:
    for event, state in states(rules, seed):
        # Between two events of one deal or pass, some cards are on the way.
        if isinstance(event, CardPlayed | TrickTaken | TrickCancelled | PlayBegan | DealScored):
            assert cards_in(state) == sorted(rules.deck)


@given(ANY_RULES, SEEDS)
def test_hb_002_the_seat_on_turn_always_has_a_legal_card_of_its_own(
    rules: Rules, seed: int
) -> None:
    for _, state in states(rules, seed):
        if state.turn is not None:
            hand = state.play.hands[state.turn]
            assert NO_CARDS != state.play.legal <= hand
            assert state.awaited == (state.turn,)
        else:
            assert state.play.legal == NO_CARDS


@given(ANY_RULES, SEEDS)
def test_what_may_be_played_is_what_the_rules_of_play_say_of_the_turn(
    rules: Rules, seed: int
) -> None:
    for _, state in states(rules, seed):
        play = state.play
        if play.turn is not None:
            turn = Turn(play.hands[play.turn], play.cards, not play.tricks, play.hearts_broken)
            assert play.legal == legal_plays(turn, rules.restrictions)


@given(ANY_RULES, SEEDS)
def test_hb_010_hearts_are_broken_by_the_first_heart_that_is_played(
    rules: Rules, seed: int
) -> None:
    queen = QUEEN_OF_SPADES if rules.queen_breaks else None
    for event, state in states(rules, seed):
        if isinstance(event, CardPlayed | TrickTaken | TrickCancelled | PlayBegan):
            play = state.play
            played = [card for trick in (*play.tricks, play.trick) for card in trick.cards]
            assert play.hearts_broken == any(card.is_heart or card == queen for card in played)


@given(ANY_RULES, SEEDS)
def test_the_points_of_a_deal_add_up(rules: Rules, seed: int) -> None:
    totals: tuple[int, ...] = (0,) * rules.players
    for event, state in states(rules, seed):
        if isinstance(event, DealScored):
            assert sum(event.points) == rules.penalty_total
            totals = tuple(map(sum, zip(totals, event.scores, strict=True)))
            assert event.totals == totals == state.game.totals


@given(ANY_RULES, SEEDS)
def test_hb_050_points_go_with_the_tricks_cancelled_cards_counted(rules: Rules, seed: int) -> None:
    lying: list[Card] = []
    for event, state in states(rules, seed):
        if isinstance(event, DealBegan):
            lying = []
        elif isinstance(event, TrickTaken | TrickCancelled):
            cards = state.play.tricks[-1].cards
            lying += cards
            if isinstance(event, TrickTaken):
                assert event.points == sum(rules.points[card] for card in lying)
                lying = []
            assert sorted(state.play.carried) == sorted(lying)


@given(ANY_RULES, SEEDS)
def test_hb_048_the_leader_of_a_cancelled_trick_leads_again_and_every_deal_is_taken(
    rules: Rules, seed: int
) -> None:
    expected: int | None = None
    for event, state in states(rules, seed):
        match event:
            case TrickTaken(seat, _):
                expected = seat
                assert state.play.tricks[-1].taker == seat
            case TrickCancelled():
                expected = state.play.tricks[-1].leader
                assert len(state.play.tricks) < rules.hand_size, "the last trick is always taken"
                assert rules.decks == 2
            case CardPlayed(seat) if expected is not None:
                assert seat == expected
                expected = None
            case DealScored():
                assert not state.play.carried
                expected = None
            case _:
                pass


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


@given(ANY_RULES, SEEDS)
def test_replaying_the_log_gives_the_state_that_was_played(rules: Rules, seed: int) -> None:
    game = some_deals(rules, seed)
    assert replay(game.events) == game.state
    half = len(game.events) // 2
    assert reduce(evolve, game.events[half:], replay(game.events[:half])) == game.state


@settings(max_examples=20)
@given(ANY_RULES, SEEDS)
def test_deciding_changes_nothing_and_says_the_same_again(rules: Rules, seed: int) -> None:
    chance = Random(seed)
    game = seated(rules)
    game.do(Deal(tuple(chance.sample(rules.deck, k=len(rules.deck)))))
    while game.state.phase is not Phase.SHOWING:
        state, text = game.state, repr(game.state)
        command = random_choice(game.state, chance)
        events = decide(state, command)
        assert repr(state) == text
        assert decide(state, command) == events == game.do(command)


@given(ANY_RULES, SEEDS)
def test_hb_006_first_trick_limits_hang_on_the_tricks_of_the_table(rules: Rules, seed: int) -> None:
    for _, state in states(rules, seed):
        seat = state.turn
        if seat is not None and state.play.tricks:
            hand = state.play.hands[seat]
            led = state.play.trick.led
            follows = led is not None and bool(hand.in_suit(led))
            if led is not None and not follows and rules.queen_dump is QueenDump.FREE:
                assert state.play.legal == hand, "void after the first trick, anything goes"


@given(ANY_RULES, SEEDS)
def test_hb_017_the_pass_cycle_goes_on_through_the_game_and_the_dealer_moves(
    rules: Rules, seed: int
) -> None:
    began = [event for event in some_deals(rules, seed).events if isinstance(event, DealBegan)]
    for number, event in enumerate(began, start=1):
        assert event.deal == number
        assert event.dealer == (number - 2) % rules.players
        assert event.direction is rules.pass_cycle[(number - 1) % len(rules.pass_cycle)]


@given(ANY_RULES, SEEDS)
def test_hb_037_a_moon_is_offered_only_to_choose_and_chosen_once(rules: Rules, seed: int) -> None:
    game = some_deals(rules, seed)
    offered = [event for event in game.events if isinstance(event, MoonOffered)]
    chosen = [event.seat for event in game.events if isinstance(event, MoonChosen)]
    shot = [e.moon for e in game.events if isinstance(e, DealScored) and e.moon is not None]
    assert [event.seat for event in offered] == chosen
    assert chosen == (shot if rules.moon is Moon.CHOOSE else [])


@pytest.mark.parametrize("seed", range(20))
def test_a_standard_deal_is_played_out(seed: int) -> None:
    game = seated(Rules())
    deal_at_random(game, Random(seed))
    assert sum(isinstance(event, TrickTaken) for event in game.events) == 13
    assert not any(isinstance(event, PlayCut) for event in game.events)
