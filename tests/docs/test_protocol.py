"""docs/protocol.md says what the server does: its messages, its client, its reasons, its limits."""

from __future__ import annotations

import asyncio
import importlib
import os
import re
import sys
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from google.protobuf import descriptor_pool, message_factory, text_format
from google.rpc.code_pb2 import Code

from hearts_client.invite import Invite
from hearts_engine.errors import Reason
from hearts_engine.events import EntropyRevealed, SeatsFrozen
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules
from hearts_engine.state import Phase
from hearts_proto.v1 import lobby_pb2, replay_pb2, table_pb2
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.keys import SigningKey
from hearts_replays.memory import MemoryStore
from hearts_replays.testing import Plan, whole_log
from hearts_server import app, lobby_service, replay_service, subscriber, table_service, timekeeper
from hearts_server.certificate import Certificate, new_certificate
from hearts_server.clocks import SystemClock
from hearts_server.heartbeats import LOOK, SILENCE
from hearts_server.journal import Premises
from hearts_server.limits import SHORTEST_REQUEST_ID, Limits
from hearts_server.metronome import BEAT
from hearts_server.policy import Policy
from hearts_server.testing.premises import premises_of
from hearts_wire.errors import code_of
from hearts_wire.records import decode_record
from hearts_wire.rules import decode_rules

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```textproto\n# (\S+)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
STUBS = (".lobby_pb2_grpc", ".table_pb2_grpc")
SERVICES = (lobby_pb2, table_pb2, replay_pb2)
"""Imported for their messages, which the pool then knows by name."""


@pytest.mark.parametrize(("name", "text"), EXAMPLES)
def test_an_example_is_a_message_of_its_kind(name: str, text: str) -> None:
    descriptor = descriptor_pool.Default().FindMessageTypeByName(name)
    message = text_format.Parse(text, message_factory.GetMessageClass(descriptor)())
    assert message.ByteSize()


def test_the_rules_of_an_example_can_be_played() -> None:
    texts = [text for name, text in EXAMPLES if name == "hearts.v1.CreateTableRequest"]
    asked = [text_format.Parse(text, lobby_pb2.CreateTableRequest()).rules for text in texts]
    assert [format_rules(decode_rules(rules)) for rules in asked] == [
        "black_lady target=50",
        "five bonus=JD:10 moon=choose",
    ]


def test_every_way_to_answer_a_prompt_is_shown() -> None:
    for ask in table_pb2.Ask.keys()[1:]:
        assert re.search(rf"^\| `{ask}`", PAGE, re.MULTILINE), ask
    for field in table_pb2.PlayRequest.DESCRIPTOR.oneofs_by_name["kind"].fields:
        assert re.search(rf"^\| [^|]*`{field.name}`", PAGE, re.MULTILINE), field.name


def test_every_message_that_a_seat_may_get_is_shown() -> None:
    for field in table_pb2.PlayResponse.DESCRIPTOR.oneofs_by_name["kind"].fields:
        assert re.search(rf"^\| `{field.name}`", PAGE, re.MULTILINE), field.name


def test_the_worked_commitment_is_right() -> None:
    entropy = bytes(range(32))
    label = b"hearts-deal/v1/entropy"
    digest = sha256(len(label).to_bytes(4, "big") + label + b"\0\0\0\x20" + entropy)
    assert digest.hexdigest() in PAGE


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The names that the page's Python defines, its ``hearts.v1`` being the compiled messages."""
    monkeypatch.setitem(sys.modules, "hearts", ModuleType("hearts"))
    for name in ("", ".events_pb2", ".lobby_pb2", ".log_pb2", ".rules_pb2", ".table_pb2", *STUBS):
        module = importlib.import_module(f"hearts_proto.v1{name}")
        monkeypatch.setitem(sys.modules, f"hearts.v1{name}", module)
    (program,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"__name__": "lowest"}
    exec(compile(program, "protocol.md", "exec"), names)
    return names


@pytest.mark.parametrize(
    "security", [app.Plaintext.ON_LOOPBACK, new_certificate()], ids=["plain", "tls"]
)
def test_the_printed_client_plays_a_game_whose_log_has_the_head_it_saw_last(
    printed: dict[str, Any], security: Certificate | app.Plaintext
) -> None:
    asyncio.run(_play_the_printed_client(printed, security))


async def _play_the_printed_client(
    names: dict[str, Any], security: Certificate | app.Plaintext
) -> None:
    store = MemoryStore()
    premises = Premises(store, SigningKey.from_seed(bytes(32)), SystemClock(), os.urandom)
    async with app.serving(premises, "127.0.0.1", 0, Policy(resumes=False), security) as listening:
        play = partial(names["play"], fingerprint=listening.fingerprint)
        game_id, seq, head = await asyncio.to_thread(play, listening.address, 20)
    log = store.games[game_id]
    report = audit(log)
    assert report.clean
    assert report.state is not None
    assert report.state.phase is Phase.SEALED
    assert str(report.state.game.seats[0]).count("Lowest")
    assert EMPTY_CHAIN.extended(log[:seq]).head == head


def test_the_printed_client_says_nothing_to_a_server_with_another_certificate(
    printed: dict[str, Any],
) -> None:
    asyncio.run(_play_at_another(printed))


async def _play_at_another(names: dict[str, Any]) -> None:
    policy, own = Policy(resumes=False), new_certificate()
    async with app.serving(premises_of(), "127.0.0.1", 0, policy, own) as listening:
        play = partial(names["play"], fingerprint=new_certificate().fingerprint)
        with pytest.raises(RuntimeError, match="another server"):
            await asyncio.to_thread(play, listening.address)


def test_the_pages_show_invites_that_can_be_pasted() -> None:
    pages = [PAGE, (ROOT / "README.md").read_text(encoding="utf-8")]
    shown = {text for page in pages for text in re.findall(r"hearts://[0-9\[][^\s`,]*", page)}
    assert len(shown) >= 2
    for text in shown:
        assert str(Invite.parse(text)) == text


