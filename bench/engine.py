"""How fast the engine plays whole deals, beside OpenSpiel's C++ driven from Python.

Ours is the way of the server: each choice becomes a command, ``decide`` answers with events, and
``evolve`` folds every one of them; hands are shown and scored at the end. Both sides shuffle with
``random.Random``, pass three cards to the left and choose at random among what is legal. The
batches take turns, so that a slow minute of the machine slows both.

Run ``python bench/engine.py``; it needs the ``bench`` extra.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Final, Protocol

from hearts_engine.cards import SEATS, Seat
from hearts_engine.commands import ChoosePass, Command, Deal, PlayCard, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, seated

Batch = Callable[[Random], None]
"""Plays some deals."""

RULES: Final = Rules(pass_cycle=(Direction.LEFT,))
PLAYING: Final = Phase.PLAYING
PASS_LEFT: Final = 1
"""OpenSpiel's first chance action."""


def our_batch(deals: int) -> Batch:
    """So many deals through ``decide`` and ``evolve``, each from a freshly seated table."""
    start = seated(RULES).state
    deck = list(RULES.deck)

    def run(chance: Random) -> None:
        for _ in range(deals):
            chance.shuffle(deck)
            play_deal(do(start, Deal(tuple(deck))), chance)

    return run


def play_deal(state: State, chance: Random) -> State:
    """The state after the rest of a deal that has just been dealt."""
    for seat in SEATS[:4]:
        state = choose_pass(state, seat, chance)
    while state.phase is PLAYING:
        play = state.play
        assert play.turn is not None, "play waits for someone"
        state = do(state, PlayCard(play.turn, chance.choice(play.legal.cards)))
    return do(state, ShowDeal(SECRET))


def choose_pass(state: State, seat: Seat, chance: Random) -> State:
    """The state after this seat has chosen three cards at random."""
    hand = state.play.hands[seat].cards
    return do(state, ChoosePass(seat, tuple(chance.sample(hand, 3))))


def do(state: State, command: Command) -> State:
    """The state after everything that a command makes happen."""
    for event in decide(state, command):
        state = evolve(state, event)
    return state


class OtherState(Protocol):
    """What is asked of a state of OpenSpiel's."""

    def legal_actions(self) -> list[int]:
        """What the seat on turn may do."""
        ...

    def apply_action(self, action: int, /) -> None:
        """Do that."""

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        ...

    def returns(self) -> list[float]:
        """The result of the deal."""
        ...


class OtherGame(Protocol):
    """What is asked of a game of OpenSpiel's."""

    def new_initial_state(self) -> OtherState:
        """A deal about to begin."""
        ...


def their_batch(deals: int) -> Batch:
    """So many deals of OpenSpiel's, its chance nodes given a deck that was shuffled at once."""
    game = open_spiel()
    deck = list(range(52))

    def run(chance: Random) -> None:
        for _ in range(deals):
            state = game.new_initial_state()
            state.apply_action(PASS_LEFT)
            chance.shuffle(deck)
            for card in deck:
                state.apply_action(card)
            finish(state, chance)

    return run


def their_sampled_batch(deals: int) -> Batch:
    """So many deals of OpenSpiel's, each card dealt by choosing among those its node offers."""
    game = open_spiel()

    def run(chance: Random) -> None:
        for _ in range(deals):
            state = game.new_initial_state()
            state.apply_action(PASS_LEFT)
            finish(state, chance)

    return run


def open_spiel() -> OtherGame:
    """Its hearts, by our standard rules."""
    game: OtherGame = import_module("pyspiel").load_game("hearts(qs_breaks_hearts=false)")
    return game


def finish(state: OtherState, chance: Random) -> None:
    """Choose at random to the end of the deal."""
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    state.returns()


def rate(batch: Batch, deals: int, chance: Random) -> float:
    """Deals a second of one batch, by the processor time it took: the machine is shared."""
    begin = process_time()
    batch(chance)
    return deals / (process_time() - begin)


def main() -> None:
    """Print the rates and their ratio."""
    parser = argparse.ArgumentParser(description="Whole random deals a second.")
    parser.add_argument("--deals", type=int, default=400, help="deals in a batch")
    parser.add_argument("--batches", type=int, default=9, help="batches of each; medians count")
    options = parser.parse_args()
    batches = {
        "decide and evolve": our_batch(options.deals),
        "OpenSpiel, given the deck": their_batch(options.deals),
        "OpenSpiel, card by card": their_sampled_batch(options.deals),
    }
    runs = [
        [rate(batch, options.deals, Random(seed)) for batch in batches.values()]
        for seed in range(options.batches)
    ]
    print(f"{options.batches} batches of {options.deals} deals, medians")
    print(f"{'':<26}{'deals/s':>9}{'ours/it':>9}")
    for place, name in enumerate(batches):
        speed = median(run[place] for run in runs)
        ratio = median(run[0] / run[place] for run in runs)
        print(f"{name:<26}{speed:>9.0f}{ratio:>9.2f}")


if __name__ == "__main__":
    main()
