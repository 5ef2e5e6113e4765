"""Support for tests of whatever plays Hearts: seated games, scripted deals, positions, random play.

As pure as the rest of the package: chance comes in as an argument, a ``random.Random`` say.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Final, Protocol, TypeVar

from hearts_engine.cards import SEATS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    Command,
    Deal,
    FreezeSeats,
    OpenGame,
    PlayCard,
    ShareCentre,
    ShowDeal,
    TakeSeat,
)
from hearts_engine.dealing import KEPT_SPADES, centre_of, passable
from hearts_engine.decide import decide
from hearts_engine.events import CardPlayed, DealScored, DealSource, Event, FixedSeed, SeatKind
from hearts_engine.evolve import evolve
from hearts_engine.legality import Turn
from hearts_engine.options import MoonChoice
from hearts_engine.play import empty_play
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.trick import Trick
from hearts_engine.value import replace

T = TypeVar("T")

SECRET: Final = bytes(32)
"""What these games reveal at the end of a deal; no test of the rules looks at it."""


class Chance(Protocol):
    """What this module asks of a ``random.Random``."""

    def choice(self, seq: Sequence[T], /) -> T:
        """One of these."""
        ...

    def sample(self, population: Sequence[T], /, k: int) -> list[T]:
        """``k`` different ones of these."""
        ...

    def shuffle(self, x: MutableSequence[Card], /) -> None:
        """Put these in any order."""


@dataclass(slots=True)
class Recording:
    """A game while it is played: its events so far, and the state they add up to."""

    state: State
    events: list[Event]

    def do(self, command: Command) -> tuple[Event, ...]:
        """The events that a command makes happen, recorded; a ``Rejected`` records nothing."""
        happened = decide(self.state, command)
        self.state = reduce(evolve, happened, self.state)
        self.events += happened
        return happened


def open_game(rules: Rules, source: DealSource = FixedSeed("test")) -> Recording:  # noqa: B008
    """A game at which nobody sits yet."""
    opening = OpenGame("game", "oak-1", rules, source, public_key=bytes(32))
    events = decide(None, opening)
    return Recording(evolve(None, events[0]), list(events))


def seated(rules: Rules) -> Recording:
    """A game with a house bot on every seat, ready for its first deal."""
    game = open_game(rules)
    for seat in map(Seat, range(rules.players)):
        game.do(TakeSeat(seat, f"seat {seat}", SeatKind.HOUSE, "easy"))
    game.do(FreezeSeats())
    return game


def deck_of(hands: Sequence[CardSet], kitty: Iterable[Card] = ()) -> tuple[Card, ...]:
    """The deck that deals these hands, all of the same size, and leaves this kitty."""
    return (*chain.from_iterable(zip(*hands, strict=True)), *kitty)


def play_script(
    game: Recording, hands: Sequence[CardSet], passes: Sequence[CardSet], plays: Iterable[Card]
) -> None:
    """Deal these hands, pass these cards, and play these in order, each from the seat on turn.

    Without ``passes`` nobody is asked for one. The deal is left unshown and unscored. Raises
    ``Rejected`` where the rules forbid what the script says.
    """
    game.do(Deal(deck_of(hands)))
    for seat, cards in enumerate(passes):
        game.do(ChoosePass(Seat(seat), tuple(cards)))
    for card in plays:
        assert game.state.turn is not None, "nobody is on turn any more"
        game.do(PlayCard(game.state.turn, card))


def play_at_random(rules: Rules, chance: Chance) -> Recording:
    """A whole game of random legal choices."""
    game = seated(rules)
    while game.state.phase is not Phase.ENDED:
        deal_at_random(game, chance)
    return game


def deal_at_random(game: Recording, chance: Chance) -> None:
    """One more deal of random legal choices, shown and scored."""
    deck = list(game.state.game.rules.deck)
    chance.shuffle(deck)
    game.do(Deal(tuple(deck)))
    while game.state.phase is not Phase.SHOWING:
        game.do(random_choice(game.state, chance))
    game.do(ShowDeal(SECRET))


def random_choice(state: State, chance: Chance) -> Command:
    """A random legal choice of the first seat that owes one, or a shuffle of the centre."""
    if state.phase is Phase.CENTRE:
        centre = list(centre_of(state.exchange))
        chance.shuffle(centre)
        return ShareCentre(tuple(centre))
    seat = state.awaited[0]
    if state.phase is Phase.PASSING:
        return ChoosePass(seat, random_pass(state, seat, chance))
    if state.phase is Phase.MOON:
        return ChooseMoon(seat, chance.choice(tuple(MoonChoice)))
    return PlayCard(seat, chance.choice(tuple(state.play.legal)))


def random_pass(state: State, seat: Seat, chance: Chance) -> tuple[Card, ...]:
    """A random legal pass of this seat."""
    hand, rules = state.play.hands[seat], state.game.rules
    open_to_all = passable(hand, rules)
    others = hand.without(KEPT_SPADES)
    short = rules.pass_count - len(others)
    if rules.keep_top_spades and short > 0:
        return (*others, *chance.sample(tuple(hand - others), k=short))
    return tuple(chance.sample(tuple(open_to_all), k=rules.pass_count))


def position(
    rules: Rules,
    hands: Sequence[CardSet],
    leader: Seat,
    *,
    hearts_broken: bool,
    played: Iterable[Card] = (),
) -> State:
    """A deal in the middle: hands of one size of which ``leader`` led, or leads, the trick.

    ``played`` are the cards of the open trick; the hands still hold them. The rest of the pack
    went, in index order, to earlier tricks that seat 0 led, and the last of it to the kitty.
    """
    game = seated(rules).state
    rest = rules.cards
    for hand in hands:
        rest -= hand
    gone = tuple(rest)
    tricks = tuple(
        _earlier_trick(gone[at : at + rules.players], rules)
        for at in range(0, len(gone) - rules.kitty_size, rules.players)
    )
    points = [0] * rules.players
    for trick in tricks:
        points[trick.taker or 0] += rules.value_of(trick.cards)
    led = replace(
        empty_play(rules.players),
        hands=tuple(hands),
        tricks=tricks,
        points=tuple(points),
        hearts_broken=hearts_broken,
    )
    turn = Turn(hands[leader], (), not tricks, hearts_broken)
    binding = rules.restrictions.binding(turn)
    legal = hands[leader].narrowed_by(binding.narrowings)
    play = replace(led, leader=leader, turn=leader, binding=binding, legal=legal)
    state = replace(game, phase=Phase.PLAYING, play=play)
    for card in played:
        assert state.turn is not None, "nobody is on turn any more"
        state = evolve(state, CardPlayed(state.turn, card))
    return state


def _earlier_trick(cards: tuple[Card, ...], rules: Rules) -> Trick:
    trick = Trick(Seat(0), rules.players, cards)
    return trick._replace(taker=trick.winning(rules.twins) or Seat(0))


def unscored(rules: Rules, deal: int, totals: tuple[int, ...], taken: Sequence[CardSet]) -> State:
    """A deal played out in which the seats took these penalty cards, standing at ``totals``."""
    state = seated(rules).state
    before = DealScored(deal - 1, totals, None, totals, totals)
    tricks = tuple(
        Trick(Seat(0), rules.players, tuple(cards), seat)
        for seat, cards in zip(SEATS, taken, strict=False)
    )
    return State(
        Phase.SHOWING,
        replace(state.game, scored=(before,)),
        replace(state.exchange, began=replace(state.exchange.began, deal=deal)),
        replace(state.play, tricks=tricks),
    )
