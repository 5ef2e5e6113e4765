"""Plain mode: one event a line, stable words, nothing that moves a cursor.

For screen readers, braille, scripts and pipes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, assert_never

from hearts_client.announce import announce
from hearts_client.cardnames import CardStyle, restyled
from hearts_client.deadline import Now, seconds_left, wall_clock
from hearts_client.ending import Ending
from hearts_client.missed import steps_to_tell
from hearts_client.news import (
    Ask,
    Asked,
    Attending,
    Cause,
    Closed,
    Happened,
    Joined,
    News,
    Offline,
    Playable,
    Refused,
    Said,
    Unsaid,
)
from hearts_client.orders import (
    AddBot,
    GiveOrder,
    GiveUpSeat,
    HandOver,
    Pause,
    Remove,
    Resume,
    Start,
)
from hearts_client.plain.alarm import Alarm, PauseFor
from hearts_client.plain.commands import (
    Answer,
    ClaimAll,
    MoonBy,
    PassThese,
    PlayThis,
    Question,
    Quit,
    Typed,
    read_command,
)
from hearts_client.plain.lines import (
    asked_lines,
    clock_line,
    hint_line,
    is_told,
    joined_lines,
)
from hearts_client.plain.replies import Standing, reply_lines, score_lines
from hearts_client.plain.tabletalk import TableTalk
from hearts_client.plain.writing import ReadLine, Write
from hearts_client.scoreboard import winners_sentence
from hearts_client.seatnames import SeatNames
from hearts_client.steps import steps
from hearts_client.tablewords import AboutSeat, Misread, Speak
from hearts_client.turnprompt import why_not_asked
from hearts_client.viewstate import is_away, is_under_way
from hearts_engine.view import SeatView

_ANSWERS: Final[Mapping[type[Answer], Ask]] = {
    PassThese: Ask.PASS,
    PlayThis: Ask.CARD,
    ClaimAll: Ask.CARD,
    MoonBy: Ask.MOON,
}
"""What each answer decides."""

_ANSWERED_AT_ONCE: Final = frozenset({Question.HELP, Question.WHO, Question.CLOCK})
"""Questions that are not about a decision."""


@dataclass(frozen=True, slots=True)
class PlainOptions:
    """How plain mode reads and writes."""

    style: CardStyle = CardStyle.LETTERS
    type_ahead: bool = False
    """Whether what is typed before a decision is due waits for it, as input from a pipe must,
    rather than being answered at once, as a person expects."""
    now: Now = wall_clock
    """What deadlines are measured against."""
    pause: PauseFor = asyncio.sleep
    order: GiveOrder | None = None
    """Has the table do something else than playing; none where there is nobody to ask."""


async def play_plain(
    session: Playable,
    *,
    news: AsyncIterator[News],
    read_line: ReadLine | None,
    write: Write,
    options: PlainOptions = PlainOptions(),
) -> Ending:
    """Play a seat by lines, or only watch it where ``read_line`` is none.

    ``news`` is this reader's own copy of what the session tells.
    """
    ending: asyncio.Future[Ending] = asyncio.get_running_loop().create_future()

    async def settle(part: Awaitable[Ending]) -> None:
        how = await part
        if not ending.done():
            ending.set_result(how)

    async with asyncio.TaskGroup() as group:
        mode = _PlainMode(session, write, options, group, hints=read_line is not None)
        tasks = [group.create_task(settle(mode.listen(news)))]
        if read_line is not None:
            tasks.append(group.create_task(settle(mode.obey(read_line))))
        how = await ending
        mode.stop()
        for task in tasks:
            task.cancel()
    return how


class _PlainMode:
    """What one plain screen remembers between lines."""

    def __init__(
        self,
        session: Playable,
        write: Write,
        options: PlainOptions,
        tasks: asyncio.TaskGroup,
        *,
        hints: bool,
    ) -> None:
        """``hints``: whether someone can type, and is still to hear how."""
        self._session = session
        self._write = write
        self._style = options.style
        self._type_ahead = options.type_ahead
        self._now = options.now
        self._hints = hints
        self._offline = False
        self._ended = False
        self._view: SeatView | None = None
        self._asked: Asked | None = None
        self._due = asyncio.Event()
        self._talk = TableTalk(write, options.order)
        self._quitting = False
        self._alarm = Alarm(tasks, options.pause, self._ring)

    def stop(self) -> None:
        """Tell nothing more."""
        self._alarm.clear()

    async def listen(self, news: AsyncIterator[News]) -> Ending:
        """Tell of everything that happens, to the end."""
        async for item in news:
            match item:
                case Joined(view):
                    self._offline = False
                    told = steps_to_tell(item, self._view)
                    self._show(joined_lines(item, told, self._style))
                    self._settle(view)
                case Happened(events, view):
                    told = tuple(steps(self._view or view, events))
                    self._show(map(str, announce(told, self._style)))
                    self._settle(view)
                case Asked():
                    self._ask(item)
                case Offline(attempt, sentence):
                    self._offline = True
                    if is_told(item):
                        self._write(f"OFFLINE attempt {attempt}: {sentence}")
                case Said():
                    self._talk.hear(item, self._view)
                case Attending():
                    self._talk.attend(item, self._view)
                case Unsaid(sentence):
                    self._write(f"UNSAID {sentence}")
                case Closed() if self._talk.leaving:
                    return Ending.LEFT
                case Closed(cause, sentence):
                    self._write(f"CLOSED {sentence}")
                    return Ending.GAME_OVER if cause is Cause.GAME_OVER else Ending.CLOSED
                case _:
                    assert_never(item)
        return Ending.CLOSED

    async def obey(self, read_line: ReadLine) -> Ending:
        """Do what each line says, until one says to quit or there are no more."""
        while (line := await read_line()) is not None:
            self._session.come_back()
            command = read_command(line)
            self._quitting = self._quitting and isinstance(command, Quit)
            ending = await self._obey(command)
            if ending is not None:
                return ending
        await self._due.wait()
        self._write(
            "INPUT ended while a decision is due; the game is kept and can be taken up again"
        )
        return Ending.INPUT_ENDED

    async def _obey(self, command: Typed | None) -> Ending | None:
        match command:
            case None:
                pass
            case Misread(sentence):
                self._write(f"UNKNOWN {sentence}")
            case Question():
                await self._reply(command)
            case Quit():
                return self._quit()
            case PassThese() | PlayThis() | ClaimAll() | MoonBy():
                await self._decide(command)
            case Speak(words):
                self._session.say(words)
            case AboutSeat():
                await self._talk.do_about(command, self._view)
            case AddBot() | Remove() | HandOver() | Start() | Pause() | Resume() | GiveUpSeat():
                return await self._talk.give(command)
            case _:
                assert_never(command)
        return None

    def _quit(self) -> Ending | None:
        """Leave; where a seat can be given up, ask first what is to become of it."""
        can_give_up = self._talk.can_order and not self._type_ahead
        if can_give_up and not self._quitting and self._view and is_under_way(self._view):
            self._quitting = True
            self._write("QUIT type quit again to keep your seat, or leave to have a bot play it")
            return None
        self._write("QUIT you left")
        return Ending.QUIT

    def _ring(self) -> None:
        left = seconds_left(self._asked, self._now())
        if self._asked is not None and left is not None:
            self._write(clock_line(self._asked, left))

    def _settle(self, view: SeatView) -> None:
        """Note where the game stands, and show how it ended if it did."""
        self._view = view
        if not view.asked or is_away(view):
            self._asked = None
            self._due.clear()
            self._alarm.clear()
        if view.ended is not None and not self._ended:
            self._ended = True
            self._show(score_lines(view))
            self._write(f"WINNER {winners_sentence(view.ended, SeatNames.of(view))}")

    def _ask(self, asked: Asked) -> None:
        self._view, self._asked = asked.view, asked
        self._show(asked_lines(asked, self._style))
        left = seconds_left(asked, self._now())
        if left is not None:
            self._write(clock_line(asked, left))
        self._alarm.set(left)
        if self._hints:
            self._hints = False
            self._write(hint_line(asked.view.rules))
        self._due.set()

    async def _decide(self, answer: Answer) -> None:
        if self._type_ahead:
            await self._due.wait()
        asked = self._asked
        if asked is None:
            self._write(f"WAIT {why_not_asked(self._view)}")
            return
        if asked.ask is not _ANSWERS[type(answer)]:
            due, *_ = asked_lines(asked, self._style)
            self._write(f"WAIT another decision is due: {due}")
            return
        self._asked = None
        self._due.clear()
        self._alarm.clear()
        if self._offline:
            self._write("WAIT your answer will be sent when the connection is back")
        refused = await self._send(answer)
        if refused is not None:
            self._refuse(refused, asked)

    async def _send(self, answer: Answer) -> Refused | None:
        match answer:
            case PassThese(cards):
                return await self._session.choose_pass(cards)
            case PlayThis(card):
                return await self._session.play(card)
            case ClaimAll():
                return await self._session.claim()
            case MoonBy(choice):
                return await self._session.choose_moon(choice)

    def _refuse(self, refused: Refused, asked: Asked) -> None:
        self._write(f"REFUSED {refused.reason} {restyled(refused.message, self._style)}")
        if self._asked is None and self._view is not None and self._view.asked:
            self._asked = asked
            self._due.set()

    async def _reply(self, question: Question) -> None:
        if self._type_ahead and question not in _ANSWERED_AT_ONCE:
            await self._due.wait()
        left = seconds_left(self._asked, self._now())
        standing = Standing(self._view, self._asked, self._style, left, self._talk.company)
        self._show(reply_lines(question, standing))

    def _show(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)
