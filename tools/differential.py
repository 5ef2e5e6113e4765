"""Play fresh deals here and under OpenSpiel's hearts, and stop at the first difference.

Not part of the test suite: it needs the ``bench`` extra, and every run may have another seed.
Many seats play at random, the others by a habit that makes moons and odd leads common.

    python tools/differential.py --deals 2000 --seed 7
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Final, Protocol

from hearts_engine.cards import QUEEN_OF_SPADES, Card, Rank, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, Deal, PlayCard, ShowDeal
from hearts_engine.events import DealScored
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing import SECRET, Recording, seated


class OtherState(Protocol):
    """What is asked of a state of OpenSpiel's."""

    def current_player(self) -> int:
        """The seat on turn."""
        ...

    def legal_actions(self) -> list[int]:
        """What it may do."""
        ...

    def apply_action(self, action: int, /) -> None:
        """Do that."""

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        ...

    def returns(self) -> list[float]:
        """What each seat gets for the deal: 26 less its score."""
        ...


GAME: Final = "hearts(qs_breaks_hearts=false)"
DIRECTIONS: Final = (Direction.HOLD, Direction.LEFT, Direction.ACROSS, Direction.RIGHT)
"""By OpenSpiel's first chance action."""

SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
CARDS: Final = tuple(Card.of(rank, suit) for rank in Rank for suit in SUITS)
"""By OpenSpiel's action."""
ACTIONS: Final = {card: action for action, card in enumerate(CARDS)}

Habit = Callable[[Random, Sequence[Card]], Card]


def _any(chance: Random, cards: Sequence[Card]) -> Card:
    return chance.choice(cards)


def _highest(_chance: Random, cards: Sequence[Card]) -> Card:
    return max(cards, key=lambda card: (card.rank, card.suit))


def _lowest(_chance: Random, cards: Sequence[Card]) -> Card:
    return min(cards, key=lambda card: (card.rank, card.suit))


def _hearts_last(chance: Random, cards: Sequence[Card]) -> Card:
    others = [card for card in cards if card.suit is not Suit.HEARTS and card != QUEEN_OF_SPADES]
    return chance.choice(others or cards)


def _hearts_first(chance: Random, cards: Sequence[Card]) -> Card:
    return chance.choice([card for card in cards if card.suit is Suit.HEARTS] or cards)


HABITS: Final[tuple[Habit, ...]] = (
    _any,
    _any,
    _any,
    _highest,
    _lowest,
    _hearts_last,
    _hearts_first,
)


class DifferenceError(Exception):
    """The two programs do not agree; the sentence says on what."""


def compare_deal(chance: Random) -> DealScored:
    """The result of one deal on which both agree; raises ``DifferenceError`` otherwise."""
    other = _new_state()
    way = chance.randrange(len(DIRECTIONS))
    other.apply_action(way)
    game = seated(Rules(pass_cycle=(DIRECTIONS[way],)))
    deck = list(CARDS)
    chance.shuffle(deck)
    game.do(Deal(tuple(deck)))
    for card in deck:
        other.apply_action(ACTIONS[card])
    _pass(game, other, chance)
    habits = [chance.choice(HABITS) for _ in range(4)]
    while game.state.phase is Phase.PLAYING:
        _play(game, other, habits, chance)
    return _scored(game, other)


def _new_state() -> OtherState:
    state: OtherState = import_module("pyspiel").load_game(GAME).new_initial_state()
    return state


def _pass(game: Recording, other: OtherState, chance: Random) -> None:
    while game.state.phase is Phase.PASSING:
        seat = game.state.awaited[0]
        cards = sorted(chance.sample(list(game.state.play.hands[seat]), 3), key=ACTIONS.__getitem__)
        for card in cards:
            other.apply_action(ACTIONS[card])
        game.do(ChoosePass(seat, tuple(cards)))


def _play(game: Recording, other: OtherState, habits: Sequence[Habit], chance: Random) -> None:
    _same("turn", game.state.turn, other.current_player())
    legal = CardSet.of(CARDS[action] for action in other.legal_actions())
    _same("legal cards", game.state.play.legal, legal)
    seat = Seat(other.current_player())
    card = habits[seat](chance, tuple(legal))
    other.apply_action(ACTIONS[card])
    game.do(PlayCard(seat, card))


def _scored(game: Recording, other: OtherState) -> DealScored:
    _same("end of the deal", game.state.phase is Phase.SHOWING, other.is_terminal())
    scored = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    _same("scores", scored.scores, tuple(26 - int(value) for value in other.returns()))
    return scored


def _same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise DifferenceError(f"{what}: {ours} here, {theirs} there")


def main() -> int:
    """Compare as many deals as asked for; 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the engine with OpenSpiel's hearts.")
    parser.add_argument("--deals", type=int, default=1000, help="how many deals to play")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first deal")
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    for seed in range(options.seed, options.seed + options.deals):
        try:
            scored = compare_deal(Random(seed))  # noqa: S311  (a test, and it names its seed)
        except DifferenceError as difference:
            print(f"deal with seed {seed}: {difference}")
            return 1
        seen["moons"] += scored.moon is not None
        seen["deals"] += 1
    print(f"{seen['deals']} deals agree, {seen['moons']} of them moons")
    return 0


if __name__ == "__main__":
    sys.exit(main())
