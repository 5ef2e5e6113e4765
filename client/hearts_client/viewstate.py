"""What a view adds up to: the state that a seat's own fold goes on from, and facts read off it."""

from __future__ import annotations

from typing import Final, TypeVar

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS
from hearts_engine.events import DealBegan, GameClosed
from hearts_engine.exchange import Exchange
from hearts_engine.legality import FREE, Binding, Turn
from hearts_engine.options import Twins
from hearts_engine.play import Outcome, Play
from hearts_engine.presence import Presence
from hearts_engine.rules import Rules
from hearts_engine.state import Game, Phase, State
from hearts_engine.trick import Trick
from hearts_engine.view import SeatView

T = TypeVar("T")

_UNKNOWN: Final = NO_CARDS
"""What stands for cards that a seat cannot know."""


def state_of(view: SeatView) -> State:
    """A state that looks like this view; what the seat cannot know is empty."""
    players = view.rules.players
    nobody = (_UNKNOWN,) * players
    exchange = Exchange(
        began=DealBegan(view.deal, view.dealer, view.direction),
        dealt=nobody,
        kitty=_UNKNOWN,
        ready=view.ready,
        chosen=_only(view.seat, view.passed.cards, (), players),
        received=_only(view.seat, view.received, _UNKNOWN, players),
        moves=view.moves,
        shown=view.shown,
    )
    game = Game(
        opened=view.opened,
        rules=view.rules,
        seats=view.seats,
        entropy=(None,) * players,
        presence=Presence(view.away, (0,) * players, view.stopped),
        scored=view.scored,
        ended=view.ended,
        closed=None if view.closed is None else GameClosed(view.closed),
    )
    return State(view.phase, game, exchange, _play_of(view))


def is_under_way(view: SeatView) -> bool:
    """Whether the game has started and is not over."""
    return view.phase not in {Phase.SEATING, Phase.ENDED, Phase.SEALED}


def is_away(view: SeatView) -> bool:
    """Whether this seat's decisions are made for it."""
    return view.seat is not None and view.away[view.seat] is not None


def turn_of(view: SeatView) -> Turn:
    """The situation of this seat at the open trick, on its turn or before it."""
    return Turn(view.hand, view.trick.cards, not view.tricks, view.hearts_broken)


def carried(view: SeatView) -> tuple[Card, ...]:
    """The cards of cancelled tricks that wait for whoever takes the next one."""
    if view.phase is not Phase.PLAYING:
        return ()
    return state_of(view).play.carried


def cancelled(trick: Trick, card: Card, rules: Rules) -> bool:
    """Whether a card of the trick cannot win because its twin lies there too."""
    twins = rules.twins is Twins.CANCEL and trick.cards.count(card) > 1
    return twins and card.suit is trick.led


def winning_seat(view: SeatView) -> Seat | None:
    """Who wins the trick on the table so far, or takes it once it is complete.

    None before the lead, and while every card of the suit led is cancelled.
    """
    trick, rules = view.trick, view.rules
    if trick.complete and len(view.tricks) + 1 == rules.hand_size:
        return trick.taken_if_last(rules.twins, rules.last_cancelled)
    return trick.winning(rules.twins)


def _play_of(view: SeatView) -> Play:
    rules, trick = view.rules, view.trick
    turn, binding = view.turn, _binding(view)
    hands = _only(view.seat, view.hand, _UNKNOWN, rules.players)
    legal = NO_CARDS if turn is None else hands[turn].narrowed_by(binding.narrowings)
    return Play(
        hands=hands,
        leader=trick.leader,
        cards=trick.cards,
        turn=turn,
        binding=binding,
        legal=legal,
        hearts_broken=view.hearts_broken,
        tricks=view.tricks,
        points=_points_in_tricks(view),
        outcome=_outcome(view),
    )


def _binding(view: SeatView) -> Binding:
    """What the seat on turn is under, as far as this one can know."""
    if view.turn is None:
        return FREE
    hand = view.hand if view.turn == view.seat else _UNKNOWN
    situation = Turn(hand, view.trick.cards, not view.tricks, view.hearts_broken)
    return view.rules.restrictions.binding(situation)


def _outcome(view: SeatView) -> Outcome:
    return Outcome(
        kitty_seat=view.kitty_seat,
        kitty=view.kitty,
        kitty_shown=bool(view.kitty) and view.seat != view.kitty_seat,
        claimed=view.claimed,
        moon_seat=view.moon_seat,
        moon_choice=view.moon_choice,
    )


def _points_in_tricks(view: SeatView) -> tuple[int, ...]:
    """What each seat took without the kitty, which a view counts for those who know it."""
    if view.kitty_seat is None:
        return view.points
    worth = view.rules.value_of(view.kitty)
    return tuple(
        points - worth * (seat == view.kitty_seat) for seat, points in enumerate(view.points)
    )


def _only(seat: Seat | None, own: T, others: T, players: int) -> tuple[T, ...]:
    return tuple(own if index == seat else others for index in range(players))
