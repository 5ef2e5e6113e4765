"""Evenings on clocks at which everybody comes and goes: the game ends, and nobody loses a record.

Whoever has a seat answers, lets the time run out, is cut off, comes back after what was seen last,
leaves, is removed or taken over, and the server itself is started again, in any order.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from random import Random
from typing import Final

import pytest
from grpc import aio

from hearts_engine.cards import Seat
from hearts_engine.events import Agent, LogSealed, SeatAway, SeatTakenOver
from hearts_engine.presets import PRESETS
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_server.testing.callers import PATIENCE, SeatStream, Sitter, Venue, at_random, open_venue
from hearts_server.testing.company import TIMED, TURN
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_server.timekeeper import AUTOPILOT_TIME
from hearts_wire.records import decode_record

EVENINGS: Final = 6 * int(os.environ.get("HEARTS_TIMES", "1"))
MOST_STEPS: Final = 3_000
SHORT: Final = "deals=1 tie=shared exact=none"


@dataclass(slots=True)
class Guest:
    """Somebody who holds a seat, and all that was ever shown to them."""

    sitter: Sitter
    stream: SeatStream | None = None
    seq: int = 0
    head: bytes = b""
    shown: list[bytes] = field(default_factory=list[bytes])


class Evening:
    """One game, and everyone who ever sat in it."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.store, self.clock = MemoryStore(), VirtualClock()
        self.guests: dict[Seat, Guest] = {}
        self.gone: list[Guest] = []
        """Those whose token opens nothing any more."""
        self.table = ""
        self.host = ""

    @property
    def log(self) -> list[bytes]:
        """The records of the game."""
        return list(self.store.games.values())[-1]

    @property
    def over(self) -> bool:
        """Whether the log is sealed."""
        return isinstance(decode_record(self.log[-1]).event, LogSealed)

    async def run(self, rules: str, draws: int) -> None:
        """Play it to its end, over as many servers as it takes."""
        steps, server = 0, 0
        while not self.table or not self.over:
            server += 1
            premises = premises_of(self.store, self.clock, draws=Draws(f"{draws}/{server}"))
            async with open_venue(premises, TIMED) as venue, AsyncExitStack() as stack:
                stack.callback(self.cut_everyone)
                if not self.table:
                    await self.begin(venue, rules)
                while not self.over and self.chance.random() > 0.002:
                    steps += 1
                    assert steps < MOST_STEPS, "the game stalls"
                    await self.step(venue)
                if self.over:
                    for guest in self.guests.values():
                        await self.come(venue, guest)

    async def begin(self, venue: Venue, rules: str) -> None:
        """Seat people and house bots, and start."""
        parsed = parse_rules(rules)
        table = await venue.table(parsed)
        self.table = table.name
        people = self.chance.randint(2, parsed.players)
        for number in range(people):
            sitter = await venue.sit(table.name, f"Ann {number}")
            self.guests[sitter.seat] = Guest(sitter)
        first = self.guests[Seat(0)].sitter
        self.host = first.token
        for _ in range(parsed.players - people):
            await venue.add_house_bot(first)
        await venue.start(first)

    async def step(self, venue: Venue) -> None:
        """Something happens."""
        await self.hear()
        ways: list[tuple[int, Callable[[Venue], Awaitable[None]]]] = [
            (12, self.answer),
            (6, self.somebody_comes),
            (4, self.time_passes),
            (1, self.somebody_is_cut_off),
            (1, self.somebody_leaves),
            (1, self.host_acts),
            (1, self.newcomer),
        ]
        (way,) = self.chance.choices([way for _, way in ways], [weight for weight, _ in ways])
        await way(venue)

    async def hear(self) -> None:
        """Everyone connected hears all that has happened to them."""
        for guest in self.guests.values():
            if guest.stream is not None:
                await self.catch_up(guest)

    async def catch_up(self, guest: Guest) -> None:
        """Read until the answer to a heartbeat, or the end of the stream."""
        stream = guest.stream
        assert stream is not None
        before = len(stream.received)
        try:
            await stream.pulse_through()
        except (aio.AioRpcError, AssertionError):
            guest.stream = None  # it has ended: superseded, removed, over, or the server is gone
        for response in stream.received[before:]:
            kind = response.WhichOneof("kind")
            if kind in {"attached", "update"}:
                told = response.attached if kind == "attached" else response.update
                guest.shown += told.records
                guest.seq, guest.head = told.seq, told.head

    async def answer(self, venue: Venue) -> None:
        """Whoever is asked answers; too late, it is refused."""
        del venue
        asked = [g for g in self.guests.values() if g.stream is not None and g.stream.prompt]
        if asked:
            guest = self.chance.choice(asked)
            stream = guest.stream
            assert stream is not None
            request, stream.prompt = stream.choice(at_random(self.chance)), None
            if not await self.tried(stream.send(request)):
                guest.stream = None  # it had ended

    async def somebody_comes(self, venue: Venue) -> None:
        """Whoever is not connected, or from another terminal whoever is, attaches."""
        await self.come(venue, self.chance.choice(list(self.guests.values())))

    async def come(self, venue: Venue, guest: Guest) -> None:
        """Attach after what was seen last."""
        if guest.stream is not None:
            guest.stream.cancel()
        guest.stream = SeatStream(venue.channel, guest.sitter)
        try:
            attached = await guest.stream.attach(guest.seq, guest.head)
        except aio.AioRpcError:
            guest.stream = None
            return
        guest.shown += attached.records
        guest.seq, guest.head = attached.seq, attached.head

    async def time_passes(self, venue: Venue) -> None:
        """Now and then enough of it for a clock to run out."""
        del venue
        self.clock.advance(self.chance.choice([AUTOPILOT_TIME, AUTOPILOT_TIME, 2 * TURN]))
        await asyncio.sleep(0)

    async def somebody_is_cut_off(self, venue: Venue) -> None:
        """A connection drops, heard or not."""
        del venue
        guest = self.chance.choice(list(self.guests.values()))
        if guest.stream is not None:
            guest.stream.cancel()
            guest.stream = None

    async def somebody_leaves(self, venue: Venue) -> None:
        """The seat is left to a bot; its owner may be back."""
        sitter = self.chance.choice(list(self.guests.values())).sitter
        request = lobby_pb2.LeaveTableRequest(table=self.table, seat_token=sitter.token)
        await self.tried(venue.lobby.LeaveTable(request))

    async def host_acts(self, venue: Venue) -> None:
        """The host pauses, lets the game go on, or removes somebody."""
        token, table = self.host, self.table
        match self.chance.randrange(3):
            case 0:
                pause = lobby_pb2.PauseTableRequest(table=table, token=token)
                await self.tried(venue.lobby.PauseTable(pause))
                resume = lobby_pb2.ResumeTableRequest(table=table, token=token)
                await self.tried(venue.lobby.ResumeTable(resume))
            case 1:
                seats = [seat for seat in self.guests if seat != 0]
                if len(seats) > 1:
                    await self.remove(venue, self.chance.choice(seats))
            case _:
                resume = lobby_pb2.ResumeTableRequest(table=table, token=token)
                await self.tried(venue.lobby.ResumeTable(resume))

    async def remove(self, venue: Venue, seat: Seat) -> None:
        """Somebody's token opens nothing any more."""
        request = lobby_pb2.RemoveSeatRequest(table=self.table, token=self.host, seat=seat)
        if await self.tried(venue.lobby.RemoveSeat(request)):
            guest = self.guests.pop(seat)
            if guest.stream is not None:
                await self.catch_up(guest)
            self.gone.append(guest)

    async def newcomer(self, venue: Venue) -> None:
        """Somebody takes over what a bot plays for nobody."""
        request = lobby_pb2.TakeOverSeatRequest(
            table=self.table, name="Eve", kind=events_pb2.SEAT_KIND_PERSON
        )
        try:
            response = await venue.lobby.TakeOverSeat(request)
        except aio.AioRpcError:
            return
        seat = Seat(response.seat)
        self.guests[seat] = Guest(Sitter(self.table, seat, response.seat_token))

    async def tried(self, call: Awaitable[object]) -> bool:
        """Whether a call was done; what is refused changes nothing."""
        try:
            await call
        except aio.AioRpcError:
            return False
        return True

    def cut_everyone(self) -> None:
        """The server is gone."""
        for guest in self.guests.values():
            if guest.stream is not None:
                guest.stream.cancel()
                guest.stream = None


def evening(seed: int) -> Evening:
    async def main() -> Evening:
        chance = Random(seed)
        preset = chance.choice(list(PRESETS))
        found = Evening(seed)
        async with asyncio.timeout(2 * PATIENCE):
            await found.run(f"{preset} {SHORT}", seed)
        return found

    return asyncio.run(main())


@pytest.mark.parametrize("seed", range(EVENINGS))
def test_whoever_comes_and_goes_the_game_ends_and_each_seat_is_shown_its_records_once(
    seed: int,
) -> None:
    played = evening(seed)
    report = audit(played.log)
    assert report.finding is None
    at = {data: seq for seq, data in enumerate(played.log, start=1)}
    for guest in (*played.guests.values(), *played.gone):
        seqs = [at[data] for data in guest.shown]
        assert seqs == sorted(set(seqs)), "no record twice, none out of order, none invented"


def test_these_evenings_have_in_them_what_they_are_for() -> None:
    events = [decode_record(data).event for seed in range(4) for data in evening(seed).log]
    agents = {by for event in events if (by := getattr(event, "by", None)) is not None}
    assert agents == set(Agent)
    assert any(isinstance(event, SeatAway) for event in events)
    assert any(isinstance(event, SeatTakenOver) for event in events)
