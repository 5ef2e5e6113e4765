"""A server is known on the local network exactly while it is there, by what is so."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from hearts_engine.events import SeatKind
from hearts_server.admission import Knock, Newcomer
from hearts_server.app import serving
from hearts_server.beacon import PAUSE, RETRY, Beacon, CannotAnnounce, announced
from hearts_server.policy import Policy
from hearts_server.testing.entries import entries
from hearts_server.testing.premises import VirtualClock, premises_of
from hearts_wire.announcement import Announcement

NEWS = Announcement.of("den", None, ["oak-1"])
OTHER_NEWS = Announcement.of("den", None, [])


class Street:
    """A local network that writes down what is said on it; it may be down."""

    def __init__(self, *, down: bool = False) -> None:
        self.down = down
        self.here: tuple[str, ...] = ("192.0.2.1",)
        self.said: list[Announcement | None] = []
        self.places: list[tuple[str, ...]] = []

    async def addresses(self) -> tuple[str, ...]:
        return self.here

    async def announce(self, announcement: Announcement, addresses: tuple[str, ...]) -> None:
        if self.down:
            raise CannotAnnounce("the cable is out")
        self.said.append(announcement)
        self.places.append(addresses)

    async def withdraw(self) -> None:
        if self.said and self.said[-1] is not None:
            self.said.append(None)


def test_what_changes_is_announced_and_what_does_not_is_said_once() -> None:
    asyncio.run(_announced_as_it_changes())


async def _announced_as_it_changes() -> None:
    clock, street, so = VirtualClock(), Street(), NEWS
    async with announced(Beacon(clock, street, lambda: so)):
        await clock.is_waited_for()
        assert street.said == [NEWS]
        await _later(clock)
        assert street.said == [NEWS]
        so = OTHER_NEWS
        await _later(clock)
        assert street.said == [NEWS, OTHER_NEWS]
    assert street.said == [NEWS, OTHER_NEWS, None]


def test_a_server_that_moves_to_another_network_is_announced_there() -> None:
    asyncio.run(_moved())


async def _moved() -> None:
    clock, street = VirtualClock(), Street()
    async with announced(Beacon(clock, street, lambda: NEWS)):
        await clock.is_waited_for()
        street.here = ("198.51.100.7",)
        await _later(clock)
        assert street.said == [NEWS, None, NEWS]
        assert street.places == [("192.0.2.1",), ("198.51.100.7",)]


def test_a_network_that_is_down_is_one_line_and_not_the_end_of_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO):
        said = asyncio.run(_plugged_in_later())
    assert said == [NEWS, None]
    told = [(each["entry"], each.get("network_says")) for each in entries(caplog.records)]
    assert told == [("not_announced", "the cable is out"), ("announced", None)]


async def _plugged_in_later() -> list[Announcement | None]:
    clock, street = VirtualClock(), Street(down=True)
    async with announced(Beacon(clock, street, lambda: NEWS)):
        await clock.is_waited_for()
        for _ in range(3):
            clock.advance(RETRY)
            await clock.is_waited_for()
        street.down = False
        clock.advance(RETRY)
        await clock.is_waited_for()
    return street.said


def test_a_fault_of_the_beacon_is_logged_and_does_not_end_the_server(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails() -> Announcement:
        raise ZeroDivisionError

    assert asyncio.run(_said_while(fails)) == []
    (entry,) = entries(caplog.records, "not_announced")
    assert "ZeroDivisionError" in str(entry["trace"])


async def _said_while(now_so: Callable[[], Announcement]) -> list[Announcement | None]:
    street = Street()
    async with announced(Beacon(VirtualClock(), street, now_so)):
        await asyncio.sleep(0)
    return street.said


async def _later(clock: VirtualClock) -> None:
    clock.advance(PAUSE)
    await clock.is_waited_for()


def test_a_full_table_is_offered_to_nobody() -> None:
    asyncio.run(_filled())


async def _filled() -> None:
    async with serving(premises_of(), "127.0.0.1", 0, Policy(resumes=True)) as listening:
        lobby = listening.lobby
        assert lobby.open_tables() == ()
        table, token = await lobby.create()
        assert lobby.open_tables() == (table.facts.name,)
        async with lobby.admission(table.facts.name) as admission:
            await admission.join(Newcomer("Ann", SeatKind.PERSON), Knock())
        async with lobby.hosting(table.facts.name) as hosting:
            for _ in range(3):
                await hosting.add_house_bot(token, "easy", None)
        assert lobby.open_tables() == ()
