"""The clocks of a table give everyone the time that an audit looks for."""

from random import Random

import pytest

from hearts_engine.cards import Seat
from hearts_engine.commands import Command, MarkAway, MarkBack, StartClocks, StopClocks, TakeOver
from hearts_engine.events import Absence, SeatKind, StopCause
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_replays.prompts import due_after
from hearts_replays.testing import BOT_SECONDS, TURN_SECONDS, LogBuilder, Plan
from hearts_replays.timing import SECOND
from hearts_server.timekeeper import Timekeeper

ANN, BOT = Seat(0), Seat(1)


class Table:
    """A game in which it is a seat's turn, and the timekeeper that follows it."""

    def __init__(self, seat: Seat) -> None:
        rules = Rules(pass_cycle=(Direction.HOLD,))
        self.log = LogBuilder(Random(1), Plan(rules, away=frozenset({3})))
        self.log.open()
        self.log.deal()
        while self.log.state is None or self.log.state.turn != seat:
            self.log.choose()
        self.due: dict[Seat, int] = {}
        self.times = Timekeeper()
        self.keep()

    def keep(self) -> None:
        assert self.log.state is not None
        self.due = due_after(self.due, self.log.state, len(self.log.records))
        self.times.keep(self.log.state, self.due, self.log.time)

    def do(self, *commands: Command) -> None:
        """Do these a second later each, with clocks kept after each."""
        for command in commands:
            self.log.time += SECOND
            self.log.do(command)
            self.keep()

    def left(self, seat: Seat) -> int | None:
        """The microseconds that a seat has left."""
        deadline = self.times.deadlines.get(seat)
        return None if deadline is None else deadline - self.log.time


@pytest.mark.parametrize(
    ("seat", "commands"),
    [
        (ANN, [MarkAway(ANN, Absence.LEFT), MarkBack(ANN)]),
        (ANN, [MarkAway(ANN, Absence.REMOVED), TakeOver(ANN, "Zoe", SeatKind.PERSON)]),
        (BOT, [TakeOver(BOT, "Zoe", SeatKind.PERSON)]),
        (ANN, [StopClocks(StopCause.HOST), StartClocks()]),
        (ANN, [StopClocks(StopCause.ABSENCE), StartClocks()]),
    ],
    ids=["back", "taken over", "taken over from a house bot", "paused", "nobody there"],
)
def test_whoever_comes_to_a_running_turn_has_all_of_it(seat: Seat, commands: list[Command]) -> None:
    table = Table(seat)
    table.do(*commands)
    assert table.left(seat) == TURN_SECONDS * SECOND


def test_the_coming_and_going_of_others_leaves_a_running_turn_as_it_is() -> None:
    table = Table(ANN)
    before = table.times.deadlines[ANN]
    table.do(MarkAway(Seat(2), Absence.LEFT), TakeOver(BOT, "Zoe", SeatKind.PERSON))
    assert table.times.deadlines[ANN] == before


def test_a_bots_time_runs_on_while_no_person_is_there() -> None:
    table = Table(BOT)
    before = table.times.deadlines[BOT]
    assert table.left(BOT) == BOT_SECONDS * SECOND
    table.do(StopClocks(StopCause.ABSENCE), StartClocks())
    assert table.times.deadlines[BOT] == before
