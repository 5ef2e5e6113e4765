"""Every event of a log decided again by its rules, and compared with what the log says.

Replay trusts; this does not. The events of a log come in groups, one for each command. From the
first event of a group, and for a deal from the secret revealed later, the command is known
again; deciding it must give just the events that the log has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple, assert_never

from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.commands import (
    ChoosePass,
    ClaimRest,
    Command,
    Deal,
    FreezeSeats,
    LeaveSeat,
    OpenGame,
    PlayCard,
    RevealEntropy,
    SealLog,
    ShowDeal,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.decide import decide
from hearts_engine.errors import Rejected
from hearts_engine.events import (
    CardPlayed,
    CardsPassed,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    FixedSeed,
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
from hearts_engine.evolve import evolve
from hearts_engine.state import Phase, State
from hearts_replays.fairness import deck_for, entropies_of
from hearts_replays.finding import Finding, Kind
from hearts_replays.promises import Promises, promises_in
from hearts_replays.wording import describe


class Verdict(NamedTuple):
    """How far a log follows from its rules."""

    state: State | None
    """After the events accepted."""
    accepted: int
    finding: Finding | None


def redecide(events: Sequence[Event]) -> Verdict:
    """Decide these events again, from the first, up to the first that does not follow."""
    match events[:1]:
        case [GameOpened(source=source)]:
            log = _Log(events, promises_in(source, events))
        case _:
            return Verdict(None, 0, Finding(1, Kind.RECORD, "a log begins with its opening"))
    state: State | None = None
    at = 0
    while at < len(events):
        command = log.command(state, at)
        if command is None:
            return Verdict(state, at, log.unasked(at))
        try:
            decided = decide(state, command)
        except Rejected as rejected:
            return Verdict(state, at, log.refused(at, rejected))
        for event in decided:
            finding = log.difference(state, at, event)
            if finding is not None:
                return Verdict(state, at, finding)
            state = evolve(state, event)
            at += 1
    return Verdict(state, at, None)


class _Log(NamedTuple):
    """What a log says, and what it is to be compared with. Events are found by index, from 0."""

    events: Sequence[Event]
    promises: Promises

    def command(self, state: State | None, at: int) -> Command | None:
        """The command whose first event is here; none where no command begins with it."""
        event = self.events[at]
        match event:
            case CardPlayed(seat, card, by):
                return PlayCard(seat, card, by)
            case PassChosen(seat, cards, by):
                return ChoosePass(seat, tuple(cards), by)
            case DealBegan():
                return Deal(self._deck(state, at))
            case HandShown():
                return ShowDeal(self._secret_after(at))
            case GameOpened(game_id, table, rules, source, public_key, versions):
                return OpenGame(game_id, table, rules, source, public_key, versions)
            case SeatTaken(seat, name, kind, bot, commitment):
                return TakeSeat(seat, name, kind, bot, commitment)
            case SeatLeft(seat):
                return LeaveSeat(seat)
            case SeatsFrozen():
                return FreezeSeats()
            case EntropyRevealed(seat, entropy):
                return RevealEntropy(seat, entropy)
            case EntropyWithheld(seat):
                return WithholdEntropy(seat)
            case RestClaimed(seat):
                return ClaimRest(seat)
            case LogSealed(signature):
                return SealLog(signature)
            case (
                HandDealt()
                | SeatReady()
                | CardsPassed()
                | PlayBegan()
                | TrickTaken()
                | PlayCut()
                | SecretRevealed()
                | DealScored()
                | GameEnded()
            ):
                return None
            case _:
                assert_never(event)

    def difference(self, state: State | None, at: int, decided: Event) -> Finding | None:
        """What is wrong with the event here, where the rules give ``decided``."""
        if at == len(self.events):
            sentence = f"the log stops in the middle, here must come: {describe(decided)}"
            return Finding(at + 1, Kind.BROKEN_OFF, sentence)
        event = self.events[at]
        if event != decided:
            return self._not_decided(state, at, decided)
        if state is None:
            return None
        broken = self.promises.broken_by(event, state.game)
        return None if broken is None else Finding(at + 1, Kind.FAIRNESS, broken)

    def unasked(self, at: int) -> Finding:
        """What is wrong with an event that nothing before it brings about."""
        sentence = f"nothing before this brings it about: {describe(self.events[at])}"
        return Finding(at + 1, Kind.RULES, sentence)

    def refused(self, at: int, rejected: Rejected) -> Finding:
        """What is wrong with an event that the rules forbid."""
        sentence = f"{describe(self.events[at])}, which the rules forbid: {rejected.message}"
        return Finding(at + 1, Kind.RULES, sentence)

    def _not_decided(self, state: State | None, at: int, decided: Event) -> Finding:
        event = self.events[at]
        if not isinstance(decided, HandDealt) or state is None:
            sentence = f"the rules give: {describe(decided)}; the log says: {describe(event)}"
            return Finding(at + 1, Kind.RULES, sentence)
        if self.promises.secret(state.exchange.deal) is None:
            size = state.game.rules.hand_size
            sentence = f"a seat is dealt {size} cards that no other has; log: {describe(event)}"
            return Finding(at + 1, Kind.RULES, sentence)
        fixed = isinstance(self.promises.source, FixedSeed)
        source = "the fixed seed gives" if fixed else "the secret, the entropy and the game id give"
        sentence = f"{source}: {describe(decided)}; the log says: {describe(event)}"
        return Finding(at + 1, Kind.FAIRNESS, sentence)

    def _deck(self, state: State | None, at: int) -> tuple[Card, ...]:
        """The deck of the deal that begins here: recomputed, or else as the log says it fell."""
        if state is None or state.phase is not Phase.DEALING:
            return ()  # refused for its phase, whatever the deck
        deal = state.exchange.deal + 1
        secret = self.promises.secret(deal)
        if secret is None:
            return _deck_of(state, self.events[at + 1 :][: state.game.rules.players])
        return deck_for(state.game.opened, deal, secret, entropies_of(state.game))

    def _secret_after(self, at: int) -> bytes:
        """What the next secret revealed is; where none is, nothing."""
        upcoming = islice(self.events, at, None)
        return next((e.secret for e in upcoming if isinstance(e, SecretRevealed)), b"")


def _deck_of(state: State, dealt: Sequence[Event]) -> tuple[Card, ...]:
    """A deck that gives every seat what it was dealt, up to the first seat that this cannot be.

    The others get what is left, which will not be what the log says of them.
    """
    rules = state.game.rules
    left = CardSet.of(rules.deck)
    hands: list[tuple[Card, ...]] = []
    for seat, event in enumerate(dealt):
        match event:
            case HandDealt(who, cards) if who == seat and cards <= left:
                if len(cards) != rules.hand_size:
                    break
                hands.append(tuple(cards))
                left = left - cards
            case _:
                break
    rest = tuple(left)
    while len(hands) < rules.players:
        hands.append(rest[: rules.hand_size])
        rest = rest[rules.hand_size :]
    return (*chain.from_iterable(zip(*hands, strict=True)), *rest)
