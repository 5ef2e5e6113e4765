"""The single writer of one game's log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hearts_engine.cards import Seat
from hearts_engine.commands import CloseGame, Command, OpenGame, RevealEntropy, TakeSeat
from hearts_engine.decide import decide
from hearts_engine.events import Anchor, CloseCause, DealSource, FixedSeed
from hearts_engine.rules import Rules
from hearts_engine.state import Phase, State
from hearts_replays.fairness import anchor_of
from hearts_replays.keys import SigningKey
from hearts_replays.log import Fenced, GameLog, LogError, Store, Unavailable, Unknown
from hearts_server.chronicle import note
from hearts_server.clocks import Clock, Microseconds
from hearts_server.commitments import require_committed
from hearts_server.dealer import Dealer
from hearts_server.errors import Code, Refused, store_unavailable
from hearts_server.ledger import Ledger, Written
from hearts_server.logbook import Entry, about
from hearts_server.meters import Meters
from hearts_server.metronome import Metronome
from hearts_server.noticeboard import Noticeboard
from hearts_server.prompts import Prompts
from hearts_server.shelf import Shelf

log = logging.getLogger(__name__)

SECRET_BYTES = 32
SALT_BYTES = 16
GAME_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class Premises:
    """What all tables of a server share."""

    store: Store
    key: SigningKey
    clock: Clock
    draw: Callable[[int], bytes]
    """So many fresh random bytes."""
    meters: Meters = field(default_factory=Meters)
    metronome: Metronome = field(default_factory=Metronome)
    board: Noticeboard = field(default_factory=Noticeboard)


class Journal:
    """A game's state, kept in step with its log: nothing counts before it is on disk."""

    def __init__(self, log: GameLog, dealer: Dealer, premises: Premises) -> None:
        self._log = log
        self._dealer = dealer
        self._premises = premises
        self._ledger = Ledger()
        self._shelf = Shelf()
        self._broken = ""
        self._troubled = False
        self.in_doubt = False
        """Whether only a journal taken up anew can say how far the log goes."""
        self.prompts = Prompts(self._shelf.record)

    @property
    def state(self) -> State:
        """The game as it stands."""
        assert self._ledger.state is not None, "a journal opens with a game"
        return self._ledger.state

    @property
    def seq(self) -> int:
        """The last record."""
        return self._ledger.seq

    @property
    def head(self) -> bytes:
        """The head after the last record."""
        return self._ledger.head

    def head_at(self, seq: int) -> bytes | None:
        """The head after a record; none if there is no such record."""
        return self._shelf.head_at(seq)

    @property
    def time(self) -> Microseconds:
        """When the last record was written."""
        return self._ledger.time

    def visible_after(self, seq: int, seat: Seat | None) -> tuple[bytes, ...]:
        """The records after this one that a seat, or a spectator, may see."""
        open_hands = self.state.game.opened.open_hands
        return tuple(self._shelf.visible_after(seq, seat, open_hands=open_hands))

    def check(self, command: Command) -> None:
        """Raise ``Rejected`` if the rules do not allow this command now."""
        decide(self._ledger.state, command)

    def closing(self, cause: CloseCause) -> CloseGame:
        """The command that gives the game up, with the secret that it reveals."""
        return CloseGame(cause, self._dealer.secret_of(self.state))

    async def carry_out(self, *commands: Command) -> tuple[Written, ...]:
        """Do commands, and whatever the table itself has to do next; all of it or nothing.

        Raises ``Rejected`` when the rules do not allow it and ``Refused`` when the store failed.
        """
        if self._broken:
            raise Refused(Code.UNAVAILABLE, "TABLE_HALTED", self._broken)
        now = self._premises.clock.now()
        ledger, written = self._ledger, tuple[Written, ...]()
        for command in commands:
            ledger, more = self._after(ledger, command, now)
            written += more
        await self._store(written)
        self._adopt(ledger, written)
        meters = self._premises.meters
        meters.commands += len(commands)
        meters.records += len(written)
        note(written)
        return written

    def _after(
        self, ledger: Ledger, command: Command, now: Microseconds
    ) -> tuple[Ledger, tuple[Written, ...]]:
        """What the log would be after a command and what the table does next, and what is new."""
        if isinstance(command, RevealEntropy) and ledger.state is not None:
            require_committed(ledger.state.game, command)
        written = tuple[Written, ...]()
        step: Command | None = command
        while step is not None:
            ledger, more = ledger.write(decide(ledger.state, step), now, self._new_salt)
            written += more
            step = self._dealer.next_command(ledger, now)
        return ledger, written

    def take_up(self, stored: Sequence[bytes]) -> None:
        """Go on after these records, which the log has already."""
        ledger, written = self._ledger.reread(stored)
        self._adopt(ledger, written)

    def _new_salt(self) -> bytes:
        return self._premises.draw(SALT_BYTES)

    async def _store(self, written: tuple[Written, ...]) -> None:
        try:
            await self._log.append([line.data for line in written])
        except Unavailable as error:
            self._note_trouble(written, error)
            raise store_unavailable(error) from error
        except Unknown as error:
            await self._look_for(written, error)
        except Fenced as error:
            raise self._halted(str(error)) from error
        if self._troubled:
            self._troubled = False
            log.warning(Entry.STORE_RECOVERED, extra=about(game=_game_of(written)))

    def _note_trouble(self, written: tuple[Written, ...], error: LogError) -> None:
        """Log that the store failed, once until it works again."""
        if not self._troubled:
            self._troubled = True
            fields = about(game=_game_of(written), store_says=str(error))
            log.error(Entry.STORE_TROUBLE, extra=fields)

    async def _look_for(self, written: tuple[Written, ...], unknown: Unknown) -> None:
        """Return if the log has these records, of which the store could not say so.

        Raises ``Refused`` if it has none of them, or cannot be read.
        """
        self._note_trouble(written, unknown)
        try:
            self._log = await self._premises.store.logs.open(_game_of(written))
            found = await self._log.read(self.seq)
        except LogError as error:
            self.in_doubt = True
            raise self._halted(f"{unknown}, and {error}; attach again later") from error
        if not found:
            raise store_unavailable(unknown) from unknown
        if found != tuple(line.data for line in written):
            raise self._halted("another writer appended to this game")

    def _halted(self, sentence: str) -> Refused:
        """The refusal of everything from here on."""
        self._broken = f"this table has stopped: {sentence}"
        log.error(Entry.TABLE_HALTED, extra=about(store_says=sentence))
        return Refused(Code.UNAVAILABLE, "TABLE_HALTED", self._broken)

    def _adopt(self, ledger: Ledger, written: tuple[Written, ...]) -> None:
        self._ledger = ledger
        for line in written:
            self.prompts.note(line)
            self._shelf.add(line.data, line.head, line.seats)


