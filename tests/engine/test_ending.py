"""The early end of a deal: exactly when no card that is left can change a score."""

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChooseMoon, Command, Deal, PlayCard, ShowDeal
from hearts_engine.events import (
    MoonOffered,
    PlayCut,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.evolve import evolve
from hearts_engine.options import Finish, MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, Recording, deck_of, random_choice, seated
from hearts_engine.testing_rules import random_rules

SEEDS = st.integers(0, 2**32)


def choices(game: Recording, seed: int) -> Iterator[Command]:
    """One deal of random choices, each after the one before was made; moons all scored alike."""
    chance = Random(seed)
    rules = game.state.game.rules
    yield Deal(tuple(chance.sample(rules.deck, k=len(rules.deck))))
    while game.state.phase is not Phase.SHOWING:
        if game.state.phase is Phase.MOON:
            yield ChooseMoon(game.state.awaited[0], MoonChoice.SUBTRACT)
        else:
            yield random_choice(game.state, chance)
    yield ShowDeal(SECRET)


def settled_by_hand(state: State) -> bool:
    """The four conditions of the rules page, counted on the cards themselves."""
    rules, play = state.game.rules, state.play
    left = [card for hand in play.hands for card in hand]
    left += play.carried
    if play.outcome.kitty_seat is None:
        left += state.exchange.kitty
    takers = {trick.taker for trick in play.tricks if trick.taker is not None}
    penalty = any(rules.points[card] for card in left)
    bonus = rules.bonus is not None and rules.bonus.card in left
    no_tricks = rules.no_tricks_bonus > 0 and len(takers) < rules.players
    sun = rules.sun != "none" and len(takers) < 2
    return not (penalty or bonus or no_tricks or sun)


@settings(max_examples=150)
@given(SEEDS)
def test_whatever_the_rules_a_deal_is_cut_exactly_when_it_is_settled(seed: int) -> None:
    game = seated(replace(random_rules(Random(seed)), finish=Finish.EARLY))
    for command in choices(game, seed):
        before = game.state
        happened = game.do(command)
        after: State = reduce(
            evolve, [e for e in happened if not isinstance(e, PlayCut | MoonOffered)], before
        )
        tricked = any(isinstance(event, TrickTaken | TrickCancelled) for event in happened)
        stops = any(isinstance(event, PlayCut) for event in happened)
        left = after.phase is Phase.PLAYING
        assert stops == (tricked and left and settled_by_hand(after))


@settings(max_examples=150)
@given(SEEDS)
def test_whatever_the_rules_an_early_end_scores_as_playing_out_would(seed: int) -> None:
    rules = random_rules(Random(seed))
    full = seated(replace(rules, finish=Finish.PLAY_OUT))
    early = seated(replace(rules, finish=Finish.EARLY))
    for command in choices(full, seed):
        full.do(command)
        if early.state.phase is Phase.PLAYING or not isinstance(command, PlayCard):
            early.do(command)
    assert early.state.game.scored == full.state.game.scored
    assert not any(isinstance(event, PlayCut) for event in full.events)


def deal_that_is_settled_early(options: str) -> tuple[bool, ...]:
    """After each trick whether the deal was cut: all hearts and the queen fall in eleven tricks."""
    rules = parse_rules(f"black_lady pass_cycle=hold first_trick=any {options}")
    game = seated(rules)
    hands = [
        CardSet.parse("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"),
        CardSet.parse("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH JD 2S"),
        CardSet.parse("KH AH QS 2D 3D 4D 5D 6D 7D 8D 9D TD QD"),
        CardSet.parse("KD AD 3S 4S 5S 6S 7S 8S 9S TS JS KS AS"),
    ]
    game.do(Deal(deck_of(hands)))
    cuts: list[bool] = []
    while game.state.phase is Phase.PLAYING:
        turn = game.state.turn
        assert turn is not None
        legal = game.state.play.legal
        points = [card for card in legal if rules.points[card]]
        happened = game.do(PlayCard(turn, points[0] if points else legal.lowest()))
        if any(isinstance(event, TrickTaken) for event in happened):
            cuts.append(any(isinstance(event, PlayCut) for event in happened))
    return tuple(cuts)


@pytest.mark.parametrize(
    ("options", "tricks"),
    [
        ("", 11),
        ("finish=play_out", 13),
        ("bonus=JD:10", 12),  # the jack is still out
        ("no_tricks_bonus=5", 13),  # three seats have no trick yet
        ("sun=double", 13),  # every trick has gone to one seat
    ],
    ids=["plain", "play-out", "bonus", "no-tricks", "sun"],
)
def test_a_deal_goes_on_while_anything_is_at_stake(options: str, tricks: int) -> None:
    finish = "" if "finish" in options else "finish=early"
    cuts = deal_that_is_settled_early(f"{finish} {options}")
    assert len(cuts) == tricks
    assert cuts[:-1] == (False,) * (tricks - 1)
    assert cuts[-1] is (tricks < 13)
