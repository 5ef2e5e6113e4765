"""Support for tests of whatever reads logs: whole games as a server would log them.

Chance comes in as a ``random.Random``, so a log can be had again, byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate
from random import Random
from typing import Final

from hearts_engine.attendance import MISSES
from hearts_engine.audience import audience, visible_to
from hearts_engine.cards import Seat
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    CloseGame,
    Command,
    Deal,
    FreezeSeats,
    MarkAway,
    MarkBack,
    OpenGame,
    PlayCard,
    RevealEntropy,
    ShareCentre,
    ShowDeal,
    StartClocks,
    StopClocks,
    TakeOver,
    TakeSeat,
    WithholdEntropy,
)
from hearts_engine.dealing import centre_of
from hearts_engine.decide import decide
from hearts_engine.errors import Rejected
from hearts_engine.events import (
    Absence,
    Agent,
    Anchor,
    CloseCause,
    DealSource,
    Event,
    FixedSeed,
    SeatAway,
    SeatKind,
    StopCause,
)
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import random_choice
from hearts_replays.chain import NO_HEAD, Chain, extend
from hearts_replays.fairness import (
    anchor_of,
    centre_for,
    commit,
    deck_for,
    entropies_of,
    secret_for,
)
from hearts_replays.keys import SigningKey
from hearts_replays.moon import choice_by_itself
from hearts_replays.prompts import due_after, takes_over
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipt,
    Receipts,
    RecordShown,
    command_behind,
)
from hearts_replays.seal import seal_of
from hearts_replays.timing import SECOND, running_since, seconds_for
from hearts_wire.commands import SeatCommand
from hearts_wire.records import SALT_SIZE, Record, encode_record

MIDNIGHT: Final = 1_767_225_600_000_000
"""When these games are opened: 2026-01-01, in microseconds since 1970 UTC."""

RESTLESS: Final = 0.1
"""How likely somebody comes or goes before a decision."""

TURN_SECONDS: Final = 30
"""What a person has for a card in games in which clocks choose."""

BOT_SECONDS: Final = 10
"""The same for a bot."""

_OVER: Final = frozenset({Phase.ENDED, Phase.SEALED})

KEY: Final = SigningKey.from_seed(b"hearts_replays.testing".ljust(32, b"\0"))
"""Seals the logs of this module, unless another does."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What sort of game is logged."""

    rules: Rules = field(default_factory=Rules)
    fixed_seed: str | None = None
    reveal: frozenset[int] = frozenset({0})
    """The seats that commit to entropy and reveal it."""
    withhold: frozenset[int] = frozenset()
    """The seats that commit and do not."""
    away: frozenset[int] = frozenset()
    """The seats that clock and autopilot choose for; where there are none, no clock runs."""
    restless: bool = False
    """Whether people come and go, and time stops and starts."""
    given_up: int = 0
    """After how many records the game is given up; 0: never."""
    open_hands: bool = False
    """Whether whoever watches sees every hand."""
    claim: bool = False
    """Whether whoever can prove the rest claims it."""
    key: SigningKey = KEY


