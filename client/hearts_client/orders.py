"""What one may ask of one's table besides playing: the host's powers, and to leave."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from hearts_client.connection import ServerError
from hearts_client.lobby import Lobby
from hearts_client.ticket import Ticket
from hearts_engine.cards import Seat


@dataclass(frozen=True, slots=True)
class AddBot:
    """Seat a house bot on a free seat."""

    level: str = ""
    """Empty: what the server usually seats."""


@dataclass(frozen=True, slots=True)
class Remove:
    """Free a seat, or in a game under way have a bot play it for nobody."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandOver:
    """Make another seat the host's."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Start:
    """Start the game."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the game for a while."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let a paused game go on."""


@dataclass(frozen=True, slots=True)
class GiveUpSeat:
    """Leave the seat: to a bot in a game under way, until one comes back; else to anyone."""


Order: TypeAlias = AddBot | Remove | HandOver | Start | Pause | Resume | GiveUpSeat

GiveOrder: TypeAlias = Callable[[Order], Awaitable[str]]
"""Has an order carried out; why it was not, in a sentence, or nothing."""


async def carry_out(lobby: Lobby, ticket: Ticket, order: Order) -> str:
    """Have the table do something; why it did not, in the server's sentence, or nothing."""
    try:
        await _call(lobby, ticket, order)
    except ServerError as error:
        return error.message
    return ""


async def _call(lobby: Lobby, ticket: Ticket, order: Order) -> None:
    match order:
        case AddBot(level):
            await lobby.add_house_bot(ticket, level)
        case Remove(seat):
            await lobby.remove(ticket, seat)
        case HandOver(seat):
            await lobby.hand_over(ticket, seat)
        case Start():
            await lobby.start(ticket)
        case Pause():
            await lobby.pause(ticket)
        case Resume():
            await lobby.resume(ticket)
        case GiveUpSeat():
            await lobby.leave(ticket)
        case _:
            assert_never(order)
