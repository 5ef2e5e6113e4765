"""Servers that lie to a client: each comes to nothing but a sentence, safe to show.

A lie that agrees with itself is the worst: events that no table has, with views that are just
what they add up to. ``HEARTS_TIMES`` makes it long.
"""

from __future__ import annotations

import asyncio
import os
import unicodedata
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from itertools import chain
from random import Random
from typing import Any, Final

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc.status_pb2 import Status
from grpc import StatusCode, aio
from prompt_toolkit.formatted_text import fragment_list_to_text
from zeroconf.asyncio import AsyncServiceInfo

from hearts_client.archive import MOST_PAGES, RemoteArchive
from hearts_client.cardnames import CardStyle
from hearts_client.connection import ServerError, connected
from hearts_client.following import LARGEST_LOG
from hearts_client.lobby import Lobby
from hearts_client.lookout import MOST_ADDRESSES, MulticastLookout, usable_hosts
from hearts_client.news import Ask, Asked, Cause, Closed, Happened, Joined, News
from hearts_client.patience import Patience
from hearts_client.plain.app import play_plain
from hearts_client.safetext import LONGEST_TEXT, cleaned
from hearts_client.screen.lines import Size
from hearts_client.screen.render import draw
from hearts_client.screen.table_state import MOST_FRAMES, Panel, advance, opened, receive
from hearts_client.session import Session
from hearts_client.settings import Settings
from hearts_client.testing import LocalSession
from hearts_client.ticket import Ticket
from hearts_client.watching import Game, Watching
from hearts_engine.cards import Seat
from hearts_engine.events import Event
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import State
from hearts_engine.testing import random_choice
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import SeatView, observe
from hearts_proto.v1 import events_pb2, log_pb2, replay_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_server.testing.mutations import mutated
from hearts_server.testing.plausible import Known, plausible
from hearts_wire.announcement import SERVICE
from hearts_wire.bounds import WireError
from hearts_wire.events import encode_event
from hearts_wire.records import Record, decode_record, encode_record
from hearts_wire.views import encode_view

TIMES = int(os.environ.get("HEARTS_TIMES", "1"))
"""How many times the usual number of lies."""

NASTY: Final = "\x1b[2J\x1b]0;x\x07\u202e\u200b\r\n\x9b31m\u2028"
"""What must not reach a terminal: escape sequences, bidi, zero-width, breaks of the line."""

Script = Callable[[Any], AsyncGenerator[bytes, None]]
"""What a server answers to whatever it is asked, given the context of the call."""

ASKS = {Ask.PASS: pb.ASK_PASS, Ask.CARD: pb.ASK_CARD, Ask.MOON: pb.ASK_MOON}


class Liar(grpc.GenericRpcHandler):
    """Answers every call by one script."""

    def __init__(self, script: Script) -> None:
        self._script = script

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        """A handler that reads nothing."""
        method = str(handler_call_details.method).rpartition("/")[2]

        async def many(_: object, context: Any) -> AsyncGenerator[bytes, None]:
            async for message in self._script(context):
                yield message

        async def one(_: object, context: Any) -> bytes:
            return await anext(self._script(context))

        kinds: Any = grpc  # its handlers have types only in part
        if method == "Play":
            return kinds.stream_stream_rpc_method_handler(many)
        if method in {"Watch", "WatchTables", "GetGame"}:
            return kinds.unary_stream_rpc_method_handler(many)
        return kinds.unary_unary_rpc_method_handler(one)


class Forgetful:
    """Keeps no receipts."""

    def saw(self, seq: int, head: bytes, records: object) -> None:
        """Forget it."""

    def sent(self, command: object, prompt_seq: int) -> None:
        """Forget it."""

    def acknowledged(self, command: object, prompt_seq: int) -> None:
        """Forget it."""


