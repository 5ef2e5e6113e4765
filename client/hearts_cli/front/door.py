"""The first menu, and what each of its items leads to."""

from __future__ import annotations

from enum import Enum, auto
from pathlib import Path

import click

from hearts_cli.failures import unwrapped
from hearts_cli.front.finding import find_table
from hearts_cli.front.hall import Hall
from hearts_cli.front.hosting import host_table
from hearts_cli.front.newgame import go_on_at_home, play_at_home
from hearts_cli.front.preferences import set_up
from hearts_cli.front.rulebook import read_rules
from hearts_cli.front.shelf import look_back
from hearts_cli.interrupted import broken_off, described
from hearts_client.cardnames import card_style
from hearts_client.foyer.banner import banner
from hearts_client.foyer.menu import Item, Menu
from hearts_client.settings import Settings


class Way(Enum):
    """What there is to do."""

    GO_ON = auto()
    PLAY = auto()
    FIND = auto()
    HOST = auto()
    REPLAYS = auto()
    RULES = auto()
    SETTINGS = auto()
    QUIT = auto()


async def stand_at_the_door(settings: Settings, data: Path) -> int:
    """Do what the person chooses until they leave; the exit code."""
    hall, note = Hall(settings, data), ""
    while True:
        way = await hall.foyer.show(_menu(hall, note))
        note = ""
        if way in {None, Way.QUIT}:
            return 0
        try:
            with unwrapped():
                hall = await _go(hall, way)
        except click.ClickException as error:
            note = error.message
        except click.Abort:  # left at a question: back to the door
            pass


async def _go(hall: Hall, way: Way | None) -> Hall:
    """Do one thing; the hall as it looks from then on."""
    match way:
        case Way.GO_ON:
            await go_on_at_home(hall)
        case Way.PLAY:
            await play_at_home(hall)
        case Way.FIND:
            await find_table(hall)
        case Way.HOST:
            await host_table(hall)
        case Way.REPLAYS:
            await look_back(hall)
        case Way.RULES:
            await read_rules(hall)
        case Way.SETTINGS:
            return await set_up(hall)
        case Way.QUIT | None:
            pass
    return hall


def _menu(hall: Hall, note: str) -> Menu[Way]:
    held = broken_off(hall.data)
    go_on = () if held is None else (Item("Go on", described(held, hall.data), Way.GO_ON),)
    style = card_style(hall.settings.suits, hall.terminal.card_style)
    return Menu(
        "Hearts Table",
        (
            *go_on,
            Item("Play", "a game against house bots", Way.PLAY),
            Item("Find a table", "on the local network, or by an invite", Way.FIND),
            Item("Host a table", "for others, with bots on the seats left over", Way.HOST),
            Item("Past games", "read, audit or save them", Way.REPLAYS),
            Item("Rules", "of the standard game and its variants", Way.RULES),
            Item("Settings", "looks, pace, your name and more", Way.SETTINGS),
            Item("Leave", "Esc does the same", Way.QUIT),
        ),
        note=note,
        banner=banner(style),
        hints=(("Enter", "choose"), ("Up Down", "move"), ("1-9", "by number"), ("Esc", "leave")),
    )
