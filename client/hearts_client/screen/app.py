"""The full-screen table in a terminal: one event loop, no polling."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from pathlib import Path

from prompt_toolkit.application import Application
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from hearts_client.cardnames import CardStyle
from hearts_client.deadline import Now, seconds_left, wall_clock
from hearts_client.ending import Ending
from hearts_client.news import Cause, News, Playable, Refused
from hearts_client.orders import GiveOrder, GiveUpSeat, Order
from hearts_client.safetext import cleaned
from hearts_client.screen.bell import rings
from hearts_client.screen.clicking import clicked
from hearts_client.screen.intents import (
    Answer,
    Give,
    Keep,
    Leave,
    SendCard,
    SendClaim,
    SendMoon,
    SendPass,
    Tell,
)
from hearts_client.screen.keypress import Pressed
from hearts_client.screen.lines import Size
from hearts_client.screen.pace import PACES
from hearts_client.screen.pressing import Outcome, press
from hearts_client.screen.render import draw
from hearts_client.screen.stderrfile import stderr_to
from hearts_client.screen.surface import Surface, application
from hearts_client.screen.table_state import TableState, advance, answered, opened, receive
from hearts_client.settings import KeepSetting, Settings


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """How the screen looks and where it is."""

    style: CardStyle = CardStyle.SYMBOLS
    """How this terminal shows cards best."""
    settings: Settings = Settings()
    stderr_file: Path | None = None
    """Takes what is written to file descriptor 2 meanwhile; none: left alone."""
    input: Input | None = None
    """None: the terminal's."""
    output: Output | None = None
    """None: the terminal's."""
    now: Now = wall_clock
    """What deadlines are measured against."""
    keep: KeepSetting | None = None
    """Writes down what was set; none: it holds for this game only."""
    order: GiveOrder | None = None
    """Has the table do something else than playing; none where there is nobody to ask."""
    ways_in: tuple[str, ...] = ()
    """What others type to sit down here."""


async def play_screen(
    session: Playable,
    *,
    news: AsyncIterator[News],
    options: ScreenOptions = ScreenOptions(),
) -> Ending:
    """Play a seat on the full screen until the game is over or the person leaves.

    ``news`` is the screen's own copy of what the session tells. The terminal is as it was
    before when this returns or raises.
    """
    with stderr_to(options.stderr_file):
        return await _Screen(session, options).run(news)


