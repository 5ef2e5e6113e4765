"""Counts of legal continuations, made by the naive program: one rule amiss changes most of them."""

import os
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest

from hearts_engine.cards import Card, Seat
from hearts_engine.commands import ChoosePass, Deal, PlayCard, ShareCentre
from hearts_engine.decide import decide
from hearts_engine.evolve import evolve
from hearts_engine.presets import PRESETS
from hearts_engine.ruletext import format_rules, parse_rules
from hearts_engine.state import State
from hearts_engine.testing import seated

PAGE = (Path(__file__).parents[1] / "vectors" / "perft.txt").read_text()


class Counted(NamedTuple):
    """One line of the file."""

    rules: str
    deck: tuple[Card, ...]
    passes: tuple[tuple[Card, ...], ...]
    centre: tuple[Card, ...]
    plays: tuple[Card, ...]
    counts: tuple[int, ...]

    @classmethod
    def read(cls, line: str) -> "Counted":
        rules, deck, passes, centre, plays, counts = line.split(" | ")
        given = () if passes == "-" else tuple(map(cards, passes.split("/")))
        numbers = tuple(map(int, counts.split()))
        return cls(rules, cards(deck), given, cards(centre), cards(plays), numbers)


def cards(text: str) -> tuple[Card, ...]:
    return () if text == "-" else tuple(map(Card.parse, text.split()))


TIMES = int(os.environ.get("HEARTS_TIMES", "1"))
"""How much more than usual to count: every third line is, and with 3 all of them."""

LINES = [Counted.read(line) for line in PAGE.splitlines() if not line.startswith("#")]
COUNTED = LINES[:: max(1, 3 // TIMES)]
TEXTS = tuple(dict.fromkeys(line.rules for line in LINES))


def position(line: Counted) -> State:
    game = seated(parse_rules(line.rules))
    game.do(Deal(line.deck))
    for seat, given in enumerate(line.passes):
        game.do(ChoosePass(Seat(seat), given))
    if line.centre:
        game.do(ShareCentre(line.centre))
    for card in line.plays:
        assert game.state.turn is not None
        game.do(PlayCard(game.state.turn, card))
    return game.state


def after(state: State) -> list[State]:
    """The game after each different card that may be played."""
    turn = state.turn
    if turn is None:
        return []
    states: list[State] = []
    for card in dict.fromkeys(state.play.legal):
        follows = state
        for event in decide(state, PlayCard(turn, card)):
            follows = evolve(follows, event)
        states.append(follows)
    return states


def counts(state: State, depth: int) -> tuple[int, ...]:
    """How many sequences of 1, 2 ... legal plays go on from here."""
    found: list[int] = []
    states = [state]
    for _ in range(depth):
        states = list(chain.from_iterable(map(after, states)))
        found.append(len(states))
    return tuple(found)


@pytest.mark.parametrize("text", TEXTS)
def test_as_many_games_go_on_from_here_as_the_naive_program_counts(text: str) -> None:
    for line in COUNTED:
        if line.rules == text:
            assert counts(position(line), len(line.counts)) == line.counts


def test_every_preset_is_counted_and_many_other_rules() -> None:
    assert set(PRESETS) <= set(TEXTS)
    assert len({format_rules(parse_rules(text)) for text in TEXTS}) > len(PRESETS) + 15
