"""A passcode keeps strangers out of a table and its games; nothing secret is kept in clear."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from grpc import StatusCode

from hearts_client.archive import RemoteArchive
from hearts_engine.cards import Seat
from hearts_proto.v1 import events_pb2, lobby_pb2, replay_pb2, replay_pb2_grpc
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.audit import audit
from hearts_replays.memory import MemoryStore
from hearts_replays.sqlite import SqliteStore
from hearts_server import passcode as passcodes
from hearts_server.passcode import opened_by, opens, sealed
from hearts_server.testing.callers import GENEROUS, Denied, Sitter, Venue, denied, open_venue
from hearts_server.testing.company import Opened, leave, opened, plays_on
from hearts_server.testing.premises import Draws, VirtualClock, premises_of
from hearts_server.testing.spectators import watching

WORD: Final = "behind the old oak"
PERSON: Final = events_pb2.SEAT_KIND_PERSON
REQUEST: Final = "a request of sixteen characters or more"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guessing is fast here; what it costs in earnest has a test of its own."""
    monkeypatch.setattr(passcodes, "COST", 2)


def test_a_guess_costs_memory_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert passcodes.COST * 128 * 8 >= 16 * 2**20, "bytes for each guess"


def replays(venue: Venue) -> replay_pb2_grpc.ReplayServiceAsyncStub:
    stub: replay_pb2_grpc.ReplayServiceAsyncStub = replay_pb2_grpc.ReplayServiceStub(venue.channel)
    return stub


async def join(
    venue: Venue, table: str, passcode: str, name: str = "Ann", request_id: str = ""
) -> Sitter:
    """Sit down, saying this."""
    response = await venue.lobby.JoinTable(
        lobby_pb2.JoinTableRequest(
            table=table, name=name, kind=PERSON, passcode=passcode, request_id=request_id
        )
    )
    return Sitter(table, Seat(response.seat), response.seat_token)


async def take_over(venue: Venue, table: str, passcode: str) -> None:
    """Take a house bot's seat over, saying this."""
    request = lobby_pb2.TakeOverSeatRequest(table=table, name="Eve", kind=PERSON, passcode=passcode)
    await venue.lobby.TakeOverSeat(request)


async def log_of(
    venue: Venue, game_id: str, *, passcode: str = "", seat_token: str = ""
) -> list[bytes]:
    """A finished game, as the server gives it."""
    request = replay_pb2.GetGameRequest(game_id=game_id, passcode=passcode, seat_token=seat_token)
    return [data async for part in replays(venue).GetGame(request) for data in part.records]


async def listed(venue: Venue, passcode: str = "") -> list[str]:
    """The finished games that are shown to who says this."""
    request = replay_pb2.ListGamesRequest(passcode=passcode)
    return [game.game_id for game in (await replays(venue).ListGames(request)).games]


async def begun(venue: Venue, passcode: str = WORD) -> tuple[Opened, Sitter]:
    """A game of one person and house bots at a guarded table."""
    table = await opened(venue, passcode=passcode)
    sitter = await join(venue, table.name, passcode)
    for _ in range(3):
        await venue.add_house_bot(sitter)
    await venue.start(sitter)
    return table, sitter


async def played(venue: Venue, passcode: str = WORD) -> tuple[Opened, Sitter]:
    """The same, to its end."""
    table, sitter = await begun(venue, passcode)
    async with venue.stream(sitter) as stream:
        await stream.attach()
        await plays_on(stream)
    return table, sitter


def is_needed(told: Denied) -> bool:
    return (told.code, told.reason) == (StatusCode.PERMISSION_DENIED, "PASSCODE_NEEDED")


def is_wrong(told: Denied) -> bool:
    return (told.code, told.reason) == (StatusCode.PERMISSION_DENIED, "WRONG_PASSCODE")


def test_a_stranger_neither_sits_down_nor_takes_a_seat_over() -> None:
    asyncio.run(_strangers())


