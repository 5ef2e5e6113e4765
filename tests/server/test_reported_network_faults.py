"""Faults reported of other programs between callers and a server, by number.

The file holds each as a small statement: who does what, and what is right. Here each is done to a
server over real connections.
"""

from __future__ import annotations

import asyncio
import json
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from google.rpc.code_pb2 import ABORTED, INVALID_ARGUMENT
from grpc import StatusCode

from hearts_engine.cards import Card, Seat
from hearts_engine.events import (
    Agent,
    CardPlayed,
    HandDealt,
    PassChosen,
    PlayBegan,
    TrickTaken,
)
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.callers import (
    SeatStream,
    denied,
    open_venue,
)
from hearts_server.testing.company import (
    PASS,
    answers,
    asked,
    deciders,
    leave,
    legal,
    people,
    state_after,
)
from hearts_server.testing.heard import HeardStore
from hearts_server.testing.premises import premises_of
from hearts_server.testing.sightings import sightings
from hearts_server.testing.spectators import watching
from hearts_wire.views import decode_view

LINES = Path(__file__).parents[1] / "vectors" / "reported_faults.jsonl"
FAULTS: dict[str, dict[str, Any]] = {
    fault["id"]: fault["test_input"]
    for fault in map(json.loads, LINES.read_text(encoding="utf-8").splitlines())
    if fault["test_input"]["kind"] in {"net", "fuzz", "privacy"}
}


def test_every_reported_network_fault_is_tried_here() -> None:
    named = {name.split("_")[2] for name in globals() if name.startswith("test_hb_")}
    assert {f"HB-{number}" for number in named} == set(FAULTS)


def test_hb_053_a_claim_while_passing_is_refused_and_the_reply_says_which() -> None:
    assert FAULTS["HB-053"]["expect"] == "reject:phase"
    asyncio.run(_claim_in_passing())


async def _claim_in_passing() -> None:
    async with open_venue(premises_of()) as venue, people(venue, PASS) as streams:
        claimer = streams[1]
        assert claimer.prompt is not None
        claim = pb.ClaimRest(prompt_seq=claimer.prompt.prompt_seq)
        await streams[0].send(streams[0].choice(legal))
        await claimer.send(pb.PlayRequest(request_id=41, claim_rest=claim))
        refused = (await claimer.hears("refusal")).refusal
        assert (refused.reason, refused.request_id) == ("WRONG_PHASE", 41)
        await claimer.send(claimer.choice(legal))
        assert (await claimer.next()).HasField("update")


def test_hb_068_who_comes_back_has_the_seat_and_all_of_the_hand_and_the_bot_stops() -> None:
    assert FAULTS["HB-068"]["expect"][0] == "snapshot hand size 11"
    asyncio.run(_comes_back())


async def _comes_back() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue, people(venue) as streams:
        owner = streams[1].sitter
        await leave(venue, owner)
        await _until_trick_three(store, streams)
        async with venue.stream(owner) as back:
            assert len(decode_view((await back.attach()).view).hand) == 11
            before = len(store.log)
            everyone = (streams[0], back, *streams[2:])
            for stream in everyone:
                while stream.seq < before:
                    await stream.next()
            for _ in range(4):
                await answers(everyone)
            assert deciders(store.events[before:], owner.seat) == [Agent.SEAT]
            assert deciders(store.events[:before], owner.seat) == [Agent.AUTOPILOT] * 2


async def _until_trick_three(store: HeardStore, streams: Sequence[SeatStream]) -> None:
    """The others play two tricks, in which a bot plays for seat 1."""
    while len(store.all_of(TrickTaken)) < 2:
        await store.until(lambda _: state_after(store.log).turn not in (None, 1))
        if len(store.all_of(TrickTaken)) < 2:
            stream = streams[state_after(store.log).turn or 0]
            while stream.seq < len(store.log):
                await stream.next()
            count = len(store.log)
            await stream.send(stream.choice(legal))
            await store.grows_beyond(count)


def test_hb_069_a_client_that_dies_in_a_broadcast_is_away_and_the_table_goes_on() -> None:
    assert "tables continue" in FAULTS["HB-069"]["expect"]
    asyncio.run(_dies())


async def _dies() -> None:
    async with open_venue(premises_of()) as venue, people(venue) as streams:
        others = [stream for stream in streams if stream.sitter.seat != 2]
        first = asked(streams)
        await first.send(first.choice(legal))
        streams[2].cancel()
        for stream in others:
            await stream.hears("update")
            while 2 in stream.presence.connected:
                await stream.hears("presence")
        look = lobby_pb2.GetTableRequest(table=first.sitter.table)
        table = (await venue.lobby.GetTable(look)).table
        assert set(table.connected) == {0, 1, 3}
        assert len(table.seats) == 4, "the seat is kept"
        async with venue.stream(streams[2].sitter) as back:
            await back.attach()
            everyone = (*streams[:2], back, streams[3])
            for _ in range(8):
                await answers(everyone)


def test_hb_070_who_leaves_before_passing_is_passed_for_and_play_starts() -> None:
    assert FAULTS["HB-070"]["steps"] == ["3 seats committed pass", "seat 3 leaves"]
    asyncio.run(_leaves())


