"""Play fresh deals here and under OpenSpiel's hearts, and stop at the first difference.

OpenSpiel knows ten variants of the game, and takes turns with them here. Every run has another
seed unless it is given one; a difference is reported with what repeats it. Uniform deals hardly
ever reach the rules that programs get wrong, so most hands are lopsided and most seats have a
habit: they throw scoring cards on the first trick, lead hearts, shoot the moon or nearly do, or
dodge every trick.

    python tools/differential.py --deals 2000
    python tools/differential.py --deals 1 --seed 71830
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from importlib import import_module
from random import Random, SystemRandom
from typing import Final, NamedTuple, Protocol

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, Card, Rank, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, Deal, PlayCard, ShowDeal
from hearts_engine.events import DealScored
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import SECRET, Recording, deck_of, seated


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


class OtherGame(Protocol):
    """What is asked of a game of OpenSpiel's."""

    def new_initial_state(self) -> OtherState:
        """Before the direction of the pass is drawn."""
        ...


class Variant(NamedTuple):
    """A variant of the game, as OpenSpiel and as we say it."""

    name: str
    switches: str
    """OpenSpiel's; its queen breaks hearts unless it is told otherwise."""
    rules: str


VARIANTS: Final = (
    Variant("std", "qs_breaks_hearts=false", "black_lady"),
    Variant("jd", "qs_breaks_hearts=false,jd_bonus=true", "black_lady bonus=JD:10"),
    Variant(
        "notricks",
        "qs_breaks_hearts=false,avoid_all_tricks_bonus=true",
        "black_lady no_tricks_bonus=5",
    ),
    Variant(
        "jd_notricks",
        "qs_breaks_hearts=false,jd_bonus=true,avoid_all_tricks_bonus=true",
        "black_lady bonus=JD:10 no_tricks_bonus=5",
    ),
    Variant("qsbreaks", "qs_breaks_hearts=true", "black_lady queen_breaks=true"),
    Variant(
        "nobreak", "qs_breaks_hearts=false,must_break_hearts=false", "black_lady must_break=false"
    ),
    Variant(
        "ptsfirst",
        "qs_breaks_hearts=false,no_pts_on_first_trick=false",
        "black_lady first_trick=any",
    ),
    Variant(
        "anyclub", "qs_breaks_hearts=false,can_lead_any_club=true", "black_lady opening=any_club"
    ),
    Variant(
        "heartsforqs",
        "qs_breaks_hearts=false,can_lead_hearts_instead_of_qs=true",
        "black_lady queen_only_lead=free",
    ),
    Variant("nopass", "qs_breaks_hearts=false,pass_cards=false", "black_lady pass_cycle=hold"),
)

DIRECTIONS: Final = (Direction.HOLD, Direction.LEFT, Direction.ACROSS, Direction.RIGHT)
"""By OpenSpiel's first chance action."""

SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
CARDS: Final = tuple(Card.of(rank, suit) for rank in Rank for suit in SUITS)
"""By OpenSpiel's action."""
ACTIONS: Final = {card: action for action, card in enumerate(CARDS)}

PENALTIES: Final = tuple(card for card in PACK if card.is_heart or card == QUEEN_OF_SPADES)


# Hands: mostly such as chance alone would hardly deal.

Hands = list[Sequence[Card]]


def _blocks(cards: Sequence[Card]) -> Hands:
    return [cards[at : at + 13] for at in range(0, 52, 13)]


def _even(chance: Random) -> Hands:
    return _blocks(chance.sample(PACK, k=52))


def _long_suits(chance: Random) -> Hands:
    """Seats that hold little but one suit or two."""
    spread = chance.choice((2, 5, 13))
    return _blocks(sorted(PACK, key=lambda card: card + chance.uniform(0, spread)))


def _strong_and_weak(chance: Random) -> Hands:
    """From a seat with hardly any low card to one with hardly any high one."""
    spread = chance.choice((1, 4, 8))
    return _blocks(sorted(PACK, key=lambda card: card.rank + chance.uniform(0, spread)))


def _nothing_but_points(chance: Random) -> Hands:
    """A seat that must play a scoring card to the first trick, and lead hearts unbroken."""
    hand = chance.sample(PENALTIES, k=13)
    others = [card for card in PACK if card not in hand]
    return [hand, *_blocks(chance.sample(others, k=39))[:3]]


