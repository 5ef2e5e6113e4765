"""House bots at a table: they attach to their seat and answer prompts like anyone."""

from __future__ import annotations

import asyncio
import logging

from hearts_bots.bot import Bot
from hearts_bots.house import house_bot
from hearts_engine.cards import Seat
from hearts_engine.commands import ChoosePass, PlayCard
from hearts_engine.errors import Rejected
from hearts_engine.events import Agent, FixedSeed, GameOpened, SeatTaken
from hearts_engine.view import SeatView
from hearts_server.errors import Refused
from hearts_server.notices import Ask, Attached, Notice, Prompt, Update
from hearts_server.table import Answer, Table
from hearts_wire.commands import SeatCommand

log = logging.getLogger(__name__)


async def play_house_seat(table: Table, taken: SeatTaken) -> None:
    """Play a seat until its stream ends, seeing what that seat may see and nothing else."""
    bot = house_bot(taken.bot, bot_seed(table.journal.state.game.opened, taken.seat))
    try:
        subscriber = await table.attach(taken.seat)
        async for notice in subscriber.notices():
            prompt = _prompt_in(notice)
            if prompt is not None and prompt.ask is not Ask.ENTROPY:
                command = await asyncio.to_thread(decision, bot, taken.seat, prompt)
                await table.answer(Answer(command, prompt.seq), subscriber)
    except (Refused, Rejected) as refusal:
        log.warning("house seat %d at table %s stops: %s", taken.seat, table.facts.name, refusal)


def bot_seed(opened: GameOpened, seat: Seat) -> str:
    """What a house bot's whims follow from: the same again in a game of the same fixed seed."""
    source = opened.source
    return f"{source.text if isinstance(source, FixedSeed) else opened.game_id}/{seat}"


def decision(bot: Bot, seat: Seat, prompt: Prompt) -> SeatCommand:
    """The bot's answer; a bot that fails loses only this decision, which is the lowest cards."""
    try:
        return _chosen(bot, seat, prompt)
    except Exception:
        log.exception("the bot on seat %d failed, its lowest legal cards are played", seat)
        return _lowest(seat, prompt)


def _chosen(bot: Bot, seat: Seat, prompt: Prompt) -> SeatCommand:
    if prompt.ask is Ask.PASS:
        return ChoosePass(seat, tuple(bot.choose_pass(prompt.view)))
    return PlayCard(seat, bot.choose_play(prompt.view))


def _lowest(seat: Seat, prompt: Prompt) -> SeatCommand:
    view: SeatView = prompt.view
    legal = tuple(view.legal)
    if prompt.ask is Ask.PASS:
        return ChoosePass(seat, legal[: view.rules.pass_count])
    return PlayCard(seat, legal[0], Agent.SEAT)


def _prompt_in(notice: Notice) -> Prompt | None:
    return notice.prompt if isinstance(notice, Attached | Update) else None