async def _leaves() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue, people(venue, PASS) as streams:
        for stream in streams[:3]:
            await stream.send(stream.choice(legal))
            await stream.hears("update")
        await leave(venue, streams[3].sitter)
        await store.until(lambda events: any(isinstance(e, PlayBegan) for e in events))
        passed = [event for event in store.events if isinstance(event, PassChosen)]
        assert {event.seat: event.by for event in passed}[Seat(3)] is Agent.AUTOPILOT
        assert len(passed) == 4


def test_hb_072_the_second_of_two_quick_answers_to_one_prompt_is_refused() -> None:
    assert FAULTS["HB-072"]["expect"] == ["ok", "reject:stale"]
    asyncio.run(_double_click())


async def _double_click() -> None:
    store = HeardStore()
    async with open_venue(premises_of(store)) as venue, people(venue) as streams:
        stream = asked(streams)
        assert stream.prompt is not None
        first, second = stream.choice(legal), stream.choice(legal)
        others = set(stream.prompt.view.hand) - {first.play_card.card}
        second.play_card.card = min(others)
        await stream.send(first)
        await stream.send(second)
        assert (await stream.next()).update.HasField("acknowledgement")
        refused = (await stream.hears("refusal")).refusal
        assert (refused.code, refused.reason) == (ABORTED, "ANSWERED_OTHERWISE")
        assert len(store.all_of(CardPlayed)) == 1


def test_hb_073_names_of_all_scripts_are_taken_and_what_cannot_be_seen_is_gone() -> None:
    asyncio.run(_names(FAULTS["HB-073"]["names"]))


async def _names(names: list[str]) -> None:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        sitters = [await venue.sit(table.name, name) for name in names]
        async with venue.stream(sitters[0]) as stream:
            before = await stream.attach()
            await stream.send_bytes("Zoë".encode()[:-1])  # half a letter is one bad message
            assert (await stream.hears("refusal")).refusal.reason == "MALFORMED"
            assert await stream.pulse() == (before.seq, before.head)
        look = lobby_pb2.GetTableRequest(table=table.name)
        shown = [seat.name for seat in (await venue.lobby.GetTable(look)).table.seats]
        assert shown == ["Zoë", "李雷", "👩🚀ace", "ab"]
        hidden = {"Cc", "Cf"}
        assert not [c for name in shown for c in name if unicodedata.category(c) in hidden]


def test_hb_074_what_makes_no_sense_is_answered_and_the_server_lives() -> None:
    wanted = ["card='ZZ'", "card=''", "pick=[null]", "lobby='../../x'", "chat 1 MiB"]
    assert FAULTS["HB-074"]["inputs"] == wanted
    asyncio.run(_nonsense())


async def _nonsense() -> None:
    async with open_venue(premises_of()) as venue, people(venue, PASS) as streams:
        stream = streams[0]
        assert stream.prompt is not None
        seq, head = stream.prompt.prompt_seq, stream.head
        for request in (
            pb.PlayRequest(play_card=pb.PlayCard(prompt_seq=seq, card=int.from_bytes(b"ZZ"))),
            pb.PlayRequest(choose_pass=pb.ChoosePass(prompt_seq=seq, cards=[2**32 - 1])),
            pb.PlayRequest(choose_pass=pb.ChoosePass(prompt_seq=seq)),
            pb.PlayRequest(say=pb.Say()),
            pb.PlayRequest(say=pb.Say(text="x" * 50_000)),
        ):
            await stream.send(request)
            assert (await stream.hears("refusal")).refusal.code == INVALID_ARGUMENT, request
        look = lobby_pb2.GetTableRequest(table="../../x")
        assert (await denied(venue.lobby.GetTable(look))).code is StatusCode.NOT_FOUND
        await streams[1].send(pb.PlayRequest(say=pb.Say(text="x" * 1024 * 1024)))
        assert await streams[1].code() is StatusCode.RESOURCE_EXHAUSTED
        async with venue.stream(streams[1].sitter) as back:
            assert (await back.attach()).head == head, "the seat stays, nothing has changed"
            await back.send(back.choice(legal))
            await back.hears("update")


def test_hb_076_neither_a_seat_nor_a_spectator_is_told_of_a_card_in_another_hand() -> None:
    assert FAULTS["HB-076"]["viewers"] == ["seat0", "spectator"]
    asyncio.run(_viewers())


async def _viewers() -> None:
    store = HeardStore()
    async with (
        open_venue(premises_of(store)) as venue,
        people(venue) as streams,
        watching(venue, streams[0].sitter.table) as spectator,
    ):
        await spectator.attached()
        for _ in range(20):
            await answers(streams)
        await spectator.sees(len(store.log))
        dealt = {e.seat: set(e.cards) for e in store.events if isinstance(e, HandDealt)}
        played = {e.card for e in store.events if isinstance(e, CardPlayed)}
        viewers = (
            (dealt[Seat(0)], streams[0].received),
            (set[Card](), spectator.received),
        )
        for own, received in viewers:
            told = {seen.card for message in received for seen in sightings(message)}
            assert told
            assert told <= own | played
