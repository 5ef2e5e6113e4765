"""Coming together at a table: sitting, leaving, house bots, the start, and playing again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

from grpc import StatusCode

from hearts_engine.events import GameOpened
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.fairness import commit
from hearts_replays.keys import SigningKey
from hearts_replays.memory import MemoryStore
from hearts_server.testing.callers import (
    GENEROUS,
    PATIENCE,
    SeatStream,
    Sitter,
    Venue,
    at_random,
    denied,
    open_venue,
    play_on,
)
from hearts_server.testing.company import PLAY, plays_on
from hearts_server.testing.premises import premises_of
from hearts_wire.records import decode_record
from hearts_wire.rules import decode_rules

RULES = parse_rules("black_lady target=1")
HOUSE = events_pb2.SEAT_KIND_HOUSE
PERSON = events_pb2.SEAT_KIND_PERSON
BOT = events_pb2.SEAT_KIND_BOT
SEATING = lobby_pb2.TABLE_STATUS_SEATING
PLAYING = lobby_pb2.TABLE_STATUS_PLAYING
OVER = lobby_pb2.TABLE_STATUS_OVER


async def look(venue: Venue, name: str) -> lobby_pb2.Table:
    return (await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=name))).table


async def leave(venue: Venue, sitter: Sitter) -> None:
    request = lobby_pb2.LeaveTableRequest(table=sitter.table, seat_token=sitter.token)
    await venue.lobby.LeaveTable(request)


async def play_again(venue: Venue, sitter: Sitter, entropy: bytes = b"") -> lobby_pb2.Table:
    commitment = commit(entropy) if entropy else b""
    request = lobby_pb2.PlayAgainRequest(
        table=sitter.table, seat_token=sitter.token, commitment=commitment
    )
    response = await venue.lobby.PlayAgain(request)
    assert response.seat == sitter.seat
    return response.table


def who(table: lobby_pb2.Table) -> list[tuple[int, str, int]]:
    return [(taken.seat, taken.name, taken.kind) for taken in table.seats]


def test_who_asks_to_play_again_twice_is_told_twice_that_it_is_so_also_after_the_start() -> None:
    asyncio.run(_again_and_again())


async def _again_and_again() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table(PLAY)
        sitter = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        await venue.start(sitter)
        told = await denied(play_again(venue, sitter))
        assert told.reason == "WRONG_PHASE", "the first game is not over"
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await plays_on(stream)
        first = await play_again(venue, sitter)
        assert first.status == PLAYING
        assert (await play_again(venue, sitter)).game_id == first.game_id


def test_a_table_is_found_with_its_rules_and_whoever_sits_there() -> None:
    asyncio.run(_found())


async def _found() -> None:
    async with open_venue(premises_of()) as venue:
        plain = await venue.table()
        mine = await venue.table(RULES)
        assert (decode_rules(plain.rules), decode_rules(mine.rules)) == (Rules(), RULES)
        assert (mine.status, who(mine)) == (SEATING, [])
        ann = await venue.sit(mine.name, "Ann", seat=2)
        await venue.sit(mine.name, "Ben")
        await venue.add_house_bot(ann)
        table = await look(venue, mine.name)
        assert [kind for _, _, kind in who(table)] == [PERSON, HOUSE, PERSON]
        listed = (await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())).tables
        assert list(listed) == sorted([plain, table], key=lambda each: each.name)


def test_who_leaves_frees_the_seat_and_is_let_in_by_that_token_no_more() -> None:
    asyncio.run(_leaves())


async def _leaves() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name, "Ann")
        async with venue.stream(ann) as stream:
            await stream.attach()
            await leave(venue, ann)
            left, told = await stream.rest()
            assert len(left.update.records) == 1
            assert told.detached.cause == pb.Detached.CAUSE_REMOVED
        async with venue.stream(ann) as stream:
            assert (await denied(stream.attach())).reason == "BAD_TOKEN"
        assert (await denied(leave(venue, ann))).reason == "BAD_TOKEN"
        assert (await venue.sit(table.name, "Ben")).seat == ann.seat


def test_a_house_bot_can_be_sent_away_before_the_start() -> None:
    asyncio.run(_sent_away())


async def _sent_away() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name, "Ann")
        seat = await venue.add_house_bot(ann)
        request = lobby_pb2.RemoveSeatRequest(table=table.name, token=ann.token, seat=seat)
        await venue.lobby.RemoveSeat(request)
        assert who(await look(venue, table.name)) == [(0, "Ann", PERSON)]
        assert (await venue.sit(table.name, "Ben")).seat == seat


def test_house_bots_have_names_of_their_own() -> None:
    asyncio.run(_names())


async def _names() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ada = await venue.sit(table.name, "Ada")
        for _ in range(3):
            await venue.add_house_bot(ada)
        names = [name for _, name, _ in who(await look(venue, table.name))]
        assert len(set(names)) == 4


def test_a_table_that_starts_when_full_starts_with_its_last_person_or_house_bot() -> None:
    asyncio.run(_starts_when_full())


async def _starts_when_full() -> None:
    async with open_venue(premises_of()) as venue:
        people = await venue.table(start_when_full=True)
        for seat in range(4):
            assert (await look(venue, people.name)).status == SEATING
            await venue.sit(people.name, f"Ann {seat}")
        assert (await look(venue, people.name)).status == PLAYING
        bots = await venue.table(start_when_full=True)
        ann = await venue.sit(bots.name)
        for _ in range(3):
            assert (await look(venue, bots.name)).status == SEATING
            await venue.add_house_bot(ann)
        assert (await look(venue, bots.name)).status == PLAYING


def test_a_full_table_waits_for_its_start_unless_it_was_opened_to_start_by_itself() -> None:
    asyncio.run(_waits())


async def _waits() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams:
            assert (await look(venue, table.name)).status == SEATING
            await venue.start(streams[0].sitter)
            assert (await look(venue, table.name)).status == PLAYING


def test_a_request_that_a_slow_connection_repeats_late_takes_nobody_s_token_away() -> None:
    asyncio.run(_sits_once())


async def _sits_once() -> None:
    async with open_venue(premises_of()) as venue:
        table, elsewhere = await venue.table(), await venue.table()
        first = await venue.sit(table.name, "Ann", request_id="the request of ann")
        repeated = await venue.sit(table.name, "Ann", request_id="the request of ann")
        other = await venue.sit(table.name, "Ann", request_id="the request of another ann")
        there = await venue.sit(elsewhere.name, "Ann", request_id="the request of ann")
        assert repeated == first
        assert other.seat == 1
        assert len({first.token, other.token, there.token}) == 3
        assert len((await look(venue, table.name)).seats) == 2
        async with venue.stream(first) as stream:
            assert (await stream.attach()).view.seat == first.seat


def test_a_token_cannot_be_told_from_its_request_without_the_server_s_key() -> None:
    asyncio.run(_key_behind_token())


async def _key_behind_token() -> None:
    premises = premises_of()
    async with open_venue(premises) as venue:
        table = await venue.table()
        first = await venue.sit(table.name, "Ann", request_id="the request of ann")
    other_key = replace(premises, key=SigningKey.from_seed(b"another key".ljust(32)))
    async with open_venue(other_key) as venue:
        again = await venue.sit(table.name, "Ann", request_id="the request of ann")
        assert again.seat == first.seat
        assert again.token != first.token
        async with venue.stream(first) as stream:
            assert (await denied(stream.attach())).reason == "BAD_TOKEN"
        async with venue.stream(again) as stream:
            assert (await stream.attach()).view.seat == first.seat


def test_another_name_or_kind_gets_no_seat_by_a_request_that_it_did_not_make() -> None:
    asyncio.run(_not_by_anothers_request())


async def _not_by_anothers_request() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        ann = await venue.sit(table.name, "Ann", request_id="the request of ann")
        asked = lobby_pb2.JoinTableRequest(
            request_id="the request of ann", table=table.name, name="Ann", kind=BOT
        )
        for call in (
            venue.sit(table.name, "Mallory", request_id="the request of ann"),
            venue.lobby.JoinTable(asked),
        ):
            told = await denied(call)
            assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "ANOTHER_REQUEST")
        async with venue.stream(ann) as stream:
            assert (await stream.attach()).view.seat == ann.seat


def test_two_who_want_the_same_seat_at_once_do_not_both_get_it() -> None:
    asyncio.run(_same_seat())


async def _same_seat() -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        results = await asyncio.gather(
            *(venue.sit(table.name, f"Ann {n}", seat=1) for n in range(3)), return_exceptions=True
        )
        assert sum(isinstance(result, Sitter) for result in results) == 1
        assert len((await look(venue, table.name)).seats) == 1


@asynccontextmanager
async def over(
    venue: Venue, people: int = 4
) -> AsyncGenerator[tuple[lobby_pb2.Table, list[Sitter]], None]:
    """A table whose first game is over, and the people who played it, house bots beside them."""
    table = await venue.table(RULES)
    sitters = [await venue.sit(table.name, f"Ann {seat}") for seat in range(people)]
    for _ in range(people, 4):
        await venue.add_house_bot(sitters[0])
    streams = [SeatStream(venue.channel, sitter) for sitter in sitters]
    for stream in streams:
        await stream.attach()
    await venue.start(sitters[0])
    async with asyncio.TaskGroup() as tasks:
        for stream in streams:
            tasks.create_task(_to_the_end(stream))
    yield await look(venue, table.name), sitters


async def _to_the_end(stream: SeatStream) -> None:
    choose = at_random(random.Random(stream.sitter.seat))
    detached = False
    while not detached:
        if stream.prompt:
            request, stream.prompt = stream.choice(choose), None
            await stream.send(request)
        detached = (await stream.next()).HasField("detached")
    await stream.rest()


def test_those_who_play_again_have_their_seats_and_tokens_in_a_new_game() -> None:
    asyncio.run(_plays_again())


async def _plays_again() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue, over(venue) as (before, sitters):
        assert before.status == OVER
        opened = await play_again(venue, sitters[1])
        assert opened.game_id != before.game_id
        assert who(opened) == [(1, "Ann 1", PERSON)]
        assert opened.rules == before.rules
        tables = [await play_again(venue, sitter) for sitter in (*sitters[2:], sitters[0])]
        assert {table.game_id for table in tables} == {opened.game_id}
        assert tables[-1].status == PLAYING
        streams = [SeatStream(venue.channel, sitter) for sitter in sitters]
        for stream in streams:
            await stream.attach()
        await play_on(streams, at_random(random.Random(9)))
        for stream in streams:
            assert (await stream.rest())[-1].detached.cause == pb.Detached.CAUSE_GAME_OVER
    openings = [decode_record(log[0]).event for log in store.games.values()]
    anchors = {opened.source for opened in openings if isinstance(opened, GameOpened)}
    assert len(anchors) == 2
    assert all(audit(log).finding is None for log in store.games.values())


def test_house_bots_play_again_by_themselves() -> None:
    asyncio.run(_house_bots_again())


async def _house_bots_again() -> None:
    async with open_venue(premises_of()) as venue, over(venue, people=1) as (before, (ann,)):
        for _ in range(2):
            opened = await play_again(venue, ann, b"e" * 32)
            assert [(name, kind) for _, name, kind in who(opened)] == [
                (name, kind) for _, name, kind in who(before)
            ]
            await _to_the_end(await _attached(venue, replace(ann, entropy=b"e" * 32)))
            assert (await look(venue, ann.table)).status == OVER


async def _attached(venue: Venue, sitter: Sitter) -> SeatStream:
    stream = SeatStream(venue.channel, sitter)
    await stream.attach()
    return stream


def test_asking_twice_to_play_again_takes_one_seat_in_one_game() -> None:
    asyncio.run(_asks_twice())


async def _asks_twice() -> None:
    async with open_venue(premises_of()) as venue, over(venue) as (_, sitters):
        tables = await asyncio.gather(*(play_again(venue, sitters[0]) for _ in range(3)))
        assert len({table.game_id for table in tables}) == 1
        assert len((await look(venue, sitters[0].table)).seats) == 1


def test_whoever_did_not_hear_that_he_plays_again_is_told_so_when_the_game_has_begun() -> None:
    asyncio.run(_told_late())


async def _told_late() -> None:
    async with open_venue(premises_of()) as venue, over(venue) as (_, sitters):
        begun = [await play_again(venue, s, bytes([s.seat]) * 32) for s in sitters][-1]
        assert begun.status == PLAYING
        again = await play_again(venue, sitters[0], bytes([sitters[0].seat]) * 32)
        assert again.game_id == begun.game_id
        for other in (b"another".ljust(32), b""):
            told = await denied(play_again(venue, sitters[0], other))
            assert told.reason == "WRONG_PHASE"


def test_someone_who_was_away_learns_that_his_game_is_over_and_the_table_plays_another() -> None:
    asyncio.run(_away())


async def _away() -> None:
    async with open_venue(premises_of()) as venue, over(venue) as (before, sitters):
        for sitter in sitters[1:]:
            await play_again(venue, sitter)
        stream = SeatStream(venue.channel, sitters[0])
        told = await denied(stream.attach(game_id=before.game_id))
        assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "GAME_ENDED")
        opened = await play_again(venue, sitters[0])
        assert (await SeatStream(venue.channel, sitters[0]).attach(game_id=opened.game_id)).seq


def test_newcomers_are_given_the_seats_that_nobody_may_come_back_to() -> None:
    asyncio.run(_newcomers())


async def _newcomers() -> None:
    async with open_venue(premises_of()) as venue, over(venue, people=3) as (_, sitters):
        await play_again(venue, sitters[0])
        bot = lobby_pb2.RemoveSeatRequest(table=sitters[0].table, token=sitters[0].token, seat=3)
        await venue.lobby.RemoveSeat(bot)
        assert (await venue.sit(sitters[0].table, "Eve")).seat == 3
        await play_again(venue, sitters[1])


def test_an_old_token_shows_nothing_of_whoever_has_the_seat_now() -> None:
    asyncio.run(_old_tokens())


async def _old_tokens() -> None:
    async with open_venue(premises_of()) as venue, over(venue) as (_, sitters):
        await play_again(venue, sitters[0])
        async with venue.stream(sitters[1]) as stream:
            told = await denied(stream.attach())
        assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "NOT_SEATED")
        await venue.sit(sitters[0].table, "Eve", seat=1)
        for _ in range(2):
            await venue.add_house_bot(sitters[0])
        for sitter in sitters[1:]:
            async with venue.stream(sitter) as stream:
                assert (await denied(stream.attach())).reason == "BAD_TOKEN"
            assert (await denied(play_again(venue, sitter))).reason == "BAD_TOKEN"


def test_a_table_that_everyone_has_left_takes_no_memory_and_can_be_played_at_again() -> None:
    asyncio.run(_let_go())


async def _let_go() -> None:
    for resumes in (True, False):
        async with (
            open_venue(premises_of(), replace(GENEROUS, resumes=resumes)) as venue,
            over(venue, people=2) as (_, sitters),
        ):
            table = sitters[0].table
            await _ends(f"table {table}")
            assert (await look(venue, table)).status == OVER
            await _ends(f"table {table}")
            for sitter in sitters:
                assert (await play_again(venue, sitter)).name == table
            streams = [await _attached(venue, sitter) for sitter in sitters]
            async with asyncio.TaskGroup() as tasks:
                for stream in streams:
                    tasks.create_task(_to_the_end(stream))
            await _ends(f"table {table}")


async def _ends(name: str) -> None:
    """Return when no task of this name is left."""
    running = [task for task in asyncio.all_tasks() if task.get_name() == name]
    if running:
        _, pending = await asyncio.wait(running, timeout=PATIENCE)
        assert not pending
