"""What chance gave in a log: hands, kitties and shared centres, and what is wrong with them.

Where the secret behind a deal is known they are worked out from it. Before that they are taken
as the log has them, if together they are just the cards there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, assert_never

from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.dealing import centre_of
from hearts_engine.events import CentreTaken, Event, FixedSeed, HandDealt, KittyDealt
from hearts_engine.state import Phase, State
from hearts_replays.fairness import centre_for, deck_for, entropies_of
from hearts_replays.finding import Kind
from hearts_replays.promises import Promises
from hearts_replays.wording import seat_name

ByChance = HandDealt | KittyDealt | CentreTaken


class Fault(NamedTuple):
    """Why what the log says cannot have come by chance: the kind, and what should be there."""

    kind: Kind
    sentence: str


class Chance(NamedTuple):
    """What a log says came by chance, and the secrets it is to be compared with."""

    events: Sequence[Event]
    promises: Promises

    def deck(self, state: State | None, at: int) -> tuple[Card, ...]:
        """The deck of the deal that begins at this index; none where no deal can begin."""
        if state is None or state.phase is not Phase.DEALING:
            return ()
        deal = state.exchange.deal + 1
        secret = self.promises.secret(deal)
        if secret is None:
            return self._as_dealt(state, at + 1)
        return deck_for(state.game.opened, deal, secret, entropies_of(state.game))

    def centre(self, state: State | None, at: int) -> tuple[Card, ...]:
        """The shuffled centre shared out from this index on; none where none can be."""
        if state is None or state.phase is not Phase.CENTRE:
            return ()
        deal, centre = state.exchange.deal, centre_of(state.exchange)
        secret = self.promises.secret(deal)
        if secret is None:
            return self._as_shared(state, at)
        return centre_for(state.game.opened, deal, secret, entropies_of(state.game), centre)

    def fault(self, state: State, event: Event, decided: ByChance, told: str) -> Fault | None:
        """What is wrong with an event of a log, where ``decided``, told so, was worked out."""
        if self.promises.secret(state.exchange.deal) is None:
            if _fits(state, event, decided):
                return None
            return Fault(Kind.RULES, _must_fit(state, decided))
        if event == decided:
            return None
        fixed = isinstance(self.promises.source, FixedSeed)
        source = "the fixed seed gives" if fixed else "the secret, the entropy and the game id give"
        return Fault(Kind.FAIRNESS, f"{source}: {told}")

    def _as_dealt(self, state: State, at: int) -> tuple[Card, ...]:
        """The deck that falls as the hands from here on say; any deck, where none does."""
        rules = state.game.rules
        upcoming = self.events[at : at + rules.players]
        hands = [event.cards for event in upcoming if isinstance(event, HandDealt)]
        rest = rules.cards
        for hand in hands:
            rest -= hand
        deck = (*chain.from_iterable(zip(*hands, strict=False)), *rest)
        return deck if sorted(deck) == sorted(rules.deck) else rules.deck

    def _as_shared(self, state: State, at: int) -> tuple[Card, ...]:
        """The centre shared as the events from here on say; in any order, where it is not."""
        upcoming, centre = (
            self.events[at : at + state.game.rules.players],
            centre_of(state.exchange),
        )
        taken = [event.cards for event in upcoming if isinstance(event, CentreTaken)]
        shared = tuple(chain.from_iterable(taken))
        return shared if sorted(shared) == sorted(centre) else centre


def due(event: ByChance, players: int) -> str:
    """What is due, without its cards, which may not be known yet."""
    match event:
        case HandDealt(seat):
            return f"the hand of {seat_name(seat, players)}"
        case KittyDealt():
            return "the kitty"
        case CentreTaken(seat):
            return f"what {seat_name(seat, players)} takes from the centre"
        case _:
            assert_never(event)


def _fits(state: State, event: Event, decided: ByChance) -> bool:
    """Whether an event could be in the place of ``decided``, by what came before it."""
    rules, exchange = state.game.rules, state.exchange
    match event, decided:
        case HandDealt(seat, cards), HandDealt(due_seat):
            left, size = rules.cards, rules.hand_size
            gone = exchange.dealt
        case CentreTaken(seat, cards), CentreTaken(due_seat):
            left, size = CardSet.of(centre_of(exchange)), rules.pass_count
            gone = exchange.received
        case _:
            return event == decided
    for others in gone:
        left -= others
    return seat == due_seat and len(cards) == size and cards <= left


def _must_fit(state: State, decided: ByChance) -> str:
    match decided:
        case HandDealt():
            return f"a seat is dealt {state.game.rules.hand_size} cards that no other has"
        case KittyDealt():
            return "the kitty is what no seat was dealt"
        case CentreTaken():
            count = state.game.rules.pass_count
            return f"a seat takes {count} cards of the centre that no other took"
        case _:
            assert_never(decided)
