"""A seat's part in the deal: exactly what it committed to, or withheld when its time is up."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

from google.rpc.code_pb2 import INVALID_ARGUMENT

from hearts_engine.events import EntropyRevealed, EntropyWithheld
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.log import Unavailable
from hearts_replays.memory import MemoryStore
from hearts_server.clocks import later
from hearts_server.testing.callers import (
    SeatStream,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import MIDNIGHT, Draws, VirtualClock, premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_server.timekeeper import REVEAL_TIME
from hearts_wire.records import decode_record

RULES = parse_rules("black_lady target=1")
ENTROPY = (b"a" * 32, b"b" * 32, b"", b"")


@asynccontextmanager
async def owing(
    venue: Venue, entropy: Sequence[bytes] = ENTROPY
) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """A game that has started, whose seats with entropy have not revealed it."""
    table = await venue.table(RULES)
    async with venue.seated(table.name, entropy) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def reveal(stream: SeatStream, entropy: bytes) -> pb.PlayRequest:
    assert stream.prompt is not None
    revealed = pb.RevealEntropy(prompt_seq=stream.prompt.prompt_seq, entropy=entropy)
    return pb.PlayRequest(reveal_entropy=revealed)


def events_in(stream: SeatStream) -> list[type]:
    """The kinds of events in the last message."""
    return [type(decode_record(data).event) for data in stream.received[-1].update.records]


def test_a_seat_cannot_reveal_anything_but_what_it_committed_to() -> None:
    asyncio.run(_other_entropy())


async def _other_entropy() -> None:
    async with open_venue(premises_of()) as venue, owing(venue) as streams:
        before = await streams[0].pulse()
        for other in (b"c" * 32, ENTROPY[1], bytes(32)):
            refusal = await streams[0].refusal(reveal(streams[0], other))
            assert (refusal.code, refusal.reason) == (
                INVALID_ARGUMENT,
                "ENTROPY_MISMATCH",
            )
        assert await streams[0].pulse() == before
        await streams[0].send(reveal(streams[0], ENTROPY[0]))
        await everyone_hears(streams)
        assert events_in(streams[3]) == [EntropyRevealed]


def test_only_seats_that_committed_are_asked_to_reveal() -> None:
    asyncio.run(_only_who_committed())


async def _only_who_committed() -> None:
    async with open_venue(premises_of()) as venue, owing(venue) as streams:
        asks = [stream.prompt and stream.prompt.ask for stream in streams]
        assert asks == [pb.ASK_ENTROPY, pb.ASK_ENTROPY, None, None]
        revealed = pb.RevealEntropy(prompt_seq=streams[2].seq, entropy=bytes(32))
        refusal = await streams[2].refusal(pb.PlayRequest(reveal_entropy=revealed))
        assert refusal.reason == "ENTROPY_NOT_OWED"


def test_a_game_in_which_every_part_was_revealed_audits_clean_and_leaves_no_alarm() -> None:
    asyncio.run(_all_revealed())


async def _all_revealed() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, owing(venue) as streams:
        await play_on(streams, at_random(random.Random(1)), at_most=2)
        assert clock.waiting == 0
        await play_on(streams, at_random(random.Random(1)))
    (log,) = store.games.values()
    assert audit(log).finding is None


def test_what_is_not_revealed_in_time_is_withheld_and_the_game_goes_on() -> None:
    asyncio.run(_withheld())


async def _withheld() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, owing(venue) as streams:
        assert streams[0].prompt is not None
        assert streams[0].prompt.deadline == later(MIDNIGHT, REVEAL_TIME)
        await streams[0].send(reveal(streams[0], ENTROPY[0]))
        await everyone_hears(streams)
        clock.advance(REVEAL_TIME - timedelta(seconds=0.1))
        assert clock.waiting == 1
        late = reveal(streams[1], ENTROPY[1])
        clock.advance(timedelta(seconds=0.1))
        await everyone_hears(streams)
        assert events_in(streams[2])[0] is EntropyWithheld
        refusal = await streams[1].refusal(late)
        assert refusal.reason == "STALE_PROMPT"
        await play_on(streams, at_random(random.Random(2)))
    (log,) = store.games.values()
    assert audit(log).finding is None


def test_what_cannot_be_written_down_as_withheld_is_tried_again() -> None:
    asyncio.run(_withheld_later())


async def _withheld_later() -> None:
    store, clock = TroubledStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, owing(venue) as streams:
        store.trouble = Unavailable("the disk is full")
        clock.advance(REVEAL_TIME)
        while not clock.waiting:
            assert await streams[0].pulse() == (streams[0].seq, streams[0].head)
        store.trouble = None
        clock.advance(REVEAL_TIME)
        await everyone_hears(streams)
        assert streams[0].prompt is not None
        assert streams[0].prompt.ask == pb.ASK_PASS


def test_a_restart_gives_those_who_owe_their_full_time_again() -> None:
    asyncio.run(_after_a_restart())


async def _after_a_restart() -> None:
    store, clock = MemoryStore(), VirtualClock()
    async with open_venue(premises_of(store, clock)) as venue, owing(venue) as streams:
        sitter = streams[0].sitter
    clock.advance(timedelta(hours=1))
    premises = premises_of(store, clock, Draws("again"))
    async with open_venue(premises) as venue, venue.stream(sitter) as stream:
        attached = await stream.attach()
        assert attached.prompt.deadline == later(clock.now(), REVEAL_TIME)
        await stream.send(reveal(stream, ENTROPY[0]))
        assert (await stream.next()).update.HasField("acknowledgement")
