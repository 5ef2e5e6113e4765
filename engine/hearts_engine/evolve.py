"""Events become state. Total: nothing is validated here, and nothing else is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar, assert_never

from hearts_engine.cards import Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    GameEnded,
    GameOpened,
    HandDealt,
    HandShown,
    LogSealed,
    PassChosen,
    PlayBegan,
    PlayCut,
    RestClaimed,
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
    TrickTaken,
)
from hearts_engine.legality import Turn, legal_plays
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Exchange, Game, Phase, Play, State, empty_exchange, empty_play
from hearts_engine.trick import Trick

T = TypeVar("T")


def replay(events: Iterable[Event]) -> State | None:
    """The state that these events add up to; none before the first."""
    return reduce(evolve, events, None)


def evolve(state: State | None, event: Event) -> State:
    """The state after one more event, the first of which opens the game.

    The events may be all of them or those one seat may see; what is hidden stays empty.
    """
    if state is None:
        return _first(event)
    match event:  # the commonest first
        case CardPlayed():
            return _played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case PassChosen():
            chosen = _put(state.exchange.chosen, event.seat, event.cards)
            return _with_exchange(state, state.exchange._replace(chosen=chosen))
        case SeatReady():
            ready = _put(state.exchange.ready, event.seat, True)
            return _with_exchange(state, state.exchange._replace(ready=ready))
        case CardsPassed():
            return _passed(state, event)
        case HandDealt():
            return _dealt(state, event)
        case HandShown():
            shown = (*state.exchange.shown, event)
            return _with_exchange(state, state.exchange._replace(shown=shown))
        case DealBegan():
            return _deal_began(state, event)
        case PlayBegan():
            return _lead(state, event.leader, (), state.play.taken)
        case RestClaimed():
            return _rest_claimed(state, event.seat)
        case PlayCut():
            play = state.play._replace(legal=NO_CARDS)
            return state._replace(phase=Phase.SHOWING, play=play)
        case SecretRevealed():
            return state
        case DealScored():
            game = state.game._replace(scored=(*state.game.scored, event))
            return state._replace(phase=Phase.DEALING, game=game)
        case GameEnded():
            game = state.game._replace(ended=event)
            return state._replace(phase=Phase.ENDED, game=game)
        case LogSealed():
            return state._replace(phase=Phase.SEALED)
        case SeatTaken():
            seats = _put(state.game.seats, event.seat, event)
            return state._replace(game=state.game._replace(seats=seats))
        case SeatLeft():
            seats = _put(state.game.seats, event.seat, None)
            return state._replace(game=state.game._replace(seats=seats))
        case SeatsFrozen():
            return _awaiting_entropy(state)
        case EntropyRevealed() | EntropyWithheld():
            entropy = _put(state.game.entropy, event.seat, event)
            return _awaiting_entropy(state._replace(game=state.game._replace(entropy=entropy)))
        case GameOpened():
            return _first(event)
        case _:
            assert_never(event)


def _first(event: Event) -> State:
    if not isinstance(event, GameOpened):
        raise ValueError(f"the first event opens the game, not {event}")  # noqa: TRY004
    players = event.rules.players
    game = Game(event, seats=(None,) * players, entropy=(None,) * players)
    return State(Phase.SEATING, game, empty_exchange(players), empty_play(players))


def _awaiting_entropy(state: State) -> State:
    return state._replace(phase=Phase.ENTROPY if state.game.owing else Phase.DEALING)


def _deal_began(state: State, event: DealBegan) -> State:
    players = state.game.rules.players
    exchange = empty_exchange(players, event.deal, event.direction)
    exchange = exchange._replace(dealer=event.dealer)
    holds = event.direction is Direction.HOLD
    phase = Phase.DEALING if holds else Phase.PASSING
    return State(phase, state.game, exchange, empty_play(players))


def _with_exchange(state: State, exchange: Exchange) -> State:
    return State(state.phase, state.game, exchange, state.play)


def _dealt(state: State, event: HandDealt) -> State:
    seat, cards = event.seat, event.cards
    exchange = state.exchange._replace(dealt=_put(state.exchange.dealt, seat, cards))
    play = state.play._replace(hands=_put(state.play.hands, seat, cards))
    return State(state.phase, state.game, exchange, play)


def _passed(state: State, event: CardsPassed) -> State:
    giver, taker, cards = event.giver, event.taker, event.cards
    hands = _put(state.play.hands, giver, state.play.hands[giver] - cards)
    hands = _put(hands, taker, hands[taker] + cards)
    received = _put(state.exchange.received, taker, cards)
    exchange = state.exchange._replace(received=received)
    return State(state.phase, state.game, exchange, state.play._replace(hands=hands))


def _lead(
    state: State, leader: Seat, tricks: tuple[Trick, ...], taken: tuple[CardSet, ...]
) -> State:
    """The state in which this seat leads the next trick, or none is left to lead."""
    rules = state.game.rules
    hands, broken = state.play.hands, state.play.hearts_broken
    if len(tricks) < rules.hand_size:
        phase = Phase.PLAYING
        legal = legal_plays(Turn(hands[leader], None, not tricks, broken), rules.restrictions)
    else:
        phase, legal = Phase.SHOWING, NO_CARDS
    play = Play(hands, Trick(leader, rules.players), tricks, taken, broken, legal)
    return State(phase, state.game, state.exchange, play)


def _played(state: State, event: CardPlayed) -> State:
    play = state.play
    card, seat = event.card, event.seat
    hands = _put(play.hands, seat, play.hands[seat].remove(card))
    broken = play.hearts_broken or card.is_heart
    trick = play.trick.add(card)
    if trick.complete:
        legal = NO_CARDS
    else:
        turn = Turn(hands[trick.next_seat], trick.led, not play.tricks, broken)
        legal = legal_plays(turn, state.game.rules.restrictions)
    after = Play(hands, trick, play.tricks, play.taken, broken, legal)
    return State(state.phase, state.game, state.exchange, after)


def _trick_taken(state: State, event: TrickTaken) -> State:
    play, seat = state.play, event.seat
    taken = play.taken
    penalties = CardSet.of(play.trick.cards) & state.game.rules.penalties
    if penalties:
        taken = _put(taken, seat, taken[seat] + penalties)
    return _lead(state, seat, (*play.tricks, play.trick), taken)


def _rest_claimed(state: State, seat: Seat) -> State:
    play, rules = state.play, state.game.rules
    taken = _put(play.taken, seat, play.taken[seat] + untaken_penalties(play, rules))
    return state._replace(
        phase=Phase.SHOWING, play=play._replace(taken=taken, claimed=seat, legal=NO_CARDS)
    )


def untaken_penalties(play: Play, rules: Rules) -> CardSet:
    """The penalty cards that no seat has taken yet."""
    rest = rules.penalties
    for cards in play.taken:
        rest = rest - cards
    return rest


def _put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    changed = list(items)
    changed[index] = item
    return tuple(changed)
