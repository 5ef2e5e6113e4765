"""What happened, one event at a time, with the view before and after each.

The server sends the view after all the events of a command. To tell and to pace them, a screen
needs those in between; they come from the same fold that the server uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hearts_engine.cards import Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import Event
from hearts_engine.evolve import evolve, untaken_penalties
from hearts_engine.state import Exchange, Game, Play, State
from hearts_engine.view import SeatView, observe


@dataclass(frozen=True, slots=True)
class Step:
    """One event between two views."""

    before: SeatView
    event: Event
    after: SeatView


def steps(view: SeatView, events: Iterable[Event]) -> Iterator[Step]:
    """The events that follow this view, each with the views around it."""
    state = _as_state(view)
    for event in events:
        state = evolve(state, event)
        after = observe(state, view.seat)
        yield Step(view, event, after)
        view = after


def _as_state(view: SeatView) -> State:
    """A state that looks like this view; what the seat cannot know is empty."""
    players = view.rules.players
    nobody = (NO_CARDS,) * players
    exchange = Exchange(
        view.deal,
        view.dealer,
        view.direction,
        nobody,
        view.ready,
        _only(view.seat, view.passed, players),
        _only(view.seat, view.received, players),
        view.shown,
    )
    game = Game(view.opened, view.seats, (None,) * players, view.scored, view.ended)
    return State(view.phase, game, exchange, _as_play(view))


def _as_play(view: SeatView) -> Play:
    hands = _only(view.seat, view.hand, view.rules.players)
    play = Play(
        hands,
        view.trick,
        view.tricks,
        _taken(view),
        view.hearts_broken,
        NO_CARDS,
    )
    if view.claimed is None:
        return play
    taken = list(play.taken)
    taken[view.claimed] = taken[view.claimed] + untaken_penalties(play, view.rules)
    return play._replace(taken=tuple(taken), claimed=view.claimed)


def _taken(view: SeatView) -> tuple[CardSet, ...]:
    taken = [NO_CARDS] * view.rules.players
    for trick in view.tricks:
        taken[trick.winner] = taken[trick.winner] + (CardSet.of(trick.cards) & view.rules.penalties)
    return tuple(taken)


def _only(seat: Seat | None, cards: CardSet, players: int) -> tuple[CardSet, ...]:
    return tuple(cards if index == seat else NO_CARDS for index in range(players))
