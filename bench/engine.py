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
from time import perf_counter
from typing import Final, Protocol

from hearts_engine.cards import Seat
from hearts_engine.commands import ChoosePass, Command, Deal, PlayCard, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, seated

Batch = Callable[[Random], None]
"""Plays some deals."""

SEATS: Final = tuple(map(Seat, range(4)))
RULES: Final = Rules(pass_cycle=(Direction.LEFT,))
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
    for seat in SEATS:
        hand = tuple(state.play.hands[seat])
        state = do(state, ChoosePass(seat, tuple(chance.sample(hand, 3))))
    while state.phase is Phase.PLAYING:
        play = state.play
        card = chance.choice(tuple(play.legal))
        state = do(state, PlayCard(play.trick.next_seat, card))
    return do(state, ShowDeal(SECRET))


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


def their_batch(deals: int) -> Batch:
    """So many deals of OpenSpiel's, its chance nodes given the shuffled deck."""
    game = import_module("pyspiel").load_game("hearts(qs_breaks_hearts=false)")
    deck = list(range(52))

    def run(chance: Random) -> None:
        for _ in range(deals):
            state: OtherState = game.new_initial_state()
            state.apply_action(PASS_LEFT)
            chance.shuffle(deck)
            for card in deck:
                state.apply_action(card)
            while not state.is_terminal():
                state.apply_action(chance.choice(state.legal_actions()))
            state.returns()

    return run


def rate(batch: Batch, deals: int, chance: Random) -> float:
    """Deals a second of one batch."""
    begin = perf_counter()
    batch(chance)
    return deals / (perf_counter() - begin)


def main() -> None:
    """Print the rates and their ratio."""
    parser = argparse.ArgumentParser(description="Whole random deals a second.")
    parser.add_argument("--deals", type=int, default=400, help="deals in a batch")
    parser.add_argument("--batches", type=int, default=9, help="batches of each; medians count")
    options = parser.parse_args()
    ours, theirs = our_batch(options.deals), their_batch(options.deals)
    pairs = [
        (rate(ours, options.deals, Random(seed)), rate(theirs, options.deals, Random(seed)))
        for seed in range(options.batches)
    ]
    print(f"{options.batches} batches of {options.deals} deals, medians")
    print(f"{'decide and evolve':<22}{median(our for our, _ in pairs):>8.0f} deals/s")
    print(f"{'OpenSpiel from Python':<22}{median(their for _, their in pairs):>8.0f} deals/s")
    print(f"{'ratio':<22}{median(our / their for our, their in pairs):>8.2f}")


if __name__ == "__main__":
    main()