def _short_of_clubs(chance: Random) -> Hands:
    """A seat without clubs, with many scoring cards and few others."""
    points = chance.sample(PENALTIES, k=chance.randrange(8, 13))
    plain = [card for card in PACK if card.suit is not Suit.CLUBS and card not in PENALTIES]
    hand = [*points, *chance.sample(plain, k=13 - len(points))]
    others = [card for card in PACK if card not in hand]
    return [hand, *_blocks(chance.sample(others, k=39))[:3]]


ARRANGEMENTS: Final[tuple[Callable[[Random], Hands], ...]] = (
    _even,
    _long_suits,
    _strong_and_weak,
    _nothing_but_points,
    _short_of_clubs,
)


# Habits: how a seat chooses among the cards that it may play.

Habit = Callable[[Random, Sequence[Card], State, Seat], Card]


def _any(chance: Random, cards: Sequence[Card], _state: State, _seat: Seat) -> Card:
    return chance.choice(cards)


def _by_rank(card: Card) -> tuple[int, int]:
    return card.rank, card.suit


def _collector(_chance: Random, cards: Sequence[Card], _state: State, _seat: Seat) -> Card:
    return max(cards, key=_by_rank)


def _dodger(_chance: Random, cards: Sequence[Card], state: State, _seat: Seat) -> Card:
    """Under the trick by as little as possible; the most dangerous card when void."""
    led = state.play.trick.led
    if led is not None and cards[0].suit is not led:
        return max(cards, key=lambda card: (card in PENALTIES, card.rank))
    top = max((card for card in state.play.cards if card.suit is led), default=None)
    under = [card for card in cards if top is not None and card < top]
    return max(under) if under else min(cards, key=_by_rank)


def _feeder(chance: Random, cards: Sequence[Card], state: State, _seat: Seat) -> Card:
    """Scoring cards for whoever takes the trick, and no trick for itself."""
    points = [card for card in cards if card in PENALTIES]
    if state.play.cards and points and points[0].suit is not state.play.trick.led:
        return chance.choice(points)
    return min(cards, key=_by_rank)


def _nearly(chance: Random, cards: Sequence[Card], state: State, seat: Seat) -> Card:
    """Shoots the moon, and lets a last heart go."""
    if state.play.points[seat] < 22:
        return _collector(chance, cards, state, seat)
    if state.play.points[seat] == 25:
        return _dodger(chance, cards, state, seat)
    return chance.choice(cards)


def _hearts_first(chance: Random, cards: Sequence[Card], _state: State, _seat: Seat) -> Card:
    return chance.choice([card for card in cards if card.is_heart] or cards)


def _points_first(chance: Random, cards: Sequence[Card], _state: State, _seat: Seat) -> Card:
    return chance.choice([card for card in cards if card in PENALTIES] or cards)


def _points_last(chance: Random, cards: Sequence[Card], _state: State, _seat: Seat) -> Card:
    return chance.choice([card for card in cards if card not in PENALTIES] or cards)


HABITS: Final[tuple[Habit, ...]] = (
    _any,
    _collector,
    _dodger,
    _feeder,
    _hearts_first,
    _points_first,
    _points_last,
)


def _company(chance: Random) -> list[Habit]:
    """Four seats that all go their own way, or three that help a fourth to the moon."""
    match chance.randrange(4):
        case 0:
            seats: list[Habit] = [_collector, _feeder, _feeder, _feeder]
        case 1:
            seats = [_nearly, _feeder, _feeder, chance.choice((_dodger, _points_last))]
        case _:
            seats = [chance.choice(HABITS) for _ in range(4)]
    return chance.sample(seats, k=4)


class DifferenceError(Exception):
    """The two programs do not agree; the sentence says on what."""


