"""Nobody is told anything before it is on disk, whatever it was that was done."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace

import pytest

from hearts_engine import events as e
from hearts_engine.cards import PACK, Seat
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import events_pb2, lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import NO_HEAD, extend
from hearts_replays.log import EventLog, GameLog, Position, SecretStore, TableStore
from hearts_replays.memory import MemoryStore
from hearts_server.notices import Attached, Notice, Pulse, Update
from hearts_server.subscriber import Subscriber
from hearts_server.testing.callers import GENEROUS, SeatStream, Sitter, Venue, at_random, open_venue
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_server.timekeeper import REVEAL_TIME
from hearts_wire.records import decode_record
from hearts_wire.views import decode_view

TURNS = 25
"""Of the loop, that each append takes: whoever does not wait for it would be caught."""

EARLY = 30
"""Messages, after which the game that is played may soon be over."""

TIMED = replace(GENEROUS, turn_seconds=30, bot_seconds=20)
SECONDS = 60.0


class SlowStore:
    """A store whose appends take their time, and which knows every head of what it holds."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.heads = {NO_HEAD}
        self.told_too_early: list[Notice] = []
        self.told = 0

    @property
    def logs(self) -> EventLog:
        return _SlowLogs(self, self.inner.logs)

    @property
    def secrets(self) -> SecretStore:
        return self.inner.secrets

    @property
    def tables(self) -> TableStore:
        return self.inner.tables

    async def close(self) -> None:
        await self.inner.close()

    @property
    def kinds(self) -> set[type[e.Event]]:
        """What is told in its logs."""
        logs = self.inner.games.values()
        return {type(decode_record(data).event) for log in logs for data in log}

    def check(self, notice: Notice) -> None:
        """Note whether what a receiver is told now is on disk."""
        match notice:
            case Attached() | Update() | Pulse():
                self.told += 1
                if notice.head not in self.heads:
                    self.told_too_early.append(notice)
            case _:
                pass


@dataclass(frozen=True)
class _SlowLogs:
    store: SlowStore
    inner: EventLog

    async def open(self, game_id: str) -> GameLog:
        return _SlowLog(self.store, game_id, await self.inner.open(game_id))

    async def games(self) -> tuple[str, ...]:
        return await self.inner.games()


@dataclass(frozen=True)
class _SlowLog:
    store: SlowStore
    game_id: str
    inner: GameLog

    @property
    def length(self) -> int:
        return self.inner.length

    async def append(self, records: Sequence[bytes]) -> Position:
        for _ in range(TURNS):
            await asyncio.sleep(0)
        position = await self.inner.append(records)
        head = NO_HEAD
        for record in self.store.inner.games[self.game_id]:
            head = extend(head, record)
            self.store.heads.add(head)
        return position

    async def read(self, after: int = 0, limit: int | None = None) -> tuple[bytes, ...]:
        return await self.inner.read(after, limit)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> SlowStore:
    """A slow store; whatever any receiver is told is held against it."""
    slow, tell = SlowStore(), Subscriber.tell

    def checked(subscriber: Subscriber, notice: Notice) -> None:
        slow.check(notice)
        tell(subscriber, notice)

    monkeypatch.setattr(Subscriber, "tell", checked)
    return slow


async def plays(stream: SeatStream, seed: int) -> None:
    """Answer whatever is asked, with a claim where one may be made, to the end of the game.

    Whoever is not asked wants to know, at first, where the log stands while others are answered.
    """
    choose, claimed = at_random(random.Random(seed)), 0
    while not (stream.received and stream.received[-1].HasField("detached")):
        prompt = stream.prompt
        if prompt is not None:
            view = decode_view(prompt.view)
            if prompt.ask == pb.ASK_CARD and not view.trick.cards and claimed != prompt.prompt_seq:
                claimed = prompt.prompt_seq
                claim = pb.ClaimRest(prompt_seq=prompt.prompt_seq)
                await stream.send(pb.PlayRequest(claim_rest=claim))
            else:
                await stream.send(stream.choice(choose))
                stream.prompt = None
        elif len(stream.received) < EARLY:
            await stream.send(pb.PlayRequest(heartbeat=pb.Heartbeat()))
        await stream.next()


async def sits(venue: Venue, stack: AsyncExitStack, sitter: Sitter) -> SeatStream:
    stream = await stack.enter_async_context(venue.stream(sitter))
    await stream.attach()
    return stream


def test_nobody_is_told_of_a_whole_game_before_it_is_on_disk(store: SlowStore) -> None:
    asyncio.run(_whole_game(store))
    assert store.told > 100
    assert store.told_too_early == []
    assert store.kinds >= {
        *(e.GameOpened, e.SeatTaken, e.SeatLeft, e.SeatsFrozen, e.EntropyRevealed),
        *(e.EntropyWithheld, e.DealBegan, e.HandDealt, e.SeatReady, e.PassChosen, e.CardsPassed),
        *(e.PlayBegan, e.CardPlayed, e.TrickTaken, e.HandShown, e.SecretRevealed),
        *(e.DealScored, e.GameEnded, e.LogSealed),
    }


