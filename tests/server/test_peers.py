"""Who counts as one peer, and that counting them costs nothing for those who are gone."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

import pytest

from hearts_server.errors import Refused
from hearts_server.holdings import FEW
from hearts_server.limits import Limits, PeerLimits
from hearts_server.peers import HERE, Peer, Peers, SeatHeld, peer_of
from hearts_server.testing.premises import VirtualClock

LITTLE = PeerLimits(
    seats=2, streams=3, tables_a_minute=2, waiting_tables=2, calls_a_second=100, commands_a_second=5
)


def peers_of(**fields: int) -> Peers:
    return Peers(Limits(others=replace(LITTLE, **fields)), VirtualClock())


@pytest.mark.parametrize(
    ("address", "peer"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv4:127.0.0.1:4711", HERE),
        ("ipv4:127.9.9.9:1", HERE),
        ("ipv6:%5B::1%5D:36666", HERE),
        ("ipv6:[::1]:36666", HERE),
        ("ipv6:%5B::ffff:127.0.0.1%5D:36666", HERE),
        ("ipv6:%5B::ffff:192.0.2.7%5D:36666", "192.0.2.7"),
        ("unix:", HERE),
        ("unix:/run/hearts.sock", HERE),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4711", "2001:db8:1:2::/64"),
        ("ipv6:%5B2001:db8:1:2:ffff::%5D:4711", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:4711", "fe80::1"),
        ("ipv4:no address at all:1", "no address at all"),
    ],
)
def test_a_peer_is_an_address_or_a_site(address: str, peer: str) -> None:
    assert peer_of(address) == peer


def test_a_call_too_many_is_refused_and_the_next_is_taken_when_one_has_ended() -> None:
    peers, ann, ben = peers_of(), Peer("192.0.2.1"), Peer("192.0.2.2")
    with ExitStack() as calls:
        for _ in range(3):
            calls.enter_context(peers.calling(ann))
        with pytest.raises(Refused, match="3 calls in progress") as refusal, peers.calling(ann):
            pass
        assert refusal.value.reason == "TOO_MANY_STREAMS"
        with peers.calling(ben):
            pass
    with peers.calling(ann):
        pass


def test_a_seat_too_many_is_refused_until_one_is_held_no_more() -> None:
    peers, ann, held = peers_of(), Peer("192.0.2.1"), set[SeatHeld]()
    for number in range(2):
        with peers.sitting_down(ann, held.__contains__) as note:
            seat = SeatHeld(f"oak-{number}", "digest")
            held.add(seat)
            note(seat)
    with pytest.raises(Refused) as refusal, peers.sitting_down(ann, held.__contains__):
        pass
    assert refusal.value.reason == "TOO_MANY_SEATS"
    held.pop()
    with peers.sitting_down(ann, held.__contains__):
        pass


def test_seats_are_not_taken_all_at_once_by_calls_side_by_side() -> None:
    peers, ann = peers_of(), Peer("192.0.2.1")
    with ExitStack() as calls:
        for _ in range(2):
            calls.enter_context(peers.sitting_down(ann, lambda _: True))
        with pytest.raises(Refused), peers.sitting_down(ann, lambda _: True):
            pass


def test_a_join_that_is_refused_counts_for_nothing() -> None:
    peers, ann = peers_of(), Peer("192.0.2.1")
    for _ in range(10):
        with pytest.raises(LookupError), peers.sitting_down(ann, lambda _: True):
            raise LookupError
    with peers.sitting_down(ann, lambda _: True):
        pass


def test_a_spray_of_addresses_that_sit_down_and_leave_is_forgotten() -> None:
    peers = peers_of()
    for number in range(5 * FEW):
        with peers.sitting_down(Peer(f"2001:db8:0:{number:x}::/64"), lambda _: False) as note:
            note(SeatHeld("oak-1", str(number)))
    assert len(peers) <= FEW


def test_a_peer_that_opens_tables_too_fast_is_refused_and_others_are_not() -> None:
    peers = peers_of()

    def opens(peer: Peer) -> None:
        with peers.opening(peer, lambda _: False) as note:
            note("oak-1")

    for _ in range(2):
        opens(Peer("192.0.2.1"))
    with pytest.raises(Refused, match="2 tables a minute"):
        opens(Peer("192.0.2.1"))
    opens(Peer("192.0.2.2"))
    opens(HERE)


def test_a_peer_that_opens_tables_and_starts_none_is_refused_until_one_starts() -> None:
    peers, ann, waiting = peers_of(tables_a_minute=100), Peer("192.0.2.1"), {"oak-1", "elm-1"}
    for name in sorted(waiting):
        with peers.opening(ann, waiting.__contains__) as note:
            note(name)
            note(name)  # a repeat of the request opens the same table
    with pytest.raises(Refused) as told, peers.opening(ann, waiting.__contains__):
        pass
    assert told.value.reason == "TOO_MANY_WAITING_TABLES"
    with peers.opening(Peer("192.0.2.2"), waiting.__contains__):
        pass
    waiting.remove("oak-1")
    with peers.opening(ann, waiting.__contains__):
        pass
