"""Whoever takes a seat over plays on as if it had always been there, and no seat is stolen so."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import pytest
from grpc import StatusCode

from hearts_engine.cards import Seat
from hearts_engine.commands import PlayCard
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    Event,
    LogSealed,
    SeatAway,
    SeatKind,
    SeatTaken,
    SeatTakenOver,
)
from hearts_engine.view import observe
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    Receipt,
    Receipts,
    RecordShown,
    check,
)
from hearts_server.clocks import later
from hearts_server.testing.callers import SeatStream, Sitter, Venue, denied, open_venue
from hearts_server.testing.company import (
    PASS,
    TIMED,
    TURN,
    Opened,
    bot_at,
    deciders,
    leave,
    legal,
    opened,
    people,
    plays_on,
    state_after,
)
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_wire.commands import decode_command
from hearts_wire.views import decode_view

PERSON: Final = events_pb2.SEAT_KIND_PERSON
REQUEST: Final = "a request of sixteen characters or more"


async def take_over(
    venue: Venue, table: str, name: str = "Eve", seat: int | None = None, request_id: str = ""
) -> Sitter:
    """Sit down where a bot plays for nobody."""
    response = await venue.lobby.TakeOverSeat(
        lobby_pb2.TakeOverSeatRequest(
            table=table, name=name, seat=seat, kind=PERSON, request_id=request_id
        )
    )
    return Sitter(table, Seat(response.seat), response.seat_token)


async def remove(venue: Venue, host: Sitter, seat: int) -> None:
    """Let the host remove a seat."""
    request = lobby_pb2.RemoveSeatRequest(table=host.table, token=host.token, seat=seat)
    await venue.lobby.RemoveSeat(request)


class Keeper(SeatStream):
    """A stream whose client keeps receipts, as ours does."""

    def __init__(self, venue: Venue, sitter: Sitter) -> None:
        super().__init__(venue.channel, sitter)
        self.kept: list[Receipt] = []

    async def sits(self) -> pb.Attached:
        """Attach, and what the table says to that."""
        attached = await self.attach()
        self._keep(attached)
        return attached

    async def plays(self, at_most: int | None = None) -> None:
        """Answer to the end of the game, or so many times."""
        sent: pb.PlayRequest | None = None
        while at_most is None or at_most > 0 or sent is not None:
            if self.prompt is not None and at_most != 0 and sent is None:
                sent, self.prompt = self.choice(legal), None
                command, prompt_seq = decode_command(sent, self.sitter.seat)
                self.kept.append(CommandSent(prompt_seq, command))
                await self.send(sent)
                at_most = None if at_most is None else at_most - 1
            response = await self.next()
            if response.HasField("detached"):
                return
            self._keep(response.update)
            if response.update.HasField("acknowledgement"):
                assert sent is not None
                command, prompt_seq = decode_command(sent, self.sitter.seat)
                self.kept.append(CommandDone(prompt_seq, command))
                sent = None

    def receipts(self, game_id: str) -> Receipts:
        """All that was kept."""
        return Receipts(game_id, self.sitter.seat, b"", tuple(self.kept))

    def _keep(self, told: pb.Attached | pb.Update) -> None:
        self.kept += map(RecordShown, told.records)
        self.kept.append(HeadSeen(told.seq, told.head))


async def under_way(venue: Venue) -> tuple[Opened, Sitter]:
    """A game of Ann's and three house bots, at which she has not decided anything yet."""
    table = await opened(venue, PASS)
    ann = await venue.sit(table.name, "Ann")
    for _ in range(3):
        await venue.add_house_bot(ann)
    await venue.start(ann)
    return table, ann


def test_a_person_who_comes_late_sits_down_in_mid_deal_and_plays_to_the_end() -> None:
    asyncio.run(_comes_late())


async def _comes_late() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table, ann = await under_way(venue)
        first = Keeper(venue, ann)
        await first.sits()
        await first.plays(at_most=4)
        eve = await take_over(venue, table.name)
        late = Keeper(venue, eve)
        attached = await late.sits()
        before = state_after(store.log[: attached.seq])
        assert decode_view(attached.view) == observe(before, eve.seat)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(first.plays())
            tasks.create_task(late.plays())
    log = store.log
    assert audit(log).finding is None
    for keeper in (first, late):
        assert check(keeper.receipts(table.game_id), log) is None
    taken = next(i for i, e in enumerate(store.events) if isinstance(e, SeatTakenOver))
    assert store.events[taken] == SeatTakenOver(eve.seat, "Eve", SeatKind.PERSON)
    assert Agent.SEAT in deciders(store.events[taken:], eve.seat)
    assert set(deciders(store.events[taken:], eve.seat)) == {Agent.SEAT}


def test_what_a_server_did_behind_the_takers_back_is_found_by_its_receipts() -> None:
    asyncio.run(_found())