@dataclass(slots=True)
class LogBuilder:
    """A log while it is written: a table's work without the table."""

    chance: Random
    plan: Plan
    top: bytes = b""
    """The top of the chain of secrets."""
    entropy: dict[int, bytes] = field(default_factory=dict[int, bytes])
    """What each seat that takes part drew."""
    state: State | None = None
    events: list[Event] = field(default_factory=list[Event])
    records: list[bytes] = field(default_factory=list[bytes])
    chain: Chain = field(default_factory=Chain)
    time: int = MIDNIGHT
    since: dict[Seat, int] = field(default_factory=dict[Seat, int])
    """By seat that is asked, when its time began."""

    def do(self, command: Command) -> None:
        """Log what a command does, a moment later; a ``Rejected`` logs nothing."""
        events = decide(self.state, command)
        self._wait()
        self.append(events)

    def append(self, events: Iterable[Event]) -> None:
        """Log these events now, whatever the rules say of them."""
        for event in events:
            record = Record(len(self.records) + 1, self.time, event, self._salt(event))
            data = encode_record(record)
            self.records.append(data)
            self.events.append(event)
            self.chain = self.chain.extended([data])
            self.state = evolve(self.state, event)
            self.since = running_since(self.since, self.state, record)

    def open(self) -> None:
        """Open the game, seat everyone, and settle the entropy."""
        self.top = self.chance.randbytes(32)
        game_id = self.chance.randbytes(16).hex()
        opening = OpenGame(game_id, "oak-3", self.plan.rules, self._source(), self.plan.key.public)
        opening = replace(opening, open_hands=self.plan.open_hands)
        if self.plan.away:
            opening = replace(opening, turn_seconds=TURN_SECONDS, bot_seconds=BOT_SECONDS)
        self.do(opening)
        for seat in map(Seat, range(self.plan.rules.players)):
            self.do(self._sitting(seat))
        self.do(FreezeSeats())
        for seat in self._now().awaited:
            if seat in self.plan.withhold:
                self.do(WithholdEntropy(seat))
            else:
                self.do(RevealEntropy(seat, self.entropy[seat]))

    def deal(self) -> None:
        """Deal the next deal."""
        opened, deal = self._now().game.opened, self._now().exchange.deal + 1
        entropies = entropies_of(self._now().game)
        self.do(Deal(deck_for(opened, deal, self.secret(deal), entropies)))

    def choose(self) -> None:
        """Let the first seat that owes a decision make one at random."""
        if self.plan.restless and self.chance.random() < RESTLESS:
            self._come_or_go()
        self._wake()
        command = random_choice(self._now(), self.chance)
        if self.plan.claim and isinstance(command, PlayCard) and self._claimed(command.seat):
            return
        match command:
            case PlayCard(seat) | ChoosePass(seat):
                command = replace(command, by=self._decider(seat))
            case ChooseMoon(seat):
                by = self._decider(seat)
                choice = command.choice if by is Agent.SEAT else choice_by_itself(self._now())
                command = ChooseMoon(seat, choice, by)
            case _:
                pass
        self.do(command)

    def share(self) -> None:
        """Share out the cards that were passed into the centre."""
        game, exchange = self._now().game, self._now().exchange
        deal, centre = exchange.deal, centre_of(exchange)
        entropies = entropies_of(game)
        self.do(ShareCentre(centre_for(game.opened, deal, self.secret(deal), entropies, centre)))

    def step(self) -> None:
        """Do whatever comes next: one command, or all those before the first deal."""
        if 0 < self.plan.given_up <= len(self.records) and self._now().phase not in _OVER:
            secret = self.secret(self._now().exchange.deal) if self._now().exchange.deal else b""
            self.do(CloseGame(CloseCause.UNATTENDED, secret))
            return
        match self._now().phase if self.state else Phase.SEATING:
            case Phase.SEATING | Phase.ENTROPY:
                self.open()
            case Phase.DEALING:
                self.deal()
            case Phase.PASSING | Phase.PLAYING | Phase.MOON:
                self.choose()
            case Phase.CENTRE:
                self.share()
            case Phase.SHOWING:
                self.do(ShowDeal(self.secret(self._now().exchange.deal)))
            case Phase.ENDED:
                self.seal()
            case Phase.SEALED:
                raise AssertionError("nothing comes after the seal")

    def seal(self) -> None:
        """Sign the log."""
        self._wait()
        game_id = self._now().game.opened.game_id
        self.append([seal_of(self.plan.key, game_id, self.chain, self.time)])

    def secret(self, deal: int) -> bytes:
        """The secret behind a deal."""
        return secret_for(self._now().game.opened.source, self.top, deal)

    def _wait(self) -> None:
        self.time += self.chance.randrange(3_000_000)

    def _now(self) -> State:
        assert self.state is not None, "open the game first"
        return self.state

    def _source(self) -> DealSource:
        if self.plan.fixed_seed is not None:
            return FixedSeed(self.plan.fixed_seed)
        return Anchor(anchor_of(self.top))

    def _sitting(self, seat: Seat) -> TakeSeat:
        if seat not in self.plan.reveal | self.plan.withhold or self.plan.fixed_seed is not None:
            return TakeSeat(seat, f"house {seat}", SeatKind.HOUSE, "medium")
        self.entropy[seat] = self.chance.randbytes(32)
        return TakeSeat(seat, f"Ann {seat}", SeatKind.PERSON, commitment=commit(self.entropy[seat]))

    def _decider(self, seat: Seat) -> Agent:
        """Who chooses for a seat, after what its owner's absence makes happen."""
        presence = self._now().game.presence
        if seat in self.plan.away:
            if presence.away[seat] is Absence.MISSED and self.chance.random() < RESTLESS:
                self.do(MarkBack(seat))
            elif presence.away[seat] is None and presence.misses[seat] >= MISSES:
                self.do(MarkAway(seat, Absence.MISSED))
        if self._now().game.presence.away[seat] is not None:
            return Agent.AUTOPILOT
        if seat not in self.plan.away:
            return Agent.SEAT
        self._run_out(seat)
        return Agent.CLOCK

    def _run_out(self, seat: Seat) -> None:
        """Let the time of a seat pass, and start it first if it stands still."""
        if not seconds_for(self._now(), seat):
            self.do(StartClocks())
        seconds = seconds_for(self._now(), seat)
        assert seconds, "in games with seats that are away clocks run"
        self.time = max(self.time, self.since[seat] + seconds * SECOND)

    def _come_or_go(self) -> None:
        """Let somebody come or go, or time stop or start, if that is possible."""
        seat = Seat(self.chance.randrange(self.plan.rules.players))
        command = self.chance.choice(
            (
                MarkAway(seat, self.chance.choice((Absence.LEFT, Absence.REMOVED))),
                MarkBack(seat),
                TakeOver(seat, f"Zoe {len(self.records)}", SeatKind.PERSON),
                StopClocks(self.chance.choice(tuple(StopCause))),
                StartClocks(),
            )
        )
        with suppress(Rejected):
            self.do(command)

    def _wake(self) -> None:
        """End a pause: in one nobody may choose."""
        if self._now().game.presence.stopped is StopCause.HOST:
            self.do(StartClocks())

    def _claimed(self, seat: Seat) -> bool:
        try:
            self.do(ClaimRest(seat))
        except Rejected:
            return False
        return True

    def _salt(self, event: Event) -> bytes:
        return b"" if audience(event) is None else self.chance.randbytes(SALT_SIZE)


