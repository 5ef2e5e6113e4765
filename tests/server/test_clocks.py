"""Clocks: a table never waits for ever, and who is slow loses one card at a time, no more."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import AsyncGenerator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import pytest

from hearts_bots.easy import Easy
from hearts_engine.cards import Card, Seat
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    ClocksStarted,
    ClocksStopped,
    LogSealed,
    PassChosen,
    SeatAway,
    SeatBack,
)
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.view import SeatView
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.log import Unavailable
from hearts_server import house
from hearts_server.clocks import later
from hearts_server.testing.callers import (
    GENEROUS,
    PATIENCE,
    SeatStream,
    Sitter,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.company import everyone_is_gone
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_server.timekeeper import AUTOPILOT_TIME
from hearts_server.upkeep import RETRY_TIME

TURN: Final = timedelta(seconds=30)
BOT_TURN: Final = timedelta(seconds=20)
A_MOMENT: Final = timedelta(seconds=0.1)
TIMED: Final = replace(GENEROUS, turn_seconds=30, bot_seconds=20)
PLAY: Final = parse_rules("plain_hearts deals=1 tie=shared")
"""A deal that begins with a card."""
PASS: Final = parse_rules("black_lady target=1")
"""A deal that begins with a pass."""


def choose(view: SeatView) -> tuple[Card, ...]:
    """What is legal, the lowest first."""
    return tuple(at_random(random.Random(1))(view))


@asynccontextmanager
async def seated(venue: Venue, rules: Rules = PLAY) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """Four people in a game that has started."""
    table = await venue.table(rules)
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def asked(streams: Sequence[SeatStream]) -> SeatStream:
    """The one that a card is due from."""
    (one,) = (stream for stream in streams if stream.prompt is not None)
    return one


async def answers(streams: Sequence[SeatStream]) -> None:
    """Whoever is asked answers."""
    stream = asked(streams)
    await stream.send(stream.choice(choose))
    await everyone_hears(streams)


async def misses(streams: Sequence[SeatStream], clock: VirtualClock) -> SeatStream:
    """Whoever is asked lets the time run out; who it was."""
    stream = asked(streams)
    stream.prompt = None
    clock.advance(TURN)
    await everyone_hears(streams)
    return stream


async def until_asked(streams: Sequence[SeatStream], wanted: SeatStream) -> None:
    """Everyone else answers until a card is due from this one."""
    while asked(streams) is not wanted:
        await answers(streams)


async def goes_away(streams: Sequence[SeatStream], clock: VirtualClock) -> SeatStream:
    """A seat that has just missed twice in a row."""
    lazy = await misses(streams, clock)
    await until_asked(streams, lazy)
    await misses(streams, clock)
    await everyone_hears(streams)  # that it is away
    return lazy


def deadline_of(stream: SeatStream) -> int:
    """Of the open prompt."""
    assert stream.prompt is not None
    return stream.prompt.deadline


def test_a_person_who_falls_asleep_loses_one_card_and_the_next_has_all_of_the_time() -> None:
    asyncio.run(_falls_asleep())


async def _falls_asleep() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        stream = asked(streams)
        assert deadline_of(stream) == later(clock.now(), TURN)
        clock.advance(TURN - A_MOMENT)
        before = await stream.pulse()
        assert before == (stream.seq, stream.head), "it had this moment still"
        clock.advance(A_MOMENT)
        stream.prompt = None
        await everyone_hears(streams)
        assert store.all_of(CardPlayed) == [
            CardPlayed(stream.sitter.seat, played(store)[0].card, Agent.CLOCK)
        ]
        assert asked(streams) is not stream
        assert deadline_of(asked(streams)) == later(clock.now(), TURN)


def played(store: HeardStore) -> list[CardPlayed]:
    """Every card so far."""
    return [event for event in store.events if isinstance(event, CardPlayed)]


def test_time_that_one_seat_took_is_not_taken_from_the_next() -> None:
    asyncio.run(_took_time())


async def _took_time() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock), TIMED) as venue, seated(venue) as streams:
        for seconds in (29, 1, 15):
            clock.advance(timedelta(seconds=seconds))
            await answers(streams)
            assert deadline_of(asked(streams)) == later(clock.now(), TURN)


def test_choosing_a_pass_has_twice_the_time_and_who_has_chosen_keeps_the_choice() -> None:
    asyncio.run(_passes())


async def _passes() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, PASS) as streams,
    ):
        assert {deadline_of(stream) for stream in streams} == {later(clock.now(), 2 * TURN)}
        request = streams[0].choice(choose)
        await streams[0].send(request)
        await everyone_hears(streams)
        clock.advance(2 * TURN - A_MOMENT)
        assert await streams[0].pulse() == (streams[0].seq, streams[0].head)
        clock.advance(A_MOMENT)
        for stream in streams[1:]:
            stream.prompt = None
        for _ in range(3):
            await everyone_hears(streams)
        by = [(event.seat, event.by) for event in store.events if isinstance(event, PassChosen)]
        assert by == [
            (0, Agent.SEAT),
            (1, Agent.CLOCK),
            (2, Agent.CLOCK),
            (3, Agent.CLOCK),
        ]
        assert deadline_of(asked(streams)) == later(clock.now(), TURN), "for a card"


def test_a_bot_has_the_time_of_a_bot() -> None:
    asyncio.run(_bots_time())


async def _bots_time() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await venue.table(PASS)
        sitter = await venue.sit(table.name)
        bots = [await bot_at(venue, table.name, f"bot {number}") for number in (1, 2, 3)]
        streams = [SeatStream(venue.channel, each) for each in (sitter, *bots)]
        for stream in streams:
            await stream.attach()
        await venue.start(sitter)
        await everyone_hears(streams)
        deadlines = [deadline_of(stream) for stream in streams]
        now = clock.now()
        assert deadlines == [later(now, 2 * TURN), *[later(now, 2 * BOT_TURN)] * 3]
        clock.advance(2 * BOT_TURN)
        for _ in range(3):
            await everyone_hears(streams)
        by = [(event.seat, event.by) for event in store.events if isinstance(event, PassChosen)]
        assert by == [(seat, Agent.CLOCK) for seat in (1, 2, 3)], "the person is still thinking"


async def bot_at(venue: Venue, table: str, name: str) -> Sitter:
    """Somebody's bot, which has sat down."""
    request = lobby_pb2.JoinTableRequest(table=table, name=name, kind=events_pb2.SEAT_KIND_BOT)
    response = await venue.lobby.JoinTable(request)
    return Sitter(table, Seat(response.seat), response.seat_token)