def _game_of(written: tuple[Written, ...]) -> str:
    return written[0].state.game.opened.game_id


@dataclass(frozen=True, slots=True)
class Opening:
    """What a game is to be like."""

    table: str
    rules: Rules
    fixed_seed: str | None = None
    """None: dealt fairly."""
    turn_seconds: int = 0
    bot_seconds: int = 0
    open_hands: bool = False


async def open_game(
    premises: Premises, wanted: Opening, seated: Sequence[TakeSeat] = ()
) -> Journal:
    """A new game on disk, with those who sit from the start, all of it or nothing.

    The secret behind its anchor is on disk before that.
    """
    game_id = premises.draw(GAME_ID_BYTES).hex()
    if wanted.fixed_seed is None:
        top = premises.draw(SECRET_BYTES)
        await premises.store.secrets.put(game_id, top)
        source: DealSource = Anchor(anchor_of(top))
    else:
        top, source = b"", FixedSeed(wanted.fixed_seed)
    log = await premises.store.logs.open(game_id)
    journal = Journal(log, Dealer(top, premises.key), premises)
    opening = OpenGame(
        game_id,
        wanted.table,
        wanted.rules,
        source,
        premises.key.public,
        turn_seconds=wanted.turn_seconds,
        bot_seconds=wanted.bot_seconds,
        open_hands=wanted.open_hands,
    )
    await journal.carry_out(opening, *seated)
    return journal


async def reopen_game(premises: Premises, game_id: str) -> Journal | None:
    """A game taken up where its log was left; none if it has no record.

    Raises ``Refused`` when the log is damaged or the secrets behind its deals are gone.
    """
    log = await premises.store.logs.open(game_id)
    stored = await log.read()
    if not stored:
        return None
    top = await premises.store.secrets.get(game_id) or b""
    journal = Journal(log, Dealer(top, premises.key), premises)
    try:
        # Beside the loop: a long game is milliseconds of work.
        await asyncio.to_thread(journal.take_up, stored)
    except ValueError as error:
        sentence = f"the log of this game is damaged: {error}"
        raise Refused(Code.DATA_LOSS, "LOG_DAMAGED", sentence) from error
    fair = isinstance(journal.state.game.opened.source, Anchor)
    if fair and not top and journal.state.phase is not Phase.SEALED:
        raise Refused(
            Code.DATA_LOSS, "SECRET_LOST", "the secrets behind this game's deals are gone"
        )
    return journal
