"""A seat's stream: taken up without a gap, held by the newest, no burden to others."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial

import pytest
from grpc import StatusCode, aio

from hearts_engine.audience import visible_to
from hearts_engine.cards import Seat
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import Chance, random_choice
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.memory import MemoryStore
from hearts_server.entrance import Entrance
from hearts_server.errors import Refused
from hearts_server.heartbeats import Heartbeats
from hearts_server.limits import Limits
from hearts_server.meters import Meters
from hearts_server.notices import Cause, Detached, Pulse
from hearts_server.peers import Peers
from hearts_server.subscriber import LONGEST_BACKLOG, Subscriber
from hearts_server.table import Answer, Table
from hearts_server.table_service import TableService
from hearts_server.telling import PARTING_TIME
from hearts_server.testing.callers import (
    PATIENCE,
    SeatStream,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.records import decode_record

SEATS = tuple(map(Seat, range(4)))
SUPERSEDED = pb.Detached.CAUSE_SUPERSEDED
GAME_OVER = pb.Detached.CAUSE_GAME_OVER
TOO_SLOW = pb.Detached.CAUSE_TOO_SLOW
NARROW = (
    ("grpc.http2.bdp_probe", 0),
    ("grpc.http2.lookahead_bytes", 16_384),
    ("grpc.use_local_subchannel_pool", 1),
)
"""Of a channel that buffers little, on a connection of its own."""


@asynccontextmanager
async def started(
    venue: Venue, rules: str = "black_lady target=30"
) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    table = await venue.table(parse_rules(rules))
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def records_in(message: pb.PlayResponse) -> Sequence[bytes]:
    return (*message.attached.records, *message.update.records)


def test_a_seat_sees_each_record_once_and_in_order_under_heads_of_the_log() -> None:
    asyncio.run(_sees_everything_once())


async def _sees_everything_once() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        await play_on(streams, at_random(random.Random(1)))
        for stream in streams:
            (end,) = await stream.rest()
            assert end.detached.cause == GAME_OVER
            assert await stream.code() is StatusCode.OK
        (log,) = store.games.values()
        for seat, stream in zip(SEATS, streams, strict=True):
            shown = [data for message in stream.received for data in records_in(message)]
            assert shown == [data for data in log if visible_to(seat, decode_record(data).event)]
            for message in stream.received[:-1]:
                told = message.attached if message.HasField("attached") else message.update
                assert told.head == EMPTY_CHAIN.extended(log[: told.seq]).head


def test_an_attach_after_any_record_brings_exactly_what_came_later() -> None:
    asyncio.run(_resumes_anywhere())


async def _resumes_anywhere() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        await play_on(streams, at_random(random.Random(2)), at_most=12)
        (log,) = store.games.values()
        sitter = streams[2].sitter
        for seq in range(len(log) + 1):
            head = EMPTY_CHAIN.extended(log[:seq]).head
            async with venue.stream(sitter) as again:
                attached = await again.attach(seq, head)
            expected = [d for d in log[seq:] if visible_to(sitter.seat, decode_record(d).event)]
            assert list(attached.records) == expected
            assert (attached.seq, attached.head) == (len(log), EMPTY_CHAIN.extended(log).head)


def test_an_attach_repeats_the_open_prompt_as_it_was() -> None:
    asyncio.run(_same_prompt())


async def _same_prompt() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        await play_on(streams[:3], at_random(random.Random(3)), at_most=3)
        waiting = streams[3]
        async with venue.stream(waiting.sitter) as again:
            attached = await again.attach(waiting.seq, waiting.head)
            assert waiting.prompt is not None
            assert attached.prompt.prompt_seq == waiting.prompt.prompt_seq
            assert attached.prompt.view.hand == waiting.prompt.view.hand


def test_the_newest_attach_wins_the_seat_and_the_older_is_told() -> None:
    asyncio.run(_newest_wins())


async def _newest_wins() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        older = streams[0]
        async with venue.stream(older.sitter) as newer:
            await newer.attach()
            (told,) = await older.rest()
            assert told.detached.cause == SUPERSEDED
            await play_on((newer, *streams[1:]), at_random(random.Random(4)), at_most=6)


def test_a_dropped_stream_that_was_superseded_takes_nothing_from_the_newer() -> None:
    asyncio.run(_older_goes())


async def _older_goes() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        newer = SeatStream(venue.channel, streams[0].sitter)
        await newer.attach()
        streams[0].cancel()
        await play_on((newer, *streams[1:]), at_random(random.Random(5)), at_most=6)
        newer.cancel()


def test_a_repeated_answer_is_acknowledged_and_not_done_again() -> None:
    asyncio.run(_repeats())


async def _repeats() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        first = streams[0]
        request = first.choice(at_random(random.Random(6)))
        await first.send(request)
        await everyone_hears(streams)
        before = await first.pulse()
        request.request_id = 5
        await first.send(request)
        done = (await first.next()).update
        assert (done.acknowledgement.request_id, done.acknowledgement.repeated) == (5, True)
        assert not done.records
        assert await first.pulse() == before
        request.choose_pass.cards[:] = [
            card for card in range(52) if card not in request.choose_pass.cards
        ][:3]
        refusal = await first.refusal(request)
        assert refusal.reason == "ANSWERED_OTHERWISE"
        assert await first.pulse() == before
        await play_on(streams, at_random(random.Random(6)), at_most=5)


def test_every_kind_of_answer_can_be_repeated() -> None:
    asyncio.run(_repeats_every_kind())


async def _repeats_every_kind() -> None:
    chance = random.Random(7)
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        entropy = [bytes([7]) * 32, b"", b"", b""]
        async with venue.seated(table.name, entropy) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            asks: set[int] = set()
            for _ in range(9):
                asked = next(stream for stream in streams if stream.prompt)
                assert asked.prompt is not None
                asks.add(asked.prompt.ask)
                request = asked.choice(at_random(chance))
                await asked.send(request)
                await everyone_hears(streams)
                await asked.send(request)
                assert (await asked.next()).update.acknowledgement.repeated
            assert asks == {pb.ASK_ENTROPY, pb.ASK_PASS, pb.ASK_CARD}


def test_who_comes_when_the_game_is_over_is_shown_it_and_sent_off() -> None:
    asyncio.run(_comes_late())


async def _comes_late() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        seen = streams[1].seq, streams[1].head
        await play_on(streams, at_random(random.Random(8)))
        async with venue.stream(streams[1].sitter) as late:
            attached = await late.attach(*seen)
            assert attached.view.HasField("ended")
            assert not attached.HasField("prompt")
            (told,) = await late.rest()
            assert told.detached.cause == GAME_OVER


def test_a_seat_may_send_nothing_more_and_still_listen() -> None:
    asyncio.run(_only_listens())


async def _only_listens() -> None:
    async with open_venue(premises_of()) as venue, started(venue) as streams:
        await streams[3].done_sending()
        for _ in range(3):
            await play_on(streams[:3], at_random(random.Random(9)), at_most=1)
            assert (await streams[3].next()).HasField("update")


def test_a_backlog_is_bounded_and_its_reader_told_why_it_ends() -> None:
    asyncio.run(_backlog())


async def _backlog() -> None:
    subscriber = Subscriber(Seat(0), wants_view=False)
    for number in range(LONGEST_BACKLOG * 3):
        subscriber.tell(Pulse(number, b""))
    left = [notice async for notice in subscriber.notices()]
    assert [type(notice) for notice in left] == [Detached]
    assert isinstance(left[0], Detached)
    assert left[0].cause is Cause.TOO_SLOW


def test_a_reader_that_keeps_up_is_never_dropped() -> None:
    asyncio.run(_keeps_up())


async def _keeps_up() -> None:
    subscriber = Subscriber(Seat(0), wants_view=False)
    notices = subscriber.notices()
    for number in range(LONGEST_BACKLOG * 3):
        subscriber.tell(Pulse(number, b""))
        assert await anext(notices) == Pulse(number, b"")


def test_a_slow_reader_delays_nobody_and_resumes_where_it_was() -> None:
    asyncio.run(_slow_reader())


async def _slow_reader() -> None:
    chance, store = random.Random(10), MemoryStore()
    async with (
        open_venue(premises_of(store)) as venue,
        started(venue, "black_lady target=1000") as streams,
        aio.insecure_channel(venue.listening.address, options=NARROW) as channel,
    ):
        slow, quick = SeatStream(channel, streams[0].sitter), streams[1]
        await slow.attach(wants_view=True)
        table = await venue.listening.lobby.get(slow.sitter.table)
        (receiver,) = (held for held in table.receivers if held.seat == slow.sitter.seat)
        while not receiver.closed:
            await answer_for_anyone(table, chance)
            await quick.next()
        answered = quick.seq
        told = await slow.rest()
        assert told[-1].detached.cause == TOO_SLOW
        assert len(told) > LONGEST_BACKLOG / 10, "it was not dropped before its time"
        async with venue.stream(slow.sitter) as again:
            attached = await again.attach(slow.seq, slow.head)
        (log,) = store.games.values()
        seat = slow.sitter.seat
        missed = [d for d in log[slow.seq :] if visible_to(seat, decode_record(d).event)]
        assert list(attached.records) == missed
        assert attached.seq == answered


async def answer_for_anyone(table: Table, chance: Chance) -> None:
    """Let the first seat that is asked choose at random, whoever is attached for it."""
    command = random_choice(table.journal.state, chance)
    assert isinstance(command, ChoosePass | PlayCard)
    await table.in_turn(partial(table.do, command))


def test_who_goes_away_while_the_attach_waits_takes_the_seat_from_nobody() -> None:
    asyncio.run(_gone_before_attached())


async def _gone_before_attached() -> None:
    store = TroubledStore()
    async with open_venue(premises_of(store)) as venue, started(venue) as streams:
        table = await venue.listening.lobby.get(streams[0].sitter.table)
        store.hold_appends()
        await streams[1].send(streams[1].choice(at_random(random.Random(11))))
        await store.append_is_held()
        attaching = asyncio.create_task(Entrance(table).attach(Subscriber(streams[0].sitter.seat)))
        await asyncio.sleep(0)
        attaching.cancel()
        await asyncio.wait([attaching])
        store.let_appends_go()
        await everyone_hears(streams)
        await play_on(streams, at_random(random.Random(11)), at_most=6)


def test_a_stream_that_lost_its_seat_answers_for_nobody() -> None:
    asyncio.run(_answers_for_nobody())


async def _answers_for_nobody() -> None:
    async with open_venue(premises_of()) as venue:
        opened = await venue.table()
        ann = await venue.sit(opened.name, "Ann", seat=0)
        table = await venue.listening.lobby.get(opened.name)
        left = Subscriber(ann.seat)
        await Entrance(table).attach(left)
        leaving = lobby_pb2.LeaveTableRequest(table=opened.name, seat_token=ann.token)
        await venue.lobby.LeaveTable(leaving)
        async with venue.seated(opened.name) as streams:
            superseded = Subscriber(Seat(1))
            await Entrance(table).attach(superseded)
            async with venue.stream(streams[1].sitter) as newer:
                await newer.attach()
                await venue.start(streams[0].sitter)
                for sender in (left, superseded):
                    await _is_refused(table, sender)
                assert not any(table.journal.state.exchange.ready)


async def _is_refused(table: Table, sender: Subscriber) -> None:
    assert sender.seat is not None
    chosen = ChoosePass(sender.seat, tuple(table.journal.state.play.hands[sender.seat])[:3])
    prompt_seq = table.journal.prompts.open_for(sender.seat)
    assert prompt_seq is not None
    with pytest.raises(Refused) as refusal:
        await table.answer(Answer(chosen, prompt_seq), sender)
    assert (refusal.value.code, refusal.value.reason) == (
        StatusCode.ABORTED,
        "NOT_ATTACHED_ANY_MORE",
    )


class StuckContext:
    """A call whose reader takes nothing."""

    def peer(self) -> str:
        return "nobody"

    def __init__(self) -> None:
        self.writing = asyncio.Event()

    async def write(self, _: pb.PlayResponse) -> None:
        self.writing.set()
        await asyncio.Event().wait()


class Requests:
    """What a client sends, for as long as it likes."""

    def __init__(self, attach: pb.Attach) -> None:
        self._attach: pb.Attach | None = attach
        self.waiting = asyncio.Event()
        self.dropped = asyncio.Event()

    def __aiter__(self) -> Requests:
        return self

    async def __anext__(self) -> pb.PlayRequest:
        if self._attach is not None:
            attach, self._attach = self._attach, None
            return pb.PlayRequest(attach=attach)
        self.waiting.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.dropped.set()
        raise StopAsyncIteration


def test_a_stream_that_lost_its_seat_is_read_no_more_and_ends_though_its_reader_is_stuck() -> None:
    asyncio.run(_stuck_reader())


async def _stuck_reader() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        opened = await venue.table()
        ann = await venue.sit(opened.name)
        requests = Requests(pb.Attach(table=opened.name, seat_token=ann.token))
        context = StuckContext()
        stuck = TableService(
            venue.listening.lobby, Heartbeats(clock), Meters(), Peers(Limits(), clock)
        )
        async with asyncio.timeout(PATIENCE):
            handler = asyncio.create_task(stuck.Play(requests, context))
            await context.writing.wait()
            await requests.waiting.wait()
            async with venue.stream(ann) as newer:
                await newer.attach()
                await requests.dropped.wait()
                assert not handler.done()
                await clock.is_waited_for()
                clock.advance(PARTING_TIME)
                with pytest.raises(Refused) as refusal:
                    await handler
                assert refusal.value.reason == "NOT_ATTACHED_ANY_MORE"
                assert (await newer.pulse())[0] == 2
