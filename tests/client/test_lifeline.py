"""A stream that says nothing any more is found out, by a clock of the test's own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from grpc import StatusCode

from hearts_client.connection import ServerError
from hearts_client.lifeline import Lifeline, until_silent


@dataclass
class Hours:
    """Time that passes only when somebody waits."""

    now: float = 0.0
    waits: list[float] = field(default_factory=list[float])
    at: Callable[[float], None] = lambda now: None

    def read(self) -> float:
        return self.now

    async def pause(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds
        self.at(self.now)
        await asyncio.sleep(0)


def test_a_server_that_says_nothing_for_45_seconds_is_taken_for_gone() -> None:
    hours, beats = Hours(), list[float]()
    line = Lifeline(hours.read, hours.pause)
    error = asyncio.run(line.silence(lambda: beats.append(hours.now)))
    assert hours.now == 45
    assert beats == [15, 30, 45]
    assert error.code is StatusCode.UNAVAILABLE, "so that it is tried again"
    assert "45 seconds" in error.message


def test_a_sign_of_life_gives_the_server_its_time_again() -> None:
    hours = Hours()
    line = Lifeline(hours.read, hours.pause)

    def hear(now: float) -> None:
        if now == 30:
            line.heard()

    hours.at = hear
    asyncio.run(line.silence())
    assert hours.now == 75


def test_a_stream_that_hangs_is_given_up_and_nothing_of_it_goes_on() -> None:
    hours = Hours()
    line = Lifeline(hours.read, hours.pause)
    ended: list[str] = []

    async def hang(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    async def receive() -> ServerError | None:
        await hang("receiving")
        return None

    error = asyncio.run(until_silent(receive(), line.silence(), hang("sending")))
    assert error is not None
    assert error.reason == "SILENT"
    assert sorted(ended) == ["receiving", "sending"]


def test_a_stream_that_ends_by_itself_is_not_waited_for() -> None:
    async def receive() -> ServerError | None:
        return None

    async def wait_for_ever(_: float) -> None:
        await asyncio.Event().wait()

    line = Lifeline(lambda: 0.0, wait_for_ever)
    assert asyncio.run(until_silent(receive(), line.silence())) is None
