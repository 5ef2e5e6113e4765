"""Menus, forms, lists and texts: what keys do, and what stands on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Protocol

import pytest
from prompt_toolkit.input import PipeInput
from prompt_toolkit.output import Output

from hearts_client.cardnames import CardStyle
from hearts_client.foyer.app import Foyer
from hearts_client.foyer.banner import banner
from hearts_client.foyer.form import Field, Form, Told, Words
from hearts_client.foyer.listing import Listing, Row
from hearts_client.foyer.menu import Item, Menu
from hearts_client.foyer.page import Done, Page
from hearts_client.foyer.reader import Reader
from hearts_client.screen.keypress import Key, Pressed
from hearts_client.screen.lines import Size, cells

SIZES = (Size(120, 40), Size(80, 24), Size(60, 20), Size(40, 12))
USUAL = Size(80, 24)

MENU = Menu(
    "Hearts",
    (Item("Play", "a game", "play"), Item("Rules", "of every game", "rules")),
    banner=banner(CardStyle.SYMBOLS),
)
FORM = Form(
    "A game",
    (
        Field("bots", "house bots", "medium", ("easy", "medium")),
        Field("name", "your name", "Ann"),
        Field("code", "passcode", "", secret=True),
    ),
    "Play",
    lambda words: Told((f"you are {words['name']}",), "" if words["name"] else "write a name"),
)
LIST: Listing[str] = Listing("Tables", ("table", "who is there"), empty="looking for tables")
TEXT = Reader("A game", tuple(f"line {number}" for number in range(100)))


def with_another(row: Row[str], page: Listing[str]) -> Listing[str]:
    return page.with_rows((*page.rows, row))


class Terminal(Protocol):
    """The terminal of conftest."""

    keyboard: PipeInput
    output: Output

    def type(self, keys: str) -> None: ...
    def resize(self, columns: int, rows: int) -> None: ...
    async def shows(self, text: str) -> str: ...


OpenTerminal = Callable[[int, int], AbstractContextManager[Terminal]]


def pressed(page: Page[Any], *keys: Pressed) -> Any:
    step: Any = page
    for key in keys:
        step = step.pressed(key, USUAL)
    return step


def shown(page: Page[Any], size: Size = USUAL) -> str:
    return "\n".join("".join(text for _, text in content) for content in page.lines(size))


def test_a_menu_is_gone_through_with_arrows_or_answered_by_number() -> None:
    assert pressed(MENU, Key.DOWN, Key.ENTER) == Done("rules")
    assert pressed(MENU, Key.UP, Key.ENTER) == Done("rules")
    assert pressed(MENU, "1") == Done("play")
    assert pressed(MENU, "3") is MENU
    assert pressed(MENU, Key.ESCAPE) == Done(None)


def test_a_form_gives_what_stands_in_its_fields() -> None:
    filled = pressed(FORM, Key.RIGHT, Key.ENTER, Key.BACKSPACE, "a", Key.DOWN, "x", Key.DOWN)
    assert pressed(filled, Key.ENTER) == Done({"bots": "easy", "name": "Ana", "code": "x"})
    assert pressed(FORM, "e").words["bots"] == "easy"


def test_a_form_says_what_is_wrong_and_its_button_waits_until_it_is_right() -> None:
    wrong = pressed(FORM, Key.DOWN, *[Key.BACKSPACE] * 3)
    assert "write a name" in shown(wrong)
    stuck = pressed(wrong, Key.DOWN, Key.DOWN, Key.ENTER)
    assert isinstance(stuck, Form)
    assert stuck.words["name"] == ""


def test_a_passcode_is_not_on_the_screen() -> None:
    form = pressed(FORM, Key.DOWN, Key.DOWN, *"hush")
    assert "hush" not in shown(form)
    assert "****" in shown(form)


def test_a_list_that_grows_keeps_the_cursor_on_what_it_was_on() -> None:
    assert "looking for tables" in shown(LIST)
    few = LIST.with_rows((Row(("oak-1", "Ann"), "oak"),))
    more = few.with_rows((Row(("ash-1", ""), "ash"), Row(("oak-1", "Ann"), "oak")))
    assert pressed(more, Key.ENTER) == Done("ash"), "nobody has chosen yet"
    assert pressed(pressed(few, Key.HOME).with_rows(more.rows), Key.ENTER) == Done("oak")
    assert pressed(more.with_rows(()), Key.ENTER).rows == ()


def test_a_text_is_read_page_by_page_from_its_first_to_its_last_line() -> None:
    seen: set[str] = set()
    page = TEXT
    for _ in range(12):
        seen |= {text for text in shown(page).split("\n") if "line" in text}
        page = pressed(page, Key.SPACE)
    assert {text.strip() for text in seen} >= set(TEXT.text)
    assert "line 0" in shown(pressed(page, Key.HOME))
    assert "line 99" in shown(pressed(TEXT, Key.END))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.columns}x{size.rows}")
@pytest.mark.parametrize(
    "page",
    [MENU, FORM, LIST, LIST.with_rows((Row(("oak-1", "日本太郎, Ann"), "oak"),)), TEXT],
    ids=["menu", "form", "empty", "list", "text"],
)
def test_every_page_fits_and_tells_the_way_back(page: Page[Any], size: Size) -> None:
    lines = page.lines(size)
    assert len(lines) == size.rows
    assert all(cells(content) <= size.columns for content in lines)


def test_a_page_is_shown_until_it_is_answered_and_follows_what_happens(
    terminal: OpenTerminal,
) -> None:
    async def main() -> str | None:
        found: asyncio.Queue[Row[str]] = asyncio.Queue()

        async def updates() -> AsyncIterator[Callable[[Listing[str]], Listing[str]]]:
            while True:
                row = await found.get()
                yield partial(with_another, row)

        with terminal(80, 24) as screen:
            foyer = Foyer(input=screen.keyboard, output=screen.output)
            showing = asyncio.create_task(foyer.show(LIST, updates()))
            await screen.shows("looking for tables")
            found.put_nowait(Row(("oak-1", "Ann"), "oak"))
            await screen.shows("oak-1")
            screen.type("\r")
            return await showing

    assert asyncio.run(main()) == "oak"


def test_a_window_that_is_too_small_says_so_and_can_be_left(terminal: OpenTerminal) -> None:
    async def main() -> str | None:
        with terminal(30, 8) as screen:
            foyer = Foyer(input=screen.keyboard, output=screen.output)
            showing = asyncio.create_task(foyer.show(MENU))
            await screen.shows("needs 40x12")
            screen.type("\x1b")
            return await showing

    assert asyncio.run(main()) is None


def test_words_of_a_form_are_those_of_its_fields() -> None:
    words: Words = FORM.words
    assert list(words) == ["bots", "name", "code"]