def compare_deal(seed: int) -> Counter[str]:
    """The rare things that one deal came to, on which both agree.

    Raises ``DifferenceError`` otherwise.
    """
    chance = Random(seed)  # noqa: S311  (a test, and it names its seed)
    variant = VARIANTS[seed % len(VARIANTS)]
    other = _other_game(variant.switches).new_initial_state()
    way = chance.choice(other.legal_actions())
    if chance.randrange(3) == 0:
        way = 0  # what was dealt is then what is played
    other.apply_action(way)
    game = seated(replace(_rules(variant.rules), pass_cycle=(DIRECTIONS[way],)))
    hands = chance.sample(chance.choice(ARRANGEMENTS)(chance), k=4)
    deck = deck_of([*map(CardSet.of, hands)])
    game.do(Deal(deck))
    for card in deck:
        other.apply_action(ACTIONS[card])
    _pass(game, other, chance)
    habits = _company(chance)
    seen: Counter[str] = Counter()
    while game.state.phase is Phase.PLAYING:
        _play(game, other, habits, chance, seen)
    return _scored(game, other, seen)


@cache
def _rules(text: str) -> Rules:
    return parse_rules(text)


@cache
def _other_game(switches: str) -> OtherGame:
    game: OtherGame = import_module("pyspiel").load_game(f"hearts({switches})")
    return game


def _pass(game: Recording, other: OtherState, chance: Random) -> None:
    while game.state.phase is Phase.PASSING:
        seat = game.state.awaited[0]
        hand = game.state.play.hands[seat].cards
        cards = chance.sample(hand, k=3)
        if chance.randrange(2):
            cards = sorted(hand, key=lambda card: (card in PENALTIES, card.rank))[:3]
        for card in sorted(cards, key=ACTIONS.__getitem__):
            other.apply_action(ACTIONS[card])
        game.do(ChoosePass(seat, tuple(cards)))


def _play(
    game: Recording, other: OtherState, habits: Sequence[Habit], chance: Random, seen: Counter[str]
) -> None:
    play = game.state.play
    _same("turn", play.turn, other.current_player())
    legal = CardSet.of(CARDS[action] for action in other.legal_actions())
    _same("legal cards", play.legal, legal)
    seat = Seat(other.current_player())
    card = habits[seat](chance, legal.cards, game.state, seat)
    if not play.cards and not play.hearts_broken and play.tricks:
        seen["hearts led unbroken"] |= card.is_heart
        seen["queen led unbroken"] |= card == QUEEN_OF_SPADES
    seen["scoring card on the first trick"] |= not play.tricks and card in PENALTIES
    other.apply_action(ACTIONS[card])
    game.do(PlayCard(seat, card))


def _scored(game: Recording, other: OtherState, seen: Counter[str]) -> Counter[str]:
    _same("end of the deal", game.state.phase is Phase.SHOWING, other.is_terminal())
    takers = {trick.taker for trick in game.state.play.tricks}
    scored = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    _same("scores", scored.scores, tuple(26 - int(value) for value in other.returns()))
    seen["moons"] = scored.moon is not None
    seen["25 points"] = 25 in scored.points
    seen["every trick to one seat"] = len(takers) == 1
    seen["a seat without tricks, no moon"] = len(takers) < 4 and scored.moon is None
    return seen


def _same(what: str, ours: object, theirs: object) -> None:
    if ours != theirs:
        raise DifferenceError(f"{what}: {ours} here, {theirs} there")


def main() -> int:
    """Compare as many deals as asked for; 1 at the first difference."""
    parser = argparse.ArgumentParser(description="Compare the engine with OpenSpiel's hearts.")
    parser.add_argument("--deals", type=int, default=1000, help="how many deals to play")
    parser.add_argument("--seed", type=int, help="seed of the first deal; by itself a fresh one")
    options = parser.parse_args()
    first = SystemRandom().randrange(2**40) if options.seed is None else options.seed
    started = time.monotonic()
    seen: Counter[str] = Counter()
    for seed in range(first, first + options.deals):
        try:
            seen.update(compare_deal(seed))
        except Exception as difference:  # noqa: BLE001  (a refusal or a crash differs too)
            variant = VARIANTS[seed % len(VARIANTS)].name
            print(f"{variant}: {type(difference).__name__}: {difference}")
            print(f"repeat with: python tools/differential.py --deals 1 --seed {seed}")
            return 1
    seconds = time.monotonic() - started
    print(f"{options.deals} deals agree, from seed {first}, in {seconds:.1f} s; among them")
    for what, count in sorted(seen.items()):
        print(f"{count:7} {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