def test_a_table_without_clocks_waits_for_a_year() -> None:
    asyncio.run(_waits())


async def _waits() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, seated(venue) as streams:
        assert deadline_of(asked(streams)) == 0
        assert clock.waiting == 0, "no alarm is set"
        clock.advance(timedelta(days=365))
        assert await streams[0].pulse() == (streams[0].seq, streams[0].head)
        await answers(streams)
        assert deadline_of(asked(streams)) == 0


def test_who_misses_twice_in_a_row_is_away_and_holds_the_others_up_no_longer_than_a_bot() -> None:
    asyncio.run(_away())


async def _away() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await goes_away(streams, clock)
        seat, since = lazy.sitter.seat, clock.now()
        assert store.all_of(SeatAway) == [SeatAway(seat, Absence.MISSED)]
        waited = timedelta()
        for _ in range(6):
            if all(stream.prompt is None for stream in streams):
                await clock.is_waited_for()
                clock.advance(AUTOPILOT_TIME)
                waited += AUTOPILOT_TIME
                await everyone_hears(streams)  # what the autopilot plays
            else:
                await answers(streams)
        assert waited
        assert clock.now() == later(since, waited), "nobody waited for its clock"
        by = [card.by for card in played(store) if card.seat == seat]
        assert by[:2] == [Agent.CLOCK] * 2
        assert set(by[2:]) == {Agent.AUTOPILOT}


def test_who_plays_between_two_misses_is_not_away() -> None:
    asyncio.run(_between())


async def _between() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await misses(streams, clock)
        await until_asked(streams, lazy)
        await answers(streams)
        await until_asked(streams, lazy)
        await misses(streams, clock)
        await until_asked(streams, lazy)
        assert deadline_of(lazy) == later(clock.now(), TURN)
        assert store.all_of(SeatAway) == []


HELLO: Final = pb.PlayRequest(say=pb.Say(phrase=pb.PHRASE_HELLO))


@pytest.mark.parametrize(
    "sign",
    [pb.PlayRequest(come_back=pb.ComeBack()), HELLO, pb.PlayRequest(say=pb.Say(text="here!"))],
    ids=["come back", "a phrase", "chat"],
)
def test_whatever_the_owner_does_gives_the_seat_back_with_the_prompt_and_all_of_the_time(
    sign: pb.PlayRequest,
) -> None:
    asyncio.run(_is_back(sign))


