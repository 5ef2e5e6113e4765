"""Events become state. Total: nothing is validated here, and nothing else is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import assert_never

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Agent,
    CardPlayed,
    CardsPassed,
    CentreTaken,
    ClocksStarted,
    ClocksStopped,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameClosed,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    KittyDealt,
    KittyShown,
    KittyTaken,
    KittyWon,
    LogSealed,
    MoonChosen,
    MoonOffered,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatAway,
    SeatBack,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SeatTakenOver,
    SecretRevealed,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.exchange import before_the_first, empty_exchange, put
from hearts_engine.passing import Direction
from hearts_engine.play import Play, empty_play
from hearts_engine.presence import all_present
from hearts_engine.state import Game, Phase, State
from hearts_engine.value import replace


def replay(events: Iterable[Event]) -> State | None:
    """The state that these events add up to; none before the first."""
    return reduce(evolve, events, None)


def evolve(state: State | None, event: Event) -> State:
    """The state after one more event, the first of which opens the game.

    The events may be all of them or those one seat may see; what is hidden stays empty.
    """
    if state is None:
        return _first(event)
    game, exchange, play = state.game, state.exchange, state.play
    match event:  # the commonest first
        case CardPlayed():
            play = play.with_card(event.seat, event.card, game.rules)
            return State(state.phase, _decided(game, event.seat, event.by), exchange, play)
        case TrickTaken():
            return _next_trick(state, play.taken_by(event.seat, event.points, game.rules))
        case HandDealt():
            exchange = exchange.after(event)
            return State(state.phase, game, exchange, play.holding(exchange.dealt))
        case PassChosen():
            game = _decided(game, event.seat, event.by)
            return State(state.phase, game, exchange.after(event), play)
        case HandShown() | KittyDealt():
            return State(state.phase, game, exchange.after(event), play)
        case SeatReady():
            return _seat_ready(state, event)
        case CardsPassed() | CentreTaken():
            return _received(state, event)
        case DealBegan():
            return _deal_began(state, event)
        case PlayBegan():
            return _next_trick(state, play.led_by(event.leader, (), play.points, game.rules))
        case TrickCancelled():
            return _next_trick(state, play.cancelled(game.rules))
        case KittyWon() | KittyTaken() | KittyShown() | MoonOffered() | MoonChosen():
            return _outcome(state, event)
        case RestClaimed():
            return _rest_claimed(state, event)
        case PlayCut():
            return State(Phase.SHOWING, game, exchange, play.over())
        case SecretRevealed():
            return state
        case DealScored():
            game = replace(game, scored=(*game.scored, event))
            return State(Phase.DEALING, game, exchange, play)
        case GameEnded():
            return replace(state, phase=Phase.ENDED, game=replace(game, ended=event))
        case LogSealed():
            return replace(state, phase=Phase.SEALED)
        case GameClosed():
            return State(Phase.ENDED, replace(game, closed=event), exchange, play.over())
        case SeatAway() | SeatBack() | SeatTakenOver() | ClocksStopped() | ClocksStarted():
            return replace(state, game=_attended(game, event))
        case SeatTaken() | SeatLeft() | SeatsFrozen() | EntropyRevealed() | EntropyWithheld():
            return _seating(state, event)
        case GameOpened():
            return _first(event)
        case _:
            assert_never(event)


def _first(event: Event) -> State:
    if not isinstance(event, GameOpened):
        raise ValueError(f"the first event opens the game, not {event}")  # noqa: TRY004
    players = event.rules.players
    nobody = (None,) * players
    game = Game(event, event.rules, nobody, nobody, all_present(players))
    return State(Phase.SEATING, game, before_the_first(players), empty_play(players))


def _seating(
    state: State, event: SeatTaken | SeatLeft | SeatsFrozen | EntropyRevealed | EntropyWithheld
) -> State:
    game = state.game
    match event:
        case SeatTaken():
            return replace(state, game=replace(game, seats=put(game.seats, event.seat, event)))
        case SeatLeft():
            return replace(state, game=replace(game, seats=put(game.seats, event.seat, None)))
        case EntropyRevealed() | EntropyWithheld():
            game = replace(game, entropy=put(game.entropy, event.seat, event))
        case SeatsFrozen():
            pass
        case _:
            assert_never(event)
    return replace(state, game=game, phase=Phase.ENTROPY if game.owing else Phase.DEALING)


def _attended(
    game: Game, event: SeatAway | SeatBack | SeatTakenOver | ClocksStopped | ClocksStarted
) -> Game:
    """The game after someone came or went, or time stopped or started."""
    presence = game.presence
    match event:
        case SeatAway(seat, absence):
            return replace(game, presence=presence.gone(seat, absence))
        case SeatBack(seat):
            return replace(game, presence=presence.back(seat))
        case SeatTakenOver(seat, name, kind):
            before = game.seats[seat]
            # The commitment stays: it went into the seed of every deal.
            commitment = b"" if before is None else before.commitment
            taken = SeatTaken(seat, name, kind, commitment=commitment)
            seats = put(game.seats, seat, taken)
            return replace(game, seats=seats, presence=presence.back(seat))
        case ClocksStopped(cause):
            return replace(game, presence=replace(presence, stopped=cause))
        case ClocksStarted():
            return replace(game, presence=replace(presence, stopped=None))
        case _:
            assert_never(event)


def _decided(game: Game, seat: Seat, by: Agent) -> Game:
    """The game after a decision, which counts for the seat or against it."""
    presence = game.presence.decided(seat, by)
    return game if presence is game.presence else replace(game, presence=presence)


def _deal_began(state: State, event: DealBegan) -> State:
    players = state.game.rules.players
    phase = Phase.DEALING if event.direction is Direction.HOLD else Phase.PASSING
    return State(phase, state.game, empty_exchange(event, players), empty_play(players))


def _seat_ready(state: State, event: SeatReady) -> State:
    exchange = state.exchange.after(event)
    shuffles = exchange.direction is Direction.SHUFFLE and all(exchange.ready)
    phase = Phase.CENTRE if shuffles else state.phase
    return State(phase, state.game, exchange, state.play)


def _received(state: State, event: CardsPassed | CentreTaken) -> State:
    """Cards come to a seat, from another or in place of those it put into the centre."""
    hands = list(state.play.hands)
    match event:
        case CardsPassed():
            hands[event.giver] -= event.cards
        case CentreTaken():
            hands[event.seat] -= CardSet.of(state.exchange.chosen[event.seat])
        case _:
            assert_never(event)
    exchange = state.exchange.received_by(event)
    hands[event.taker if isinstance(event, CardsPassed) else event.seat] += event.cards
    return State(state.phase, state.game, exchange, state.play.holding(tuple(hands)))


def _next_trick(state: State, play: Play) -> State:
    """The state in which the next trick is led, or none is left to lead."""
    phase = Phase.SHOWING if play.turn is None else Phase.PLAYING
    return State(phase, state.game, state.exchange, play)


def _rest_claimed(state: State, event: RestClaimed) -> State:
    play, seat = state.play, event.seat
    points = put(play.points, seat, play.points[seat] + event.points)
    play = replace(play, points=points, outcome=replace(play.outcome, claimed=seat))
    game = _decided(state.game, seat, Agent.SEAT)
    return State(Phase.SHOWING, game, state.exchange, play.over())


def _outcome(
    state: State, event: KittyWon | KittyTaken | KittyShown | MoonOffered | MoonChosen
) -> State:
    outcome, phase, game = state.play.outcome, state.phase, state.game
    match event:
        case KittyWon(seat):
            outcome = replace(outcome, kitty_seat=seat)
        case KittyTaken():
            outcome = replace(outcome, kitty=event.cards)
        case KittyShown():
            outcome = replace(outcome, kitty=event.cards, kitty_shown=True)
        case MoonOffered(seat):
            outcome, phase = replace(outcome, moon_seat=seat), Phase.MOON
        case MoonChosen():
            outcome, phase = replace(outcome, moon_choice=event.choice), Phase.SHOWING
            game = _decided(game, event.seat, event.by)
        case _:
            assert_never(event)
    return State(phase, game, state.exchange, replace(state.play, outcome=outcome))
