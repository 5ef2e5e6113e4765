"""Bots at a table in memory: no network, no log, no clock."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from hearts_bots.bot import Bot
from hearts_engine.cards import Card, Seat
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
from hearts_engine.dealing import centre_of
from hearts_engine.decide import decide
from hearts_engine.events import DealScored, FixedSeed, SeatKind
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe


def open_table(rules: Rules, seed: str, deal: int = 1) -> State:
    """A game with a house bot on every seat, about to begin this deal, counted from 1."""
    state = apply(None, OpenGame("arena", "arena", rules, FixedSeed(seed), b""))
    for seat in range(rules.players):
        state = apply(state, TakeSeat(Seat(seat), f"bot {seat}", SeatKind.HOUSE, "easy"))
    state = apply(state, FreezeSeats())
    began = replace(state.exchange.began, deal=deal - 1)
    return replace(state, exchange=replace(state.exchange, began=began))


def apply(state: State | None, command: Command) -> State:
    """The state after a command; raises ``Rejected`` as ``decide`` does."""
    for event in decide(state, command):
        state = evolve(state, event)
    if state is None:
        raise ValueError("a command that opens no game leaves no state")
    return state


def ask(bot: Bot, view: SeatView) -> Command:
    """What this bot does in a view that asks its seat for a pass, a card or its moon."""
    if view.seat is None:
        raise ValueError("a spectator is never asked")
    if view.phase is Phase.PASSING:
        return ChoosePass(view.seat, tuple(bot.choose_pass(view)))
    if view.phase is Phase.MOON:
        return ChooseMoon(view.seat, bot.choose_moon(view))
    return PlayCard(view.seat, bot.choose_play(view))


def play_deal(state: State, bots: Sequence[Bot], deck: tuple[Card, ...]) -> DealScored:
    """The result of dealing this deck to these bots, one a seat."""
    state = apply(state, Deal(deck))
    while state.phase is not Phase.SHOWING:
        state = apply(state, next_command(state, bots))
    return apply(state, ShowDeal(b"")).game.scored[-1]


def next_command(state: State, bots: Sequence[Bot]) -> Command:
    """What a table with these bots does next in a deal that is not over."""
    if state.phase is Phase.CENTRE:
        seed = f"{state.game.opened.source} {state.exchange.deal}"
        return ShareCentre(shuffled(centre_of(state.exchange), seed))
    seat = state.awaited[0]
    return ask(bots[seat], observe(state, seat))


def shuffled(deck: Sequence[Card], seed: str) -> tuple[Card, ...]:
    """The deck in an order that the seed fixes; for trying bots out, not for fair dealing."""

    def key(place: int) -> bytes:
        return sha256(f"{seed}\0{place}".encode()).digest()

    return tuple(deck[place] for place in sorted(range(len(deck)), key=key))
