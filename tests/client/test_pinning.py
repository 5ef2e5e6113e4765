"""A server proves its certificate at every connection, or nothing is said to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from grpc import StatusCode

from hearts_client.connection import ServerError, connected
from hearts_client.invite import Invite
from hearts_client.known_servers import KnownServers
from hearts_client.lobby import Lobby
from hearts_client.news import Joined, News, Offline
from hearts_client.patience import Patience
from hearts_client.session import Session
from hearts_client.trust import Tls, Trust
from hearts_engine.events import SeatKind
from hearts_replays.receipt_book import ReceiptBook
from hearts_server.app import Listening, serving
from hearts_server.certificate import Certificate, new_certificate
from hearts_server.policy import Policy
from hearts_server.testing.cable import cable_to
from hearts_server.testing.premises import premises_of

POLICY = Policy(resumes=True)

OWN, OTHER = new_certificate(), new_certificate()


def invite_to(listening: Listening, certificate: Certificate | None = None) -> Invite:
    fingerprint = None if certificate is None else certificate.fingerprint
    return Invite(listening.host, listening.port, None, fingerprint)


async def tables_at(invite: Invite, trust: Trust) -> int:
    """How many tables a server lists, once it is trusted."""
    async with connected(invite, trust) as channel:
        return len(await Lobby(channel, invite.address).tables())


async def refusal(invite: Invite, trust: Trust) -> ServerError:
    with pytest.raises(ServerError) as refused:
        await tables_at(invite, trust)
    return refused.value


def test_the_server_of_an_invite_is_talked_to_and_remembered(tmp_path: Path) -> None:
    asyncio.run(_invited(Trust(KnownServers(tmp_path))))


async def _invited(trust: Trust) -> None:
    async with serving(premises_of(), "127.0.0.1", 0, POLICY, OWN) as listening:
        assert await tables_at(invite_to(listening, OWN), trust) == 0
        assert trust.pins.pin_of(listening.address) == OWN.fingerprint
        assert await tables_at(invite_to(listening), trust) == 0, "by its address alone"


def test_an_invite_works_over_ipv6(tmp_path: Path) -> None:
    asyncio.run(_invited_over_ipv6(Trust(KnownServers(tmp_path))))


async def _invited_over_ipv6(trust: Trust) -> None:
    async with serving(premises_of(), "::1", 0, POLICY, OWN) as listening:
        assert await tables_at(Invite.parse(str(invite_to(listening, OWN))), trust) == 0


def test_a_server_with_another_certificate_than_the_invite_s_hears_nothing(tmp_path: Path) -> None:
    asyncio.run(_another_answers(Trust(KnownServers(tmp_path))))


async def _another_answers(trust: Trust) -> None:
    async with serving(premises_of(), "127.0.0.1", 0, POLICY, OTHER) as listening:
        error = await refusal(invite_to(listening, OWN), trust)
        assert (error.code, error.reason) == (StatusCode.UNAUTHENTICATED, "WRONG_FINGERPRINT")
        assert trust.pins.pin_of(listening.address) is None


def test_a_server_whose_certificate_has_changed_is_refused_until_someone_vouches_for_it(
    tmp_path: Path,
) -> None:
    asyncio.run(_set_up_anew(tmp_path))


async def _set_up_anew(folder: Path) -> None:
    always = Trust(KnownServers(folder), Tls.ALWAYS)
    async with serving(premises_of(), "127.0.0.1", 0, POLICY, OWN) as listening:
        assert await tables_at(invite_to(listening), always) == 0, "the first meeting"
        port = listening.port
    async with serving(premises_of(), "127.0.0.1", port, POLICY, OTHER) as listening:
        for trust in (always, Trust(KnownServers(folder))):
            error = await refusal(invite_to(listening), trust)
            assert error.reason == "CERTIFICATE_CHANGED"
        assert await tables_at(invite_to(listening, OTHER), always) == 0
        assert await tables_at(invite_to(listening), always) == 0


@pytest.mark.parametrize("hearsay", [False, True])
def test_a_server_known_by_its_certificate_is_not_talked_to_where_it_does_not_encrypt(
    tmp_path: Path, *, hearsay: bool
) -> None:
    asyncio.run(_downgraded(Trust(KnownServers(tmp_path), hearsay=hearsay)))


async def _downgraded(trust: Trust) -> None:
    async with serving(premises_of(), "127.0.0.1", 0, POLICY) as listening:
        assert await tables_at(invite_to(listening), trust) == 0, "never met with TLS"
        error = await refusal(invite_to(listening, OWN), trust)
        assert error.reason == "NOT_ENCRYPTED"
        trust.pins.meet(listening.address, OWN.fingerprint)
        error = await refusal(invite_to(listening), trust)
        assert error.reason == "NOT_ENCRYPTED"
        assert "though it is known by a certificate" in error.message


def test_a_server_elsewhere_is_not_talked_to_without_tls_unless_someone_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hearts_client.trust.is_loopback", {"127.0.0.1": False}.__getitem__)
    asyncio.run(_plain_elsewhere(tmp_path))


async def _plain_elsewhere(folder: Path) -> None:
    known = KnownServers(folder)
    async with serving(premises_of(), "127.0.0.1", 0, POLICY) as listening:
        elsewhere = invite_to(listening)
        error = await refusal(elsewhere, Trust(known))
        assert error.reason == "NOT_ENCRYPTED"
        assert "--tls never" in error.message
        assert await tables_at(elsewhere, Trust(known, Tls.NEVER)) == 0
        assert known.pin_of(elsewhere.address) is None


def test_a_server_here_that_encrypts_is_met_without_its_invite_and_known_from_then_on(
    tmp_path: Path,
) -> None:
    asyncio.run(_met_here(tmp_path))


async def _met_here(folder: Path) -> None:
    known = KnownServers(folder)
    async with serving(premises_of(), "127.0.0.1", 0, POLICY, OWN) as listening:
        here = invite_to(listening)
        assert await tables_at(here, Trust(known)) == 0
        assert known.pin_of(here.address) == OWN.fingerprint
        error = await refusal(here, Trust(tls=Tls.NEVER))
        assert error.code is StatusCode.UNAVAILABLE
        assert "join with its invite" in error.message


def test_a_server_that_is_not_there_is_not_taken_for_one_that_changed(tmp_path: Path) -> None:
    error = asyncio.run(refusal(Invite("127.0.0.1", 9, None, OWN.fingerprint), Trust()))
    assert (error.code, error.reason) == (StatusCode.UNAVAILABLE, "UNREACHABLE")
    assert "no server answers" in error.message


def test_what_hangs_up_is_not_said_to_be_a_server_without_tls() -> None:
    asyncio.run(_hangs_up())


async def _hangs_up() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as listener:
        port = listener.sockets[0].getsockname()[1]
        error = await refusal(Invite("127.0.0.1", port, None, OWN.fingerprint), Trust())
    assert "no server answers" in error.message


def test_the_certificate_seen_at_first_has_to_be_proved_again_at_each_connection() -> None:
    asyncio.run(_replaced_meanwhile())


async def _replaced_meanwhile() -> None:
    async with serving(premises_of(), "127.0.0.1", 0, POLICY, OWN) as listening:
        port, invite = listening.port, invite_to(listening, OWN)
        first = connected(invite)
        channel = await first.__aenter__()
        lobby = Lobby(channel, invite.address)
        assert await lobby.tables() == ()
    try:
        async with serving(premises_of(), "127.0.0.1", port, POLICY, OTHER):
            error = await _once_connected_again(lobby)
            assert error.reason == "CERTIFICATE_CHANGED"
            assert error.code is StatusCode.UNAVAILABLE, "the right one may come back"
        async with serving(premises_of(), "127.0.0.1", port, POLICY, OWN):
            await channel.channel_ready()
            assert await lobby.tables() == ()
    finally:
        await first.__aexit__(None, None, None)


async def _once_connected_again(lobby: Lobby) -> ServerError:
    """What a call says when the channel has noticed who answers now."""
    while True:
        with pytest.raises(ServerError) as refused:
            await lobby.tables()
        if "no server answers" not in refused.value.message:
            return refused.value


def test_a_seat_is_taken_up_again_over_tls_when_the_connection_breaks(tmp_path: Path) -> None:
    asyncio.run(_broken(tmp_path))


async def _broken(folder: Path) -> None:
    async with (
        serving(premises_of(), "127.0.0.1", 0, POLICY, OWN) as listening,
        cable_to(listening.host, listening.port) as cable,
        connected(f"{cable.address}#{OWN.fingerprint}") as channel,
    ):
        lobby = Lobby(channel, cable.address, pin=OWN.fingerprint)
        table = await lobby.create()
        ticket = await lobby.join(table.name, "Ann", SeatKind.PERSON)
        assert ticket.pin == OWN.fingerprint
        path = folder / "receipts"
        with ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy) as book:
            session = Session(channel, ticket, book, Patience(pause=lambda _: asyncio.sleep(0)))
            news = session.news()
            async with asyncio.TaskGroup() as tasks:
                run = tasks.create_task(session.run())
                await until(Joined, news)
                cable.cut()
                await until(Offline, news)
                await until(Joined, news)
                run.cancel()


async def until(kind: type[News], news: AsyncIterator[News]) -> None:
    async for item in news:
        if isinstance(item, kind):
            return
    raise AssertionError("the session is over")
