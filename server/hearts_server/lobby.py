"""All tables of a server: opened, found again after a restart, and let go."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

from hearts_engine.attendance import is_under_way
from hearts_engine.state import Phase
from hearts_replays.log import LogError
from hearts_server.admission import Admission
from hearts_server.attendance import Attendance
from hearts_server.clocks import due, later
from hearts_server.errors import (
    Code,
    Refused,
    draining,
    fixed_seed_not_allowed,
    no_such_table,
    reason_of,
)
from hearts_server.excess import too_many_tables
from hearts_server.facts import TableFacts
from hearts_server.hosting import Hosting
from hearts_server.house import play_house_seat
from hearts_server.journal import Journal, Premises, open_game, reopen_game
from hearts_server.logbook import Entry, about, trace_of
from hearts_server.messages import table_of
from hearts_server.noticeboard import Listing
from hearts_server.passcode import salt_of, sealed
from hearts_server.peers import SeatHeld
from hearts_server.plan import AS_USUAL, Plan, new_name
from hearts_server.policy import Policy
from hearts_server.recent import Recent
from hearts_server.register import Register
from hearts_server.seating import TOKEN_BYTES, digest_of
from hearts_server.summary import TableStatus, TableSummary, status_of, summary_of
from hearts_server.table import Service, Table

log = logging.getLogger(__name__)

_FINAL: Final = frozenset({Code.DATA_LOSS, Code.NOT_FOUND})
"""Refusals to take a table up that no later try will change."""

_RETRIES: Final = tuple(timedelta(seconds=seconds) for seconds in (1, 2, 5, 10, 30, 60))
"""How long to wait before each try to go on with a table that halted."""

_MOST_SUMMARIES: Final = 1_024
"""Tables whose game is over and whose last look is remembered."""


class Lobby:
    """The tables by name, each with its task."""

    def __init__(self, premises: Premises, tasks: asyncio.TaskGroup, policy: Policy) -> None:
        self.board = premises.board
        self._premises = premises
        self._tasks = tasks
        self._policy = policy
        self._tables: dict[str, Table] = {}
        self._register = Register(premises.store.tables, everyone=policy.resumes)
        self._last_seen = Recent[TableSummary](_MOST_SUMMARIES)
        """How tables looked when their game was over, by the game's id."""
        self._attendance = Attendance(timedelta(minutes=policy.limits.idle_minutes))
        self._opening = asyncio.Lock()
        self._closed = asyncio.Event()

    async def create(self, plan: Plan = AS_USUAL, request_id: str = "") -> tuple[Table, str]:
        """A new table with a game opened, and the token of its host.

        A repeat of the same request gives the same table, with a new token in place of the old.
        """
        if plan.fixed_seed is not None and not self._policy.allow_fixed_seed:
            raise fixed_seed_not_allowed()
        digest = digest_of(request_id) if request_id else ""
        token = self._premises.draw(TOKEN_BYTES).hex()
        passcode = await asyncio.to_thread(sealed, plan.passcode, salt_of(self._premises.key))
        async with self._opening:
            self._require_running()
            await self._let_idle_ones_go()
            stored = await self._premises.store.tables.all()
            known = _asked_for(digest, stored)
            if known is not None:
                table = await self._find(known)
                await table.in_turn(partial(_give_to_host, table, token))
                return table, token
            if self._count_open(stored) >= self._policy.limits.tables:
                raise too_many_tables(self._policy.limits.tables)
            name = new_name({name for name, _ in stored})
            journal = await open_game(self._premises, plan.opening(name, self._policy))
            game_id = journal.state.game.opened.game_id
            facts = TableFacts(
                name,
                game_id,
                plan.start_when_full,
                plan.fixed_seed,
                digest,
                host_digest=digest_of(token),
                passcode=passcode,
            )
            await self._premises.store.tables.put(name, facts.to_bytes())
            self._register.add(name)
            log.info(Entry.TABLE_OPENED, extra=about(table=name, game=game_id))
            return self._set_up(self._table(facts, journal)), token

    async def get(self, name: str) -> Table:
        """The table of this name, taken up from its log if need be; ``Refused`` if none."""
        if name in self._tables and not self._closing:
            return self._tables[name]  # who visits a table in use waits for no other
        async with self._opening:
            self._require_running()
            return await self._find(name)

    @asynccontextmanager
    async def visited(self, name: str) -> AsyncGenerator[Table, None]:
        """The table of this name, let go afterwards if nobody needs it any more."""
        table = await self.get(name)
        try:
            yield table
        finally:
            self.release(table)

    async def take_up_all(self) -> None:
        """Go on with every unfinished table that an earlier process left, one after the other."""
        if not self._policy.resumes:
            return
        for name, data in await self._premises.store.tables.all():
            if self._closing:
                return
            if not TableFacts.from_bytes(data).over and not await self._taken_up(name):
                self._tasks.create_task(self._take_up_in_the_end(name))

    async def _taken_up(self, name: str) -> bool:
        """Go on with a table; whether there is no point in another try."""
        try:
            await self.get(name)
        except (Refused, LogError) as error:  # one table's damage must not stop the others
            fields = about(table=name, reason=reason_of(error))
            log.warning(Entry.TABLE_UNREADABLE, extra=fields)
            final = isinstance(error, Refused) and error.code in _FINAL
            return self._closing or final
        return True

    async def _take_up_in_the_end(self, name: str) -> None:
        """Go on with a table that halted, though nobody may ask for it: bots sit there too."""
        clock = self._premises.clock
        for wait in itertools.chain(_RETRIES, itertools.repeat(_RETRIES[-1])):
            with suppress(TimeoutError):
                async with due(clock, later(clock.now(), wait)):
                    await self._closed.wait()
            if await self._taken_up(name):
                return

    @asynccontextmanager
    async def hosting(self, name: str) -> AsyncGenerator[Hosting, None]:
        """The host's place at the table of this name; ``Refused`` if there is none."""
        async with self.visited(name) as table:
            yield Hosting(table)

    @asynccontextmanager
    async def admission(self, name: str) -> AsyncGenerator[Admission, None]:
        """The door of the table of this name; ``Refused`` if there is none."""
        async with self.visited(name) as table:
            try:
                yield Admission(table, self._premises)
            finally:
                self.attended(table)

    async def summary(self, name: str) -> TableSummary:
        """What anyone may know of the table of this name; ``Refused`` if there is none."""
        if name not in self._tables:
            facts = await self._register.facts(name)
            known = None if facts is None else self._last_seen.get(facts.game_id)
            if facts is not None and known is not None:
                return replace(known, host=facts.host)  # who may have left since
        async with self.visited(name) as table:
            summary = summary_of(table)
            if table.deserted and table.facts.over:
                self._last_seen.put(summary.game_id, summary)
            return summary

    async def summaries(self) -> tuple[TableSummary, ...]:
        """Every table whose game is not over, and those still in use."""
        self._require_running()
        async with self._opening:
            await self._let_idle_ones_go()
        names = set(self._tables)
        if self._policy.resumes:
            names |= self._register.unfinished(
                await self._premises.store.tables.all(), self._tables
            )
        found = list[TableSummary]()
        for name in sorted(names):
            try:
                found.append(await self.summary(name))
            except Refused as refused:  # one table's damage must not hide the others
                fields = about(table=name, reason=refused.reason)
                log.warning(Entry.TABLE_UNREADABLE, extra=fields)
        return tuple(found)

    def is_held(self, seat: SeatHeld) -> bool:
        """Whether a token opens a seat still, at a table that is in use."""
        table = self._tables.get(seat.table)
        claims = () if table is None else table.facts.seating.claims
        return any(claim.token_digest == seat.token_digest for claim in claims)

    def is_waiting(self, name: str) -> bool:
        """Whether the table of this name has not started."""
        table = self._tables.get(name)
        return table is not None and table.journal.state.phase is Phase.SEATING

    def attended(self, table: Table) -> None:
        """Note that someone who belongs to a table was there until now."""
        self._attendance.note(table.facts.name, self._premises.clock.now())

    def open_tables(self) -> tuple[str, ...]:
        """The names of the tables in use that wait for someone to sit down."""
        return tuple(name for name, table in self._tables.items() if _has_room(table))

    def post(self) -> None:
        """Tell those who read the lobby which tables have changed."""
        self.board.post(self._shown)

    def _shown(self, name: str) -> Listing | None:
        table = self._tables.get(name)
        return None if table is None else table_of(summary_of(table))

    def release(self, table: Table) -> None:
        """Let go of a table that nobody needs in memory any more."""
        if table.deserted and self._tables.get(table.facts.name) is table:
            del self._tables[table.facts.name]
            self.board.take_down(table.facts.name)
            table.stop()
            log.debug(Entry.TABLE_LET_GO, extra=about(table=table.facts.name))

    def census(self) -> dict[str, int]:
        """How many tables are in memory, by status; any thread may ask."""
        counts = dict.fromkeys((status.name.lower() for status in TableStatus), 0)
        for table in tuple(self._tables.values()):
            counts[status_of(table.journal.state.phase).name.lower()] += 1
        return counts

    async def close(self) -> None:
        """Stop every table, after what was asked of it before; from here on none is opened."""
        self._closed.set()
        self.board.close()
        async with self._opening:
            for table in tuple(self._tables.values()):
                table.stop()

    @property
    def _closing(self) -> bool:
        return self._closed.is_set()

    def _require_running(self) -> None:
        if self._closing:
            raise draining()

    async def _find(self, name: str) -> Table:
        """The table of this name; only while opening."""
        table = self._tables.get(name)
        if table is None:
            facts = await self._register.facts(name)
            table = None if facts is None else await self._take_up(facts)
        if table is None:
            raise no_such_table(name)
        return table

    def _count_open(self, stored: Iterable[tuple[str, bytes]]) -> int:
        """How many tables there are whose game is not over."""
        others = self._register.unfinished(stored, self._tables)
        return len(others) + sum(not table.over for table in self._tables.values())

    async def _let_idle_ones_go(self) -> None:
        """Close tables that have not started and that nobody came back to; only while opening.

        The last one at which a newcomer could sit down is left.
        """
        now = self._premises.clock.now()
        seating = [t for t in self._tables.values() if t.journal.state.phase is Phase.SEATING]
        idle = [table for table in seating if self._attendance.is_over(table, now)]
        for table in idle[len(idle) == len(seating) :]:
            await self._close(table)
        self._attendance.keep(self._tables)

    async def _close(self, table: Table) -> None:
        """Forget a table in which nothing was played."""
        facts, store = table.facts, self._premises.store
        del self._tables[facts.name]
        self.board.take_down(facts.name)
        table.stop()
        log.info(Entry.TABLE_IDLE, extra=about(table=facts.name, game=facts.game_id))
        try:
            await store.tables.drop(facts.name)
            await store.secrets.forget(facts.game_id)
        except LogError as error:
            fields = about(table=facts.name, store_says=str(error))
            log.warning(Entry.STORE_TROUBLE, extra=fields)

    def _table(self, facts: TableFacts, journal: Journal) -> Table:
        service = Service(play_house_seat, self._policy.close_after, self.release)
        return Table(facts, journal, self._premises, service)

    def _set_up(self, table: Table) -> Table:
        self._tables[table.facts.name] = table
        self._register.reopen(table.facts.name)
        self.board.ring(table.facts.name)
        self.attended(table)
        self._tasks.create_task(self._run(table), name=f"table {table.facts.name}")
        return table

    async def _run(self, table: Table) -> None:
        """One table's failure must not touch the others: it is let go, to be taken up anew."""
        try:
            await table.run()
        except Exception as error:  # noqa: BLE001  (it is noted)
            fields = about(table=table.facts.name, trace=trace_of(error))
            log.error(Entry.TABLE_FAILED, extra=fields)  # noqa: TRY400  (its words may name cards)
        finally:
            if self._tables.get(table.facts.name) is table:
                del self._tables[table.facts.name]
                if is_under_way(table.journal.state) and not self._closing:
                    self._tasks.create_task(self._take_up_in_the_end(table.facts.name))

    async def _take_up(self, facts: TableFacts) -> Table | None:
        journal = await reopen_game(self._premises, facts.game_id)
        if journal is None:
            return None
        table = self._table(facts, journal)
        await table.settle()
        fields = about(table=facts.name, game=facts.game_id, seq=journal.seq)
        log.info(Entry.TABLE_TAKEN_UP, extra=fields)
        return self._set_up(table)


def _asked_for(digest: str, stored: Iterable[tuple[str, bytes]]) -> str | None:
    """The name of the table that this request opened before, if it did."""
    if not digest:
        return None
    # Looked for in the bytes first: to read thousands of finished tables would hold up all others.
    likely = ((name, data) for name, data in stored if digest.encode() in data)
    return next((n for n, data in likely if TableFacts.from_bytes(data).request == digest), None)


async def _give_to_host(table: Table, token: str) -> None:
    """Let this token, and no other, have the host's powers wherever the host sits."""
    await table.keep(replace(table.facts, host_digest=digest_of(token)))


def _has_room(table: Table) -> bool:
    state = table.journal.state
    return state.phase is Phase.SEATING and None in state.game.seats
