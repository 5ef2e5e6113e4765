"""The server as a whole: where it listens, what it says of itself, how it ends."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest
from grpc import aio
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_reflection.v1alpha.reflection_pb2 import (
    ServerReflectionRequest,
    ServerReflectionResponse,
)

from hearts_replays.memory import MemoryStore
from hearts_server.app import CannotListen, Plaintext, serving
from hearts_server.certificate import Certificate, new_certificate
from hearts_server.journal import Premises
from hearts_server.policy import Policy
from hearts_server.testing.callers import Venue, open_venue
from hearts_server.testing.premises import premises_of
from hearts_server.testing.stores import TroubledStore
from hearts_wire.hosts import with_port

Check = aio.UnaryUnaryMultiCallable[HealthCheckRequest, HealthCheckResponse]
Watch = aio.UnaryStreamMultiCallable[HealthCheckRequest, HealthCheckResponse]
Reflect = aio.StreamStreamMultiCallable[ServerReflectionRequest, ServerReflectionResponse]

SERVICES = {
    "hearts.v1.LobbyService",
    "hearts.v1.TableService",
    "hearts.v1.ReplayService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1alpha.ServerReflection",
}


def test_every_service_and_the_server_itself_are_said_to_be_serving() -> None:
    asyncio.run(_healthy())


async def _healthy() -> None:
    async with open_venue(premises_of()) as venue:
        check: Check = venue.channel.unary_unary(
            "/grpc.health.v1.Health/Check",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=HealthCheckResponse.FromString,
        )
        for name in ("", *(service for service in SERVICES if service.startswith("hearts"))):
            answer = await check(HealthCheckRequest(service=name))
            assert answer.status == HealthCheckResponse.SERVING


def test_whoever_watches_the_health_of_a_server_hears_that_it_is_about_to_stop() -> None:
    asyncio.run(_draining())


async def _draining() -> None:
    async with asyncio.TaskGroup() as tasks:
        server = Server()
        tasks.create_task(server.run(premises_of()))
        venue = await server.venue
        async with aio.insecure_channel(venue.listening.address) as channel:
            watch: Watch = channel.unary_stream(
                "/grpc.health.v1.Health/Watch",
                request_serializer=HealthCheckRequest.SerializeToString,
                response_deserializer=HealthCheckResponse.FromString,
            )
            told = aiter(watch(HealthCheckRequest(service="hearts.v1.TableService")))
            assert (await anext(told)).status == HealthCheckResponse.SERVING
            server.stop.set()
            assert (await anext(told)).status == HealthCheckResponse.NOT_SERVING


class Server:
    """A server in a task of its own, until it is told to stop."""

    def __init__(self) -> None:
        self.venue: asyncio.Future[Venue] = asyncio.get_running_loop().create_future()
        self.stop = asyncio.Event()

    async def run(self, premises: Premises) -> None:
        async with open_venue(premises) as venue:
            self.venue.set_result(venue)
            await self.stop.wait()


def test_a_server_that_stops_does_first_what_was_asked_of_its_tables() -> None:
    asyncio.run(_stops_last())


async def _stops_last() -> None:
    inner = MemoryStore()
    store = TroubledStore(inner)
    async with asyncio.TaskGroup() as tasks:
        server = Server()
        running = tasks.create_task(server.run(premises_of(store)))
        listening = (await server.venue).listening
        async with aio.insecure_channel(listening.address) as channel:
            venue = Venue(listening, channel)
            table = await venue.table()
            store.hold_appends()
            sitting = tasks.create_task(_sit_if_possible(venue, table.name))
            await store.append_is_held()
            server.stop.set()
            await sitting
            assert not running.done(), "the call is over, its seat is not on disk yet"
            store.let_appends_go()
    (records,) = inner.games.values()
    assert len(records) == 2, "the seat that was asked for in time is in the log"


async def _sit_if_possible(venue: Venue, table: str) -> None:
    with suppress(aio.AioRpcError):
        await venue.sit(table)


def test_reflection_lists_every_service() -> None:
    assert asyncio.run(_listed()) == SERVICES


async def _listed() -> set[str]:
    async with open_venue(premises_of()) as venue:
        reflect: Reflect = venue.channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            request_serializer=ServerReflectionRequest.SerializeToString,
            response_deserializer=ServerReflectionResponse.FromString,
        )
        requests = iter([ServerReflectionRequest(list_services="")])
        (answer,) = [each async for each in reflect(requests)]
        return {service.name for service in answer.list_services_response.service}


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.20", "example.com", "127.1"])
def test_without_tls_only_addresses_of_this_machine_alone_are_listened_on(host: str) -> None:
    with pytest.raises(CannotListen, match="not encrypted"):
        asyncio.run(_listen(host, 0))


@pytest.mark.parametrize("host", ["", "two words", "a/b", "127.0.0.1:80"])
def test_what_is_no_address_is_not_listened_on(host: str) -> None:
    with pytest.raises(CannotListen, match="no name or address"):
        asyncio.run(_listen(host, 0))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_loopback_can_be_listened_on(host: str) -> None:
    asyncio.run(_listen(host, 0))


async def _listen(
    host: str, port: int, security: Certificate | Plaintext = Plaintext.ON_LOOPBACK
) -> None:
    async with serving(premises_of(), host, port, Policy(resumes=True), security) as listening:
        assert listening.address == with_port(host, listening.port)
        if isinstance(security, Certificate):
            assert listening.fingerprint == security.fingerprint
        else:
            assert listening.fingerprint is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::1", "127.0.0.1"])
def test_with_tls_any_address_can_be_listened_on(host: str) -> None:
    asyncio.run(_listen(host, 0, new_certificate()))


def test_without_tls_others_are_let_in_where_someone_asks_for_it_in_so_many_words() -> None:
    asyncio.run(_listen("0.0.0.0", 0, Plaintext.ANYWHERE))


def test_an_ipv6_address_is_told_with_its_port_as_it_can_be_typed() -> None:
    asyncio.run(_listen_on_ipv6())


async def _listen_on_ipv6() -> None:
    async with serving(premises_of(), "::1", 0, Policy(resumes=True)) as listening:
        assert listening.address == f"[::1]:{listening.port}"


def test_a_port_in_use_is_said_to_be_so() -> None:
    asyncio.run(_port_in_use())


async def _port_in_use() -> None:
    async with open_venue(premises_of()) as venue:
        with pytest.raises(CannotListen, match="another port"):
            await _listen("127.0.0.1", venue.listening.port)


def test_what_goes_wrong_beside_the_server_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(_goes_wrong())


async def _goes_wrong() -> None:
    async with serving(premises_of(), "127.0.0.1", 0, Policy(resumes=True)):
        raise ZeroDivisionError


def test_no_task_outlives_the_server() -> None:
    asyncio.run(_leaves_nothing())


async def _leaves_nothing() -> None:
    before = asyncio.all_tasks()
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        sitter = await venue.sit(table.name)
        for _ in range(3):
            await venue.add_house_bot(sitter)
        await venue.start(sitter)
        async with venue.stream(sitter) as stream:
            await stream.attach()
    left = {task for task in asyncio.all_tasks() - before if "table" in task.get_name()}
    assert not left
