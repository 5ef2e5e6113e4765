"""Callers of every kind, in any order, before a whole server: it never does but what it should.

After each step the server must agree with a model that knows only tables, seats, tokens, hosts and
how far each game is, and with its own logs. Whatever it refuses has changed nothing.
``HEARTS_TIMES`` makes it long.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Coroutine
from datetime import timedelta
from random import Random
from typing import Any, TypeVar

import pytest
from grpc import StatusCode
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hearts_engine.cards import PACK, Seat
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.view import visible
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Kind
from hearts_replays.log import Unavailable
from hearts_server.testing.callers import SeatStream, Sitter, at_random, denied
from hearts_server.testing.spectators import watching
from hearts_server.testing.world import Answered, Chair, Room, Stage, World
from hearts_server.timekeeper import REVEAL_TIME
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

TIMES = int(os.environ.get("HEARTS_TIMES", "1"))
"""How many times the usual number of evenings."""

RULES = tuple(map(parse_rules, ("black_lady target=1", "three target=1", "omnibus target=1")))
ENTROPY = bytes(range(32))
LONGEST_CHAT = 200

ILLEGAL = StatusCode.FAILED_PRECONDITION
T = TypeVar("T")

which = st.integers(0, 1_000_000)
"""One of what there is, counted around."""


def one_of(things: list[T], number: int) -> T:
    return things[number % len(things)]


class Evening(RuleBasedStateMachine):
    """What happens at a server in an evening."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.world = World()
        self.chance = Random(0)
        self.made = 0
        self.run(self.world.start())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    @property
    def rooms(self) -> list[Room]:
        return self.world.rooms

    def rooms_at(self, *stages: Stage) -> list[Room]:
        return [room for room in self.rooms if room.stage in stages]

    def chairs(self, *stages: Stage, attached: bool | None = None) -> list[tuple[Room, Chair]]:
        return [
            (room, chair)
            for room in self.rooms_at(*(stages or tuple(Stage)))
            for chair in room.chairs.values()
            if attached is None or (chair.stream is not None) is attached
        ]

    def asked(self) -> list[tuple[Room, Chair]]:
        return [
            (room, chair)
            for room, chair in self.chairs(Stage.PLAYING, attached=True)
            if chair.stream is not None and chair.stream.prompt is not None and not room.paused
        ]

    def request_id(self) -> str:
        self.made += 1
        return f"{self.made:032d}"

    @initialize(rules=st.sampled_from(RULES), people=st.integers(0, 4), takes_part=st.booleans())
    def people_and_bots_sit_down(self, rules: Rules, people: int, takes_part: bool) -> None:  # noqa: FBT001
        self.run(self._sit_down(rules, people, ENTROPY if takes_part else b""))

    async def _sit_down(self, rules: Rules, people: int, entropy: bytes) -> None:
        """A table at which all are attached and the game has started."""
        room = await self.world.open_room(rules, self.request_id(), start_when_full=True)
        for seat in range(room.players):
            if seat < people:
                await self._join(room, seat, entropy)
                await self._attach(room, room.chairs[seat], resumes=False)
            else:
                await self._add_house_bot(room, room.host_token)
        assert room.stage is Stage.PLAYING

    @precondition(lambda self: not self.rooms_at(Stage.PLAYING) and len(self.rooms) < 4)
    @rule(rules=st.sampled_from(RULES), people=st.integers(1, 4))
    def others_sit_down(self, rules: Rules, people: int) -> None:
        self.run(self._sit_down(rules, people, b""))

    @precondition(lambda self: len(self.rooms) < 3)
    @rule(rules=st.sampled_from(RULES), start_when_full=st.booleans())
    def open_a_table(self, rules: Rules, start_when_full: bool) -> None:  # noqa: FBT001  (drawn)
        opening = self.world.open_room(rules, self.request_id(), start_when_full=start_when_full)
        self.run(opening)

    @precondition(lambda self: self.rooms)
    @rule(number=which)
    def open_the_same_table_again(self, number: int) -> None:
        room = one_of(self.rooms, number)
        request = lobby_pb2.CreateTableRequest(request_id=room.request_id)
        response = self.run(self._create(request))
        assert response.table.name == room.name
        room.host_token = response.host_token

    async def _create(self, request: lobby_pb2.CreateTableRequest) -> lobby_pb2.CreateTableResponse:
        return await self.world.venue.lobby.CreateTable(request)

    @precondition(lambda self: self.rooms)
    @rule(number=which, wanted=st.none() | st.integers(0, 4), takes_part=st.booleans())
    def join(self, number: int, wanted: int | None, takes_part: bool) -> None:  # noqa: FBT001
        room = one_of(self.rooms_at(Stage.SEATING) or self.rooms, number)
        self.run(self._join(room, wanted, ENTROPY if takes_part else b""))

    async def _join(self, room: Room, wanted: int | None, entropy: bytes) -> None:
        request_id = self.request_id()
        call = self.world.join(room, wanted, request_id, entropy)
        free = room.free if room.stage is Stage.SEATING else set[int]()
        if (wanted is None and not free) or (wanted is not None and wanted not in free):
            await self.world.refuses(call, ILLEGAL, StatusCode.INVALID_ARGUMENT)
            return
        response = await call
        assert response.seat == wanted if wanted is not None else response.seat in free
        sitter = Sitter(room.name, Seat(response.seat), response.seat_token, entropy)
        self._seat(room, Chair(sitter, request_id))
        room.start_if_full()

    def _seat(self, room: Room, chair: Chair) -> None:
        """Someone takes a seat, from whoever may have held it since the game before."""
        before = room.chairs.pop(chair.sitter.seat, None)
        if before is not None:
            self.world.hang_up(before)
        room.chairs[chair.sitter.seat] = chair
        if room.host is None:
            room.host = chair.sitter.seat

    @precondition(lambda self: self.chairs())
    @rule(number=which)
    def join_by_the_same_request(self, number: int) -> None:
        room, chair = one_of(self.chairs(), number)
        self.run(self._join_again(room, chair))

    async def _join_again(self, room: Room, chair: Chair) -> None:
        if not chair.seated or not chair.request_id:
            return
        before = self.world.lengths()
        response = await self.world.join(room, None, chair.request_id)
        assert (response.seat, response.seat_token) == (chair.sitter.seat, chair.sitter.token)
        assert self.world.lengths() == before

    @precondition(lambda self: self.chairs())
    @rule(number=which)
    def leave(self, number: int) -> None:
        room, chair = one_of(self.chairs(), number)
        self.run(self._leave(room, chair))

    async def _leave(self, room: Room, chair: Chair) -> None:
        token = chair.sitter.token
        request = lobby_pb2.LeaveTableRequest(table=room.name, seat_token=token)
        await self.world.venue.lobby.LeaveTable(request)
        self.world.hang_up(chair)
        self.world.leave_host(room, chair.sitter.seat)
        if room.stage is not Stage.PLAYING:
            del room.chairs[chair.sitter.seat]
            again = self.world.venue.lobby.LeaveTable(request)
            await self.world.refuses(again, StatusCode.UNAUTHENTICATED)
            if room.stage is Stage.OVER and chair.seated:
                room.removed.add(chair.sitter.seat)  # the log shows who sat there

    @precondition(lambda self: self.rooms)
    @rule(number=which, by_the_host=st.booleans())
    def add_a_house_bot(self, number: int, by_the_host: bool) -> None:  # noqa: FBT001
        room = one_of(self.rooms_at(Stage.SEATING) or self.rooms, number)
        self.run(self._add_house_bot(room, room.host_token if by_the_host else "x" * 32))

    async def _add_house_bot(self, room: Room, token: str) -> None:
        call = self.world.venue.lobby.AddHouseBot(
            lobby_pb2.AddHouseBotRequest(table=room.name, token=token, level="easy")
        )
        if token != room.host_token:
            await self.world.refuses(call, StatusCode.UNAUTHENTICATED)
        elif room.stage is not Stage.SEATING or not room.free:
            await self.world.refuses(call, ILLEGAL)
        else:
            seat = (await call).seat
            assert seat in room.free
            chair = room.chairs.pop(seat, None)
            if chair is not None:
                self.world.hang_up(chair)
            self.world.leave_host(room, seat)
            room.house.add(seat)
            room.start_if_full()

    @precondition(lambda self: self.rooms)
    @rule(number=which, seat=st.integers(0, 3))
    def remove_a_seat(self, number: int, seat: int) -> None:
        self.run(self._remove(one_of(self.rooms, number), seat))

    async def _remove(self, room: Room, seat: int) -> None:
        call = self.world.venue.lobby.RemoveSeat(
            lobby_pb2.RemoveSeatRequest(table=room.name, token=room.host_token, seat=seat)
        )
        playing = room.stage is Stage.PLAYING
        if room.stage is Stage.OVER or seat not in room.seated or (playing and seat in room.house):
            await self.world.refuses(call, ILLEGAL)
            return
        if playing and seat in room.removed:
            await call  # once more; it is played for nobody already
            return
        await call
        room.house.discard(seat)
        chair = room.chairs.pop(seat, None)
        if chair is not None:
            self.world.hang_up(chair)
        self.world.leave_host(room, seat)
        if playing:
            room.removed.add(seat)

    @precondition(lambda self: self.chairs())
    @rule(number=which, by=st.none() | which, seat=st.integers(0, 4))
    def hand_over(self, number: int, by: int | None, seat: int) -> None:
        room, _ = one_of(self.chairs(), number)
        self.run(self._hand_over(room, by, seat))

    async def _hand_over(self, room: Room, by: int | None, seat: int) -> None:
        """By whoever opened the table, or by somebody who sits there."""
        owner = None if by is None else one_of(list(room.chairs.values()), by).sitter
        token = room.host_token if owner is None else owner.token
        call = self.world.venue.lobby.HandOver(
            lobby_pb2.HandOverRequest(table=room.name, token=token, seat=seat)
        )
        if owner is not None and not room.lets_host(owner.seat):
            await self.world.refuses(call, StatusCode.PERMISSION_DENIED)
        elif seat not in room.heirs(self.world.state_of(room)):
            await self.world.refuses(call, ILLEGAL, StatusCode.INVALID_ARGUMENT)
        else:
            before = self.world.lengths()
            await call
            assert self.world.lengths() == before, "it is in no log"
            room.host = seat

    @precondition(lambda self: self.chairs(attached=True))
    @rule(number=which, words=st.sampled_from(("good luck", "a\u202eb\x1b[2J", "", "x" * 201)))
    def say(self, number: int, words: str) -> None:
        room, chair = one_of(self.chairs(attached=True), number)
        self.run(self._say(room, chair, words))

    async def _say(self, room: Room, chair: Chair, words: str) -> None:
        request = pb.PlayRequest(request_id=10, say=pb.Say(text=words))
        if not words or len(words) > LONGEST_CHAT:
            await self._refused(chair, request)
            return
        assert chair.stream is not None
        before = self.world.lengths()
        await chair.stream.send(request)
        for listener in room.chairs.values():
            if listener.stream is not None:
                said = (await listener.stream.hears("said")).said
                assert said.seat == chair.sitter.seat
                assert said.text == words.replace("\u202e", "").replace("\x1b", "")
        assert self.world.lengths() == before, "it is in no log"

    @precondition(lambda self: self.rooms)
    @rule(number=which, resumes=st.booleans())
    def watch(self, number: int, resumes: bool) -> None:  # noqa: FBT001
        self.run(self._watch(one_of(self.rooms, number), resumes=resumes))

    async def _watch(self, room: Room, *, resumes: bool) -> None:
        """Somebody looks on, from the first record or from a later one, and goes."""
        log = self.world.memory.games[room.game_id]
        after = self.chance.randrange(1, len(log) + 1) if resumes else 0
        since = (after, _head(log[:after]) if after else b"")
        async with watching(self.world.venue, room.name, since) as stream:
            attached = await stream.attached()
            log = self.world.memory.games[room.game_id]
            assert (attached.seq, attached.head) == (len(log), _head(log))
            shown = [data for data in log[after:] if visible((decode_record(data).event,), None)]
            assert list(attached.records) == shown, "without a gap, without a repeat"
            view = decode_view(attached.view)
            assert view.seat is None
            assert not view.hand
            assert not view.legal
            if room.stage is Stage.OVER:
                assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER

    @precondition(lambda self: self.rooms)
    @rule(number=which)
    def start(self, number: int) -> None:
        room = one_of(self.rooms_at(Stage.SEATING) or self.rooms, number)
        self.run(self._start(room))

    async def _start(self, room: Room) -> None:
        call = self.world.venue.lobby.StartTable(
            lobby_pb2.StartTableRequest(table=room.name, token=room.host_token)
        )
        if room.stage is not Stage.SEATING or room.free:
            await self.world.refuses(call, ILLEGAL)
        else:
            await call
            room.stage = Stage.PLAYING

    @precondition(lambda self: self.rooms_at(Stage.PLAYING))
    @rule(number=which)
    def pause_or_go_on(self, number: int) -> None:
        room = one_of(self.rooms_at(Stage.PLAYING), number)
        self.run(self._pause(room))

    async def _pause(self, room: Room) -> None:
        pause = lobby_pb2.PauseTableRequest(table=room.name, token=room.host_token)
        resume = lobby_pb2.ResumeTableRequest(table=room.name, token=room.host_token)
        if room.paused:
            await self.world.refuses(self.world.venue.lobby.PauseTable(pause), ILLEGAL)
            await self.world.venue.lobby.ResumeTable(resume)
        else:
            await self.world.refuses(self.world.venue.lobby.ResumeTable(resume), ILLEGAL)
            await self.world.venue.lobby.PauseTable(pause)
        room.paused = not room.paused

    @precondition(lambda self: self.chairs())
    @rule(number=which, resumes=st.booleans())
    def attach(self, number: int, resumes: bool) -> None:  # noqa: FBT001
        room, chair = one_of(self.chairs(attached=False) or self.chairs(), number)
        self.run(self._attach(room, chair, resumes=resumes))

    async def _attach(self, room: Room, chair: Chair, *, resumes: bool) -> None:
        world, seat, older = self.world, chair.sitter.seat, chair.stream
        stream = SeatStream(world.venue.channel, chair.sitter)
        if not chair.seated:
            await world.refuses(stream.attach(), ILLEGAL)
            stream.cancel()
            return
        log = world.memory.games[room.game_id]
        after = self.chance.randrange(len(log) + 1) if resumes else 0
        head = world.log_of(room).chain.head if after == len(log) else _head(log[:after])
        attached = await stream.attach(after, head if after else b"")
        log = world.memory.games[room.game_id]
        assert attached.seq == len(log)
        assert attached.head == _head(log)
        shown = [data for data in log[after:] if visible((decode_record(data).event,), seat)]
        assert list(attached.records) == shown, "without a gap, without a repeat"
        assert decode_view(attached.view).seat == seat
        if room.stage is Stage.OVER:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
            stream.cancel()
            return
        chair.stream = stream
        if older is not None:
            ended = await older.rest()
            assert ended[-1].detached.cause == pb.Detached.CAUSE_SUPERSEDED
            older.cancel()

    @precondition(lambda self: self.rooms_at(Stage.SEATING, Stage.PLAYING))
    @rule(number=which)
    def everybody_attaches(self, number: int) -> None:
        room = one_of(self.rooms_at(Stage.SEATING, Stage.PLAYING), number)
        for chair in room.chairs.values():
            if chair.stream is None and chair.seated:
                self.run(self._attach(room, chair, resumes=False))

    @precondition(lambda self: self.chairs(attached=True))
    @rule(number=which)
    def drop_a_stream(self, number: int) -> None:
        _, chair = one_of(self.chairs(attached=True), number)
        self.run(self._drop(chair))

    async def _drop(self, chair: Chair) -> None:
        self.world.hang_up(chair)

    @precondition(lambda self: self.asked())
    @rule(number=which, moves=st.sampled_from((1, 5, 20, 80)))
    def play(self, number: int, moves: int) -> None:
        room, _ = one_of(self.asked(), number)
        self.run(self._play(room, moves))

    async def _play(self, room: Room, moves: int) -> None:
        for _ in range(moves):
            chair = next((chair for each, chair in self.asked() if each is room), None)
            if chair is None:
                return
            await self._answer(chair)
            await self.world.agree()

    async def _answer(self, chair: Chair) -> None:
        assert chair.stream is not None
        request = chair.stream.choice(at_random(self.chance))
        request.request_id = self.chance.randrange(1, 2**63)
        assert await self.world.ask(chair, request) == (Answered.DONE, "")
        chair.last = request

    @precondition(lambda self: self.asked())
    @rule(number=which)
    def answer_wrongly(self, number: int) -> None:
        _, chair = one_of(self.asked(), number)
        self.run(self._wrong(chair))

    async def _wrong(self, chair: Chair) -> None:
        assert chair.stream is not None
        prompt = chair.stream.prompt
        assert prompt is not None
        legal = set(prompt.view.legal)
        card = self.chance.choice([card for card in PACK if card not in legal])
        play = pb.PlayCard(prompt_seq=prompt.prompt_seq, card=card)
        await self._refused(chair, pb.PlayRequest(request_id=5, play_card=play))
        stale = chair.stream.choice(at_random(self.chance))
        stale.request_id = 6
        for kind in ("play_card", "choose_pass", "reveal_entropy"):
            if stale.WhichOneof("kind") == kind:
                getattr(stale, kind).prompt_seq -= 1
                assert await self._refused(chair, stale) in {"STALE_PROMPT", "ANSWERED_OTHERWISE"}

    async def _refused(self, chair: Chair, request: pb.PlayRequest) -> str:
        before = self.world.lengths()
        answered, reason = await self.world.ask(chair, request)
        assert answered is Answered.REFUSED, request
        assert self.world.lengths() == before
        return reason

    @precondition(lambda self: self.chairs(attached=True))
    @rule(number=which)
    def answer_what_nobody_asked(self, number: int) -> None:
        room, chair = one_of(self.chairs(attached=True), number)
        if (room, chair) not in self.asked():
            self.run(self._unasked(chair))

    async def _unasked(self, chair: Chair) -> None:
        play, claim = pb.PlayCard(prompt_seq=10**9, card=5), pb.ClaimRest(prompt_seq=10**9)
        await self._refused(chair, pb.PlayRequest(request_id=7, play_card=play))
        await self._refused(chair, pb.PlayRequest(request_id=8, claim_rest=claim))

    @precondition(lambda self: self.chairs(Stage.PLAYING, attached=True))
    @rule(number=which)
    def answer_twice(self, number: int) -> None:
        room, chair = one_of(self.chairs(Stage.PLAYING, attached=True), number)
        if chair.last is not None and not room.paused:
            self.run(self._twice(chair, chair.last))

    async def _twice(self, chair: Chair, request: pb.PlayRequest) -> None:
        before = self.world.lengths()
        assert await self.world.ask(chair, request) == (Answered.REPEATED, "")
        assert self.world.lengths() == before

    @precondition(lambda self: self.asked())
    @rule(number=which)
    def claim_the_rest(self, number: int) -> None:
        _, chair = one_of(self.asked(), number)
        self.run(self._claim(chair))

    async def _claim(self, chair: Chair) -> None:
        assert chair.stream is not None
        assert chair.stream.prompt is not None
        before = self.world.lengths()
        claim = pb.ClaimRest(prompt_seq=chair.stream.prompt.prompt_seq)
        answered, reason = await self.world.ask(
            chair, pb.PlayRequest(request_id=9, claim_rest=claim)
        )
        if answered is Answered.REFUSED:
            assert reason in {"CLAIM_NOT_PROVEN", "NOT_ON_LEAD", "WRONG_PHASE"}
            assert self.world.lengths() == before

    @precondition(lambda self: self.chairs())
    @rule(number=which)
    def play_again(self, number: int) -> None:
        room, chair = one_of(self.chairs(Stage.OVER) or self.chairs(), number)
        self.run(self._play_again(room, chair))

    async def _play_again(self, room: Room, chair: Chair) -> None:
        token, seat = chair.sitter.token, chair.sitter.seat
        call = self.world.venue.lobby.PlayAgain(
            lobby_pb2.PlayAgainRequest(table=room.name, seat_token=token)
        )
        if room.stage is Stage.PLAYING and not self._asked_to_play_again(room, seat):
            await self.world.refuses(call, ILLEGAL)
            return
        response = await call
        assert response.seat == seat
        if room.stage is Stage.OVER:
            room.stage, room.start_when_full = Stage.SEATING, True
            room.game_id = response.table.game_id
            room.games += 1
            room.removed.clear()
            for each in room.chairs.values():
                each.seated, each.last = False, None
                self.world.hang_up(each)
        if not chair.seated:
            chair.seated = True
            chair.sitter = Sitter(room.name, seat, token)
            room.start_if_full()

    def _asked_to_play_again(self, room: Room, seat: int) -> bool:
        """Whether a seat of this game sits there, as far as can be told, by having asked before."""
        taken = self.world.state_of(room).game.seats[seat]
        return room.games > 1 and taken is not None and not taken.commitment

    @precondition(lambda self: self.rooms)
    @rule(number=which, wanted=st.none() | st.integers(0, 3))
    def take_over(self, number: int, wanted: int | None) -> None:
        room = one_of(self.rooms_at(Stage.PLAYING) or self.rooms, number)
        self.run(self._take_over(room, wanted))

    async def _take_over(self, room: Room, wanted: int | None) -> None:
        request_id = self.request_id()
        call = self.world.venue.lobby.TakeOverSeat(
            lobby_pb2.TakeOverSeatRequest(
                table=room.name,
                name="Eve",
                kind=events_pb2.SEAT_KIND_PERSON,
                seat=wanted,
                request_id=request_id,
            )
        )
        vacant = room.house | room.removed if room.stage is Stage.PLAYING else set[int]()
        if not vacant or (wanted is not None and wanted not in vacant):
            await self.world.refuses(call, ILLEGAL, StatusCode.INVALID_ARGUMENT)
            return
        response = await call
        assert response.seat in vacant
        room.house.discard(response.seat)
        room.removed.discard(response.seat)
        sitter = Sitter(room.name, Seat(response.seat), response.seat_token)
        self._seat(room, Chair(sitter, ""))

    @rule(what=st.sampled_from(("full", "moment", "restart", "day")), number=which)
    def something_befalls_the_server(self, what: str, number: int) -> None:
        match what:
            case "full":
                self.run(self._full(number))
            case "moment":  # too short for many to add up, and long enough to reveal entropy
                self.run(self._let_time_pass(REVEAL_TIME))
            case "day":
                self.run(self._let_time_pass(timedelta(hours=25)))
            case _:
                self.run(self._restart())

    async def _let_time_pass(self, time: timedelta) -> None:
        left = [
            room
            for room in self.rooms_at(Stage.PLAYING)
            if not any(chair.stream for chair in room.chairs.values())
        ]
        self.world.clock.advance(time)
        async with asyncio.timeout(20):
            for room in self.rooms_at(Stage.PLAYING):
                while not room.paused and self.world.state_of(room).phase is Phase.ENTROPY:
                    await self.world.store.grows()
        for room in left if time > timedelta(days=1) else ():
            await self._is_given_up(room)

    async def _is_given_up(self, room: Room) -> None:
        """Nobody has been there for a day."""
        async with asyncio.timeout(20):
            while self.world.state_of(room).phase is not Phase.SEALED:
                await self.world.store.grows()

    async def _full(self, number: int) -> None:
        self.world.store.trouble = Unavailable("the disk is full")
        try:
            if self.asked():
                _, chair = one_of(self.asked(), number)
                assert chair.stream is not None
                request = chair.stream.choice(at_random(self.chance))
                assert await self._refused(chair, request) == "STORE_UNAVAILABLE"
            else:
                create = lobby_pb2.CreateTableRequest()
                call = self.world.venue.lobby.CreateTable(create)
                await self.world.refuses(call, StatusCode.UNAVAILABLE)
        finally:
            self.world.store.trouble = None

    async def _restart(self) -> None:
        await self.world.stop()
        await self.world.start()
        for room in self.rooms_at(Stage.PLAYING):
            # Only what has its turn at a table says that it has been taken up, and keeps time.
            knock = lobby_pb2.LeaveTableRequest(table=room.name, seat_token="x")
            leave = self.world.venue.lobby.LeaveTable(knock)
            assert (await denied(leave)).code is StatusCode.UNAUTHENTICATED

    @invariant()
    def all_agree(self) -> None:
        self.run(self.world.agree())

    def teardown(self) -> None:
        try:
            self.run(self._end())
        finally:
            self.runner.close()

    async def _end(self) -> None:
        await self.world.stop()
        left = asyncio.all_tasks() - {asyncio.current_task()}
        pending = (await asyncio.wait(left, timeout=20))[1] if left else ()
        assert not pending, "no call is left"
        for log in self.world.memory.games.values():
            report = audit(log)
            unsealed = report.finding is not None and report.finding.kind is Kind.UNSEALED
            assert report.clean or unsealed, report.finding


def _head(log: list[bytes]) -> bytes:
    return EMPTY_CHAIN.extended(log).head


Evening.TestCase.settings = settings(
    max_examples=10 * TIMES,
    stateful_step_count=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAnEvening = pytest.mark.timeout(600)(Evening.TestCase)
