"""Decisions made for a seat: when its time is up, and while its owner is away."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from hearts_bots.backed import Backed
from hearts_bots.medium import Medium
from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, PlayCard
from hearts_engine.events import Agent
from hearts_engine.state import Phase, State
from hearts_engine.view import observe
from hearts_replays.moon import choice_by_itself
from hearts_server.logbook import Entry, about, trace_of

log = logging.getLogger(__name__)

Decision = ChoosePass | PlayCard | ChooseMoon


def _failed(error: Exception) -> None:
    log.error(Entry.AUTOPILOT_FAILED, extra=about(trace=trace_of(error)))


_BOT: Final = Backed(Medium(), _failed)


async def decision_for(state: State, seat: Seat, by: Agent) -> Decision | None:
    """What is decided for a seat, which sees no more than its owner would; none if nothing is due.

    Thought of in a thread, as bots do.
    """
    match state.phase:
        case Phase.PASSING:
            cards = await asyncio.to_thread(_BOT.choose_pass, observe(state, seat))
            return ChoosePass(seat, cards, by)
        case Phase.PLAYING:
            card = await asyncio.to_thread(_BOT.choose_play, observe(state, seat))
            return PlayCard(seat, card, by)
        case Phase.MOON:
            return ChooseMoon(seat, choice_by_itself(state), by)
        case _:
            return None
