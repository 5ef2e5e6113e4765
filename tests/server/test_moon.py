"""A moon to choose: asked of its shooter alone, for as long as it has, and then done by itself."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import pytest
from google.rpc.code_pb2 import ABORTED, FAILED_PRECONDITION, INVALID_ARGUMENT

from hearts_bots.easy import Easy
from hearts_engine.cards import PACK, Seat
from hearts_engine.events import Agent, DealScored, MoonChosen
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import SeatView
from hearts_proto.v1 import rules_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.log import Unavailable
from hearts_replays.memory import MemoryStore
from hearts_server import house
from hearts_server.clocks import later
from hearts_server.testing.callers import (
    GENEROUS,
    PATIENCE,
    SeatStream,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import MIDNIGHT, Draws, VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

ADD, SUBTRACT = rules_pb2.MOON_CHOICE_ADD, rules_pb2.MOON_CHOICE_SUBTRACT
ALL_OUT = ",".join(str(card) for card in PACK if str(card) not in {"3C", "4C", "5C", "AH"})


MOON_TIME: Final = timedelta(seconds=30)
TIMED: Final = replace(GENEROUS, turn_seconds=30, bot_seconds=30)


def rules(text: str) -> Rules:
    """Each seat is dealt one card, and whoever takes the only heart has shot the moon."""
    return parse_rules(f"plain_hearts removed={ALL_OUT} moon=choose {text}")


@asynccontextmanager
async def seated(venue: Venue, text: str) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """A game that has started."""
    table = await venue.table(rules(text))
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


async def shooter(streams: Sequence[SeatStream]) -> SeatStream:
    """Play the deal; who is asked at its end."""
    await play_on(streams, at_random(random.Random(3)), at_most=4)
    asked = [stream for stream in streams if stream.prompt is not None]
    assert [stream.prompt and stream.prompt.ask for stream in asked] == [pb.ASK_MOON]
    return asked[0]


def choose(stream: SeatStream, choice: rules_pb2.MoonChoice.ValueType) -> pb.PlayRequest:
    """The request that answers the open prompt so."""
    assert stream.prompt is not None
    moon = pb.ChooseMoon(prompt_seq=stream.prompt.prompt_seq, choice=choice)
    return pb.PlayRequest(request_id=7, choose_moon=moon)


def chosen_in(log: Iterable[bytes]) -> list[tuple[MoonChoice, Agent]]:
    """How each moon of a log was scored, and who said so."""
    events = (decode_record(data).event for data in log)
    return [(event.choice, event.by) for event in events if isinstance(event, MoonChosen)]


def scores_in(log: Iterable[bytes]) -> list[list[int]]:
    """The scores of each deal of a log, lowest first."""
    events = (decode_record(data).event for data in log)
    return [sorted(event.scores) for event in events if isinstance(event, DealScored)]


@pytest.mark.parametrize(
    ("choice", "scores"), [(ADD, [0, 1, 1, 1]), (SUBTRACT, [-1, 0, 0, 0])], ids=["add", "subtract"]
)
def test_a_moon_is_scored_as_its_shooter_chooses(
    choice: rules_pb2.MoonChoice.ValueType, scores: list[int]
) -> None:
    asyncio.run(_chooses(choice, scores))


async def _chooses(choice: rules_pb2.MoonChoice.ValueType, scores: list[int]) -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, "deals=1") as streams,
    ):
        asked = await shooter(streams)
        assert asked.prompt is not None
        assert asked.prompt.deadline == later(MIDNIGHT, MOON_TIME)
        await asked.send(choose(asked, choice))
        await everyone_hears(streams)
        for stream in streams:
            await stream.rest()
        assert clock.waiting == 0, "no alarm is left"
    (log,) = store.games.values()
    assert [by for _, by in chosen_in(log)] == [Agent.SEAT]
    assert scores_in(log) == [scores]
    assert audit(log).finding is None


def test_nobody_else_chooses_and_nothing_but_a_choice_will_do() -> None:
    asyncio.run(_in_vain())


async def _in_vain() -> None:
    async with open_venue(premises_of()) as venue, seated(venue, "deals=1") as streams:
        asked = await shooter(streams)
        before = await asked.pulse()
        for stream in streams:
            if stream is not asked:
                refusal = await stream.refusal(choose(asked, ADD))
                assert (refusal.code, refusal.reason) == (FAILED_PRECONDITION, "NOT_YOUR_TURN")
        for nothing in (rules_pb2.MOON_CHOICE_UNSPECIFIED, 9):
            moon = pb.ChooseMoon(prompt_seq=asked.seq)
            moon.ParseFromString(moon.SerializeToString() + bytes((0x10, nothing)))
            refusal = await asked.refusal(pb.PlayRequest(choose_moon=moon))
            assert (refusal.code, refusal.reason) == (INVALID_ARGUMENT, "MALFORMED")
        assert await asked.pulse() == before


def test_a_moon_that_is_not_chosen_in_time_is_scored_by_itself_and_the_answer_comes_too_late() -> (
    None
):
    asyncio.run(_too_late())


async def _too_late() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, "target=3") as streams,
    ):
        asked = await shooter(streams)
        late = choose(asked, ADD)
        clock.advance(MOON_TIME - timedelta(seconds=0.1))
        assert clock.waiting == 1
        clock.advance(timedelta(seconds=0.1))
        await everyone_hears(streams)
        (log,) = store.games.values()
        assert chosen_in(log) == [(MoonChoice.ADD, Agent.CLOCK)]
        before = await streams[0].pulse()
        refusal = await asked.refusal(late)
        assert refusal.reason in {"STALE_PROMPT", "WRONG_PHASE"}
        assert "your answer" not in refusal.message, "it was not the seat's"
        assert await streams[0].pulse() == before


def test_what_the_clock_chooses_lets_nobody_else_win() -> None:
    asyncio.run(_by_the_clock())


async def _by_the_clock() -> None:
    store, clock = MemoryStore(), VirtualClock()
    # Chances by which one seat leads when another's moon would end the game.
    premises = premises_of(store, clock, Draws("f"))
    async with (
        open_venue(premises, TIMED) as venue,
        seated(venue, "target=3") as streams,
    ):
        while any(stream.prompt for stream in streams):
            asked = await shooter(streams)
            asked.prompt = None  # it is left open, until its time is up
            clock.advance(MOON_TIME)
            await everyone_hears(streams)
        for stream in streams:
            assert (await stream.rest())[-1].HasField("detached")
    (log,) = store.games.values()
    assert {(MoonChoice.ADD, Agent.CLOCK), (MoonChoice.SUBTRACT, Agent.CLOCK)} == set(
        chosen_in(log)
    )
    assert audit(log).finding is None


def test_a_moon_has_the_time_of_a_turn() -> None:
    asyncio.run(_hurried())


async def _hurried() -> None:
    clock, hurry = VirtualClock(), timedelta(seconds=2)
    policy = replace(GENEROUS, turn_seconds=2)
    async with (
        open_venue(premises_of(clock=clock), policy) as venue,
        seated(venue, "deals=1") as streams,
    ):
        asked = await shooter(streams)
        assert asked.prompt is not None
        assert asked.prompt.deadline == later(MIDNIGHT, hurry)
        clock.advance(hurry)
        await everyone_hears(streams)


def test_a_restart_gives_the_shooter_its_full_time_again_and_knows_a_repeated_answer() -> None:
    asyncio.run(_after_restarts())


async def _after_restarts() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, "target=3") as streams,
    ):
        sitter = (await shooter(streams)).sitter
    clock.advance(timedelta(hours=1))
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises, TIMED) as venue, venue.stream(sitter) as stream:
        attached = await stream.attach()
        assert (attached.prompt.ask, attached.prompt.deadline) == (
            pb.ASK_MOON,
            later(clock.now(), MOON_TIME),
        )
        answer, other = choose(stream, SUBTRACT), choose(stream, ADD)
        await stream.send(answer)
        assert not (await stream.next()).update.acknowledgement.repeated
        await _knows_its_answer(stream, answer, other)
    premises = premises_of(store, clock, Draws("once more"))
    async with open_venue(premises, TIMED) as venue, venue.stream(sitter) as stream:
        await stream.attach()
        await _knows_its_answer(stream, answer, other)
    (log,) = store.games.values()
    assert chosen_in(log) == [(MoonChoice.SUBTRACT, Agent.SEAT)]


async def _knows_its_answer(
    stream: SeatStream, answer: pb.PlayRequest, other: pb.PlayRequest
) -> None:
    await stream.send(answer)
    assert (await stream.next()).update.acknowledgement.repeated
    refusal = await stream.refusal(other)
    assert (refusal.code, refusal.reason) == (ABORTED, "ANSWERED_OTHERWISE")


def test_a_choice_that_cannot_be_written_down_is_made_again() -> None:
    asyncio.run(_written_later())


async def _written_later() -> None:
    store, clock = TroubledStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, "deals=1") as streams,
    ):
        asked = await shooter(streams)
        store.trouble = Unavailable("the disk is full")
        clock.advance(MOON_TIME)
        while not clock.waiting:
            assert await asked.pulse() == (asked.seq, asked.head)
        store.trouble = None
        clock.advance(MOON_TIME)
        await everyone_hears(streams)
        for stream in streams:
            assert (await stream.rest())[-1].HasField("detached")


def test_a_house_bot_chooses_for_itself_in_no_time() -> None:
    asyncio.run(_house_bots_choose())


async def _house_bots_choose() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(rules("deals=4 tie=shared"))
        sitter = await venue.sit(table.name)
        for level in ("easy", "medium", "medium"):
            await venue.add_house_bot(sitter, level)
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await venue.start(sitter)
            while not (await stream.next()).HasField("detached"):
                if stream.prompt:
                    request, stream.prompt = stream.choice(at_random(random.Random(1))), None
                    await stream.send(request)
    (log,) = store.games.values()
    shooters = [
        event.seat
        for event in (decode_record(data).event for data in log)
        if isinstance(event, MoonChosen)
    ]
    assert set(shooters) - {sitter.seat}, "a house bot must have shot a moon"
    assert {by for _, by in chosen_in(log)} == {Agent.SEAT}
    assert audit(log).finding is None


@dataclass(frozen=True, slots=True)
class Slow(Easy):
    """Thinks about its first moon until it is too late."""

    asked: threading.Event
    late: threading.Event

    def choose_moon(self, view: SeatView) -> MoonChoice:
        """The choice, when nobody waits for it any more."""
        self.asked.set()
        self.late.wait(PATIENCE)
        return MoonChoice.ADD


class Heard(logging.Handler):
    """Knows when something was said, and what."""

    def __init__(self) -> None:
        super().__init__()
        self.something = threading.Event()
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Note what was."""
        self.said.append(record.getMessage())
        self.something.set()


