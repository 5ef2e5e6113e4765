"""Who sits at a table: joining, leaving, house bots, the start, and playing again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from hearts_engine.cards import Seat
from hearts_engine.commands import FreezeSeats, LeaveSeat, TakeSeat
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import SeatKind, SeatTaken
from hearts_engine.state import Phase
from hearts_server.errors import Code, Refused, another_request
from hearts_server.journal import Premises, open_game
from hearts_server.notices import Cause
from hearts_server.seating import TOKEN_BYTES, Claim, digest_of
from hearts_server.table import Table

HOUSE_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jude", "Kit")
"""One more than a table can have seats."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Someone who wants a seat."""

    name: str
    kind: SeatKind
    bot: str = ""
    commitment: bytes = b""

    def on(self, seat: Seat) -> TakeSeat:
        """The command that seats them there."""
        return TakeSeat(seat, self.name, self.kind, self.bot, self.commitment)


@dataclass(frozen=True, slots=True)
class Admission:
    """The door of one table. Tokens say who may ask; the rules say what is possible now."""

    table: Table
    premises: Premises

    async def join(
        self, newcomer: Newcomer, wanted: Seat | None, request_id: str
    ) -> tuple[Seat, str]:
        """Seat someone where wanted, or on the first free seat; their seat and their token.

        A repeat of the same request gives the same seat, with a new token in place of the old.
        """
        return await self.table.in_turn(partial(self._join, newcomer, wanted, request_id))

    async def leave(self, token: str) -> None:
        """Give up a seat before the start."""
        await self.table.in_turn(partial(self._leave, token))

    async def add_house_bot(self, token: str, level: str, wanted: Seat | None) -> Seat:
        """Seat a house bot, asked for by someone who sits here."""
        return await self.table.in_turn(partial(self._add_house_bot, token, level, wanted))

    async def remove_house_bot(self, token: str, seat: Seat) -> None:
        """Send a house bot away before the start, asked for by someone who sits here."""
        await self.table.in_turn(partial(self._remove_house_bot, token, seat))

    async def start(self, token: str) -> None:
        """Start the game, asked for by someone who sits here."""
        await self.table.in_turn(partial(self._start, token))

    async def play_again(self, token: str, commitment: bytes) -> Seat:
        """Take the same seat in the next game, which the first to ask opens."""
        return await self.table.in_turn(partial(self._play_again, token, commitment))

    # From here on: only in the table's own task, so that a token opens what it opens then.

    async def _join(
        self, newcomer: Newcomer, wanted: Seat | None, request_id: str
    ) -> tuple[Seat, str]:
        token = self.premises.draw(TOKEN_BYTES).hex()
        given = self.table.facts.seating.asked_for_by(request_id)
        if given is not None and (given.name, given.kind) != (newcomer.name, newcomer.kind):
            raise another_request()
        if given is not None and self._seats[given.seat] is not None:
            await self._give(replace(given, token_digest=digest_of(token)))
            return given.seat, token
        # A claim on an empty seat was given just before a crash: this repeat sits down there.
        seat = self._free_seat(wanted) if given is None else given.seat
        sit = newcomer.on(seat)
        self.table.journal.check(sit)
        request_digest = digest_of(request_id) if request_id else ""
        await self._give(
            Claim(seat, newcomer.name, newcomer.kind, digest_of(token), request_digest)
        )
        await self.table.do(sit)
        await self._start_if_full()
        return seat, token

    async def _give(self, claim: Claim) -> None:
        """Keep the token before the seat is taken: a crash between leaves a key to no door."""
        facts = self.table.facts
        await self.table.keep(replace(facts, seating=facts.seating.given(claim)))
        self._end_stream(claim.seat)

    async def _free(self, seat: Seat) -> None:
        """Let no token open the seat any more."""
        facts = self.table.facts
        await self.table.keep(replace(facts, seating=facts.seating.freed(seat)))
        self._end_stream(seat)

    def _end_stream(self, seat: Seat) -> None:
        """End what was attached by a token that opens the seat no more."""
        sentence = "the token that this stream was attached by opens the seat no more"
        self.table.receivers.end(seat, Cause.REMOVED, sentence)

    async def _leave(self, token: str) -> None:
        seat = self.table.seat_of(token)
        await self.table.do(LeaveSeat(seat))
        self.table.receivers.end(seat, Cause.REMOVED, "you left the table")
        await self._free(seat)

    async def _add_house_bot(self, token: str, level: str, wanted: Seat | None) -> Seat:
        self.table.seat_of(token)
        seat = self._free_seat(wanted)
        sit = Newcomer(self._free_name(), SeatKind.HOUSE, level).on(seat)
        self.table.journal.check(sit)
        await self._free(seat)  # whoever sat there in the game before must not see the bot's cards
        await self.table.do(sit)
        await self._start_if_full()
        return seat

    async def _remove_house_bot(self, token: str, seat: Seat) -> None:
        self.table.seat_of(token)
        taken = self._seats[seat] if 0 <= seat < len(self._seats) else None
        if taken is None or taken.kind is not SeatKind.HOUSE:
            raise Refused(
                Code.FAILED_PRECONDITION, "NO_HOUSE_BOT", f"no house bot sits on seat {seat}"
            )
        await self.table.do(LeaveSeat(seat))

    async def _start(self, token: str) -> None:
        self.table.seat_of(token)
        await self.table.do(FreezeSeats())

    async def _start_if_full(self) -> None:
        if self.table.facts.start_when_full and None not in self._seats:
            await self.table.do(FreezeSeats())

    async def _play_again(self, token: str, commitment: bytes) -> Seat:
        seat = self.table.seat_of(token)
        if self._phase is Phase.SEALED:
            await self._open_next_game()
        claim = self.table.facts.seating.on(seat)
        if claim is not None and self._seats[seat] is None:
            again = Newcomer(claim.name, claim.kind, commitment=commitment)
            await self.table.do(again.on(seat))
            await self._start_if_full()
        elif self._phase is not Phase.SEATING and not self._sits_by(seat, commitment):
            raise Rejected(Reason.WRONG_PHASE, "play again when the game is over")
        return seat

    def _sits_by(self, seat: Seat, commitment: bytes) -> bool:
        """Whether a request with this commitment, which no other has, was done before."""
        taken = self._seats[seat]
        return taken is not None and bool(commitment) and taken.commitment == commitment

    async def _open_next_game(self) -> None:
        """Open a game by the same rules, with the same house bots."""
        facts, last = self.table.facts, self.table.journal.state.game
        seed = None if facts.fixed_seed is None else f"{facts.fixed_seed}#{facts.games + 1}"
        bots = [
            Newcomer(taken.name, taken.kind, taken.bot).on(taken.seat)
            for taken in last.seats
            if taken is not None and taken.kind is SeatKind.HOUSE
        ]
        journal = await open_game(self.premises, facts.name, last.rules, seed, bots)
        game_id = journal.state.game.opened.game_id
        facts = replace(facts, game_id=game_id, games=facts.games + 1, over=False)
        await self.table.begin(journal, replace(facts, start_when_full=True))

    @property
    def _seats(self) -> tuple[SeatTaken | None, ...]:
        return self.table.journal.state.game.seats

    @property
    def _phase(self) -> Phase:
        return self.table.journal.state.phase

    def _free_name(self) -> str:
        """A name for a house bot that nobody at the table has."""
        taken = {sitter.name for sitter in self._seats if sitter is not None}
        return next(name for name in HOUSE_NAMES if name not in taken)

    def _free_seat(self, wanted: Seat | None) -> Seat:
        if wanted is not None:
            return wanted
        if None not in self._seats:
            raise Rejected(Reason.SEAT_OCCUPIED, "every seat at this table is taken")
        free = [Seat(index) for index, taken in enumerate(self._seats) if taken is None]
        held = self.table.facts.seating
        # The seats of those who may yet play again are given away last.
        return min(free, key=lambda seat: held.on(seat) is not None)
