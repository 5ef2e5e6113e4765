"""Tables on the local network and on this machine, and whatever an invite leads to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import Final

from hearts_cli.address import Server
from hearts_cli.choosing import Offer, every_table
from hearts_cli.front.hall import Hall
from hearts_cli.options import own_name
from hearts_cli.passcodes import Passcode
from hearts_cli.seeking import Wish, play_at
from hearts_cli.surroundings import Search
from hearts_cli.tablelist import free_words, server_line, sitters, terms
from hearts_cli.watch import Wish as WatchWish
from hearts_cli.watch import watch_at
from hearts_client.discovery import Surroundings
from hearts_client.foyer.form import Field, Form, Told, Words
from hearts_client.foyer.listing import Listing, Row
from hearts_client.foyer.menu import Item, Menu
from hearts_client.invite import BadInvite, Invite
from hearts_client.trust import Tls

LOOK_AGAIN_SECONDS: Final = 3.0
"""Between two looks at the network."""


@dataclass(frozen=True, slots=True)
class ByInvite:
    """The last row: an invite is typed."""


Choice = Offer | ByInvite
Tables = Listing[Choice]

_BY_INVITE: Final[Row[Choice]] = Row(
    ("another one", "", "where an invite or HOST:PORT leads", ""), ByInvite()
)


class Way(Enum):
    """What can be done at a table."""

    SIT = auto()
    TAKE_OVER = auto()
    WATCH = auto()


async def find_table(hall: Hall) -> None:
    """Choose among the tables around, as they come and go, and sit down or watch."""
    search = Search(hall.data, Tls.AUTO, discovery=True)
    page: Tables = Listing(
        "Tables around",
        ("table", "seats", "what is played", "who is there"),
        (_BY_INVITE,),
        note="looking at the local network and this machine",
    )
    choice = await hall.foyer.show(page, _looks(search))
    match choice:
        case None:
            return
        case ByInvite():
            await _by_invite(hall)
        case Offer():
            await _go_to(hall, choice)


async def _looks(search: Search) -> AsyncIterator[Callable[[Tables], Tables]]:
    while True:
        yield partial(_with_tables, await search.surroundings(), search)
        await asyncio.sleep(LOOK_AGAIN_SECONDS)


def _with_tables(around: Surroundings, search: Search, page: Tables) -> Tables:
    offers = [offer for offer in every_table(around, search) if not offer.table.over]
    rows: list[Row[Choice]] = [Row(_cells(offer), offer) for offer in offers]
    if around.deaf is not None:
        note = f"the local network cannot be listened to: {around.deaf}"
    else:
        note = "" if offers else "no table found yet; start one with Host, or type an invite"
    return page.with_rows((*rows, _BY_INVITE), note)


def _cells(offer: Offer) -> tuple[str, ...]:
    table = offer.table
    where = f"{table.name} at {server_line(offer.server)}"
    return where, free_words(table), terms(table), sitters(table)


async def _by_invite(hall: Hall) -> None:
    field = Field("invite", "invite", "", says="hearts://... or HOST:PORT")
    words = await hall.foyer.show(Form("Where to?", (field,), "Go", _judged))
    if words is not None:
        invite = Invite.parse(words["invite"])
        await play_at(Server(invite), _wish(hall, invite.table), hall.terminal)


def _judged(words: Words) -> Told:
    try:
        Invite.parse(words["invite"])
    except BadInvite as error:
        return Told(trouble=str(error) if words["invite"] else "")
    return Told(("you sit down at the table that it names, or at the first with a free seat",))


async def _go_to(hall: Hall, offer: Offer) -> None:
    table = offer.table
    if table.seating and table.free:
        await play_at(offer.place, _wish(hall, table.name), hall.terminal)
        return
    over = (Item("Take over", "a seat that a bot plays for nobody", Way.TAKE_OVER),)
    ways = (
        Item("Sit down", "if a seat there is yours", Way.SIT),
        *(over if table.vacant else ()),
        Item("Watch", "what everyone may see", Way.WATCH),
    )
    match await hall.foyer.show(Menu(f"Table {table.name}", ways)):
        case Way.SIT:
            await play_at(offer.place, _wish(hall, table.name), hall.terminal)
        case Way.TAKE_OVER:
            wish = replace(_wish(hall, table.name), take_over="")
            await play_at(offer.place, wish, hall.terminal)
        case Way.WATCH:
            open_to_all = Passcode(asked_for=False)
            watched = WatchWish(table.name, follow=False, passcode=open_to_all, data=hall.data)
            await watch_at(offer.place, watched, hall.terminal)
        case None:
            pass


def _wish(hall: Hall, table: str | None) -> Wish:
    return Wish(table, None, hall.settings.name or own_name(), hall.data)
