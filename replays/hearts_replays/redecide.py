"""Every event of a log decided again by its rules, and compared with what the log says.

Replay trusts; this does not. The events of a log come in groups, one for each command. From the
first event of a group, and for what comes by chance from the secret revealed later, the command
is known again; deciding it must give just the events that the log has.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple, assert_never

from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    CloseGame,
    Command,
    Deal,
    FreezeSeats,
    LeaveSeat,
    MarkAway,
    MarkBack,
    OpenGame,
    PlayCard,
    RevealEntropy,
    SealLog,
    ShareCentre,
    ShowDeal,
    StartClocks,
    StopClocks,
    TakeOver,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.decide import decide
from hearts_engine.errors import Rejected
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
from hearts_engine.evolve import evolve
from hearts_engine.options import MoonChoice
from hearts_engine.state import Phase, State
from hearts_replays.chance import ByChance, Chance, due
from hearts_replays.finding import Finding, Kind
from hearts_replays.moon import choice_by_itself
from hearts_replays.promises import Promises, promises_in
from hearts_replays.wording import describe


class Verdict(NamedTuple):
    """How far a log follows from its rules."""

    state: State | None
    """After the events accepted."""
    accepted: int
    finding: Finding | None
    promises: Promises | None
    """What the deals were dealt again from; none if no game was opened."""


def redecide(events: Sequence[Event]) -> Verdict:
    """Decide these events again, from the first, up to the first that does not follow."""
    match events[:1]:
        case [GameOpened(source=source)]:
            promises = promises_in(source, events)
        case _:
            sentence = "a log begins with the opening of its game"
            return Verdict(None, 0, Finding(1, Kind.RECORD, sentence), None)
    log = _Log(events, promises)
    state: State | None = None
    at = 0
    while at < len(events):
        command = log.command(state, at)
        if command is None:
            return Verdict(state, at, log.unasked(at), promises)
        try:
            decided = decide(state, command)
        except Rejected as rejected:
            return Verdict(state, at, log.refused(at, rejected), promises)
        for event in decided:
            finding = log.difference(state, at, event)
            if finding is not None:
                return Verdict(state, at, finding, promises)
            state = evolve(state, events[at])
            at += 1
    return Verdict(state, at, None, promises)


class _Log(NamedTuple):
    """What a log says, and what it is to be compared with. Events are found by index, from 0."""

    events: Sequence[Event]
    promises: Promises

    @property
    def chance(self) -> Chance:
        """What it says came by chance."""
        return Chance(self.events, self.promises)

    def command(self, state: State | None, at: int) -> Command | None:
        """The command whose first event is here; none where no command begins with it."""
        event = self.events[at]
        match event:
            case CardPlayed(seat, card, by):
                return PlayCard(seat, card, by)
            case PassChosen(seat, cards, by):
                return ChoosePass(seat, cards, by)
            case DealBegan():
                return Deal(self.chance.deck(state, at))
            case CentreTaken():
                return ShareCentre(self.chance.centre(state, at))
            case MoonChosen(seat, _, by):
                return ChooseMoon(seat, _choice(state, event), by)
            case HandShown():
                return ShowDeal(self._secret_after(at))
            case GameOpened():
                return _opening(event)
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
            case SeatAway(seat, absence):
                return MarkAway(seat, absence)
            case SeatBack(seat):
                return MarkBack(seat)
            case SeatTakenOver(seat, name, kind):
                return TakeOver(seat, name, kind)
            case ClocksStopped(cause):
                return StopClocks(cause)
            case ClocksStarted():
                return StartClocks()
            case GameClosed(cause):
                return CloseGame(cause, b"")
            case SecretRevealed(_, secret):
                return self._closing(at, secret)
            case (
                HandDealt()
                | KittyDealt()
                | SeatReady()
                | CardsPassed()
                | PlayBegan()
                | TrickTaken()
                | TrickCancelled()
                | KittyWon()
                | KittyTaken()
                | PlayCut()
                | MoonOffered()
                | KittyShown()
                | DealScored()
                | GameEnded()
            ):
                return None
            case _:
                assert_never(event)

    def _closing(self, at: int, secret: bytes) -> Command | None:
        """A secret that no deal was shown before is revealed where the game is given up."""
        match self.events[at + 1 : at + 2]:
            case [GameClosed(cause)]:
                return CloseGame(cause, secret)
            case _:
                return None

    def difference(self, state: State | None, at: int, decided: Event) -> Finding | None:
        """What is wrong with the event here, where the rules give ``decided``."""
        if at == len(self.events):
            sentence = f"the log stops in the middle, here must come: {self._due(decided)}"
            return Finding(at + 1, Kind.BROKEN_OFF, sentence)
        event = self.events[at]
        if state is None:
            return None if event == decided else self._other(at, decided)
        if isinstance(decided, ByChance):
            return self._misdealt(state, at, decided)
        if event != decided:
            return self._other(at, decided)
        broken = self.promises.broken_by(event, state.game)
        return None if broken is None else Finding(at + 1, Kind.FAIRNESS, broken)

    def unasked(self, at: int) -> Finding:
        """What is wrong with an event that nothing before it brings about."""
        sentence = f"nothing before this brings it about: {self._told(self.events[at])}"
        return Finding(at + 1, Kind.RULES, sentence)

    def refused(self, at: int, rejected: Rejected) -> Finding:
        """What is wrong with an event that the rules forbid."""
        sentence = f"{self._told(self.events[at])}, which the rules forbid: {rejected.message}"
        return Finding(at + 1, Kind.RULES, sentence)

    def _other(self, at: int, decided: Event) -> Finding:
        log = self._told(self.events[at])
        sentence = f"the rules give: {self._told(decided)}; the log says: {log}"
        return Finding(at + 1, Kind.RULES, sentence)

    def _misdealt(self, state: State, at: int, decided: ByChance) -> Finding | None:
        """What is wrong with cards that came by chance."""
        event = self.events[at]
        fault = self.chance.fault(state, event, decided, self._told(decided))
        if fault is None:
            return None
        sentence = f"{fault.sentence}; the log says: {self._told(event)}"
        return Finding(at + 1, fault.kind, sentence)

    def _due(self, decided: Event) -> str:
        if isinstance(decided, ByChance):
            return due(decided, self._players)
        return self._told(decided)

    def _told(self, event: Event) -> str:
        return describe(event, self._players)

    @property
    def _players(self) -> int:
        opened = self.events[0]
        assert isinstance(opened, GameOpened), "looked at before"
        return opened.rules.players

    def _secret_after(self, at: int) -> bytes:
        """What the next secret revealed is; where none is, nothing."""
        upcoming = islice(self.events, at, None)
        return next((e.secret for e in upcoming if isinstance(e, SecretRevealed)), b"")


def _opening(opened: GameOpened) -> OpenGame:
    return OpenGame(
        opened.game_id,
        opened.table,
        opened.rules,
        opened.source,
        opened.public_key,
        opened.versions,
        opened.turn_seconds,
        opened.bot_seconds,
        opened.open_hands,
    )


def _choice(state: State | None, chosen: MoonChosen) -> MoonChoice:
    """How the moon is scored: as the shooter chose; automatically, where others chose for it."""
    if chosen.by is Agent.SEAT or state is None or state.phase is not Phase.MOON:
        return chosen.choice
    return choice_by_itself(state)
