"""Events become state. Total: nothing is validated here, and nothing else is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import TypeVar, assert_never

from hearts_engine.cards import ACE_OF_SPADES, KING_OF_SPADES, SEATS, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    CentreTaken,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
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
    SeatLeft,
    SeatReady,
    SeatsFrozen,
    SeatTaken,
    SecretRevealed,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.legality import FREE
from hearts_engine.passing import Direction
from hearts_engine.state import (
    Game,
    Outcome,
    Phase,
    Play,
    State,
    before_the_first,
    empty_exchange,
    empty_play,
)
from hearts_engine.trick import Trick
from hearts_engine.value import replace

T = TypeVar("T")

TOP_SPADES = frozenset({ACE_OF_SPADES, KING_OF_SPADES})


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
            return _card_played(state, event)
        case TrickTaken():
            return _trick_taken(state, event)
        case PassChosen():
            return _pass_chosen(state, event)
        case SeatReady():
            return _seat_ready(state, event)
        case CardsPassed() | CentreTaken():
            return _received(state, event)
        case HandDealt() | KittyDealt():
            return _dealt(state, event)
        case HandShown():
            exchange = state.exchange
            shown = replace(exchange, shown=(*exchange.shown, event))
            return State(state.phase, state.game, shown, state.play)
        case DealBegan():
            return _deal_began(state, event)
        case PlayBegan():
            return _lead(state, event.leader, (), state.play.points)
        case TrickCancelled():
            trick = Trick(state.play.leader, len(state.play.hands), state.play.cards)
            return _lead(state, trick.leader, (*state.play.tricks, trick), state.play.points)
        case KittyWon() | KittyTaken() | KittyShown() | MoonOffered() | MoonChosen():
            return _outcome(state, event)
        case RestClaimed():
            return _rest_claimed(state, event)
        case PlayCut():
            return _play_over(state, state.play.outcome)
        case SecretRevealed():
            return state
        case DealScored():
            game = replace(state.game, scored=(*state.game.scored, event))
            return State(Phase.DEALING, game, state.exchange, state.play)
        case GameEnded():
            return replace(state, phase=Phase.ENDED, game=replace(state.game, ended=event))
        case LogSealed():
            return replace(state, phase=Phase.SEALED)
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
    game = Game(event, event.rules, seats=(None,) * players, entropy=(None,) * players)
    return State(Phase.SEATING, game, before_the_first(players), empty_play(players))


def _seating(
    state: State, event: SeatTaken | SeatLeft | SeatsFrozen | EntropyRevealed | EntropyWithheld
) -> State:
    game = state.game
    match event:
        case SeatTaken():
            return replace(state, game=replace(game, seats=_put(game.seats, event.seat, event)))
        case SeatLeft():
            return replace(state, game=replace(game, seats=_put(game.seats, event.seat, None)))
        case EntropyRevealed() | EntropyWithheld():
            game = replace(game, entropy=_put(game.entropy, event.seat, event))
        case SeatsFrozen():
            pass
        case _:
            assert_never(event)
    return replace(state, game=game, phase=Phase.ENTROPY if game.owing else Phase.DEALING)


def _deal_began(state: State, event: DealBegan) -> State:
    players = state.game.rules.players
    exchange = empty_exchange(event, players)
    phase = Phase.DEALING if event.direction is Direction.HOLD else Phase.PASSING
    return State(phase, state.game, exchange, empty_play(players))


def _dealt(state: State, event: HandDealt | KittyDealt) -> State:
    exchange, play = state.exchange, state.play
    match event:
        case HandDealt():
            dealt = _put(exchange.dealt, event.seat, event.cards)
            exchange = replace(exchange, dealt=dealt)
            play = _holding(play, dealt)
        case KittyDealt():
            exchange = replace(exchange, kitty=event.cards)
        case _:
            assert_never(event)
    return State(state.phase, state.game, exchange, play)


def _pass_chosen(state: State, event: PassChosen) -> State:
    chosen = _put(state.exchange.chosen, event.seat, event.cards)
    return State(state.phase, state.game, replace(state.exchange, chosen=chosen), state.play)


def _seat_ready(state: State, event: SeatReady) -> State:
    exchange = state.exchange
    ready = _put(exchange.ready, event.seat, True)
    shuffles = exchange.direction is Direction.SHUFFLE and all(ready)
    phase = Phase.CENTRE if shuffles else state.phase
    return State(phase, state.game, replace(exchange, ready=ready), state.play)


def _received(state: State, event: CardsPassed | CentreTaken) -> State:
    """Cards come to a seat, from another or in place of those it put into the centre."""
    exchange, hands = state.exchange, list(state.play.hands)
    match event:
        case CardsPassed(giver, taker, cards):
            hands[giver] -= cards
            moves = (*exchange.moves, event)
        case CentreTaken(taker, cards):
            hands[taker] -= CardSet.of(exchange.chosen[taker])
            moves = exchange.moves
        case _:
            assert_never(event)
    hands[taker] += cards
    received = _put(exchange.received, taker, exchange.received[taker] + cards)
    exchange = replace(exchange, moves=moves, received=received)
    return State(state.phase, state.game, exchange, _holding(state.play, tuple(hands)))


def _holding(play: Play, hands: tuple[CardSet, ...]) -> Play:
    """The same before the first lead, with these hands."""
    return Play(
        hands,
        play.leader,
        play.cards,
        play.turn,
        play.binding,
        play.legal,
        play.hearts_broken,
        play.tricks,
        play.points,
    )


def _lead(state: State, leader: Seat, tricks: tuple[Trick, ...], points: tuple[int, ...]) -> State:
    """The state in which this seat leads the next trick, or none is left to lead."""
    rules, play = state.game.rules, state.play
    hands, broken = play.hands, play.hearts_broken
    if len(tricks) < rules.hand_size:
        phase, turn, hand = Phase.PLAYING, leader, hands[leader]
        binding = rules.restrictions.leading(hand, first_trick=not tricks, hearts_broken=broken)
        legal = hand.narrowed_by(binding.narrowings)
    else:
        phase, turn, binding, legal = Phase.SHOWING, None, FREE, NO_CARDS
    after = Play(hands, leader, (), turn, binding, legal, broken, tricks, points, play.outcome)
    return State(phase, state.game, state.exchange, after)


def _card_played(state: State, event: CardPlayed) -> State:
    play, rules = state.play, state.game.rules
    seat, card = event.seat, event.card
    hands = list(play.hands)
    hands[seat] = hands[seat].remove(card)
    cards = (*play.cards, card)
    binding = play.binding
    if len(cards) == 1 or card in TOP_SPADES:
        binding = rules.restrictions.following(cards, first_trick=not play.tricks)
    if len(cards) < len(hands):
        turn = SEATS[seat + 1 if seat + 1 < len(hands) else 0]
        legal = hands[turn].narrowed_by(binding.narrowings)
    else:
        turn, legal = None, NO_CARDS
    after = Play(
        tuple(hands),
        play.leader,
        cards,
        turn,
        binding,
        legal,
        play.hearts_broken or rules.breakers[card],
        play.tricks,
        play.points,
        play.outcome,
    )
    return State(state.phase, state.game, state.exchange, after)


def _trick_taken(state: State, event: TrickTaken) -> State:
    play, seat = state.play, event.seat
    points = play.points
    if event.points:
        points = _put(points, seat, points[seat] + event.points)
    trick = Trick(play.leader, len(play.hands), play.cards, seat)
    return _lead(state, seat, (*play.tricks, trick), points)


def _rest_claimed(state: State, event: RestClaimed) -> State:
    play, seat = state.play, event.seat
    points = _put(play.points, seat, play.points[seat] + event.points)
    claimed = replace(state, play=replace(play, points=points))
    return _play_over(claimed, replace(play.outcome, claimed=seat))


def _play_over(state: State, outcome: Outcome) -> State:
    """The state in which nobody plays any more, though cards may be left."""
    play = replace(state.play, turn=None, binding=FREE, legal=NO_CARDS, outcome=outcome)
    return State(Phase.SHOWING, state.game, state.exchange, play)


def _outcome(
    state: State, event: KittyWon | KittyTaken | KittyShown | MoonOffered | MoonChosen
) -> State:
    outcome, phase = state.play.outcome, state.phase
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
        case _:
            assert_never(event)
    return State(phase, state.game, state.exchange, replace(state.play, outcome=outcome))


def _put(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    changed = list(items)
    changed[index] = item
    return tuple(changed)
