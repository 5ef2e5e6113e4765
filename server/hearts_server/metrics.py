"""What a server counts, for Prometheus to fetch from a port of its own."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from hearts_server.app import CannotListen
from hearts_server.logbook import Entry, about
from hearts_server.meters import Meters, Spread

log = logging.getLogger(__name__)

LAG_SECONDS: Final = 0.5
"""How often the event loop is asked whether it is late."""

Census = Callable[[], Mapping[str, int]]
"""How many tables are in memory, by status; called by the thread that answers Prometheus."""


class ServerMetrics(Collector):
    """Reads the counts of one server whenever they are asked for, and not before."""

    def __init__(self, meters: Meters, census: Census) -> None:
        self._meters = meters
        self._census = census

    def collect(self) -> Iterator[Metric]:
        """Every metric of the server as it stands."""
        meters = self._meters
        tables = "Tables in memory, by how far their game is."
        yield _by("hearts_tables", tables, "status", self._census(), GaugeMetricFamily)
        seats = "Streams that hold a seat, house bots apart."
        yield GaugeMetricFamily("hearts_attached_seats", seats, meters.attached)
        yield GaugeMetricFamily("hearts_watchers", "Streams of spectators.", meters.watching)
        done = "Commands carried out, of seats and of the tables themselves."
        yield CounterMetricFamily("hearts_commands", done, meters.commands)
        refused = "Requests and calls refused, by reason."
        yield _by("hearts_refusals", refused, "reason", meters.refusals, CounterMetricFamily)
        yield CounterMetricFamily("hearts_records", "Records written.", meters.records)
        told = "Updates told to receivers, house bots included."
        yield CounterMetricFamily("hearts_updates", told, meters.updates)
        came = "Streams that took a seat up."
        yield CounterMetricFamily("hearts_attaches", came, meters.attaches)
        ended = "Streams of seats that ended, by cause: superseded, too_slow, dropped ..."
        yield _by("hearts_detaches", ended, "cause", meters.detached, CounterMetricFamily)
        took = "Time that a transaction of the store took."
        yield _spread("hearts_commit_seconds", took, meters.commit_seconds)
        group = "What was committed in one transaction."
        yield _spread("hearts_commit_jobs", group, meters.commit_jobs)
        late = "How late the event loop came to what was due."
        yield _spread("hearts_loop_lag_seconds", late, meters.lag_seconds)


def registry_of(meters: Meters, census: Census) -> CollectorRegistry:
    """A registry of one server's own metrics and its process's."""
    registry = CollectorRegistry()
    registry.register(ServerMetrics(meters, census))
    ProcessCollector(registry=registry)
    return registry


@asynccontextmanager
async def metrics_on(
    meters: Meters, census: Census, host: str, port: int
) -> AsyncGenerator[int, None]:
    """The port, 0 for a free one, on which metrics are served until the block is left.

    A thread of its own answers, so that the tables need not wait. Raises ``CannotListen``.
    """
    try:
        server, thread = start_http_server(port, host, registry_of(meters, census))
    except (OSError, UnicodeError) as error:
        sentence = f"metrics cannot be served on {host}:{port}: {error}; choose another port"
        raise CannotListen(sentence) from error
    fields = about(host=host, port=server.server_port)
    log.info(Entry.METRICS_LISTENING, extra=fields)
    try:
        async with asyncio.TaskGroup() as tasks:
            asking = tasks.create_task(_ask_for_lag(meters.lag_seconds))
            try:
                yield server.server_port
            finally:
                asking.cancel()
    finally:
        await asyncio.to_thread(server.shutdown)
        server.server_close()
        thread.join()


async def _ask_for_lag(lag: Spread) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + LAG_SECONDS
        await asyncio.sleep(LAG_SECONDS)
        lag.add(max(0.0, loop.time() - due))


def _by(
    name: str,
    help_text: str,
    label: str,
    counts: Mapping[str, int],
    family: type[CounterMetricFamily | GaugeMetricFamily],
) -> Metric:
    metric = family(name, help_text, labels=[label])
    for value, count in sorted(dict(counts).items()):  # a copy: the loop goes on counting
        metric.add_metric([value], count)
    return metric


def _spread(name: str, help_text: str, spread: Spread) -> Metric:
    total = spread.total
    buckets = [("+Inf" if b == float("inf") else str(b), n) for b, n in spread.up_to()]
    return HistogramMetricFamily(name, help_text, buckets=buckets, sum_value=total)