@pytest.mark.parametrize("asked_again", [True, False], ids=["asked again", "asked nothing"])
def test_a_house_bot_that_chooses_too_late_plays_on(
    asked_again: bool,  # noqa: FBT001  (pytest gives it by name)
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, late, refused = threading.Event(), threading.Event(), Heard()

    def slow(_level: str, seed: str) -> Slow:
        return Slow(seed, asked, late)

    monkeypatch.setattr(house, "house_bot", slow)
    house.log.addHandler(refused)
    try:
        log = asyncio.run(_too_late_for_its_moon(asked, late, None if asked_again else refused))
    finally:
        house.log.removeHandler(refused)
    assert refused.said
    assert all(sentence == "house_seat_late" for sentence in refused.said), refused.said
    assert Agent.CLOCK in {by for _, by in chosen_in(log)}
    assert audit(log).finding is None


async def _too_late_for_its_moon(
    asked: threading.Event, late: threading.Event, refused: Heard | None
) -> list[bytes]:
    store, clock = MemoryStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await venue.table(rules("deals=6 tie=shared"))
        sitter = await venue.sit(table.name, seat=1)  # who leads to the second deal
        for _ in range(3):
            await venue.add_house_bot(sitter)
        async with venue.stream(sitter) as stream:
            await stream.attach(wants_view=True)
            await venue.start(sitter)
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(_time_runs_out(asked, clock))
                await _play_to_the_end(stream, late, refused)
    return store.games[table.game_id]


async def _time_runs_out(asked: threading.Event, clock: VirtualClock) -> None:
    await asyncio.to_thread(asked.wait, PATIENCE)
    clock.advance(MOON_TIME)


async def _play_to_the_end(
    stream: SeatStream, late: threading.Event, refused: Heard | None
) -> None:
    """Play on; the slow bot's answer comes when it is asked again, or is refused before that."""
    choose, told = at_random(random.Random(1)), pb.PlayResponse()
    shooters = set[Seat]()
    while not told.HasField("detached"):
        events = (decode_record(data).event for data in told.update.records)
        shooters |= {e.seat for e in events if isinstance(e, MoonChosen) and e.by is Agent.CLOCK}
        if shooters and refused is None and decode_view(told.update.view).turn in shooters:
            late.set()
        if shooters and refused is not None and stream.prompt:
            late.set()
            await asyncio.to_thread(refused.something.wait, PATIENCE)
        if stream.prompt:
            request, stream.prompt = stream.choice(choose), None
            await stream.send(request)
        told = await stream.next()
    await stream.rest()