async def _is_back(sign: pb.PlayRequest) -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await goes_away(streams, clock)
        clock.advance(TURN - A_MOMENT)
        await lazy.send(sign)
        for stream in streams:
            assert (await stream.hears("update")).update.records
        assert store.all_of(SeatBack) == [SeatBack(lazy.sitter.seat)]
        if sign.HasField("say"):
            for stream in streams:
                assert (await stream.hears("said")).said.seat == lazy.sitter.seat
        await until_asked(streams, lazy)
        assert deadline_of(lazy) == later(clock.now(), TURN)
        await misses(streams, clock)
        assert len(store.all_of(SeatAway)) == 1, "its misses were forgotten"


def test_a_heartbeat_of_a_client_left_alone_does_not_bring_its_owner_back() -> None:
    asyncio.run(_heartbeat())


async def _heartbeat() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await goes_away(streams, clock)
        await lazy.pulse()
        await answers(streams)
        assert store.all_of(SeatBack) == []


def test_an_answer_that_comes_too_late_is_refused_and_yet_brings_its_owner_back() -> None:
    asyncio.run(_late_answer())


async def _late_answer() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        late = asked(streams).choice(choose)
        lazy = await goes_away(streams, clock)
        await lazy.send(late)
        await everyone_hears(streams)
        assert store.all_of(SeatBack) == [SeatBack(lazy.sitter.seat)]
        refusal = (await lazy.next()).refusal
        assert refusal.reason in {"NOT_YOUR_TURN", "STALE_PROMPT"}
        assert "your answer" not in refusal.message, "it was not the seat's"


def test_a_client_that_was_cut_off_and_comes_back_alone_does_not_bring_its_owner_back() -> None:
    asyncio.run(_comes_back_alone())


async def _comes_back_alone() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await goes_away(streams, clock)
        for run, attempt, back in ((7, 2, 0), (8, 1, 1)):
            attach = pb.Attach(
                table=lazy.sitter.table,
                seat_token=lazy.sitter.token,
                client_run=run,
                attempt=attempt,
            )
            async with venue.stream(lazy.sitter) as again:
                await again.send(pb.PlayRequest(attach=attach))
                away = (await again.next()).attached.view.away
                assert set(away) <= {events_pb2.ABSENCE_UNSPECIFIED} or not back
                assert len(store.all_of(SeatBack)) == back


def test_attaching_anew_brings_the_owner_back_before_anything_is_shown() -> None:
    asyncio.run(_attaches())


async def _attaches() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        lazy = await goes_away(streams, clock)
        async with venue.stream(lazy.sitter) as again:
            attached = await again.attach()
            assert set(attached.view.away) <= {events_pb2.ABSENCE_UNSPECIFIED}
            assert store.all_of(SeatBack) == [SeatBack(lazy.sitter.seat)]


@pytest.mark.parametrize("rules", [PLAY, PASS], ids=["play", "pass"])
def test_a_game_in_which_nobody_ever_answers_plays_to_its_end(rules: Rules) -> None:
    asyncio.run(_nobody_answers(rules))


async def _nobody_answers(rules: Rules) -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, rules) as streams,
    ):
        while not isinstance(store.events[-1], LogSealed):
            before = len(store.events)
            await clock.is_waited_for()
            # In short steps at the end: who is told the last has five seconds to hear it.
            everyone_is_away = len(store.all_of(SeatAway)) == 4
            clock.advance(AUTOPILOT_TIME if everyone_is_away else 2 * TURN)
            await store.grows_beyond(before)
        for stream in streams:
            last = (await stream.rest())[-1]
            assert last.detached.cause == pb.Detached.CAUSE_GAME_OVER
        async with asyncio.timeout(PATIENCE):
            # A stream that was told the last tells nobody that it has ended. No alarm is left.
            while clock.waiting:  # noqa: ASYNC110
                await asyncio.sleep(0)
    report = audit(store.log)
    assert report.finding is None
    assert {card.by for card in played(store)} == {Agent.CLOCK, Agent.AUTOPILOT}


def test_a_store_that_fails_when_time_is_up_is_tried_again_and_plays_one_card() -> None:
    asyncio.run(_store_fails())


