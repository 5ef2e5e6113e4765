"""How long a table waits for what it can do without, and what it does then."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from hearts_engine.commands import ChooseMoon, Command, WithholdEntropy
from hearts_engine.events import Agent
from hearts_engine.state import Phase, State
from hearts_replays.moon import choice_by_itself
from hearts_server.clocks import Clock, Microseconds, later
from hearts_server.errors import Refused
from hearts_server.logbook import Entry, about

REVEAL_TIME: Final = timedelta(seconds=10)
"""How long a seat may take to reveal its entropy before the log says withheld."""

MOON_TIME: Final = timedelta(seconds=30)
"""How long a seat may usually take to choose how its moon is scored."""

log = logging.getLogger(__name__)


def done_without(state: State) -> tuple[Command, ...]:
    """What a table does for the seats that do not answer in time."""
    match state.phase:
        case Phase.ENTROPY:
            return tuple(WithholdEntropy(seat) for seat in state.game.owing)
        case Phase.MOON:
            choice = choice_by_itself(state)
            return tuple(ChooseMoon(seat, choice, Agent.CLOCK) for seat in state.awaited)
        case _:
            return ()


class Patience:
    """Runs exactly while something is due that has its time, and then has it done without."""

    def __init__(
        self, clock: Clock, moon_time: timedelta, give_up: Callable[[], Awaitable[None]]
    ) -> None:
        self._clock = clock
        self._times = {Phase.ENTROPY: REVEAL_TIME, Phase.MOON: moon_time}
        self._give_up = give_up
        self._phase: Phase | None = None
        self._task: asyncio.Task[None] | None = None
        self.deadline: Microseconds | None = None
        """When the game goes on without what is due; none while nothing has its time."""

    def keep(self, tasks: asyncio.TaskGroup, phase: Phase) -> None:
        """Start or stop, as what the table waits for needs."""
        if phase is self._phase:
            return
        self.stop()
        time = self._times.get(phase)
        if time is not None:
            self._phase = phase
            self.deadline = later(self._clock.now(), time)
            self._task = tasks.create_task(self._run(self.deadline, time))

    def stop(self) -> None:
        """Let the time run for ever."""
        if self._task is not None:
            self._task.cancel()
        self._task = self.deadline = self._phase = None

    async def _run(self, moment: Microseconds, time: timedelta) -> None:
        while True:
            await self._clock.wait_until(moment)
            try:
                await self._give_up()
            except Refused as refused:
                # The store failed; the game cannot go on without this, so it is tried again.
                log.warning(Entry.DUE_NOT_DONE, extra=about(reason=refused.reason))
                moment = later(self._clock.now(), time)
            else:
                return
