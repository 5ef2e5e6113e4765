"""The door of a table: sitting down, getting up, taking over, and playing again."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial

from hearts_engine.attendance import is_under_way, is_vacant
from hearts_engine.cards import Seat
from hearts_engine.commands import Command, FreezeSeats, LeaveSeat, TakeOver, TakeSeat
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import Absence, SeatKind, SeatTaken
from hearts_engine.state import Phase, State
from hearts_server.departure import departure, next_host
from hearts_server.errors import another_request
from hearts_server.journal import Opening, Premises, open_game
from hearts_server.notices import Cause
from hearts_server.passcode import require_passcode
from hearts_server.seating import TOKEN_BYTES, Claim, digest_of, is_secret, token_for
from hearts_server.table import Table


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


LetThrough = Callable[[str], Awaitable[None]]


async def not_guarded(kept: str) -> None:
    """Let whoever has said nothing through where nothing has to be said."""
    require_passcode("", kept)


@dataclass(frozen=True, slots=True)
class Knock:
    """How someone asks for a seat."""

    wanted: Seat | None = None
    """None: the first that will do."""
    request_id: str = ""
    host_token: str = ""
    let_through: LetThrough = not_guarded
    """Lets them through to where this passcode guards, as it is kept, or raises ``Refused``."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The door of one table. Tokens say who may ask; the rules say what is possible now."""

    table: Table
    premises: Premises

    async def join(self, newcomer: Newcomer, knock: Knock) -> tuple[Seat, str]:
        """Seat someone where wanted, or on the first free seat; their seat and their token.

        A repeat of the same request gives the same seat and the same token.
        """
        return await self._let_in(knock, partial(self._join, newcomer, knock))

    async def take_over(self, newcomer: Newcomer, knock: Knock) -> tuple[Seat, str]:
        """Seat someone, in a game under way, where a bot plays for nobody; as :meth:`join`."""
        return await self._let_in(knock, partial(self._take_over, newcomer, knock))

    async def leave(self, token: str) -> None:
        """Give up a seat; in a game under way it is played from now on, until its owner is back."""
        await self.table.in_turn(partial(self._leave, token))

    async def play_again(self, token: str, commitment: bytes) -> Seat:
        """Take the same seat in the next game, which the first to ask opens."""
        return await self.table.in_turn(partial(self._play_again, token, commitment))

    async def _let_in(
        self, knock: Knock, work: Callable[[], Awaitable[tuple[Seat, str]]]
    ) -> tuple[Seat, str]:
        # Guessing is made slow, and must not hold up the table.
        await knock.let_through(self.table.facts.passcode)
        return await self.table.in_turn(work)

    # From here on: only in the table's own task, so that a token opens what it opens then.

    async def _join(self, newcomer: Newcomer, knock: Knock) -> tuple[Seat, str]:
        given = self._given(newcomer, knock)
        if given is not None and self._seats[given.seat] is not None:
            return await self._renewed(given, knock)
        # A claim on an empty seat was given just before a crash: this repeat sits down there.
        seat = self._free_seat(knock.wanted) if given is None else given.seat
        sit = newcomer.on(seat)
        self.table.journal.check(sit)
        token = await self._give(seat, newcomer, knock)
        await self.table.do(sit, *start_with(self.table, seat))
        return seat, token

    async def _take_over(self, newcomer: Newcomer, knock: Knock) -> tuple[Seat, str]:
        given = self._given(newcomer, knock)
        if given is not None and not is_vacant(self._state, given.seat):
            return await self._renewed(given, knock)
        seat = self._vacant_seat(knock.wanted) if given is None else given.seat
        sit = TakeOver(seat, newcomer.name, newcomer.kind)
        self.table.journal.check(sit)
        token = await self._give(seat, newcomer, knock)
        await self.table.do(sit)
        return seat, token

    def _given(self, newcomer: Newcomer, knock: Knock) -> Claim | None:
        """The claim that this very request was given before; ``Refused`` if it was another's."""
        given = self.table.facts.seating.asked_for_by(knock.request_id)
        if given is not None and (given.name, given.kind) != (newcomer.name, newcomer.kind):
            raise another_request()
        return given

    async def _renewed(self, given: Claim, knock: Knock) -> tuple[Seat, str]:
        token, facts = self._token(knock), self.table.facts
        claim = replace(given, token_digest=digest_of(token))
        if claim != given:  # the server has another key than when it gave the seat
            await self.table.keep(replace(facts, seating=facts.seating.given(claim)))
            self._end_stream(given.seat)
        return given.seat, token

    def _token(self, knock: Knock) -> str:
        if knock.request_id:
            return token_for(self.premises.key, self.table.facts.name, knock.request_id)
        return self.premises.draw(TOKEN_BYTES).hex()

    async def _give(self, seat: Seat, newcomer: Newcomer, knock: Knock) -> str:
        """A token, kept before the seat is taken: a crash between leaves a key to no door."""
        token, facts = self._token(knock), self.table.facts
        request = digest_of(knock.request_id) if knock.request_id else ""
        claim = Claim(seat, newcomer.name, newcomer.kind, digest_of(token), request)
        hosts = facts.host is None or is_secret(knock.host_token, facts.host_digest)
        seating, host = facts.seating.given(claim), seat if hosts else facts.host
        await self.table.keep(replace(facts, seating=seating, host=host))
        self._end_stream(seat)
        return token

    def _end_stream(self, seat: Seat) -> None:
        """End what was attached by a token that opens the seat no more."""
        sentence = "the token that this stream was attached by opens the seat no more"
        self.table.dismiss(seat, Cause.REMOVED, sentence)

    async def _leave(self, token: str) -> None:
        seat, table = self.table.seat_of(token), self.table
        if is_under_way(self._state):
            await self._leave_to_a_bot(seat)
            return
        if self._phase is Phase.SEATING and self._seats[seat] is not None:
            await table.do(LeaveSeat(seat))
        elif self._phase is Phase.ENDED:
            raise Rejected(Reason.WRONG_PHASE, "the game is being closed; ask again")
        table.dismiss(seat, Cause.REMOVED, "you left the table")
        await table.keep(table.facts.without(seat, next_host(table.facts, self._state, seat)))

    async def _leave_to_a_bot(self, seat: Seat) -> None:
        table = self.table
        commands = departure(self._state, seat, Absence.LEFT)
        if commands:
            await table.do(*commands)
        host = next_host(table.facts, self._state, seat)
        if host != table.facts.host:
            await table.keep(replace(table.facts, host=host))
        sentence = "you left; a bot plays for you until you attach again"
        table.dismiss(seat, Cause.REMOVED, sentence)

    async def _play_again(self, token: str, commitment: bytes) -> Seat:
        seat = self.table.seat_of(token)
        if self._phase is Phase.SEALED:
            await self._open_next_game()
        claim = self.table.facts.seating.on(seat)
        if claim is not None and self._seats[seat] is None:
            again = Newcomer(claim.name, claim.kind, commitment=commitment)
            await self.table.do(again.on(seat), *start_with(self.table, seat))
        elif self._phase is not Phase.SEATING and not self._sits_by(seat, commitment):
            raise Rejected(Reason.WRONG_PHASE, "play again when the game is over")
        return seat

    def _sits_by(self, seat: Seat, commitment: bytes) -> bool:
        """Whether a request with this commitment was done before.

        No other has it; who has none sits in a later game only by having asked for that.
        """
        taken = self._seats[seat]
        if taken is None or taken.commitment != commitment:
            return False
        return bool(commitment) or self.table.facts.games > 1

    async def _open_next_game(self) -> None:
        """Open a game by the same rules and clocks, as open as before, with the same house bots."""
        facts, last = self.table.facts, self._state.game
        seed = None if facts.fixed_seed is None else f"{facts.fixed_seed}#{facts.games + 1}"
        bots = [
            Newcomer(taken.name, taken.kind, taken.bot).on(taken.seat)
            for taken in last.seats
            if taken is not None and taken.kind is SeatKind.HOUSE
        ]
        clocks = last.opened.turn_seconds, last.opened.bot_seconds
        opening = Opening(facts.name, last.rules, seed, *clocks, last.opened.open_hands)
        journal = await open_game(self.premises, opening, bots)
        game_id = journal.state.game.opened.game_id
        facts = replace(facts, game_id=game_id, games=facts.games + 1, over=False)
        await self.table.begin(journal, replace(facts, start_when_full=True))

    @property
    def _state(self) -> State:
        return self.table.journal.state

    @property
    def _seats(self) -> tuple[SeatTaken | None, ...]:
        return self._state.game.seats

    @property
    def _phase(self) -> Phase:
        return self._state.phase

    def _vacant_seat(self, wanted: Seat | None) -> Seat:
        if wanted is not None or not is_under_way(self._state):
            return wanted or Seat(0)  # of which the rules say what is wrong
        seats = (Seat(index) for index in range(len(self._seats)))
        vacant = next((seat for seat in seats if is_vacant(self._state, seat)), None)
        if vacant is None:
            raise Rejected(Reason.SEAT_OCCUPIED, "no seat at this table is played for nobody")
        return vacant

    def _free_seat(self, wanted: Seat | None) -> Seat:
        if wanted is not None:
            return wanted
        if None not in self._seats:
            raise Rejected(Reason.SEAT_OCCUPIED, "every seat at this table is taken")
        free = [Seat(index) for index, taken in enumerate(self._seats) if taken is None]
        held = self.table.facts.seating
        # The seats of those who may yet play again are given away last.
        return min(free, key=lambda seat: held.on(seat) is not None)


def start_with(table: Table, seat: Seat) -> tuple[Command, ...]:
    """What is to be done in one with sitting down on a seat, if that fills the table.

    Done by itself it might be left undone, by a crash or a store that fails, and the table would
    wait for nobody.
    """
    others = (taken for at, taken in enumerate(table.journal.state.game.seats) if at != seat)
    return (FreezeSeats(),) if table.facts.start_when_full and None not in others else ()
