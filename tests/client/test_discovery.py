"""What one can join from here: what servers answer, never what is only said of them."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

import pytest
from grpc import StatusCode

from hearts_client.connection import ServerError
from hearts_client.discovery import (
    ANSWER_TIME,
    CannotListen,
    Sighting,
    Surroundings,
    look_around,
)
from hearts_client.invite import Invite
from hearts_client.lobby import TableInfo
from hearts_engine.rules import Rules
from hearts_wire.announcement import Announcement

HERE = Invite("127.0.0.1", 4246)
KEY = "a" * 32


@dataclass
class Ears:
    """Hears what it is told to."""

    heard: tuple[Sighting, ...] = ()
    deaf: bool = False

    async def sightings(self) -> tuple[Sighting, ...]:
        if self.deaf:
            raise CannotListen("no cable")
        return self.heard


def sighting(name: str, *hosts: str, fingerprint: str | None = KEY) -> Sighting:
    return Sighting(hosts, 4246, Announcement.of(name, fingerprint, ["oak-1"]))


def table(game_id: str, name: str = "oak-1") -> TableInfo:
    return TableInfo(name, game_id, Rules(), (), seating=True, over=False)


def around(ears: Ears | None, answers: Mapping[str, TableInfo]) -> Surroundings:
    """What is found where servers answer at these hosts, and at no others."""

    async def ask(invite: Invite) -> tuple[TableInfo, ...]:
        if invite.host not in answers:
            raise ServerError(StatusCode.UNAVAILABLE, "UNREACHABLE", f"nobody at {invite.host}")
        return (answers[invite.host],)

    return asyncio.run(look_around(ears, HERE, ask))


def test_a_server_on_the_network_is_offered_with_the_fingerprint_that_it_announced() -> None:
    found = around(Ears((sighting("den", "10.0.0.5"),)), {"10.0.0.5": table("g1")})
    (server,) = found.servers
    assert server.invite == Invite("10.0.0.5", 4246, fingerprint=KEY)
    assert server.name == "den"
    assert server.tables == (table("g1"),)


def test_a_server_is_reached_at_whichever_of_its_addresses_leads_to_it() -> None:
    heard = Ears((sighting("den", "172.17.0.1", "10.0.0.5"),))
    (server,) = around(heard, {"10.0.0.5": table("g1")}).servers
    assert server.invite.host == "10.0.0.5"


def test_a_server_that_does_not_answer_is_not_offered_but_said() -> None:
    found = around(Ears((sighting("den", "10.0.0.5"),)), {})
    assert found.servers == ()
    assert [(each.name, each.why) for each in found.silent] == [("den", "nobody at 10.0.0.5")]


def test_a_server_on_this_machine_is_offered_without_any_network() -> None:
    for ears in (None, Ears(), Ears(deaf=True)):
        found = around(ears, {"127.0.0.1": table("g1")})
        assert [server.invite for server in found.servers] == [HERE]


def test_no_server_here_is_nothing_to_speak_of() -> None:
    assert around(None, {}) == Surroundings(())


def test_a_network_that_cannot_be_listened_to_is_said() -> None:
    assert around(Ears(deaf=True), {}).deaf == "no cable"


def test_a_server_here_that_is_announced_too_is_offered_once() -> None:
    heard = Ears((sighting("den", "10.0.0.5"), sighting("attic", "10.0.0.6")))
    answers = {"127.0.0.1": table("g1"), "10.0.0.5": table("g1"), "10.0.0.6": table("g2")}
    found = around(heard, answers)
    assert [server.invite.host for server in found.servers] == ["127.0.0.1", "10.0.0.6"]


def test_a_server_cannot_write_on_the_terminal_by_its_name() -> None:
    trick = Sighting(("10.0.0.5",), 4246, Announcement("de\x1b[2Jn\u202e", None))
    (server,) = around(Ears((trick,)), {"10.0.0.5": table("g1")}).servers
    assert server.name == "de[2Jn"


def test_a_server_that_never_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(invite: Invite) -> tuple[TableInfo, ...]:
        await asyncio.get_running_loop().create_future()
        return ()

    monkeypatch.setattr("hearts_client.discovery.ANSWER_TIME", ANSWER_TIME / 1000)
    found = asyncio.run(look_around(Ears((sighting("den", "10.0.0.5"),)), HERE, never))
    assert [each.why for each in found.silent] == ["no server answers at 10.0.0.5:4246"]