async def _store_fails() -> None:
    heard, clock = HeardStore(), VirtualClock()
    store = TroubledStore(heard)
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        stream = asked(streams)
        stream.prompt = None
        await clock.is_waited_for()
        store.trouble = Unavailable("the disk is full")
        clock.advance(TURN)
        for _ in range(3):
            await clock.is_waited_for()
            assert await stream.pulse() == (stream.seq, stream.head)
            clock.advance(RETRY_TIME)
        await clock.is_waited_for()
        store.trouble = None
        clock.advance(RETRY_TIME)
        await everyone_hears(streams)
        assert [card.by for card in played(heard)] == [Agent.CLOCK]
        assert deadline_of(asked(streams)) == later(clock.now(), TURN)
        await answers(streams)


def test_who_answers_while_the_store_fails_the_clock_is_not_decided_for() -> None:
    asyncio.run(_answers_meanwhile())


async def _answers_meanwhile() -> None:
    heard, clock = HeardStore(), VirtualClock()
    store = TroubledStore(heard)
    async with open_venue(premises_of(store, clock), TIMED) as venue, seated(venue) as streams:
        await clock.is_waited_for()
        store.trouble = Unavailable("the disk is full")
        clock.advance(TURN)
        await clock.is_waited_for()
        store.trouble = None
        await answers(streams)
        clock.advance(RETRY_TIME)
        await answers(streams)
        assert [card.by for card in played(heard)] == [Agent.SEAT] * 2


def test_a_house_bot_that_thinks_for_too_long_is_played_for_and_comes_back_by_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thought = threading.Event()

    def ponders(*_: object) -> Ponderer:
        return Ponderer(thought)

    monkeypatch.setattr(house, "house_bot", ponders)
    try:
        asyncio.run(_ponders(thought))
    finally:
        thought.set()


@dataclass(frozen=True, slots=True)
class Ponderer:
    """Plays nothing before it is told to."""

    thought: threading.Event
    easy: Easy = Easy("slow")

    def choose_pass(self, view: SeatView) -> Collection[Card]:
        return self.easy.choose_pass(view)

    def choose_moon(self, view: SeatView) -> MoonChoice:
        return self.easy.choose_moon(view)

    def choose_play(self, view: SeatView) -> Card:
        self.thought.wait(PATIENCE)
        return self.easy.choose_play(view)


async def _ponders(thought: threading.Event) -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        table = await venue.table(PLAY)
        sitter = await venue.sit(table.name, seat=0)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await venue.start(sitter)
            await stream.next()
            while not store.all_of(SeatAway):
                if stream.prompt is not None:
                    await stream.send(stream.choice(choose))
                else:
                    await clock.is_waited_for()
                    clock.advance(BOT_TURN)
                await stream.next()
            thought.set()
            await play_to_the_end(stream)
    assert audit(store.log).finding is None
    assert store.all_of(SeatBack), "it decides again"
    assert {card.by for card in played(store) if card.seat == 0} == {Agent.SEAT}
    assert {card.by for card in played(store)} >= {Agent.SEAT, Agent.CLOCK}


async def play_to_the_end(stream: SeatStream) -> None:
    """Answer whatever is asked of one seat until the game is over."""
    over = False
    while not over:
        if stream.prompt is not None:
            request, stream.prompt = stream.choice(choose), None
            await stream.send(request)
        over = (await stream.next()).HasField("detached")


def test_clocks_stand_while_nobody_is_there_and_start_with_all_of_the_time() -> None:
    asyncio.run(_nobody_there())


async def _nobody_there() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with open_venue(premises_of(store, clock), TIMED) as venue:
        async with seated(venue) as streams:
            sitters = [stream.sitter for stream in streams]
            waited_for = asked(streams).sitter
            clock.advance(TURN - A_MOMENT)
        await everyone_is_gone(venue, clock, waited_for.table)
        await store.until(lambda events: any(isinstance(e, ClocksStopped) for e in events))
        clock.advance(timedelta(hours=1))
        other = next(sitter for sitter in sitters if sitter is not waited_for)
        async with venue.stream(other) as stream:
            await stream.attach()
            assert store.events[-1] == ClocksStarted()
            async with venue.stream(waited_for) as back:
                attached = await back.attach()
                assert attached.prompt.deadline == later(clock.now(), TURN)
                clock.advance(TURN)
                assert (await back.next()).update.records
        assert [card.by for card in played(store)] == [Agent.CLOCK]


def test_a_game_on_clocks_is_played_by_those_who_answer_alone() -> None:
    asyncio.run(_usual())


async def _usual() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        seated(venue, PASS) as streams,
    ):
        await play_on(streams, choose)
        for stream in streams:
            await stream.rest()
    assert {card.by for card in played(store)} == {Agent.SEAT}
    assert audit(store.log).finding is None
