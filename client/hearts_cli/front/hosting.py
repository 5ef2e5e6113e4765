"""A table of one's own for others: a server in this program for as long as one sits there."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import Final

from hearts_bots.house import LEVELS
from hearts_cli.address import Server
from hearts_cli.announcing import Announcing, announced_if
from hearts_cli.failures import BadInput
from hearts_cli.front.hall import Hall
from hearts_cli.front.rulefields import asked_rules, rule_fields, rules_told
from hearts_cli.house import House, house_in
from hearts_cli.options import CLOCKS, own_name
from hearts_cli.passcodes import VARIABLE, Passcode
from hearts_cli.securing import Entrance, join_commands, security_of
from hearts_cli.seeking import Wish, play_at
from hearts_cli.serve import BOT_SECONDS, PORT
from hearts_client.foyer.form import Field, Form, Told, Words
from hearts_client.invite import Invite
from hearts_client.trust import Tls
from hearts_server.app import CannotListen, Listening
from hearts_server.policy import Policy

_EVERYONE: Final = "the local network"
_HERE: Final = "this machine only"

_HOSTS: Final = {_EVERYONE: "0.0.0.0", _HERE: "127.0.0.1"}  # noqa: S104  (asked for in so many words)


async def host_table(hall: Hall) -> None:
    """Ask what the table is to be like, open it, and play there."""
    fields = (
        *rule_fields(),
        Field("clock", "seconds a card", "45", tuple(CLOCKS), "then one is chosen for them"),
        Field("bots", "house bots", hall.settings.bots, LEVELS, "those you seat with a"),
        Field("who", "who can come", _EVERYONE, (_EVERYONE, _HERE)),
        Field("passcode", "passcode", "", says="empty: anyone may sit down", secret=True),
        Field("hands", "open hands", "no", ("no", "yes"), "spectators see every hand"),
    )
    words = await hall.foyer.show(Form("A table for others", fields, "Open it", _judged))
    if words is not None:
        await _open(hall, words)


def _judged(words: Words) -> Told:
    told = rules_told(words)
    if told.trouble:
        return told
    way = (
        "others on this network find it by themselves: hearts join"
        if words["who"] == _EVERYONE
        else f"others on this machine sit down with: hearts join 127.0.0.1:{PORT}"
    )
    return Told((*told.lines, way, "the table is open for as long as this program runs"))


async def _open(hall: Hall, words: Words) -> None:
    host = _HOSTS[words["who"]]
    async with house_in(hall.data) as house, AsyncExitStack() as stack:
        listening = await _listen(stack, hall, house, host, words)
        beside = announced_if(Announcing.USUAL, listening, house.premises.clock)
        await stack.enter_async_context(beside)
        invite = Invite("127.0.0.1", listening.port, fingerprint=listening.fingerprint)
        if words["passcode"]:
            os.environ[VARIABLE] = words["passcode"]
        try:
            wish = replace(_wish(hall, words), ways_in=partial(join_commands, listening))
            await play_at(Server(invite), wish, hall.terminal)
        finally:
            os.environ.pop(VARIABLE, None)


async def _listen(
    stack: AsyncExitStack, hall: Hall, house: House, host: str, words: Words
) -> Listening:
    """A server at the usual port, or at a free one where that is taken."""
    policy = Policy(
        resumes=house.owner,
        usual_rules=asked_rules(words),
        turn_seconds=CLOCKS[words["clock"]],
        bot_seconds=BOT_SECONDS,
    )
    trouble: CannotListen | None = None
    for port in (PORT, 0):
        entrance = Entrance(host, port, security_of(host, Tls.AUTO, hall.data), Announcing.USUAL)
        try:
            return await stack.enter_async_context(entrance.serving(house.premises, policy))
        except CannotListen as error:
            trouble = error
    raise BadInput(str(trouble))


def _wish(hall: Hall, words: Words) -> Wish:
    return Wish(
        None,
        asked_rules(words),
        hall.settings.name or own_name(),
        hall.data,
        clock=CLOCKS[words["clock"]],
        passcode=Passcode(asked_for=bool(words["passcode"])),
        open_hands=words["hands"] == "yes",
        new=True,
    )
