"""What one seat, or a spectator, may know of a game."""

from __future__ import annotations

from collections.abc import Iterable

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat, Suit
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.dealing import passable
from hearts_engine.events import (
    Absence,
    CardsPassed,
    CloseCause,
    DealScored,
    Event,
    GameEnded,
    GameOpened,
    HandShown,
    SeatTaken,
    StopCause,
)
from hearts_engine.evolve import replay
from hearts_engine.options import MoonChoice
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.trick import Trick
from hearts_engine.value import value


@value
class SeatView:
    """A game as it stands for one seat; every tuple is by seat unless it says otherwise."""

    seat: Seat | None
    """None for a spectator."""
    opened: GameOpened
    phase: Phase
    seats: tuple[SeatTaken | None, ...]
    deal: int
    """The current deal, from 1; 0 before the first."""
    dealer: Seat
    direction: Direction
    """Where this deal's pass goes."""
    hand: CardSet
    legal: CardSet
    """What the seat may play now, or choose its pass from; empty when it is not asked."""
    ready: tuple[bool, ...]
    """Who has chosen a pass."""
    passed: CardSet
    """What this seat chose to pass in this deal."""
    received: CardSet
    """What this seat was passed, or got from the centre, in this deal."""
    moves: tuple[CardsPassed, ...]
    """What this seat passed to which seat and was passed by which, in order."""
    trick: Trick
    """The trick being played, perhaps still empty."""
    tricks: tuple[Trick, ...]
    """Those completed in this deal, in order; one without a taker was cancelled."""
    points: tuple[int, ...]
    """What each seat has taken in this deal so far; the kitty counted for those who know it."""
    hearts_broken: bool
    claimed: Seat | None
    """The seat that claimed the rest of this deal."""
    kitty_seat: Seat | None
    """The seat that the kitty went to."""
    kitty: CardSet
    """What it was: for the seat that took it, and for everyone once the deal is over."""
    moon_seat: Seat | None
    """The seat that is, or was, to choose how its moon is scored."""
    moon_choice: MoonChoice | None
    shown: tuple[HandShown, ...]
    """All hands of this deal, once it is over."""
    scored: tuple[DealScored, ...]
    """The deals scored so far, in order."""
    totals: tuple[int, ...]
    ended: GameEnded | None
    away: tuple[Absence | None, ...]
    """Why decisions are made for a seat; none where it decides by itself."""
    stopped: StopCause | None
    """Why time stands still."""
    closed: CloseCause | None
    """Why the game was given up."""

    @property
    def rules(self) -> Rules:
        """What the table plays by."""
        return self.opened.rules

    @property
    def turn(self) -> Seat | None:
        """The seat that plays the next card; none also while a full trick is still to be taken."""
        trick = self.trick
        return trick.next_seat if self.phase is Phase.PLAYING and not trick.complete else None

    @property
    def asked(self) -> bool:
        """Whether this seat owes a pass, a card or the choice of a moon."""
        return bool(self.legal) or (
            self.phase is Phase.MOON
            and self.stopped is not StopCause.HOST
            and self.seat is not None
            and self.moon_seat == self.seat
        )

    @property
    def cards_left(self) -> tuple[int, ...]:
        """How many cards each seat holds."""
        if self.deal == 0:
            return (0,) * self.rules.players
        left = self.rules.hand_size - len(self.tricks)
        played = {seat for seat, _ in self.trick.plays}
        return tuple(left - (seat in played) for seat in range(self.rules.players))

    @property
    def shown_out(self) -> tuple[frozenset[Suit], ...]:
        """The suits that each seat has failed to follow in this deal."""
        out: list[set[Suit]] = [set() for _ in range(self.rules.players)]
        for trick in (*self.tricks, self.trick):
            for seat, card in trick.plays:
                if trick.led is not None and card.suit is not trick.led:
                    out[seat].add(trick.led)
        return tuple(map(frozenset, out))

    @property
    def played(self) -> CardSet:
        """Every card played in this deal, the open trick included."""
        return CardSet.of(card for trick in (*self.tricks, self.trick) for card in trick.cards)


def observe(state: State, seat: Seat | None) -> SeatView:
    """What this seat, or a spectator, may know of the state."""
    game, exchange, play = state.game, state.exchange, state.play
    outcome = play.outcome
    knows_kitty = outcome.kitty_shown or (seat is not None and seat == outcome.kitty_seat)
    kitty = outcome.kitty if knows_kitty else NO_CARDS
    return SeatView(
        seat=seat,
        opened=game.opened,
        phase=state.phase,
        seats=game.seats,
        deal=exchange.deal,
        dealer=exchange.dealer,
        direction=exchange.direction,
        hand=NO_CARDS if seat is None else play.hands[seat],
        legal=_legal(state, seat),
        ready=exchange.ready,
        passed=NO_CARDS if seat is None else CardSet.of(exchange.chosen[seat]),
        received=NO_CARDS if seat is None else exchange.received[seat],
        moves=tuple(move for move in exchange.moves if seat in {move.giver, move.taker}),
        trick=play.trick,
        tricks=play.tricks,
        points=_points(state, kitty),
        hearts_broken=play.hearts_broken,
        claimed=outcome.claimed,
        kitty_seat=outcome.kitty_seat,
        kitty=kitty,
        moon_seat=outcome.moon_seat,
        moon_choice=outcome.moon_choice,
        shown=exchange.shown,
        scored=game.scored,
        totals=game.totals,
        ended=game.ended,
        away=game.presence.away,
        stopped=game.presence.stopped,
        closed=None if game.closed is None else game.closed.cause,
    )


def _points(state: State, kitty: CardSet) -> tuple[int, ...]:
    """What each seat has taken, with a kitty that is known."""
    points, owner = state.play.points, state.play.outcome.kitty_seat
    if owner is None or not kitty:
        return points
    worth = state.game.rules.value_of(kitty)
    return tuple(own + worth * (seat == owner) for seat, own in enumerate(points))


def _legal(state: State, seat: Seat | None) -> CardSet:
    if seat is None or seat not in state.awaited:
        return NO_CARDS
    if state.game.presence.stopped is StopCause.HOST:
        return NO_CARDS
    match state.phase:
        case Phase.PASSING:
            return passable(state.play.hands[seat], state.game.rules)
        case Phase.PLAYING:
            return state.play.legal
        case _:
            return NO_CARDS


def visible(events: Iterable[Event], seat: Seat | None) -> tuple[Event, ...]:
    """The events that this seat, or a spectator, may know of."""
    seen, open_hands = list[Event](), False
    for event in events:
        if isinstance(event, GameOpened):
            open_hands = event.open_hands
        if visible_to(seat, event, open_hands=open_hands):
            seen.append(event)
    return tuple(seen)


def follow(seat: Seat | None, seen: Iterable[Event]) -> SeatView | None:
    """The view that a seat can build by itself from the events it sees; none before the first.

    For every log and every prefix of it,
    ``follow(seat, visible(events, seat)) == observe(replay(events), seat)``.
    """
    state = replay(seen)
    return None if state is None else observe(state, seat)
