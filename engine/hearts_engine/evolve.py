"""Events become state. Total: nothing is validated here, and nothing else is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar, assert_never

from hearts_engine.cards import Seat, Suit
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
from hearts_engine.rules import Rules
from hearts_engine.state import Game, Phase, Play, State, empty_exchange, empty_play
from hearts_engine.trick import Trick

T = TypeVar("T")


def replay(events: Iterable[Event]) -> State | None:
    """The state that these events add up to; none before the first."""
    return reduce(evolve, events, None)


def evolve(state: State | None, event: Event) -> State:
    """The state after one more event, the first of which opens the game.

    The events may be all of them or those one seat may see; what is hidden stays empty.
    """
    if isinstance(event, GameOpened):
        return _opened(event)
    if state is None:
        raise ValueError(f"the first event opens the game, not {event}")
    match event:
        case CardPlayed():
            return _played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case SeatTaken(seat):
            return state._replace(
                game=state.game._replace(seats=_put(state.game.seats, seat, event))
            )
        case SeatLeft(seat):
            return state._replace(
                game=state.game._replace(seats=_put(state.game.seats, seat, None))
            )
        case SeatsFrozen():
            return _awaiting_entropy(state)
        case EntropyRevealed(seat) | EntropyWithheld(seat):
            entropy = _put(state.game.entropy, seat, event)
            return _awaiting_entropy(state._replace(game=state.game._replace(entropy=entropy)))
        case DealBegan():
            return _deal_began(state, event)
        case HandDealt(seat, cards):
            exchange = state.exchange._replace(dealt=_put(state.exchange.dealt, seat, cards))
            play = state.play._replace(hands=_put(state.play.hands, seat, cards))
            return state._replace(exchange=exchange, play=play)
        case SeatReady(seat):
            ready = _put(state.exchange.ready, seat, True)
            return state._replace(exchange=state.exchange._replace(ready=ready))
        case PassChosen(seat, cards):
            chosen = _put(state.exchange.chosen, seat, cards)
            return state._replace(exchange=state.exchange._replace(chosen=chosen))
        case CardsPassed():
            return _passed(state, event)
        case PlayBegan(leader):
            return _lead(state._replace(phase=Phase.PLAYING), leader, state.play)
        case RestClaimed(seat):
            return _rest_claimed(state, seat)
        case PlayCut():
            play = state.play._replace(legal=NO_CARDS)
            return state._replace(phase=Phase.SHOWING, play=play)
        case HandShown():
            shown = (*state.exchange.shown, event)
            return state._replace(exchange=state.exchange._replace(shown=shown))
        case SecretRevealed():
            return state
        case DealScored():
            scored = (*state.game.scored, event)
            return state._replace(game=state.game._replace(scored=scored))._replace(
                phase=Phase.DEALING
            )
        case GameEnded():
            return state._replace(game=state.game._replace(ended=event))._replace(phase=Phase.ENDED)
        case LogSealed():
            return state._replace(phase=Phase.SEALED)
        case _:
            assert_never(event)


def _opened(event: GameOpened) -> State:
    players = event.rules.players
    game = Game(event, seats=(None,) * players, entropy=(None,) * players)
    return State(Phase.SEATING, game, empty_exchange(players), empty_play(players))


def _awaiting_entropy(state: State) -> State:
    return state._replace(phase=Phase.ENTROPY if state.game.owing else Phase.DEALING)


def _deal_began(state: State, event: DealBegan) -> State:
    players = state.game.rules.players
    exchange = empty_exchange(players, event.deal, event.direction)
    exchange = exchange._replace(dealer=event.dealer)
    return State(Phase.PASSING, state.game, exchange, empty_play(players))


def _passed(state: State, event: CardsPassed) -> State:
    giver, taker, cards = event.giver, event.taker, event.cards
    hands = state.play.hands
    hands = _put(hands, giver, hands[giver] - cards)
    hands = _put(hands, taker, hands[taker] + cards)
    received = _put(state.exchange.received, taker, cards)
    return state._replace(
        exchange=state.exchange._replace(received=received), play=state.play._replace(hands=hands)
    )


def _lead(state: State, leader: Seat, play: Play) -> State:
    """The state in which this seat leads the next trick, or none is left to lead."""
    rules = state.game.rules
    if len(play.tricks) == rules.hand_size:
        empty = Trick(leader, rules.players)
        done = Play(play.hands, empty, play.tricks, play.taken, play.hearts_broken, NO_CARDS)
        return State(Phase.SHOWING, state.game, state.exchange, done)
    turn = Turn(play.hands[leader], None, not play.tricks, play.hearts_broken)
    legal = legal_plays(turn, rules.restrictions)
    trick = Trick(leader, rules.players)
    led = Play(play.hands, trick, play.tricks, play.taken, play.hearts_broken, legal)
    return State(state.phase, state.game, state.exchange, led)


def _played(state: State, event: CardPlayed) -> State:
    play = state.play
    card, seat = event.card, event.seat
    hands = _put(play.hands, seat, play.hands[seat].remove(card))
    broken = play.hearts_broken or card.suit is Suit.HEARTS
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
    tricks = (*play.tricks, play.trick)
    taken = play.taken
    if event.points:
        penalties = CardSet.of(play.trick.cards) & state.game.rules.penalties
        taken = _put(taken, seat, taken[seat] + penalties)
    after = Play(play.hands, play.trick, tricks, taken, play.hearts_broken, NO_CARDS)
    return _lead(state, seat, after)


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
    return (*items[:index], item, *items[index + 1 :])
