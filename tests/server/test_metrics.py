"""What monitoring reads: the counts of one server, exact, on a port of their own."""

from __future__ import annotations

import asyncio
import random
import threading
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.memory import MemoryStore
from hearts_replays.sqlite import SqliteStore
from hearts_server import metrics
from hearts_server.app import CannotListen
from hearts_server.journal import Premises
from hearts_server.meters import Meters, Spread
from hearts_server.metrics import metrics_on
from hearts_server.testing.callers import (
    SeatStream,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of

LOCAL = "127.0.0.1"

Samples = Mapping[tuple[str, str], float]
"""By name and the value of the one label, if there is one."""


def read(port: int) -> Samples:
    """What Prometheus would read."""
    with urllib.request.urlopen(f"http://{LOCAL}:{port}/metrics", timeout=20) as answer:
        text = answer.read().decode()
    return {
        (sample.name, next(iter(sample.labels.values()), "")): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_every_count_is_what_was_done() -> None:
    asyncio.run(_counted())


async def _counted() -> None:
    store = MemoryStore()
    premises = premises_of(store)
    async with (
        open_venue(premises) as venue,
        metrics_on(premises.meters, venue.listening.lobby.census, LOCAL, 0) as port,
    ):
        table = await venue.table(parse_rules("black_lady deals=1"))
        await venue.table()
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, at_random(random.Random(1)), at_most=4)
            leader = next(stream for stream in streams if stream.prompt)
            assert leader.prompt is not None
            nothing = pb.PlayCard(prompt_seq=leader.prompt.prompt_seq, card=51)
            refusal = await leader.refusal(pb.PlayRequest(play_card=nothing))
            wrong = lobby_pb2.LeaveTableRequest(table=table.name, seat_token="x")
            await denied(venue.lobby.LeaveTable(wrong))
            async with venue.stream(streams[3].sitter) as again:
                await again.attach()
                await streams[3].rest()
                during = await asyncio.to_thread(read, port)
                newest: list[SeatStream] = [*streams[:3], again]
                await play_on(newest, at_random(random.Random(2)))
                for stream in newest:
                    await stream.rest()
        after = await asyncio.to_thread(read, port)
    assert during["hearts_tables", "playing"] == during["hearts_tables", "seating"] == 1
    assert during["hearts_attached_seats", ""] == 4
    assert during["hearts_attaches_total", ""] == 5
    assert during["hearts_detaches_total", "superseded"] == 1
    sat_down = 2 + 4 + 1  # two tables opened, four seats taken, one start
    assert during["hearts_commands_total", ""] == sat_down + 4
    assert during["hearts_refusals_total", refusal.reason] == 1
    assert during["hearts_refusals_total", "BAD_TOKEN"] == 1
    assert during["hearts_updates_total", ""] == 4 * (1 + 4), "the start and four passes, to four"
    assert after["hearts_attached_seats", ""] == 0
    assert after["hearts_detaches_total", "game_over"] == 4
    assert after["hearts_records_total", ""] == sum(map(len, store.games.values()))
    assert after["hearts_commands_total", ""] == sat_down + 4 + 52
    assert after["hearts_tables", "over"] == 0


def test_servers_in_one_process_count_apart() -> None:
    asyncio.run(_apart())


async def _apart() -> None:
    busy, idle = premises_of(), premises_of()
    async with (
        open_venue(busy) as venue,
        open_venue(idle) as other,
        metrics_on(busy.meters, venue.listening.lobby.census, LOCAL, 0) as port,
        metrics_on(idle.meters, other.listening.lobby.census, LOCAL, 0) as other_port,
    ):
        await venue.table()
        assert (await asyncio.to_thread(read, port))["hearts_records_total", ""] == 1
        assert (await asyncio.to_thread(read, other_port))["hearts_records_total", ""] == 0


def test_the_process_is_measured_too() -> None:
    asyncio.run(_process())


async def _process() -> None:
    async with metrics_on(Meters(), dict, LOCAL, 0) as port:
        told = await asyncio.to_thread(read, port)
    assert told["process_resident_memory_bytes", ""] > 1_000_000
    assert told["process_cpu_seconds_total", ""] > 0


def test_commits_are_measured_by_time_and_by_how_much_they_wrote(tmp_path: Path) -> None:
    asyncio.run(_commits(tmp_path))


async def _commits(folder: Path) -> None:
    meters = Meters()
    store = SqliteStore.open(folder, committed=meters.committed)
    base = premises_of()
    premises = Premises(store, base.key, base.clock, base.draw, meters)
    async with (
        open_venue(premises) as venue,
        metrics_on(meters, venue.listening.lobby.census, LOCAL, 0) as port,
    ):
        await venue.table()
        told = await asyncio.to_thread(read, port)
    await store.close()
    # A secret, a look at the log, its first record, and what is known of the table.
    assert told["hearts_commit_jobs_sum", ""] == 4
    commits = told["hearts_commit_seconds_count", ""]
    assert 1 <= commits == told["hearts_commit_jobs_count", ""] <= 4
    assert told["hearts_commit_seconds_sum", ""] > 0


def test_a_loop_that_is_late_is_seen_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "LAG_SECONDS", 0.001)
    lag = Awaited()
    asyncio.run(_late(lag))
    assert lag.total > 0


class Awaited(Spread):
    """Tells when it is added to."""

    def __init__(self) -> None:
        super().__init__((1.0,))
        self.added = asyncio.Event()

    def add(self, value: float) -> None:
        super().add(value)
        self.added.set()


async def _late(lag: Awaited) -> None:
    async with metrics_on(Meters(lag_seconds=lag), dict, LOCAL, 0), asyncio.timeout(20):
        await lag.added.wait()


def test_a_port_in_use_is_said_to_be_so_and_a_port_is_free_again_afterwards() -> None:
    threads = threading.active_count()
    asyncio.run(_in_use())
    assert threading.active_count() <= threads + 1, "asyncio's own thread may wait for more"


async def _in_use() -> None:
    async with metrics_on(Meters(), dict, LOCAL, 0) as port:
        with pytest.raises(CannotListen, match="choose another port"):
            async with metrics_on(Meters(), dict, LOCAL, port):
                pass
    async with metrics_on(Meters(), dict, LOCAL, port) as same:
        assert same == port


@pytest.mark.parametrize("host", ["no such host", "x" * 70 + ".example", "\ud800"])
def test_an_address_that_is_none_is_said_to_be_so(host: str) -> None:
    async def listen() -> None:
        async with metrics_on(Meters(), dict, host, 0):
            pass

    with pytest.raises(CannotListen, match="metrics cannot be served"):
        asyncio.run(listen())


def test_a_spread_counts_a_value_at_a_bound_below_it_and_one_beyond_all_in_the_last() -> None:
    spread = Spread((1.0, 2.0))
    for value in (0.5, 1.0, 1.5, 2.0, 9.0):
        spread.add(value)
    assert spread.up_to() == ((1.0, 2), (2.0, 4), (float("inf"), 5))
    assert spread.total == 14.0
