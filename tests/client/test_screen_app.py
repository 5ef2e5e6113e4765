"""The full screen in a terminal: keys in, cells out."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

import pyte
import pytest
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import Output

from hearts_client.cardnames import CardStyle
from hearts_client.ending import Ending
from hearts_client.news import Ask, Asked, Cause, Closed, Joined, Offline
from hearts_client.screen.app import ScreenOptions, play_screen
from hearts_client.settings import PaceName, Settings
from hearts_client.testing import LocalSession
from hearts_engine.cards import Card
from hearts_engine.commands import ChoosePass, ClaimRest, PlayCard
from hearts_engine.state import Phase


class Terminal(Protocol):
    """The terminal of conftest."""

    screen: pyte.Screen
    written: str
    keyboard: PipeInput
    output: Output

    def text(self) -> str: ...
    def type(self, keys: str) -> None: ...
    def resize(self, columns: int, rows: int) -> None: ...
    def style_of(self, text: str) -> pyte.screens.Char: ...
    async def until(self, condition: Callable[[str], bool]) -> str: ...
    async def shows(self, text: str) -> str: ...
    async def other_than(self, screen: str) -> str: ...


OpenTerminal = Callable[[int, int], AbstractContextManager[Terminal]]
SeatedAt = Callable[..., LocalSession]
Scene = Callable[[Terminal, LocalSession, "asyncio.Task[Ending]"], Coroutine[None, None, None]]

RIGHT, LEFT, END, F1, F10 = "\x1b[C", "\x1b[D", "\x1b[F", "\x1bOP", "\x1b[21~"
CTRL_L, CTRL_Q = "\x0c", "\x11"
UP, DOWN = "\x1b[A", "\x1b[B"
INSTANT = Settings(pace=PaceName.INSTANT)


@pytest.fixture
def play(terminal: OpenTerminal, table: SeatedAt) -> Callable[..., None]:
    """Run a scene on a screen of this size; the game is left by Ctrl-Q if it is not over."""

    def run(
        scene: Scene,
        size: tuple[int, int] = (80, 24),
        style: CardStyle = CardStyle.SYMBOLS,
        session: LocalSession | None = None,
    ) -> None:
        async def main() -> None:
            with terminal(*size) as shown:
                seat = session or table()
                news = seat.news()
                options = ScreenOptions(style, INSTANT, None, shown.keyboard, shown.output)
                game = asyncio.create_task(play_screen(seat, news=news, options=options))
                await shown.shows("joining the table" if min(size) >= 12 else "needs")
                try:
                    await scene(shown, seat, game)
                    if not game.done():
                        shown.type(CTRL_Q + CTRL_Q)
                    await game
                finally:
                    game.cancel()

        asyncio.run(main())

    return run


async def pass_last_three(shown: Terminal, seat: LocalSession) -> None:
    await shown.shows("Space")
    shown.type(f"{END} {LEFT} {LEFT} \r")
    await shown.until(lambda _: seat.state.phase is Phase.PLAYING)


def key_text(card: Card) -> str:
    return str(card).lower()


async def answer(shown: Terminal, seat: LocalSession, screen: str) -> None:
    """Press what the screen asks for."""
    foot = screen.splitlines()[-1]
    if "any key" in foot:
        shown.type("x")
    elif "Space" in foot:
        shown.type("\t \t \t \r")
    elif "Enter play" in foot or "next legal" in foot:
        shown.type(f"{key_text(seat.view.legal.highest())}\r")


@pytest.mark.parametrize(("size", "target"), [((80, 24), 20), ((40, 12), 5)])
def test_a_whole_game_can_be_played_by_keyboard(
    play: Callable[..., None], table: SeatedAt, size: tuple[int, int], target: int
) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        screen = await shown.shows("deal 1")
        while "The game is over" not in screen:
            await answer(shown, seat, screen)
            screen = await shown.other_than(screen)
        ended = seat.state.game.ended
        assert ended is not None
        total = next(row for row in screen.splitlines() if row.startswith(" total"))
        assert total.split()[1:] == [str(points) for points in ended.totals]
        shown.type("x")
        assert await game is Ending.GAME_OVER

    play(scene, size, session=table(rules=f"black_lady target={target}"))


@pytest.mark.parametrize("ten", ["10d", "td", "TD"])
def test_a_ten_can_be_typed_either_way(play: Callable[..., None], ten: str) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        shown.type(f"{ten} 6d 7d ")
        await shown.shows("3 of 3 marked, 6♦ 7♦ T♦; Enter passes them")
        shown.type("\r")
        await shown.until(lambda _: bool(seat.answers))
        cards = (Card.parse("6D"), Card.parse("7D"), Card.parse("TD"))
        assert seat.answers == [ChoosePass(seat.seat, cards)]

    play(scene)


def test_a_card_that_may_not_be_played_is_refused_with_the_rule_and_the_legal_cards(
    play: Callable[..., None],
) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await pass_last_three(shown, seat)
        await shown.shows("follow clubs")
        shown.type("qs\r")
        await shown.shows("Q♠: you still hold clubs, follow suit; legal: 8♣ A♣")
        shown.type("8c\r")
        await shown.until(lambda _: PlayCard(seat.seat, Card.parse("8C")) in seat.answers)

    play(scene)


def test_legal_cards_have_brackets_and_others_are_bare_and_dim(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await pass_last_three(shown, seat)
        screen = await shown.shows("follow clubs")
        assert "[8♣]" in screen
        assert "[K♦]" not in screen
        assert " K♦ " in screen
        assert shown.style_of("[8♣]").bold
        assert not shown.style_of(" K♦ ").bold

    play(scene)


def test_a_claim_is_sent_only_on_lead_and_its_refusal_is_shown(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await pass_last_three(shown, seat)
        await shown.shows("follow clubs")
        shown.type("f")
        screen = await shown.shows("claim the rest when you are on lead")
        while "your lead" not in screen:
            await answer(shown, seat, screen)
            screen = await shown.other_than(screen)
        assert ClaimRest(seat.seat) not in seat.answers
        shown.type("f")
        await shown.shows("do not prove that every trick is yours")
        assert ClaimRest(seat.seat) in seat.answers

    play(scene)


def test_leaving_asks_once_and_another_key_stays(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        shown.type(F10)
        await shown.shows("Leave the table?")
        shown.type("n")
        await shown.shows("Space marks")
        shown.type(CTRL_Q)
        await shown.shows("Leave the table?")
        shown.type("y")
        assert await game is Ending.QUIT

    play(scene)


def test_a_window_that_is_too_small_says_what_it_needs_and_still_quits(
    play: Callable[..., None],
) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        screen = await shown.shows("Ctrl-Q")
        assert "40x12" in screen
        assert "36x8" in screen
        shown.type(CTRL_Q + CTRL_Q)
        assert await game is Ending.QUIT

    play(scene, (36, 8))


def test_the_screen_follows_a_resize_and_keeps_the_hand_in_sight(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        for columns, rows in ((40, 12), (60, 20), (132, 50), (80, 24)):
            shown.resize(columns, rows)
            shown.type(RIGHT)
            screen = await shown.until(lambda text: all(c in text for c in ("8♣", "A♠", "Q♥")))
            assert len(screen.splitlines()) == rows

    play(scene)


def test_a_broken_connection_is_told_until_it_is_back(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        seat.tell(Offline(2, "the server does not answer"))
        screen = await shown.shows("connection lost, trying again")
        assert "attempt 2: the server does not answer" in screen
        seat.tell(Joined(seat.view, (), returned=True))
        screen = await shown.shows("back at the table")
        assert "connection lost" not in screen

    play(scene)


def test_an_answer_given_offline_is_said_to_wait_for_the_connection(
    play: Callable[..., None], table: SeatedAt
) -> None:
    class Unanswered(LocalSession):
        async def choose_pass(self, cards: object) -> None:
            await asyncio.Event().wait()

    seat = table()
    seat.__class__ = Unanswered

    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        seat.tell(Offline(1, "the server does not answer"))
        await shown.shows("connection lost")
        shown.type(f"{END} {LEFT} {LEFT} \r")
        screen = await shown.shows("your answer will be sent when the connection is back")
        assert "sent, waiting" not in screen

    play(scene, session=seat)


def test_a_session_that_ends_early_says_why_before_the_screen_goes(
    play: Callable[..., None],
) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        seat.tell(Closed(Cause.SUPERSEDED, "you sat down in another window"))
        await shown.shows("you sat down in another window")
        shown.type("x")
        assert await game is Ending.CLOSED

    play(scene)


def test_a_session_that_never_comes_to_a_table_ends_the_screen(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.tell(Closed(Cause.LOST, "nobody answers"))
        assert await game is Ending.CLOSED

    play(scene)


def test_a_session_that_is_over_before_the_screen_comes_up_ends_it_too(
    terminal: OpenTerminal, table: SeatedAt
) -> None:
    async def main() -> Ending:
        with terminal(80, 24) as shown:
            seat = table()
            news = seat.news()
            seat.tell(Closed(Cause.LOST, "nobody answers"))
            options = ScreenOptions(input=shown.keyboard, output=shown.output)
            async with asyncio.timeout(10):
                return await play_screen(seat, news=news, options=options)

    assert asyncio.run(main()) is Ending.CLOSED


def test_the_terminal_is_given_back_also_when_something_breaks(
    play: Callable[..., None], table: SeatedAt
) -> None:
    class Breaking(LocalSession):
        async def choose_pass(self, cards: object) -> None:
            raise RuntimeError("the session broke")

    seat = table()
    seat.__class__ = Breaking
    seen: list[Terminal] = []

    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seen.append(shown)
        seat.start()
        await shown.shows("Space marks")
        shown.type(f"{END} {LEFT} {LEFT} \r")
        await asyncio.wait({game})

    with pytest.raises(BaseExceptionGroup) as broken:
        play(scene, session=seat)
    assert broken.group_contains(RuntimeError, match="the session broke")
    assert seen[0].written.rindex("\x1b[?1049l") > seen[0].written.rindex("\x1b[?1049h")
    assert seen[0].written.rindex("\x1b[?25h") > seen[0].written.rindex("\x1b[?25l")


def test_without_colour_weight_and_brackets_still_tell_the_cards_apart(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await pass_last_three(shown, seat)
        await shown.shows("follow clubs")
        colours = {cell.fg for row in shown.screen.buffer.values() for cell in row.values()}
        assert colours == {"default"}
        assert shown.style_of("[8♣]").bold

    play(scene)


def test_with_colour_each_suit_has_its_own(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        shown.type(END)
        await shown.shows(">Q♥<")
        suits = [shown.style_of(card).fg for card in ("[8♣]", "[3♦]", "[3♠]", "[3♥]")]
        assert len(set(suits)) == 4

    play(scene)


def test_what_is_written_to_standard_error_stays_off_the_screen(
    terminal: OpenTerminal, table: SeatedAt, tmp_path: Path
) -> None:
    log = tmp_path / "stderr.txt"

    async def main() -> None:
        with terminal(80, 24) as shown:
            seat = table()
            options = ScreenOptions(CardStyle.LETTERS, INSTANT, log, shown.keyboard, shown.output)
            game = asyncio.create_task(play_screen(seat, news=seat.news(), options=options))
            await shown.shows("joining the table")
            os.write(2, b"a library speaks\n")
            shown.type(CTRL_Q + CTRL_Q)
            await game

    asyncio.run(main())
    assert log.read_bytes() == b"a library speaks\n"


def test_the_time_left_to_decide_is_counted_down(terminal: OpenTerminal, table: SeatedAt) -> None:
    async def main() -> None:
        with terminal(80, 24) as shown:
            seat = table()
            clock = iter([0, *range(1_000_000, 99_000_000, 1_000_000)])
            options = ScreenOptions(
                settings=INSTANT, input=shown.keyboard, output=shown.output, now=lambda: next(clock)
            )
            game = asyncio.create_task(play_screen(seat, news=seat.news(), options=options))
            await shown.shows("joining the table")
            seat.start()
            await shown.shows("Space marks")
            seat.tell(Asked(Ask.PASS, seat.view, deadline=75_000_000))
            before = await shown.until(lambda text: "1:" in text.splitlines()[0])
            shown.type(RIGHT)
            later = await shown.until(lambda text: text.splitlines()[0] != before.splitlines()[0])
            assert later.splitlines()[0].split()[-1] < before.splitlines()[0].split()[-1]
            shown.type(CTRL_Q + CTRL_Q)
            await game

    asyncio.run(main())


@pytest.mark.parametrize("key", ["\x03", CTRL_Q, F10])
def test_every_way_out_asks_and_then_leaves(play: Callable[..., None], key: str) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        shown.type(key)
        await shown.shows("Leave the table?")
        shown.type(key)
        assert await game is Ending.QUIT

    play(scene)


def test_help_and_redraw_work_at_any_time(play: Callable[..., None]) -> None:
    async def scene(shown: Terminal, seat: LocalSession, game: asyncio.Task[Ending]) -> None:
        seat.start()
        await shown.shows("Space marks")
        shown.type(F1)
        await shown.shows("next legal card")
        shown.screen.reset()
        shown.type(CTRL_L)
        await shown.shows("next legal card")
        shown.type("?\x1b")
        await shown.shows("this deal")

    play(scene)