async def _found() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table, ann = await under_way(venue)
        eve = await take_over(venue, table.name)
        late = Keeper(venue, eve)
        await late.sits()
        async with venue.stream(ann) as stream:
            await stream.attach()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(plays_on(stream))
                tasks.create_task(late.plays())
    sent = [receipt for receipt in late.kept if isinstance(receipt, CommandSent)]
    played = next(receipt for receipt in sent if isinstance(receipt.command, PlayCard))
    late.kept = [receipt for receipt in late.kept if not is_of(receipt, played)]
    finding = check(late.receipts(table.game_id), store.log)
    cards = [i for i, e in enumerate(store.events, 1) if isinstance(e, CardPlayed)]
    assert finding is not None
    assert finding.seq == next(i for i in cards if store.events[i - 1] == card_of(played))


def is_of(receipt: Receipt, sent: CommandSent) -> bool:
    """Whether a receipt is of this command."""
    match receipt:
        case CommandSent(_, command) | CommandDone(_, command):
            return command == sent.command
        case _:
            return False


def card_of(sent: CommandSent) -> CardPlayed:
    """What becomes of it in the log."""
    assert isinstance(sent.command, PlayCard)
    return CardPlayed(sent.command.seat, sent.command.card)


def test_who_takes_over_sees_what_the_seat_has_seen_and_nothing_else() -> None:
    asyncio.run(_sees())


async def _sees() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue, people(venue, PASS) as streams:
        host, victim = streams[0].sitter, streams[2]
        for stream in streams:
            await stream.send(stream.choice(legal))
            for each in streams:
                await each.next()
        before = shown_to(victim)
        await remove(venue, host, 2)
        eve = await take_over(venue, host.table)
        assert eve.seat == 2
        async with venue.stream(eve) as stream:
            attached = await stream.attach()
            assert list(attached.records[: len(before)]) == before
            assert decode_view(attached.view) == observe(
                state_after(store.log[: attached.seq]), eve.seat
            )


def shown_to(stream: SeatStream) -> list[bytes]:
    """All records that a stream was shown."""
    told = [(*each.attached.records, *each.update.records) for each in stream.received]
    return [data for records in told for data in records]


def test_a_removed_persons_seat_is_taken_over_with_all_of_the_time_and_is_not_away() -> None:
    asyncio.run(_removed_seat())


async def _removed_seat() -> None:
    store, clock = HeardStore(), VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        people(venue, PASS) as streams,
    ):
        host = streams[0].sitter
        for stream in streams[:3]:
            await stream.send(stream.choice(legal))
            for each in streams:
                await each.next()
        pausing = lobby_pb2.PauseTableRequest(table=host.table, token=host.token)
        await venue.lobby.PauseTable(pausing)  # so that the autopilot leaves the pass to Eve
        await remove(venue, host, 3)
        eve = await take_over(venue, host.table, "Eve")
        assert eve.seat == 3
        resuming = lobby_pb2.ResumeTableRequest(table=host.table, token=host.token)
        await venue.lobby.ResumeTable(resuming)
        async with venue.stream(eve) as stream:
            attached = await stream.attach()
            assert not any(attached.view.away)
            assert attached.prompt.ask == pb.ASK_PASS
            assert attached.prompt.deadline == later(clock.now(), 2 * TURN)
            await stream.send(stream.choice(legal))
            assert (await stream.next()).update.HasField("acknowledgement")
        assert store.all_of(SeatAway) == [SeatAway(Seat(3), Absence.REMOVED)]


def test_who_was_removed_cannot_use_the_token_after_somebody_else_has_the_seat() -> None:
    asyncio.run(_old_token())


async def _old_token() -> None:
    async with open_venue(premises_of(), TIMED) as venue, people(venue) as streams:
        host, victim = streams[0].sitter, streams[1].sitter
        await remove(venue, host, 1)
        eve = await take_over(venue, host.table)
        async with venue.stream(victim) as stream:
            assert (await denied(stream.attach())).reason == "BAD_TOKEN"
        async with venue.stream(eve) as stream:
            await stream.attach()


@pytest.mark.parametrize("who", ["there", "disconnected", "left", "a bot"])
def test_nobody_takes_over_somebodys_seat(who: str) -> None:
    asyncio.run(_somebodys(who))


async def _somebodys(who: str) -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table = await opened(venue, PASS)
        ann = await venue.sit(table.name, "Ann")
        if who == "a bot":
            ben = await bot_at(venue, table.name, "Ben")
        else:
            ben = await venue.sit(table.name, "Ben")
        for _ in range(2):
            await venue.add_house_bot(ann)
        await venue.start(ann)
        async with venue.stream(ben) as stream:
            if who == "there":
                await stream.attach()
            if who == "left":
                await leave(venue, ben)
            told = await denied(take_over(venue, table.name, seat=ben.seat))
        assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "SEAT_OCCUPIED")
        assert store.all_of(SeatTakenOver) == []
        async with venue.stream(ben) as stream:
            await stream.attach()


def test_where_every_seat_is_somebodys_there_is_none_to_take_over() -> None:
    asyncio.run(_none_to_take())