def whole_log(chance: Random, plan: Plan | None = None) -> LogBuilder:
    """The log of a whole game of random legal choices, sealed."""
    log = LogBuilder(chance, plan or Plan())
    while log.state is None or log.state.phase is not Phase.SEALED:
        log.step()
    return log


def unfinished_log(chance: Random, records: int, plan: Plan | None = None) -> LogBuilder:
    """The log of a game that runs, at the end of a command, with at least this many records."""
    log = LogBuilder(chance, plan or Plan())
    while len(log.records) < records:
        log.step()
    return log


def receipts_of(log: LogBuilder, seat: Seat, since: int = 0) -> Receipts:
    """What an honest client on this seat would have kept of a log.

    It came with record ``since``, and keeps nothing any more once somebody takes its seat over.
    """
    kept: list[Receipt] = []
    heads = accumulate(log.records, extend, initial=NO_HEAD)
    due: dict[Seat, int] = {}
    state: State | None = None
    for seq, (head, data, event) in enumerate(zip(heads, log.records, log.events, strict=False)):
        if seq >= since and takes_over(event, seat):
            break
        kept.append(HeadSeen(seq, head))
        command = command_behind(event)
        own = command is not None and command.seat == seat and _is_own(command)
        if command is not None and own and seq >= since:
            prompt = due.get(seat, seq)
            kept += [CommandSent(prompt, command), CommandDone(prompt, command)]
        if event == SeatAway(seat, Absence.LEFT) and seq >= since:
            kept.append(LeaveSent(seq))
        if visible_to(seat, event):
            kept.append(RecordShown(data))
        state = evolve(state, event)
        due = due_after(due, state, seq + 1)
    else:
        kept.append(HeadSeen(log.chain.length, log.chain.head))
    entropy = b"" if since else log.entropy.get(seat, b"")
    game_id = log.state.game.opened.game_id if log.state else ""
    return Receipts(game_id, seat, entropy, tuple(kept))


def _is_own(command: SeatCommand) -> bool:
    """Whether the seat itself asked for this."""
    return not isinstance(command, PlayCard | ChoosePass | ChooseMoon) or command.by is Agent.SEAT
