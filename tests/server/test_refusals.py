"""What is asked for in vain: a clear refusal, nothing changed, and everyone else goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

import pytest
from google.rpc.code_pb2 import ABORTED, FAILED_PRECONDITION, INVALID_ARGUMENT
from grpc import StatusCode

from hearts_engine.cards import PACK, Card
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.callers import (
    Denied,
    SeatStream,
    Sitter,
    Venue,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_wire.views import decode_view

MEBIBYTE = 1024 * 1024


def lowest(view: SeatView) -> Collection[Card]:
    """The first cards that may be passed, or the first that may be played."""
    return tuple(view.legal)[: view.rules.pass_count if not all(view.ready) else 1]


@asynccontextmanager
async def passing(venue: Venue) -> AsyncGenerator[tuple[SeatStream, ...], None]:
    """Four seats at a table that waits for every pass."""
    table = await venue.table()
    async with venue.seated(table.name) as streams:
        await venue.start(streams[0].sitter)
        await everyone_hears(streams)
        yield streams


def hand(stream: SeatStream) -> Sequence[Card]:
    assert stream.prompt is not None
    return tuple(decode_view(stream.prompt.view).hand)


def foreign(stream: SeatStream) -> Card:
    return next(card for card in PACK if card not in hand(stream))


def open_seq(stream: SeatStream) -> int:
    assert stream.prompt is not None
    return stream.prompt.prompt_seq


def pass_of(stream: SeatStream, cards: Sequence[int]) -> pb.PlayRequest:
    chosen = pb.ChoosePass(prompt_seq=open_seq(stream), cards=cards)
    return pb.PlayRequest(request_id=77, choose_pass=chosen)


def play_of(stream: SeatStream, card: int) -> pb.PlayRequest:
    played = pb.PlayCard(prompt_seq=open_seq(stream), card=card)
    return pb.PlayRequest(request_id=77, play_card=played)


@dataclass(frozen=True)
class Bad:
    """A request in vain, and how it must be refused."""

    request: Callable[[SeatStream], pb.PlayRequest]
    code: int
    reason: str


WHILE_PASSING = {
    "a card that does not exist": Bad(lambda s: play_of(s, 52), INVALID_ARGUMENT, "MALFORMED"),
    "a pass of a card that does not exist": Bad(
        lambda s: pass_of(s, [hand(s)[0], hand(s)[1], 4_000_000_000]), INVALID_ARGUMENT, "MALFORMED"
    ),
    "a pass of a card not held": Bad(
        lambda s: pass_of(s, [hand(s)[0], hand(s)[1], foreign(s)]),
        FAILED_PRECONDITION,
        "CARD_NOT_HELD",
    ),
    "a pass of one card twice": Bad(
        lambda s: pass_of(s, [hand(s)[0], hand(s)[0], hand(s)[1]]),
        INVALID_ARGUMENT,
        "DUPLICATE_CARDS",
    ),
    "a pass of two cards": Bad(
        lambda s: pass_of(s, hand(s)[:2]), INVALID_ARGUMENT, "WRONG_PASS_COUNT"
    ),
    "a pass of a whole hand": Bad(
        lambda s: pass_of(s, hand(s)), INVALID_ARGUMENT, "WRONG_PASS_COUNT"
    ),
    "a pass of nothing": Bad(lambda s: pass_of(s, []), INVALID_ARGUMENT, "WRONG_PASS_COUNT"),
    "a pass of ten thousand cards": Bad(
        lambda s: pass_of(s, [hand(s)[0]] * 10_000), INVALID_ARGUMENT, "DUPLICATE_CARDS"
    ),
    "a card while passes are due": Bad(
        lambda s: play_of(s, hand(s)[0]), FAILED_PRECONDITION, "WRONG_PHASE"
    ),
    "a claim while passes are due": Bad(
        lambda s: pb.PlayRequest(request_id=77, claim_rest=pb.ClaimRest(prompt_seq=open_seq(s))),
        FAILED_PRECONDITION,
        "WRONG_PHASE",
    ),
    "entropy while passes are due": Bad(
        lambda s: pb.PlayRequest(
            request_id=77,
            reveal_entropy=pb.RevealEntropy(prompt_seq=open_seq(s), entropy=bytes(32)),
        ),
        FAILED_PRECONDITION,
        "WRONG_PHASE",
    ),
    "entropy of the wrong size": Bad(
        lambda s: pb.PlayRequest(
            request_id=77, reveal_entropy=pb.RevealEntropy(prompt_seq=open_seq(s), entropy=b"x")
        ),
        INVALID_ARGUMENT,
        "MALFORMED",
    ),
    "the answer to a prompt that never was": Bad(
        lambda s: pb.PlayRequest(
            request_id=77,
            choose_pass=pb.ChoosePass(prompt_seq=open_seq(s) + 1, cards=hand(s)[:3]),
        ),
        ABORTED,
        "STALE_PROMPT",
    ),
    "the answer to no prompt": Bad(
        lambda s: pb.PlayRequest(request_id=77, choose_pass=pb.ChoosePass(cards=hand(s)[:3])),
        ABORTED,
        "STALE_PROMPT",
    ),
    "nothing": Bad(lambda _: pb.PlayRequest(request_id=77), INVALID_ARGUMENT, "MALFORMED"),
    "a second attach": Bad(
        lambda s: pb.PlayRequest(request_id=77, attach=pb.Attach(table=s.sitter.table)),
        INVALID_ARGUMENT,
        "MALFORMED",
    ),
}


@pytest.mark.parametrize("name", WHILE_PASSING)
def test_a_bad_request_while_passing_is_refused_and_changes_nothing(name: str) -> None:
    asyncio.run(_refused_while_passing(WHILE_PASSING[name]))


async def _refused_while_passing(bad: Bad) -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        await _is_refused(streams[2], bad)
        await play_on(streams, lowest, at_most=4)
        (turn,) = [stream for stream in streams if stream.prompt]
        assert turn.received[-1].update.prompt.ask == pb.ASK_CARD


async def _is_refused(stream: SeatStream, bad: Bad) -> None:
    before = await stream.pulse()
    refusal = await stream.refusal(bad.request(stream))
    assert (refusal.code, refusal.reason, refusal.request_id) == (bad.code, bad.reason, 77)
    assert refusal.message
    assert await stream.pulse() == before


def test_bytes_that_are_no_request_are_refused_and_the_stream_goes_on() -> None:
    asyncio.run(_garbage_in_the_middle())


async def _garbage_in_the_middle() -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        await streams[0].send_bytes(b"\xff\xff\xff")
        refusal = (await streams[0].next()).refusal
        assert (refusal.code, refusal.reason) == (INVALID_ARGUMENT, "MALFORMED")
        await play_on(streams, lowest, at_most=5)


PLAYING = {
    "a card not held": Bad(lambda s: play_of(s, foreign(s)), FAILED_PRECONDITION, "CARD_NOT_HELD"),
    "another lead than the two of clubs": Bad(
        lambda s: play_of(s, hand(s)[-1]), FAILED_PRECONDITION, "MUST_LEAD_LOWEST_CLUB"
    ),
    "a claim without proof": Bad(
        lambda s: pb.PlayRequest(request_id=77, claim_rest=pb.ClaimRest(prompt_seq=open_seq(s))),
        FAILED_PRECONDITION,
        "CLAIM_NOT_PROVEN",
    ),
    "a pass when the passing is over": Bad(
        lambda s: pass_of(s, hand(s)[:3]), FAILED_PRECONDITION, "WRONG_PHASE"
    ),
}


@pytest.mark.parametrize("name", PLAYING)
def test_a_bad_request_on_turn_is_refused_with_what_could_be_played(name: str) -> None:
    asyncio.run(_refused_on_turn(PLAYING[name]))


async def _refused_on_turn(bad: Bad) -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        await play_on(streams, lowest, at_most=4)
        (turn,) = [stream for stream in streams if stream.prompt]
        await _is_refused(turn, bad)
        legal = turn.received[-2].refusal.legal
        assert list(legal) == ([] if bad.reason == "WRONG_PHASE" else [PACK[0]])
        await play_on(streams, lowest, at_most=1)


def test_a_card_out_of_turn_is_refused_as_that() -> None:
    asyncio.run(_out_of_turn())


async def _out_of_turn() -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        held = hand(streams[0])
        await play_on(streams, lowest, at_most=4)
        turn = next(seat for seat, stream in enumerate(streams) if stream.prompt)
        waiting = streams[(turn + 1) % 4]
        request = pb.PlayRequest(
            request_id=77, play_card=pb.PlayCard(prompt_seq=waiting.seq, card=held[0])
        )
        await _is_refused(waiting, Bad(lambda _: request, FAILED_PRECONDITION, "NOT_YOUR_TURN"))


def test_a_second_pass_is_refused_while_others_still_choose() -> None:
    asyncio.run(_passes_twice())


async def _passes_twice() -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        held, seq = hand(streams[0]), open_seq(streams[0])
        await play_on(streams, lowest, at_most=1)

        def other(_: SeatStream) -> pb.PlayRequest:
            chosen = pb.ChoosePass(prompt_seq=seq, cards=held[3:6])
            return pb.PlayRequest(request_id=77, choose_pass=chosen)

        await _is_refused(streams[0], Bad(other, ABORTED, "ANSWERED_OTHERWISE"))


def test_seats_that_choose_their_passes_at_once_never_refuse_one_another() -> None:
    asyncio.run(_all_at_once())


async def _all_at_once() -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        requests = [stream.choice(lowest) for stream in streams]
        async with asyncio.TaskGroup() as tasks:
            for stream, request in zip(streams, requests, strict=True):
                tasks.create_task(stream.send(request))
        for _ in streams:
            await everyone_hears(streams)
        kinds = [{m.WhichOneof("kind") for m in stream.received[1:]} for stream in streams]
        assert kinds == [{"update"}] * 4
        assert sum(m.update.HasField("acknowledgement") for s in streams for m in s.received) == 4


def test_a_message_of_a_mebibyte_ends_its_stream_and_nothing_else() -> None:
    asyncio.run(_too_large())


async def _too_large() -> None:
    async with (
        open_venue(premises_of()) as venue,
        passing(venue) as streams,
        passing(venue) as others,
    ):
        before = await streams[1].pulse()
        await streams[0].send_bytes(bytes(MEBIBYTE))
        assert await streams[0].code() is StatusCode.RESOURCE_EXHAUSTED
        assert await streams[1].pulse() == before
        await play_on(others, lowest, at_most=8)
        async with venue.stream(streams[0].sitter) as again:
            assert (await again.attach()).prompt.prompt_seq == open_seq(streams[0])


def test_a_dropped_stream_loses_no_seat_and_disturbs_nobody() -> None:
    asyncio.run(_dropped())


async def _dropped() -> None:
    async with open_venue(premises_of()) as venue, passing(venue) as streams:
        streams[0].cancel()
        await play_on(streams[1:], lowest, at_most=3)
        async with venue.stream(streams[0].sitter) as again:
            await again.attach()
            await play_on((again, *streams[1:]), lowest, at_most=5)


First = Callable[[Sitter], pb.PlayRequest | bytes]


def attach(sitter: Sitter, **changes: object) -> pb.PlayRequest:
    """The request that attaches this seat, but for some fields."""
    request = pb.PlayRequest(attach=pb.Attach(table=sitter.table, seat_token=sitter.token))
    for name, value in changes.items():
        setattr(request.attach, name, value)
    return request


FIRST_REQUESTS: dict[str, tuple[First, tuple[StatusCode, str]]] = {
    "an unknown table": (
        lambda sitter: attach(sitter, table="oak-99"),
        (StatusCode.NOT_FOUND, "NO_SUCH_TABLE"),
    ),
    "no table": (
        lambda sitter: attach(sitter, table=""),
        (StatusCode.NOT_FOUND, "NO_SUCH_TABLE"),
    ),
    "a bad token": (
        lambda sitter: attach(sitter, seat_token="0" * 32),
        (StatusCode.UNAUTHENTICATED, "BAD_TOKEN"),
    ),
    "no token": (
        lambda sitter: attach(sitter, seat_token=""),
        (StatusCode.UNAUTHENTICATED, "BAD_TOKEN"),
    ),
    "a head that is not in the log": (
        lambda sitter: attach(sitter, after_seq=2, after_head=bytes(32)),
        (StatusCode.DATA_LOSS, "HEAD_NOT_IN_LOG"),
    ),
    "a record that is not there yet": (
        lambda sitter: attach(sitter, after_seq=2**63, after_head=bytes(32)),
        (StatusCode.DATA_LOSS, "HEAD_NOT_IN_LOG"),
    ),
    "half a head": (
        lambda sitter: attach(sitter, after_seq=2, after_head=bytes(16)),
        (StatusCode.INVALID_ARGUMENT, "MALFORMED"),
    ),
    "a card": (
        lambda _: pb.PlayRequest(play_card=pb.PlayCard(card=3)),
        (StatusCode.INVALID_ARGUMENT, "NOT_ATTACHED"),
    ),
    "nothing at all": (
        lambda _: pb.PlayRequest(),
        (StatusCode.INVALID_ARGUMENT, "NOT_ATTACHED"),
    ),
    "bytes that are no message": (
        lambda _: b"\xff\xff\xff",
        (StatusCode.INVALID_ARGUMENT, "MALFORMED"),
    ),
}


@pytest.mark.parametrize("name", FIRST_REQUESTS)
def test_a_stream_that_does_not_attach_ends_with_the_reason(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    request, expected = FIRST_REQUESTS[name]
    told = asyncio.run(_first_request(request))
    assert (told.code, told.reason) == expected
    assert told.sentence
    # gRPC's poller may have something to say of loops that earlier tests have closed.
    ours = [record for record in caplog.records if record.name.startswith("hearts")]
    assert not ours, "a caller's mistake is no incident"


async def _first_request(request: First) -> Denied:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        sitter = await venue.sit(table.name)
        async with venue.stream(sitter) as stream:
            first = request(sitter)
            await stream.send_bytes(
                first if isinstance(first, bytes) else first.SerializeToString()
            )
            told = await denied(stream.next())
        async with venue.stream(sitter) as stream:
            assert (await stream.attach()).seq == 2, "nothing has changed"
    return told


def test_a_stream_that_says_nothing_ends_with_the_reason() -> None:
    told = asyncio.run(_says_nothing())
    assert (told.code, told.reason) == (StatusCode.INVALID_ARGUMENT, "NOT_ATTACHED")


async def _says_nothing() -> Denied:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        async with venue.stream(await venue.sit(table.name)) as stream:
            await stream.done_sending()
            return await denied(stream.next())


def test_a_stream_that_waits_with_its_attach_ends_after_five_seconds() -> None:
    told = asyncio.run(_attaches_late())
    assert (told.code, told.reason) == (StatusCode.INVALID_ARGUMENT, "NOT_ATTACHED")


async def _attaches_late() -> Denied:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue:
        table = await venue.table()
        async with venue.stream(await venue.sit(table.name)) as stream:
            await stream.open()
            await clock.is_waited_for()
            clock.advance(timedelta(seconds=4.9))
            assert clock.waiting == 1
            clock.advance(timedelta(seconds=0.1))
            return await denied(stream.next())


def test_a_stream_that_attached_in_time_is_left_alone() -> None:
    asyncio.run(_stays())


async def _stays() -> None:
    clock = VirtualClock()
    async with open_venue(premises_of(clock=clock)) as venue, passing(venue) as streams:
        assert clock.waiting == 0
        clock.advance(timedelta(hours=12))
        await play_on(streams, lowest, at_most=5)