async def _whole_game(store: SlowStore) -> None:
    clock = VirtualClock()
    async with (
        open_venue(premises_of(store, clock)) as venue,
        AsyncExitStack() as stack,
        asyncio.timeout(SECONDS),
    ):
        table = (await venue.table(parse_rules("black_lady deals=2"))).name
        ann = await venue.sit(table, "Ann", entropy=b"a" * 32)
        ben = await venue.sit(table, "Ben")
        streams = [await sits(venue, stack, ann), await sits(venue, stack, ben)]
        bot = await venue.add_house_bot(ann)
        removing = lobby_pb2.RemoveSeatRequest(table=table, token=ann.token, seat=bot)
        await venue.lobby.RemoveSeat(removing)
        leaving = lobby_pb2.LeaveTableRequest(table=table, seat_token=ben.token)
        await venue.lobby.LeaveTable(leaving)
        silent = await venue.sit(table, "Cleo", entropy=b"c" * 32)
        others = [await venue.sit(table, name) for name in ("Dan", "Eve")]
        streams = [streams[0], *[await sits(venue, stack, other) for other in others]]
        await venue.start(ann)
        withholding = await sits(venue, stack, silent)
        withholding.prompt = None
        async with asyncio.TaskGroup() as tasks:
            for number, stream in enumerate(streams):
                tasks.create_task(plays(stream, number))
            while not (withholding.received[-1].update.records):  # until the other has revealed
                await withholding.next()
            clock.advance(REVEAL_TIME)
            await plays(withholding, 9)


ONE_EACH = {"3C", "4C", "5C", "AH"}
"""Whoever takes the only heart has shot the moon."""
THREE_EACH = {f"{rank}{suit}" for rank in "JQKA" for suit in "CDH"}
"""Whoever leads with three aces can claim the rest."""


@pytest.mark.parametrize(
    ("cards", "kinds"),
    [(ONE_EACH, {e.MoonOffered, e.MoonChosen}), (THREE_EACH, {e.RestClaimed})],
    ids=["a moon", "a claim"],
)
def test_nobody_is_told_before_it_is_on_disk_of(
    cards: set[str], kinds: set[type[e.Event]], store: SlowStore
) -> None:
    asyncio.run(_short_deals(store, cards))
    assert store.told_too_early == []
    assert store.kinds >= kinds


async def _short_deals(store: SlowStore, cards: set[str]) -> None:
    removed = ",".join(str(card) for card in PACK if str(card) not in cards)
    rules = parse_rules(f"plain_hearts deals=12 moon=choose removed={removed}")
    async with open_venue(premises_of(store)) as venue, asyncio.timeout(SECONDS):
        table = await venue.table(rules)
        async with venue.seated(table.name) as streams, asyncio.TaskGroup() as tasks:
            await venue.start(streams[0].sitter)
            for number, stream in enumerate(streams):
                tasks.create_task(plays(stream, number))


def test_nobody_is_told_who_is_away_or_back_or_new_before_it_is_on_disk(store: SlowStore) -> None:
    asyncio.run(_away_and_back(store))
    assert store.told_too_early == []
    assert store.kinds >= {
        *(e.SeatAway, e.SeatBack, e.SeatTakenOver, e.ClocksStopped, e.ClocksStarted),
    }


async def _away_and_back(store: SlowStore) -> None:
    clock = VirtualClock()
    async with (
        open_venue(premises_of(store, clock), TIMED) as venue,
        AsyncExitStack() as stack,
        asyncio.timeout(SECONDS),
    ):
        table = (await venue.table(parse_rules("black_lady deals=1"))).name
        ann, ben = await venue.sit(table, "Ann"), await venue.sit(table, "Ben")
        for _ in range(2):
            await venue.add_house_bot(ann)
        host = await sits(venue, stack, ann)
        await sits(venue, stack, ben)
        await venue.start(ann)
        pausing = lobby_pb2.PauseTableRequest(table=table, token=ann.token)
        await venue.lobby.PauseTable(pausing)
        resuming = lobby_pb2.ResumeTableRequest(table=table, token=ann.token)
        await venue.lobby.ResumeTable(resuming)
        leaving = lobby_pb2.LeaveTableRequest(table=table, seat_token=ben.token)
        await venue.lobby.LeaveTable(leaving)
        taking = lobby_pb2.TakeOverSeatRequest(
            table=table, name="Cleo", kind=events_pb2.SEAT_KIND_PERSON
        )
        taken = await venue.lobby.TakeOverSeat(taking)
        cleo = Sitter(table, Seat(taken.seat), taken.seat_token)
        async with asyncio.TaskGroup() as tasks:
            for stream in (host, await sits(venue, stack, ben), await sits(venue, stack, cleo)):
                tasks.create_task(plays(stream, stream.sitter.seat))
