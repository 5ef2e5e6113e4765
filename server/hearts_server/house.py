"""House bots at a table: they attach to their seat and answer prompts like anyone."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

from hearts_bots.backed import Backed
from hearts_bots.bot import Bot
from hearts_bots.house import house_bot
from hearts_engine.cards import Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, PlayCard
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import FixedSeed, GameOpened, SeatTaken
from hearts_server.entrance import Entrance
from hearts_server.errors import Refused
from hearts_server.logbook import Entry, about, trace_of
from hearts_server.notices import Ask, Attached, Notice, Prompt, Update
from hearts_server.subscriber import Delivery, Subscriber
from hearts_server.table import Answer, Table
from hearts_wire.commands import SeatCommand

RETRY_TIME = timedelta(seconds=1)
"""How long a house bot waits after a refusal before it attaches again."""

log = logging.getLogger(__name__)


async def play_house_seat(table: Table, taken: SeatTaken) -> None:
    """Play a seat until its stream ends, seeing what that seat may see and nothing else."""
    seed = bot_seed(table.journal.state.game.opened, taken.seat)

    def failed(error: Exception) -> None:
        fields = about(table=table.facts.name, seat=taken.seat, trace=trace_of(error))
        log.error(Entry.HOUSE_SEAT_FAILED, extra=fields)  # something legal is chosen for it

    bot, told = Backed(house_bot(taken.bot, seed), failed), ""
    while (reason := await _refused(table, taken.seat, bot)) is not None:
        if reason != told:  # a table that has halted for good would fill the disk with it
            fields = about(table=table.facts.name, seat=taken.seat, reason=reason)
            log.warning(Entry.HOUSE_SEAT_REFUSED, extra=fields)
        told = reason
        await table.pause(RETRY_TIME)


async def _refused(table: Table, seat: Seat, bot: Bot) -> str | None:
    """Play until the stream ends; the reason, if it was a refusal that ended it."""
    try:
        await _play(table, seat, bot)
    except (Refused, Rejected) as refusal:
        return str(refusal.reason)
    return None


async def _play(table: Table, seat: Seat, bot: Bot) -> None:
    subscriber = Subscriber(seat, delivery=Delivery.ON_TURN)
    await Entrance(table).attach(subscriber)
    try:
        async for notice in subscriber.notices():
            prompt = _prompt_in(notice)
            if prompt is not None and prompt.ask is not Ask.ENTROPY:
                command = await asyncio.to_thread(_decision, bot, seat, prompt)
                await _answer(table, Answer(command, prompt.seq), subscriber)
    finally:
        table.part(subscriber)


async def _answer(table: Table, answer: Answer, subscriber: Subscriber) -> None:
    """Answer a prompt; if the table did not wait for that, the bot plays on all the same."""
    try:
        await table.answer(answer, subscriber)
    except (Refused, Rejected) as refusal:
        if refusal.reason == Reason.PAUSED:
            return  # it is asked again when the game goes on
        if table.journal.prompts.open_for(answer.command.seat) == answer.prompt_seq:
            raise
        seat, reason = answer.command.seat, refusal.reason
        fields = about(table=table.facts.name, seat=seat, seq=answer.prompt_seq, reason=reason)
        log.warning(Entry.HOUSE_SEAT_LATE, extra=fields)


def bot_seed(opened: GameOpened, seat: Seat) -> str:
    """What a house bot's whims follow from: the same again in a game of the same fixed seed."""
    source = opened.source
    return f"{source.text if isinstance(source, FixedSeed) else opened.game_id}/{seat}"


def _decision(bot: Bot, seat: Seat, prompt: Prompt) -> SeatCommand:
    match prompt.ask:
        case Ask.PASS:
            return ChoosePass(seat, tuple(bot.choose_pass(prompt.view)))
        case Ask.MOON:
            return ChooseMoon(seat, bot.choose_moon(prompt.view))
        case _:
            return PlayCard(seat, bot.choose_play(prompt.view))


def _prompt_in(notice: Notice) -> Prompt | None:
    return notice.prompt if isinstance(notice, Attached | Update) else None