async def _strangers() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue, passcode=WORD)
        shown = await venue.lobby.GetTable(lobby_pb2.GetTableRequest(table=table.name))
        assert shown.table.needs_passcode
        assert is_needed(await denied(join(venue, table.name, "")))
        for guess in (WORD.upper(), WORD + " ", WORD[:-1]):
            assert is_wrong(await denied(join(venue, table.name, guess)))
        assert (await join(venue, table.name, WORD)).seat == 0
        playing, _ = await begun(venue)
        assert is_needed(await denied(take_over(venue, playing.name, "")))
        assert is_wrong(await denied(take_over(venue, playing.name, "oak")))
        await take_over(venue, playing.name, WORD)


def test_who_sits_needs_no_passcode_any_more() -> None:
    asyncio.run(_who_sits())


async def _who_sits() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table, sitter = await played(venue)
        again = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=sitter.token)
        await venue.lobby.PlayAgain(again)
        assert is_needed(await denied(join(venue, table.name, "")))
        await leave(venue, sitter)


def test_a_passcode_holds_over_a_restart() -> None:
    asyncio.run(_over_a_restart())


async def _over_a_restart() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue, passcode=WORD)
    async with open_venue(premises_of(store, draws=Draws("again"))) as venue:
        assert is_needed(await denied(join(venue, table.name, "")))
        await join(venue, table.name, WORD)


def test_a_repeated_request_gives_the_same_seat_only_with_the_passcode() -> None:
    asyncio.run(_repeated())


async def _repeated() -> None:
    async with open_venue(premises_of()) as venue:
        table = await opened(venue, passcode=WORD)
        first = await join(venue, table.name, WORD, request_id=REQUEST)
        assert is_needed(await denied(join(venue, table.name, "", request_id=REQUEST)))
        assert await join(venue, table.name, WORD, request_id=REQUEST) == first


def test_the_games_of_a_guarded_table_are_for_those_who_know_the_passcode_or_sat_there() -> None:
    asyncio.run(_games())


async def _games() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table, sitter = await played(venue)
        _, other = await played(venue, "another word")
        log = store.games[table.game_id]
        assert is_needed(await denied(log_of(venue, table.game_id)))
        assert is_wrong(await denied(log_of(venue, table.game_id, passcode="another word")))
        for token in (other.token, "0" * 32):
            told = await denied(log_of(venue, table.game_id, seat_token=token))
            assert (told.code, told.reason) == (StatusCode.UNAUTHENTICATED, "BAD_TOKEN")
        assert await log_of(venue, table.game_id, passcode=WORD) == log
        assert await log_of(venue, table.game_id, seat_token=sitter.token) == log
        assert await log_of(venue, table.game_id, seat_token=table.host_token) == log
        archive = RemoteArchive(venue.channel, "here")
        assert not await archive.summaries()
        knows = RemoteArchive(venue.channel, "here", WORD)
        assert [game.game_id for game in await knows.summaries()] == [table.game_id]
        assert await knows.records(table.game_id)
        assert list(await archive.records(table.game_id, sitter.token)) == log
        assert audit(log).finding is None


def test_who_sat_there_fetches_the_game_also_when_the_next_is_played() -> None:
    asyncio.run(_fetches_later())


async def _fetches_later() -> None:
    store = MemoryStore()
    async with open_venue(premises_of(store)) as venue:
        table, sitter = await played(venue)
        again = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=sitter.token)
        await venue.lobby.PlayAgain(again)
        log = await log_of(venue, table.game_id, seat_token=sitter.token)
        assert log == store.games[table.game_id]


def test_a_list_shows_the_games_of_guarded_tables_only_to_who_says_their_passcode() -> None:
    asyncio.run(_listed())


async def _listed() -> None:
    async with open_venue(premises_of()) as venue:
        open_table, _ = await played(venue, "")
        guarded, _ = await played(venue, WORD)
        other, _ = await played(venue, "another word")
        assert await listed(venue) == [open_table.game_id]
        assert await listed(venue, WORD) == [guarded.game_id, open_table.game_id]
        assert await listed(venue, "another word") == [other.game_id, open_table.game_id]
        assert is_wrong(await denied(listed(venue, "oak")))


@pytest.mark.parametrize("way", ["join", "list", "get", "watch"])
def test_who_guesses_is_made_to_wait_wherever_the_guesses_are_made(way: str) -> None:
    asyncio.run(_guesses(way))


