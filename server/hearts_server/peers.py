"""Who calls, as far as an address tells, and how much each does."""

from __future__ import annotations

import ipaddress
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, NewType
from urllib.parse import unquote

from hearts_engine.cards import Seat
from hearts_server.clocks import Clock
from hearts_server.excess import (
    tables_too_fast,
    too_many_calls,
    too_many_seats,
    too_many_streams,
    too_many_waiting_tables,
)
from hearts_server.guard import Guard
from hearts_server.holdings import Holdings
from hearts_server.limits import Limits, PeerLimits
from hearts_server.pace import Pace, SeatAt
from hearts_server.rates import Buckets, Rate

Peer = NewType("Peer", str)
"""One address, or one network of 64 bits: whoever has one IPv6 address there has them all."""

HERE: Final = Peer("this machine")

SITE_BITS: Final = 64


def peer_of(address: str) -> Peer:
    """The peer of a connection, from what gRPC calls its other end.

    >>> peer_of("ipv4:192.0.2.7:4711"), peer_of("ipv6:%5B2001:db8::7%5D:4711")
    ('192.0.2.7', '2001:db8::/64')
    """
    scheme, _, rest = unquote(address).partition(":")
    if scheme not in {"ipv4", "ipv6"}:
        return HERE  # a socket of this machine's own
    host = rest.rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        return _peer_at(ipaddress.ip_address(host))
    except ValueError:
        return Peer(host[:64])


def _peer_at(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> Peer:
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return _peer_at(address.ipv4_mapped)
        # On a link every machine has the same 64 bits, so there the others tell them apart.
        if not (address.is_loopback or address.is_link_local):
            return Peer(str(ipaddress.ip_network((address, SITE_BITS), strict=False)))
    return HERE if address.is_loopback else Peer(str(address))


@dataclass(frozen=True, slots=True)
class SeatHeld:
    """A seat that a peer has sat down on."""

    table: str
    token_digest: str
    """Of the token that opens it."""


class Peers:
    """What every peer does right now and did lately; who does nothing takes no memory.

    ``guard`` tries the passcodes that they say.
    """

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self.limits = limits
        self.guard = Guard(limits.passcode_tries, clock)
        self._clock = clock
        self._calls = Buckets[Peer]()
        self._rate = Buckets[Peer]()
        self._tables = Holdings[Peer, str]()
        self._sent = Buckets[SeatAt]()
        self._streams: Counter[Peer] = Counter()
        self._seats = Holdings[Peer, SeatHeld]()

    def __len__(self) -> int:
        """How many peers there is something to be remembered of, rates apart."""
        return len(self._seats.holders | self._tables.holders | set(self._streams))

    def limits_of(self, peer: Peer) -> PeerLimits:
        """What this peer may do."""
        return self.limits.local if peer == HERE else self.limits.others

    @contextmanager
    def calling(self, peer: Peer) -> Generator[None, None, None]:
        """A call of this peer, from its beginning to its end; ``Refused`` if it is too much."""
        limits, now = self.limits_of(peer), self._clock.now()
        if not self._calls.take(peer, Rate.a_second(limits.calls_a_second), now):
            raise too_many_calls(limits.calls_a_second)
        if self._streams[peer] >= limits.streams:
            raise too_many_streams(limits.streams)
        self._streams[peer] += 1
        try:
            yield
        finally:
            _less(self._streams, peer)

    @contextmanager
    def opening(
        self, peer: Peer, is_waiting: Callable[[str], bool]
    ) -> Generator[Callable[[str], None], None, None]:
        """A peer that opens a table, whose name the block notes.

        ``Refused`` if it does so too fast, or if too many that it opened wait for their start.
        """
        limits = self.limits_of(peer)
        if not self._rate.take(peer, Rate.a_minute(limits.tables_a_minute), self._clock.now()):
            raise tables_too_fast(limits.tables_a_minute)
        most = limits.waiting_tables
        with self._tables.taking(peer, most, is_waiting, too_many_waiting_tables) as note:
            yield note

    def pace(self, peer: Peer, table: str, seat: Seat) -> Pace:
        """How fast the stream of a seat may send, which a peer has attached."""
        a_second = self.limits_of(peer).commands_a_second
        return Pace(self._clock, a_second, self._sent, (table, seat))

    @contextmanager
    def sitting_down(
        self, peer: Peer, is_held: Callable[[SeatHeld], bool]
    ) -> Generator[Callable[[SeatHeld], None], None, None]:
        """A peer that takes a seat, which the block notes; ``Refused`` if it holds too many.

        Seats that it does not hold any more do not count.
        """
        most = self.limits_of(peer).seats
        with self._seats.taking(peer, most, is_held, too_many_seats) as note:
            yield note


def _less(count: Counter[Peer], peer: Peer) -> None:
    count[peer] -= 1
    if not count[peer]:
        del count[peer]
