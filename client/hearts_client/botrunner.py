"""A bot on a session: it is asked what a person would be asked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

from hearts_bots.backed import Backed
from hearts_bots.bot import Bot
from hearts_client.news import Ask, Asked, Happened, Joined, News, Playable, Refused
from hearts_client.viewstate import is_away

log = logging.getLogger(__name__)


async def play_bot(session: Playable, news: AsyncIterator[News], bot: Bot) -> None:
    """Let a bot decide whatever the seat is asked, until the session is over.

    ``news`` is this reader's own copy of what the session tells. A bot that fails loses only
    that decision, and one that was too slow twice is back as soon as it hears of that.
    """
    backed = Backed(bot, _failed)
    async for item in news:
        if isinstance(item, Joined | Happened) and is_away(item.view):
            session.come_back()
        if isinstance(item, Asked):
            refused = await _answer(session, item, backed)
            if refused is not None:
                log.warning("the bot's answer was refused: %s", refused.message)


def _failed(error: Exception) -> None:
    log.error("the bot failed, its lowest legal cards are played", exc_info=error)


async def _answer(session: Playable, asked: Asked, bot: Bot) -> Refused | None:
    match asked.ask:
        case Ask.PASS:
            return await session.choose_pass(await asyncio.to_thread(bot.choose_pass, asked.view))
        case Ask.CARD:
            return await session.play(await asyncio.to_thread(bot.choose_play, asked.view))
        case Ask.MOON:
            return await session.choose_moon(await asyncio.to_thread(bot.choose_moon, asked.view))