@asynccontextmanager
async def lied_to(script: Script) -> AsyncGenerator[aio.Channel, None]:
    server = aio.server(options=[("grpc.max_send_message_length", -1)])
    server.add_generic_rpc_handlers((Liar(script),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with connected(f"127.0.0.1:{port}") as channel:
            yield channel
    finally:
        await server.stop(None)


def session_at(channel: aio.Channel) -> Session:
    ticket = Ticket("ann:1", "oak-1", "G", Seat(0), "Dot", "x" * 32, b"")
    return Session(channel, ticket, Forgetful(), Patience(attempts=0))


def said(*messages: Message) -> Script:
    async def script(_: object) -> AsyncGenerator[bytes, None]:
        for message in messages:
            yield message.SerializeToString()

    return script


async def no_message(_: object) -> AsyncGenerator[bytes, None]:
    yield b"\xff\xff\xff"


async def too_large(_: object) -> AsyncGenerator[bytes, None]:
    yield b"\x0a" + b"x" * (5 << 20)


def refused_with(details: bytes) -> Script:
    async def script(context: Any) -> AsyncGenerator[bytes, None]:
        context.set_trailing_metadata((("grpc-status-details-bin", details),))
        await context.abort(StatusCode.NOT_FOUND, f"gone{NASTY}")
        yield b""

    return script


def is_safe(text: str) -> bool:
    unsafe = {"Cc", "Cf", "Zl", "Zp", "Cs", "Co", "Cn"}
    return not any(unicodedata.category(character) in unsafe for character in text)


CALLS: dict[str, Callable[[aio.Channel], Awaitable[object]]] = {
    "tables": lambda channel: Lobby(channel, "ann:1").tables(),
    "table": lambda channel: Lobby(channel, "ann:1").table("oak-1"),
    "games": lambda channel: RemoteArchive(channel, "ann:1").ids(),
    "log": lambda channel: RemoteArchive(channel, "ann:1").records("G"),
    "seat": lambda channel: session_at(channel).run(),
    "watch": lambda channel: Watching(
        channel, Game("ann:1", "oak-1", "G"), Patience(attempts=0)
    ).run(),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(no_message, id="bytes that are no message"),
        pytest.param(too_large, id="more than a message may have"),
        pytest.param(
            refused_with(Status(code=3, message="other").SerializeToString()),
            id="a status that contradicts itself",
        ),
        pytest.param(refused_with(b"\xff\xff\xff"), id="a status that cannot be read"),
    ],
)
def test_whatever_a_call_is_answered_the_person_reads_a_sentence(
    call: str, script: Script, capfd: pytest.CaptureFixture[str]
) -> None:
    sentence = asyncio.run(_sentence(CALLS[call], script))
    assert sentence
    assert is_safe(sentence)
    assert "Traceback" not in capfd.readouterr().err


async def _sentence(call: Callable[[aio.Channel], Awaitable[object]], script: Script) -> str:
    async with lied_to(script) as channel:
        try:
            closed = await call(channel)
        except ServerError as error:
            return str(error)
        assert isinstance(closed, Closed)
        return closed.sentence


def test_a_list_of_games_that_has_no_end_is_given_up() -> None:
    pages = iter(range(10 * MOST_PAGES))

    async def script(_: object) -> AsyncGenerator[bytes, None]:
        response = replay_pb2.ListGamesResponse(next_page_token=str(next(pages)))
        yield response.SerializeToString()

    assert "pages without end" in asyncio.run(_sentence(CALLS["games"], script))


def test_a_name_of_millions_of_characters_does_not_stop_the_screen() -> None:
    assert len(cleaned("x" * 4_000_000)) == LONGEST_TEXT


def test_a_neighbour_with_a_name_that_cannot_be_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @asynccontextmanager
    async def network() -> AsyncGenerator[Any, None]:
        yield type("Network", (), {"zeroconf": None})

    async def names(*_: object) -> list[str]:
        return [f"\x1b.{SERVICE}", "x._other._tcp.local."]

    monkeypatch.setattr("hearts_client.lookout._on_all_interfaces", network)
    monkeypatch.setattr(MulticastLookout, "_names", names)
    assert asyncio.run(MulticastLookout().sightings()) == ()


def test_a_neighbour_with_hundreds_of_addresses_does_not_keep_one_waiting_for_each() -> None:
    addresses = [bytes([10, 0, 1, last]) for last in range(200)]
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", addresses=addresses)
    assert len(usable_hosts(info)) == MOST_ADDRESSES


def told_at(table: LocalSession) -> list[News]:
    """News of a game that is played at random, for a while."""
    chance = Random(1)
    table.start()
    for _ in range(40):
        if isinstance(table.told[-1], Closed):
            break
        command = random_choice(table.state, chance)
        while getattr(command, "seat", None) != table.seat:
            command = random_choice(table.state, chance)
        table.answer(command)
    return table.told


Lie = Callable[[Event], Iterable[Event]]


def truth(event: Event) -> Iterable[Event]:
    return (event,)


class Teller:
    """Makes the messages for news; views are what the events told add up to, if they do."""

    def __init__(self, lie: Lie, chance: Random) -> None:
        self._lie, self._chance = lie, chance
        self._seq = 0
        self._state: State | None = None

    def messages(self, told: Iterable[News]) -> Iterator[pb.PlayResponse]:
        for item in told:
            match item:
                case Joined(view, events):
                    seq, head, records, shown = self._update(events, view)
                    yield pb.PlayResponse(
                        attached=pb.Attached(seq=seq, head=head, records=records, view=shown)
                    )
                case Happened(events, view):
                    seq, head, records, shown = self._update(events, view)
                    yield pb.PlayResponse(
                        update=pb.Update(seq=seq, head=head, records=records, view=shown)
                    )
                case Asked(ask, view):
                    deadline = self._chance.choice((0, 1, 10**15, 2**62))
                    prompt = pb.Prompt(prompt_seq=self._seq, ask=ASKS[ask], deadline=deadline)
                    prompt.view.CopyFrom(self._view(view))
                    seq, head, _, _ = self._update((), view)
                    yield pb.PlayResponse(update=pb.Update(seq=seq, head=head, prompt=prompt))
                case _:
                    pass

    def _update(
        self, events: Iterable[Event], view: SeatView
    ) -> tuple[int, bytes, list[bytes], Any]:
        records = list[bytes]()
        for event in chain.from_iterable(map(self._lie, events)):
            self._seq += 1
            records.append(encode_record(Record(self._seq, self._seq, event)))
            with suppress(Exception):  # what is told next does not agree then
                self._state = evolve(self._state, decode_record(records[-1]).event)
        return self._seq, self._chance.randbytes(32), records, self._view(view)

    def _view(self, view: SeatView) -> Any:
        try:
            assert self._state is not None
            return encode_view(observe(self._state, Seat(0)))
        except Exception:  # noqa: BLE001  (a lie that nothing agrees with)
            return encode_view(view)


@dataclass(frozen=True)
class Fibs:
    """Events as they were, but for some."""

    chance: Random
    share: float

    def __call__(self, event: Event) -> Iterable[Event]:
        if self.chance.random() > self.share:
            return (event,)
        kind = self.chance.choice(("twice", "never", "another", "altered", "altered"))
        match kind:
            case "twice":
                return (event, event)
            case "never":
                return ()
            case "another":
                message: Message = plausible(self.chance, events_pb2.Event.DESCRIPTOR, Known())
            case _:
                message = self._altered(encode_event(event))
        record = log_pb2.LogRecord(seq=1, time=1)
        record.event.MergeFrom(message)  # type: ignore[arg-type]  # it is one
        try:
            return (decode_record(record.SerializeToString()).event,)
        except WireError:
            return (event,)

    def _altered(self, message: Message) -> Message:
        """The event with one or two of its fields changed."""
        ((_, inner),) = message.ListFields()
        fields = [field for field in inner.DESCRIPTOR.fields if field.message_type is None]
        for field in self.chance.sample(fields, min(len(fields), self.chance.choice((1, 2)))):
            with suppress(ValueError, TypeError):
                self._alter(inner, field)
        return message

    def _alter(self, inner: Message, field: FieldDescriptor) -> None:
        if field.is_repeated:
            values = list(getattr(inner, field.name))
            self.chance.shuffle(values)
            inner.ClearField(field.name)
            getattr(inner, field.name).extend(values[self.chance.randrange(2) :])
        elif field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            nasty = (NASTY, "x" * 5_000, "", "../../x", "a\u0301" * 999)
            setattr(inner, field.name, self.chance.choice(nasty))
        else:
            setattr(inner, field.name, self.chance.choice((0, 1, 2, 3, 5, 9, 51, 2**31 - 1)))


def strange(chance: Random) -> pb.PlayResponse:
    """A message besides the game that no server sends."""
    seat = chance.randrange(12)
    return chance.choice(
        (
            pb.PlayResponse(said=pb.Said(seat=seat % 4, name=NASTY, text=NASTY * 99)),
            pb.PlayResponse(said=pb.Said(seat=seat, name="Ann", phrase=99)),  # type: ignore[arg-type]
            pb.PlayResponse(presence=pb.Presence(connected=[seat], watchers=2**31, host=seat)),
            pb.PlayResponse(refusal=pb.Refusal(request_id=1, reason=NASTY, message=NASTY * 99)),
            pb.PlayResponse(detached=pb.Detached(cause=99)),  # type: ignore[arg-type]
        )
    )


def lies(chance: Random) -> list[pb.PlayResponse]:
    """What a liar tells a seat of one game."""
    rules = random_rules(chance) if chance.random() < 0.6 else Rules(target=10)
    told = told_at(LocalSession(rules, chance))
    kind = chance.choice(("events", "events", "events", "bytes", "strange", "order"))
    lie = Fibs(chance, chance.choice((0.02, 0.1))) if kind == "events" else truth
    messages = list(Teller(lie, chance).messages(told))
    here, there = chance.randrange(len(messages)), chance.randrange(len(messages))
    match kind:
        case "bytes":
            with suppress(DecodeError):
                data = mutated(chance, messages[here].SerializeToString())
                messages[here] = pb.PlayResponse.FromString(data)
        case "strange":
            messages[here:here] = [strange(chance) for _ in range(3)]
        case "order":
            messages[here], messages[there] = messages[there], messages[here]
        case _:
            pass
    return messages


async def shown(messages: Sequence[Message], chance: Random) -> tuple[Closed, list[str]]:
    """How a session ends that is told this, and all that plain mode and the screen show of it."""
    texts = list[str]()
    async with lied_to(said(*messages)) as channel:
        session = session_at(channel)
        plain, screen = session.news(), session.news()
        async with asyncio.TaskGroup() as tasks:
            run = tasks.create_task(session.run())
            tasks.create_task(play_plain(session, news=plain, read_line=None, write=texts.append))
            state = opened(Settings(), CardStyle.LETTERS)
            async for item in screen:
                state = receive(state, item)
                panel = chance.choice((None, *Panel))
                drawn = draw(replace(state, panel=panel), Size(80, 24))
                texts += fragment_list_to_text(drawn).splitlines()
                while state.held is not None:
                    state = advance(state)
    return run.result(), texts


@pytest.mark.parametrize("part", range(4))
def test_no_lie_about_a_game_breaks_the_screen_or_reaches_the_terminal(part: int) -> None:
    chance = Random(f"lies {part}")
    for _ in range(5 * TIMES):
        closed, texts = asyncio.run(shown(lies(chance), chance))
        assert closed.sentence
        assert all(map(is_safe, (closed.sentence, *texts)))


def honest(at_most: int) -> list[pb.PlayResponse]:
    """The first messages of a game that starts with the two of clubs."""
    table = LocalSession(parse_rules("black_lady pass_cycle=hold"), Random(3))
    return list(Teller(truth, Random(3)).messages(told_at(table)))[:at_most]


def test_a_game_told_as_it_is_is_not_taken_for_a_lie() -> None:
    closed, _ = asyncio.run(shown(honest(20), Random(1)))
    assert closed.sentence.startswith("the stream ended")


def test_a_host_at_a_seat_that_the_table_has_not_is_refused() -> None:
    presence = pb.PlayResponse(presence=pb.Presence(host=7))
    closed, _ = asyncio.run(shown([*honest(3), presence], Random(1)))
    assert closed == Closed(
        Cause.LOST,
        "the server sent what cannot be read: presence.host: 7 is not a seat, use 0 to 3",
    )


def test_a_question_that_the_game_does_not_ask_is_not_put_to_the_person() -> None:
    messages = honest(4)
    (asked,) = [each for each in messages if each.update.HasField("prompt")][:1]
    asked.update.prompt.ask = pb.ASK_MOON
    closed, _ = asyncio.run(shown(messages, Random(1)))
    assert "prompt.ask" in closed.sentence


def test_a_game_without_end_does_not_fill_the_disk() -> None:
    closed, _ = asyncio.run(shown(_without_end(), Random(1)))
    assert closed.sentence.endswith("no game is so long")


def _without_end() -> list[pb.PlayResponse]:
    first = honest(1)
    record = log_pb2.LogRecord(seq=1, time=1, salt=b"x" * 16)
    record.event.clocks_started.SetInParent()
    longest = record.SerializeToString() + b"\xfa\x3f\x80\x80\x40" + b"x" * 2**20
    update = pb.PlayResponse(update=pb.Update(seq=2, head=b"x" * 32, records=[longest]))
    return [*first, *[update] * (LARGEST_LOG // 2**20 + 1)]


def test_questions_without_end_do_not_pile_up_behind_a_screen_that_waits_for_a_key() -> None:
    table = LocalSession(parse_rules("black_lady target=10"), Random(7))
    told = told_at(table)
    state = opened(Settings(), CardStyle.LETTERS)
    for item in told:
        state = receive(state, item)
    assert state.held is not None
    asked = next(item for item in told if isinstance(item, Asked))
    for _ in range(MOST_FRAMES + 10):
        state = receive(state, asked)
    assert len(state.frames) <= MOST_FRAMES
