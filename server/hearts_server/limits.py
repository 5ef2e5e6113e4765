"""How much is let in: the limits of a server, each of which its operator may set."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final

from hearts_engine.seating import LONGEST_NAME

SHORTEST_REQUEST_ID: Final = 16
"""Characters of a request id, which opens a seat like a token: it must not be guessed."""

MOST: Final = 1_000_000
"""The highest value of a limit, which is as good as none."""

_LOCAL: Final = "local-"

_BOUNDS: Final = {
    "message_bytes": (4_096, 4 * 1_024 * 1_024),
    "name_length": (1, LONGEST_NAME),
    "request_id_length": (SHORTEST_REQUEST_ID, 1_024),
}
"""Lowest and highest value where these are not 1 and ``MOST``."""


class BadLimit(ValueError):
    """A limit that there is not, or a value that it cannot have; the sentence says what can be."""


def _names(kind: type[Limits | PeerLimits]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in {"others", "local"})


def _text(name: str) -> str:
    return name.replace("_", "-")


def _check(limits: Limits | PeerLimits) -> None:
    for name in _names(type(limits)):
        lowest, highest = _BOUNDS.get(name, (1, MOST))
        value = getattr(limits, name)
        if not lowest <= value <= highest:
            raise BadLimit(f"{_text(name)}: {lowest} to {highest}, not {value}")


@dataclass(frozen=True, slots=True)
class PeerLimits:
    """What one peer may do: one address, or one IPv6 network of 64 bits."""

    seats: int
    """Seats held at once, at tables that are still in use."""
    streams: int
    """Calls in progress at once, of which streams go on."""
    tables_a_minute: int
    """Tables opened."""
    waiting_tables: int
    """Tables opened by it that have not started."""
    calls_a_second: int
    """Calls begun, streams among them."""
    commands_a_second: int
    """Requests on the stream of one seat, heartbeats among them."""

    def __post_init__(self) -> None:
        _check(self)

    def but(self, change: dict[str, int]) -> PeerLimits:
        """These limits with some set otherwise."""
        return replace(self, **change)


OTHERS: Final = PeerLimits(
    seats=32,
    streams=128,
    tables_a_minute=20,
    waiting_tables=10,
    calls_a_second=50,
    commands_a_second=200,
)
"""A household, or a bot author's machine."""

LOCAL: Final = PeerLimits(
    seats=20_000,
    streams=20_000,
    tables_a_minute=5_000,
    waiting_tables=2_000,
    calls_a_second=10_000,
    commands_a_second=5_000,
)
"""A league of bots on this machine, all of them one peer. Who runs programs here can do worse."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a server. Lengths are counted in characters unless the name says bytes."""

    tables: int = 2_000
    """Tables whose game is not over."""
    watchers: int = 50
    """Spectators of one table at once."""
    message_bytes: int = 64 * 1_024
    """One request; gRPC itself ends the call of a larger one."""
    name_length: int = LONGEST_NAME
    chat_length: int = 200
    """One line."""
    chat_a_minute: int = 30
    """Lines of one seat or spectator."""
    goings_a_minute: int = 20
    """How often one seat leaves, and how often its host pauses, removes and hands over."""
    passcode_tries: int = 5
    """Wrong passcodes of a peer at one table before each further try has to wait."""
    request_id_length: int = 128
    idle_minutes: int = 60
    """How long a table stays open that has not started and that nobody attends."""
    others: PeerLimits = OTHERS
    """For peers on other machines."""
    local: PeerLimits = LOCAL
    """For this machine, whose every address is the same peer."""

    def __post_init__(self) -> None:
        _check(self)

    def but(self, text: str) -> Limits:
        """These limits with one set otherwise, ``seats=8``; raises ``BadLimit``.

        >>> Limits().but("local-seats=8").local.seats
        8
        """
        name, _, number = text.partition("=")
        if name not in limit_names():
            raise BadLimit(f"{name[:40]!r} is no limit; there are {', '.join(limit_names())}")
        if not (number.isascii() and number.isdigit() and len(number) <= len(str(MOST))):
            raise BadLimit(f"{name}={number[:40]}: write a number, {name}={self.by_name()[name]}")
        return self._with(name, int(number))

    def _with(self, name: str, value: int) -> Limits:
        change = {name.removeprefix(_LOCAL).replace("-", "_"): value}
        if name.startswith(_LOCAL):
            return replace(self, local=self.local.but(change))
        if change.keys() <= set(_names(PeerLimits)):
            return replace(self, others=self.others.but(change))
        own: dict[str, Any] = {**change}  # for a type checker, which knows of no field by name
        return replace(self, **own)

    def by_name(self) -> dict[str, int]:
        """Every limit by the name that :meth:`but` knows it by."""
        own = {_text(name): getattr(self, name) for name in _names(Limits)}
        others = {_text(name): getattr(self.others, name) for name in _names(PeerLimits)}
        local = {_LOCAL + _text(name): getattr(self.local, name) for name in _names(PeerLimits)}
        return own | others | local


def limit_names() -> tuple[str, ...]:
    """The names of all limits."""
    return tuple(Limits().by_name())