def test_the_printed_client_reveals_only_what_it_committed_to_upon_a_head_of_all_records(
    printed: dict[str, Any],
) -> None:
    log = whole_log(Random(5), Plan(Rules(target=10), reveal=frozenset({2}))).records
    events = [decode_record(record).event for record in log]
    frozen = next(at for at, event in enumerate(events, 1) if isinstance(event, SeatsFrozen))
    entropy = next(event.entropy for event in events if isinstance(event, EntropyRevealed))

    def may(count: int, head_after: int, seat: int = 2, skipped: int = 0) -> bool:
        head = EMPTY_CHAIN.extended(log[:head_after]).head
        answer: bool = printed["may_reveal"](log[skipped:count], head, seat, entropy)
        return answer

    assert may(frozen, frozen)
    assert may(frozen + 1, frozen + 1)
    assert not may(frozen - 1, frozen - 1)
    assert not may(frozen, frozen - 1)
    assert not may(frozen, frozen, skipped=1)
    assert not may(frozen, frozen, seat=1)


def test_the_line_that_compiles_the_messages_names_them_all() -> None:
    (line,) = re.findall(r"^python -m grpc_tools\.protoc (.*)$", PAGE, re.MULTILINE)
    include, *outputs, files = line.split()
    assert include == "-Iproto"
    assert outputs == ["--python_out=.", "--grpc_python_out=."]
    assert set(ROOT.glob(files)) == set((ROOT / "proto").rglob("*.proto"))


def test_every_refusal_of_the_rules_is_listed_with_its_code() -> None:
    wanted = {reason.value: Code.Name(code_of(reason)) for reason in Reason}
    assert wanted.items() <= _listed().items()


def test_every_refusal_of_the_server_is_listed_with_its_code() -> None:
    said = dict(_said_by_the_server())
    assert len(said) > 10
    assert said.items() <= _listed().items()


def test_no_reason_is_listed_that_nobody_gives() -> None:
    known = set(Reason) | set(dict(_said_by_the_server()))
    assert set(_listed()) <= known


def _listed() -> dict[str, str]:
    return dict(re.findall(r"^\| `([A-Z_]+)` \| ([A-Z_]+) \|", PAGE, re.MULTILINE))


def _said_by_the_server() -> Iterator[tuple[str, str]]:
    """The reasons in the server's own words, found in its text."""
    yield "MALFORMED", "INVALID_ARGUMENT"  # from the codec
    yield "BAD_RULES", "INVALID_ARGUMENT"
    yield "INTERNAL", "INTERNAL"
    for path in (ROOT / "server" / "hearts_server").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        for code, reason in re.findall(r"\bCode\.([A-Z_]+),\s+\"?([A-Z_]+)\"?,", text):
            yield reason, code


def test_the_limits_are_those_of_the_server() -> None:
    seconds = int(table_service.ATTACH_TIME.total_seconds())
    for row in (
        f"| attach | within {seconds} seconds",
        f"| fixed seed | {lobby_service.LONGEST_SEED} characters",
        f"| `request_id` of a table or seat | at least {SHORTEST_REQUEST_ID} characters",
        f"| messages that wait for a slow reader | {subscriber.LONGEST_BACKLOG};",
        f"| silence | {SILENCE.seconds} seconds; then a sign of life comes, at most {LOOK.seconds}",
        f"| changes of the lobby | told {timedelta(seconds=1) // BEAT} times a second at most",
        f"| reveal of entropy | {int(timekeeper.REVEAL_TIME.total_seconds())} seconds",
        f"100 games unless asked otherwise, {replay_service.LARGEST_PAGE} at the most",
    ):
        assert row in PAGE
    assert replay_service.PAGE_SIZE == 100


def test_every_limit_that_an_operator_may_set_is_listed_with_its_value() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| ([\d,]+) \| ([\d,]*) ?\| .+ \|$", PAGE, re.MULTILINE)
    listed = {name: value for name, value, _ in rows}
    listed |= {f"local-{name}": here for name, _, here in rows if here}
    assert listed == {name: f"{value:,}" for name, value in Limits().by_name().items()}
