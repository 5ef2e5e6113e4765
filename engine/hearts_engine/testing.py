"""Support for tests of whatever plays Hearts: seated games, scripted deals, positions, random play.

As pure as the rest of the package: chance comes in as an argument, a ``random.Random`` say.
"""

from __future__ import annotations

from collections.abc import Iterable, MutableSequence, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Final, Protocol, TypeVar

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import (
    ChoosePass,
    Command,
    Deal,
    FreezeSeats,
    OpenGame,
    PlayCard,
    ShowDeal,
    TakeSeat,
)
from hearts_engine.decide import decide
from hearts_engine.events import CardPlayed, DealScored, DealSource, Event, FixedSeed, SeatKind
from hearts_engine.evolve import evolve
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, Play, State
from hearts_engine.trick import Trick

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


def deck_of(hands: Sequence[CardSet]) -> tuple[Card, ...]:
    """The deck that deals these hands, all of the same size."""
    return tuple(chain.from_iterable(zip(*hands, strict=True)))


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
        game.do(PlayCard(game.state.play.trick.next_seat, card))


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
    """A random legal pass or play of the first seat that owes one."""
    seat = state.awaited[0]
    if state.phase is Phase.PASSING:
        hand = tuple(state.play.hands[seat])
        return ChoosePass(seat, tuple(chance.sample(hand, k=state.game.rules.pass_count)))
    return PlayCard(seat, chance.choice(tuple(state.play.legal)))


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
    went, in index order, to earlier tricks that seat 0 led.
    """
    game = seated(rules).state
    gone = tuple(card for card in rules.deck if not any(card in hand for hand in hands))
    tricks = tuple(
        Trick(Seat(0), rules.players, gone[at : at + rules.players])
        for at in range(0, len(gone), rules.players)
    )
    taken = tuple(
        CardSet.of(chain.from_iterable(trick.cards for trick in tricks if trick.winner == seat))
        & rules.penalties
        for seat in range(rules.players)
    )
    turn = Turn(hands[leader], None, not tricks, hearts_broken)
    legal = legal_plays(turn, rules.restrictions)
    led = Trick(leader, rules.players)
    play = Play(tuple(hands), led, tricks, taken, hearts_broken, legal)
    state = game._replace(phase=Phase.PLAYING, play=play)
    for card in played:
        state = evolve(state, CardPlayed(state.play.trick.next_seat, card))
    return state


def unscored(rules: Rules, deal: int, totals: tuple[int, ...], taken: Sequence[CardSet]) -> State:
    """A deal played out in which the seats took these penalty cards, standing at ``totals``."""
    state = seated(rules).state
    before = DealScored(deal - 1, totals, None, totals, totals)
    return State(
        Phase.SHOWING,
        state.game._replace(scored=(before,)),
        state.exchange._replace(deal=deal),
        state.play._replace(taken=tuple(taken)),
    )