async def _guesses(way: str) -> None:
    clock = VirtualClock()
    limits = replace(GENEROUS.limits, passcode_tries=2)
    policy = replace(GENEROUS, limits=limits)
    async with open_venue(premises_of(clock=clock), policy) as venue:
        table, sitter = await played(venue)
        if way == "watch":
            again = lobby_pb2.PlayAgainRequest(table=table.name, seat_token=sitter.token)
            await venue.lobby.PlayAgain(again)

        async def guess(word: str) -> object:
            match way:
                case "join":
                    return await join(venue, table.name, word)
                case "list":
                    return await listed(venue, word)
                case "get":
                    return await log_of(venue, table.game_id, passcode=word)
                case _:
                    async with watching(venue, table.name, passcode=word) as stream:
                        return await stream.next()

        for number in range(2):
            assert is_wrong(await denied(guess(f"guess {number}")))
        told = await denied(guess(WORD))
        assert (told.code, told.reason) == (StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_TRIES")
        clock.advance(timedelta(minutes=10))
        if way != "join":  # where the game is over and nobody can sit down
            assert await guess(WORD)


def test_who_says_the_right_passcode_again_and_again_is_not_made_to_wait() -> None:
    asyncio.run(_says_it_often())


async def _says_it_often() -> None:
    limits = replace(GENEROUS.limits, passcode_tries=1)
    async with open_venue(premises_of(), replace(GENEROUS, limits=limits)) as venue:
        table, _ = await played(venue)
        for _ in range(3):
            assert await listed(venue, WORD) == [table.game_id]
            assert await log_of(venue, table.game_id, passcode=WORD)


def test_no_token_and_no_passcode_is_kept_in_clear(tmp_path: Path) -> None:
    asyncio.run(_kept_in_clear(tmp_path))


async def _kept_in_clear(folder: Path) -> None:
    store = SqliteStore.open(folder)
    async with open_venue(premises_of(store)) as venue:
        table = await opened(venue, passcode=WORD, request_id=REQUEST)
        sitter = await join(venue, table.name, WORD, request_id=REQUEST)
        other = await join(venue, table.name, WORD, "Ben")
        for _ in range(2):
            await venue.add_house_bot(sitter)
        await venue.start(sitter)
        request = lobby_pb2.TakeOverSeatRequest(
            table=table.name, name="Eve", kind=PERSON, passcode=WORD, request_id=REQUEST[::-1]
        )
        taken = await venue.lobby.TakeOverSeat(request)
        async with venue.stream(sitter) as stream:
            await stream.attach()
            await stream.send(pb.PlayRequest(say=pb.Say(text="a word to remember")))
            await stream.hears("said")
        at_rest = _bytes_in(folder)
        secrets = (table.host_token, sitter.token, other.token, taken.seat_token, WORD, REQUEST)
        for secret in (*secrets, REQUEST[::-1], "a word to remember"):
            assert secret.encode() not in at_rest
        for token in (table.host_token, sitter.token, other.token, taken.seat_token):
            assert bytes.fromhex(token) not in at_rest
        assert b"Ben" in at_rest, "the place to look at"
    await store.close()
    assert WORD.encode() not in _bytes_in(folder)


def _bytes_in(folder: Path) -> bytes:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files)


def test_the_same_passcode_is_told_from_others_whatever_it_was_salted_with() -> None:
    kept = [sealed(WORD, b"a" * 16), sealed(WORD, b"b" * 16), sealed("oak", b"b" * 16)]
    assert opened_by(WORD, kept) == frozenset(kept[:2])
    assert opened_by("elm", kept) == frozenset()
    assert opens(WORD, kept[0])
    assert not opens("oak", kept[0])
    assert sealed("", b"a" * 16) == ""


def test_a_passcode_that_is_too_long_is_refused_when_the_table_is_opened() -> None:
    asyncio.run(_too_long())


async def _too_long() -> None:
    async with open_venue(premises_of()) as venue:
        assert (await denied(opened(venue, passcode="x" * 65))).reason == "MALFORMED"
        table = await opened(venue, passcode="x" * 64)
        await join(venue, table.name, "x" * 64)