async def _none_to_take() -> None:
    async with open_venue(premises_of(), TIMED) as venue, people(venue) as streams:
        told = await denied(take_over(venue, streams[0].sitter.table))
        assert (told.code, told.reason) == (StatusCode.FAILED_PRECONDITION, "SEAT_OCCUPIED")


def test_before_the_start_and_after_the_end_seats_are_not_taken_over() -> None:
    asyncio.run(_not_then())


async def _not_then() -> None:
    async with open_venue(premises_of(), TIMED) as venue:
        table = await opened(venue, PASS)
        ann = await venue.sit(table.name, "Ann")
        for _ in range(3):
            await venue.add_house_bot(ann)
        assert (await denied(take_over(venue, table.name))).reason == "WRONG_PHASE"
        async with venue.stream(ann) as stream:
            await stream.attach()
            await venue.start(ann)
            await plays_on(stream)
        assert (await denied(take_over(venue, table.name))).reason == "WRONG_PHASE"


def test_a_repeated_request_gives_the_same_seat_and_token_also_after_a_restart() -> None:
    asyncio.run(_repeated())


async def _repeated() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table, _ = await under_way(venue)
        first = await take_over(venue, table.name, request_id=REQUEST)
        assert await take_over(venue, table.name, request_id=REQUEST) == first
        other = await take_over(venue, table.name, "Fay", request_id=REQUEST[::-1])
        assert other.seat != first.seat
        told = await denied(take_over(venue, table.name, "Mallory", request_id=REQUEST))
        assert told.reason == "ANOTHER_REQUEST"
    async with open_venue(premises_of(store, draws=Draws("again")), TIMED) as venue:
        assert await take_over(venue, table.name, request_id=REQUEST) == first
        async with venue.stream(first) as stream:
            await stream.attach()
    assert len(store.all_of(SeatTakenOver)) == 2


def test_the_house_bot_says_nothing_more_once_its_seat_is_a_persons() -> None:
    asyncio.run(_bot_is_quiet())


async def _bot_is_quiet() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table, ann = await under_way(venue)
        takers = [await take_over(venue, table.name, name) for name in ("Eve", "Fay", "Gil")]
        streams = [SeatStream(venue.channel, sitter) for sitter in (ann, *takers)]
        for stream in streams:
            await stream.attach()
        after = len(store.events)
        async with asyncio.TaskGroup() as tasks:
            for stream in streams:
                tasks.create_task(plays_on(stream))
    assert isinstance(store.events[-1], LogSealed)
    assert {e.by for e in store.events[after:] if isinstance(e, CardPlayed)} == {Agent.SEAT}
    sent = sum(r.update.HasField("acknowledgement") for s in streams for r in s.received)
    assert sum(isinstance(e, CardPlayed) for e in store.events) <= sent
    assert audit(store.log).finding is None


def test_who_took_a_seat_over_keeps_it_in_the_next_game() -> None:
    asyncio.run(_next_game())


async def _next_game() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        table, ann = await under_way(venue)
        eve = await take_over(venue, table.name)
        await _play(venue, ann, eve)
        for sitter in (ann, eve):
            again = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=sitter.token)
            assert (await venue.lobby.PlayAgain(again)).seat == sitter.seat
        assert _sitting(store.events) == {
            (0, "Ann"): SeatKind.PERSON,
            (1, "Eve"): SeatKind.PERSON,
            (2, "Ben"): SeatKind.HOUSE,
            (3, "Cleo"): SeatKind.HOUSE,
        }
        await _play(venue, ann, eve)
    assert audit(store.log).finding is None


async def _play(venue: Venue, *sitters: Sitter) -> None:
    """These play to the end of the game."""
    async with asyncio.TaskGroup() as tasks:
        for sitter in sitters:
            stream = SeatStream(venue.channel, sitter)
            await stream.attach()
            tasks.create_task(plays_on(stream))


def _sitting(events: Sequence[Event]) -> dict[tuple[int, str], SeatKind]:
    seats = [event for event in events if isinstance(event, SeatTaken)]
    return {(event.seat, event.name): event.kind for event in seats}


def test_who_was_removed_has_no_seat_in_the_next_game_and_it_is_free() -> None:
    asyncio.run(_no_seat_next())


async def _no_seat_next() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store), TIMED) as venue:
        async with people(venue) as streams:
            host, victim = streams[0].sitter, streams[3].sitter
            await remove(venue, host, 3)
            async with asyncio.TaskGroup() as tasks:
                for stream in streams[:3]:
                    tasks.create_task(plays_on(stream))
        again = lobby_pb2.PlayAgainRequest(table=host.table, seat_token=victim.token)
        assert (await denied(venue.lobby.PlayAgain(again))).reason == "BAD_TOKEN"
        again = lobby_pb2.PlayAgainRequest(table=host.table, seat_token=host.token)
        await venue.lobby.PlayAgain(again)
        assert (await venue.sit(host.table, "Eve", seat=3)).seat == 3