class _Screen:
    """The one holder of the state that changes."""

    def __init__(self, session: Playable, options: ScreenOptions) -> None:
        self._session = session
        self._state = opened(
            options.settings,
            options.style,
            orders=options.order is not None,
            ways_in=options.ways_in,
        )
        self._keep = options.keep
        self._order = options.order
        self._leaving = False
        self._now = options.now
        self._timer: asyncio.TimerHandle | None = None
        self._tick: asyncio.TimerHandle | None = None
        self._answers: asyncio.Queue[Answer] = asyncio.Queue()
        self._orders: asyncio.Queue[Order] = asyncio.Queue()
        self._app = self._application(options)

    async def run(self, news: AsyncIterator[News]) -> Ending:
        """Show the table until there is nothing more to show."""
        async with asyncio.TaskGroup() as group:
            tasks = (
                group.create_task(self._listen(news)),
                group.create_task(self._send_answers()),
                group.create_task(self._give_orders()),
            )
            try:
                return await self._app.run_async(set_exception_handler=False)
            finally:
                self._stop_timer()
                self._stop_clock()
                self._app.output.clear_title()
                self._app.output.flush()
                for task in tasks:
                    task.cancel()

    def _application(self, options: ScreenOptions) -> Application[Ending]:
        surface = Surface(self._fragments, self._press, lambda: self._state.settings, self._click)
        return application(surface, options.input, options.output)

    def _fragments(self) -> StyleAndTextTuples:
        size = self._app.output.get_size()
        try:
            return draw(self._state, Size(size.columns, size.rows))
        except Exception as error:  # noqa: BLE001  (raised again by run, the terminal restored)
            self._fail(error)
            return []

    async def _listen(self, news: AsyncIterator[News]) -> None:
        async for item in news:
            self._change(receive(self._state, item))

    async def _send_answers(self) -> None:
        while True:
            answer = await self._answers.get()
            refused = await self._send(answer)
            self._change(answered(self._state, answer.asked, refused))

    async def _give_orders(self) -> None:
        while True:
            order = await self._orders.get()
            if self._order is None:
                continue
            self._leaving = isinstance(order, GiveUpSeat)
            refusal = await self._order(order)
            if refusal:
                self._leaving = False
                self._change(replace(self._state, message=refusal))
            elif self._leaving:
                self._exit(Ending.LEFT)

    async def _send(self, answer: Answer) -> Refused | None:
        match answer:
            case SendPass(_, cards):
                return await self._session.choose_pass(cards)
            case SendCard(_, card):
                return await self._session.play(card)
            case SendClaim():
                return await self._session.claim()
            case SendMoon(_, choice):
                return await self._session.choose_moon(choice)

    def _press(self, key: Pressed) -> None:
        self._session.come_back()
        self._do(lambda: press(self._state, key))

    def _click(self, column: int, row: int) -> None:
        self._session.come_back()
        self._do(lambda: clicked(self._state, self._fragments(), column, row))

    def _do(self, step: Callable[[], Outcome]) -> None:
        """Show what came of a key or a click, and ask for what it wants."""
        try:
            state, intent = step()
            self._change(state)
        except Exception as error:  # noqa: BLE001  (as above; the loop would only log it)
            self._fail(error)
            return
        match intent:
            case None:
                pass
            case Leave():
                self._exit(Ending.QUIT)
            case SendPass() | SendCard() | SendClaim() | SendMoon():
                self._answers.put_nowait(intent)
            case Tell(words):
                self._session.say(words)
            case Keep(setting, word):
                self._keep_setting(setting, word)
            case Give(order):
                self._orders.put_nowait(order)

    def _keep_setting(self, setting: str, word: str) -> None:
        trouble = "" if self._keep is None else self._keep(setting, word)
        if trouble:
            self._change(replace(self._state, message=trouble))

    def _change(self, state: TableState) -> None:
        """Show another state, and go on by itself when what it holds has had its time."""
        if state.held is not self._state.held:
            self._stop_timer()
        if rings(self._state, state):
            self._app.output.bell()
        self._state = state
        closed = state.closed
        if closed is not None and (state.held is None or self._leaving):
            if self._leaving:
                self._exit(Ending.LEFT)
                return
            over = closed.cause is Cause.GAME_OVER
            self._exit(Ending.GAME_OVER if over else Ending.CLOSED)
            return
        self._start_timer()
        self._show_clock()
        self._title()
        self._app.invalidate()

    def _start_timer(self) -> None:
        held = self._state.held
        time = None if held is None else PACES[self._state.settings.pace.value].time_for(held.hold)
        if self._timer is None and time is not None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(time.total_seconds(), self._advance)

    def _advance(self) -> None:
        self._timer = None
        self._change(advance(self._state))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _show_clock(self) -> None:
        """Count down once a second, only while a decision with a deadline is due."""
        self._stop_clock()
        left = seconds_left(self._state.due, self._now())
        self._state = replace(self._state, seconds_left=left)
        if left:
            self._tick = asyncio.get_running_loop().call_later(1, self._count_down)

    def _count_down(self) -> None:
        self._show_clock()
        self._app.invalidate()

    def _stop_clock(self) -> None:
        if self._tick is not None:
            self._tick.cancel()
            self._tick = None

    def _title(self) -> None:
        view = self._state.view
        table = "" if view is None else f" {cleaned(view.opened.table)}"
        turn = "* your turn - " if self._state.due is not None else ""
        self._app.output.set_title(f"{turn}Hearts{table}")

    def _fail(self, error: Exception) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit(exception=error)

    def _exit(self, ending: Ending) -> None:
        if self._app.is_running and not self._app.is_done:
            self._app.exit(result=ending)
