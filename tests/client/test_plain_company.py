"""Plain mode where there are other people: chat, absence, pauses, and the host's powers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

import pytest

from hearts_client.ending import Ending
from hearts_client.news import Attending, Cause, Closed, Said, Unsaid
from hearts_client.orders import AddBot, GiveUpSeat, HandOver, Order, Pause, Remove
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.testing import LocalSession
from hearts_engine.cards import Seat
from hearts_engine.commands import MarkAway, StartClocks, StopClocks
from hearts_engine.events import Absence, StopCause

SeatedAt = Callable[..., LocalSession]
Grant = Callable[[Order], Awaitable[str]]
Deed = str | Callable[[], None]
"""A line that is typed, or something that happens meanwhile."""


@dataclass
class Evening:
    """Plain mode at a table, and a host who grants what is not refused."""

    session: LocalSession
    refusal: str = ""
    lines: list[str] = field(default_factory=list[str])
    orders: list[Order] = field(default_factory=list[Order])
    pauses: list[float] = field(default_factory=list[float])
    now: int = 0

    async def order(self, order: Order) -> str:
        self.orders.append(order)
        return self.refusal

    def play(
        self, deeds: Sequence[Deed], order: Callable[[Order], Awaitable[str]] | None
    ) -> Ending:
        """Do all of this, each when what came before has been told; how it ended."""
        left = list(deeds)

        async def read_line() -> str | None:
            while left:
                await _settled()
                deed = left.pop(0)
                if isinstance(deed, str):
                    return deed
                deed()
            await _settled()
            return "quit"

        return asyncio.run(self._main(read_line, order))

    async def _main(
        self,
        read_line: Callable[[], Awaitable[str | None]],
        order: Grant | None,
    ) -> Ending:
        news = self.session.news()
        self.session.start()
        options = PlainOptions(now=lambda: self.now, pause=self._pause, order=order)
        return await play_plain(
            self.session,
            news=news,
            read_line=read_line,
            write=self.lines.append,
            options=options,
        )

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await asyncio.Event().wait()


async def _settled() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def told_after(evening: Evening, line: str) -> str:
    return evening.lines[evening.lines.index(line) + 1]


def test_what_others_say_is_a_line_and_what_muted_ones_say_is_not(table: SeatedAt) -> None:
    evening = Evening(table())
    tell = evening.session.tell
    evening.play(
        [
            lambda: tell(Said(Seat(1), "Ann", "good luck")),
            "mute ann",
            lambda: tell(Said(Seat(1), "Ann", "you fool")),
            "unmute ann",
            lambda: tell(Said(Seat(1), "Ann", "sorry")),
            lambda: tell(Unsaid("say at most 200 characters at once")),
        ],
        None,
    )
    said = [line for line in evening.lines if line.startswith(("SAID", "MUTED", "UN"))]
    assert said == [
        "SAID Ann: good luck",
        "MUTED Ann",
        "UNMUTED Ann",
        "SAID Ann: sorry",
        "UNSAID say at most 200 characters at once",
    ]


def test_texts_and_phrases_are_said(table: SeatedAt) -> None:
    evening = Evening(table())
    evening.play(["say Hello, all", "phrase 2"], None)
    assert evening.session.said == ["Hello, all", 2]
    assert "SAID You: Hello, all" in evening.lines
    assert "SAID You: good luck" in evening.lines


def test_a_pause_takes_the_question_away_and_going_on_asks_it_again(table: SeatedAt) -> None:
    evening = Evening(table())
    do = evening.session.do
    evening.play(
        [
            lambda: do(StopClocks(StopCause.HOST)),
            "pass 2c 3c 4c",
            lambda: do(StartClocks()),
        ],
        None,
    )
    assert told_after(evening, "PAUSE the host paused the game").startswith(
        "WAIT the game is paused"
    )
    assert told_after(evening, "RESUME the game goes on").startswith("YOUR PASS")
    assert evening.session.answers == []


def test_any_line_brings_back_whoever_was_away(table: SeatedAt) -> None:
    evening = Evening(table())
    session = evening.session
    evening.play([lambda: session.do(MarkAway(session.seat, Absence.LEFT)), "hand"], None)
    at = evening.lines.index("AWAY You left, a bot plays for you")
    assert "BACK You are back" in evening.lines[at:]
    assert any(line.startswith("YOUR PASS") for line in evening.lines[at:])


def test_the_host_orders_and_refusals_are_told(table: SeatedAt) -> None:
    evening = Evening(table(), refusal="only the host, Ann, does that at this table")
    evening.play(["pause", "remove west", "host Ben", "bot easy"], evening.order)
    assert evening.orders == [Pause(), Remove(Seat(1)), HandOver(Seat(2)), AddBot("easy")]
    assert evening.lines.count("REFUSED only the host, Ann, does that at this table") == 4


def test_alone_with_bots_there_is_nobody_to_give_orders_to(table: SeatedAt) -> None:
    evening = Evening(table())
    assert evening.play(["pause"], None) is Ending.QUIT
    assert "REFUSED there is nobody else at this table to do that for" in evening.lines


def test_quitting_in_mid_game_asks_what_is_to_become_of_the_seat(table: SeatedAt) -> None:
    evening = Evening(table())
    assert evening.play(["quit", "who", "quit"], evening.order) is Ending.QUIT
    assert sum(line.startswith("QUIT type quit again") for line in evening.lines) == 2
    assert evening.orders == []


def test_a_seat_that_is_left_to_a_bot_ends_ones_part(table: SeatedAt) -> None:
    evening = Evening(table())
    assert evening.play(["leave"], evening.order) is Ending.LEFT
    assert evening.orders == [GiveUpSeat()]


def test_a_table_that_is_quicker_than_its_answer_is_no_loss_of_the_seat(table: SeatedAt) -> None:
    evening = Evening(table())

    async def order(_: Order) -> str:
        evening.session.tell(Closed(Cause.REMOVED, "your seat was given up or taken away"))
        await asyncio.Event().wait()
        return ""

    assert evening.play(["leave"], order) is Ending.LEFT
    assert not any(line.startswith("CLOSED") for line in evening.lines)


def test_a_seat_that_cannot_be_left_is_played_on(table: SeatedAt) -> None:
    evening = Evening(table(), refusal="the game is being closed; ask again")
    assert evening.play(["leave", "who"], evening.order) is Ending.QUIT
    assert "REFUSED the game is being closed; ask again" in evening.lines
    assert any(line.startswith("WHO South You") for line in evening.lines)


def test_who_is_gone_and_who_is_host_is_told(table: SeatedAt) -> None:
    evening = Evening(table())
    attending = Attending(frozenset({Seat(0)}), 1, Seat(0))
    evening.play([lambda: evening.session.tell(attending), "who"], None)
    assert "WATCHED 1 watches" in evening.lines
    assert "WHO South You, person, host" in evening.lines
    assert evening.lines[-2] == "WHO 1 watches"


@pytest.mark.parametrize(("seconds", "waits"), [(45, [35]), (10, []), (None, [])])
def test_an_alarm_is_set_for_the_last_ten_seconds(
    seconds: int | None, waits: list[float], table: SeatedAt
) -> None:
    evening = Evening(table())
    evening.session.seconds = seconds
    evening.play(["clock"], None)
    assert evening.pauses == waits
    told = [line for line in evening.lines if line.startswith("CLOCK")]
    if seconds is None:
        assert told == ["CLOCK you have as long as it takes"]
    else:
        assert told == [f"CLOCK {seconds} seconds to decide"] * 2


def test_ten_seconds_before_the_end_it_is_said_once(table: SeatedAt) -> None:
    evening = Evening(table())
    evening.session.seconds = 45

    async def pause(seconds: float) -> None:
        evening.now += int(seconds * 1_000_000)

    evening._pause = pause  # type: ignore[method-assign]  # pyright: ignore[reportPrivateUsage]
    evening.play(["hand"], None)
    told = [line for line in evening.lines if line.startswith("CLOCK")]
    assert told == ["CLOCK 45 seconds to decide", "CLOCK 10 seconds to decide"]
