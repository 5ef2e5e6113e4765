"""`hearts play`: you and house bots, on a server inside this program."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

import click
from grpc import aio

from hearts_bots.bot import Bot
from hearts_bots.house import house_bot
from hearts_cli.failures import ServerFailure, run
from hearts_cli.house import house_in
from hearts_cli.interrupted import described
from hearts_cli.loglines import logged_to_file
from hearts_cli.options import (
    bots_option,
    data_option,
    name_option,
    plain_option,
    rules_option,
    rules_to,
    settings_option,
    target_option,
)
from hearts_cli.sitting import Chair, Outcome, play_out, table_of
from hearts_cli.terminal import Terminal
from hearts_client.connection import ServerError, connected
from hearts_client.lobby import Lobby
from hearts_client.settings import Settings
from hearts_client.ticket import EMBEDDED, Holding, Ticket, Tickets
from hearts_client.trust import Tls, Trust
from hearts_engine.events import SeatKind
from hearts_engine.rules import Rules
from hearts_server.app import serving
from hearts_server.policy import Policy


class Resume(Enum):
    """What becomes of a game that was broken off."""

    ASK = auto()
    GO_ON = auto()
    KEEP = auto()
    """It waits; another one is begun."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The game that was asked for."""

    rules: Rules
    name: str
    seed: str | None
    bots: str
    auto: bool
    data: Path
    resume: Resume = Resume.ASK

    def bot_for(self, ticket: Ticket) -> Bot | None:
        """What plays the person's seat in his place: the same again for the same seed."""
        whim = ticket.game_id if self.seed is None else self.seed
        return house_bot("medium", f"{whim}/{ticket.seat}") if self.auto else None


@click.command("play")
@click.option("--auto", is_flag=True, help="Let a bot play your seat; no keyboard needed.")
@click.option("--seed", metavar="TEXT", help="Deal from this text: reproducible, not fair.")
@bots_option
@rules_option
@target_option
@name_option
@plain_option
@settings_option
@data_option
def command(  # noqa: PLR0913  (one argument an option)
    *,
    auto: bool,
    seed: str | None,
    bots: str,
    rules: Rules | None,
    target: int | None,
    name: str,
    plain: bool,
    settings: Settings,
    data: Path,
) -> None:
    """Play a game against house bots: three, or as many as the rules have other seats."""
    wish = Wish(rules_to(rules, target), name, seed, bots, auto, data)
    with logged_to_file(data):
        terminal = Terminal(plain=plain, watching=auto, settings=settings)
        sys.exit(run(play(wish, terminal)))


PLAIN: Final = Trust(tls=Tls.NEVER)
"""The server is in this very process."""


def _policy(*, resumes: bool) -> Policy:
    """What holds for one person's games: they wait until they are taken up again."""
    return Policy(resumes=resumes, allow_fixed_seed=True, close_after=None)


async def play(wish: Wish, terminal: Terminal) -> int:
    """Play games against house bots until the person has had enough; the exit code."""
    async with (
        house_in(wish.data) as house,
        serving(house.premises, "127.0.0.1", 0, _policy(resumes=house.owner)) as listening,
        connected(listening.address, PLAIN) as channel,
    ):
        try:
            return await _Evening(wish, terminal, channel, resumes=house.owner).run()
        except ServerError as error:
            raise ServerFailure(error.message) from error


class _Evening:
    """Games one after the other, at one table."""

    def __init__(
        self, wish: Wish, terminal: Terminal, channel: aio.Channel, *, resumes: bool
    ) -> None:
        self._wish = wish
        self._channel = channel
        self._resumes = resumes
        self._lobby = Lobby(channel, EMBEDDED)
        self._tickets = Tickets(wish.data)
        self._terminal = terminal

    async def run(self) -> int:
        """Play until the person has had enough; the exit code."""
        holding = await self._interrupted() or await self._new_game()
        while True:
            ticket = holding.ticket
            chair = Chair(holding, self._wish.bot_for(ticket))
            outcome = await play_out(self._channel, chair, self._terminal, self._wish.data)
            if outcome is not Outcome.CLEAN or not self._terminal.can_ask:
                return outcome.exit_code
            if not await self._terminal.agrees("play again?"):
                return outcome.exit_code
            holding = self._tickets.keep(await self._lobby.play_again(ticket))

    async def _interrupted(self) -> Holding | None:
        """The seat in a game that was broken off, if there is one and the person wants it."""
        resume = self._wish.resume
        if not self._resumes or not self._terminal.can_ask or resume is Resume.KEEP:
            return None
        for ticket in self._tickets.held(EMBEDDED):
            holding = self._tickets.hold(ticket)
            if holding is None:
                continue
            table = await table_of(self._lobby, ticket)
            if table is None or table.seating:  # over, or broken off before it began
                holding.throw_away()
            elif resume is Resume.GO_ON or await self._terminal.agrees(
                f"go on with {described(ticket, self._wish.data)}?"
            ):
                return holding
            else:
                holding.throw_away()  # given up: it will not be asked about again
        return None

    async def _new_game(self) -> Holding:
        wish = self._wish
        kind = SeatKind.BOT if wish.auto else SeatKind.PERSON
        table = await self._lobby.create(wish.rules, fixed_seed=wish.seed, start_when_full=True)
        ticket = await self._lobby.join(table.name, wish.name, kind, takes_part=wish.seed is None)
        holding = self._tickets.keep(ticket)
        for _ in range(wish.rules.players - 1):
            await self._lobby.add_house_bot(ticket, wish.bots)
        return holding
