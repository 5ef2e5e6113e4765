from dataclasses import replace

import pytest

from hearts_engine.events import LogSealed, PlayCut
from hearts_replays.chain import Chain
from hearts_replays.keys import SigningKey
from hearts_replays.seal import seal_message, seal_of, seals
from hearts_wire.records import Record

KEY = SigningKey.from_seed(b"k" * 32)
BEFORE = Chain(41, b"h" * 32)
TIME = 1_767_225_600_000_000
RECORD = Record(42, TIME, seal_of(KEY, "game", BEFORE, TIME))


def test_what_is_signed_can_be_rebuilt_in_any_language() -> None:
    assert seal_message("game", 42, TIME, BEFORE.head) == (
        b"\0\0\0\x0ehearts-seal/v1"
        b"\0\0\0\x04game"
        + bytes.fromhex("000000000000002a")
        + bytes.fromhex("0006474846204000")
        + b"h" * 32
    )


def test_a_seal_holds_in_its_place() -> None:
    assert seals(KEY.public, "game", BEFORE, RECORD)


@pytest.mark.parametrize(
    ("game_id", "before", "record"),
    [
        ("other", BEFORE, RECORD),
        ("game", BEFORE._replace(head=b"i" * 32), RECORD),
        ("game", BEFORE._replace(length=40), RECORD),
        ("game", BEFORE, replace(RECORD, seq=43)),
        ("game", BEFORE, replace(RECORD, time=TIME + 1)),
        ("game", BEFORE, replace(RECORD, event=LogSealed(bytes(64)))),
        ("game", BEFORE, replace(RECORD, event=PlayCut())),
    ],
)
def test_a_seal_holds_nowhere_else(game_id: str, before: Chain, record: Record) -> None:
    assert not seals(KEY.public, game_id, before, record)


def test_a_seal_is_of_one_server() -> None:
    assert not seals(SigningKey.from_seed(b"j" * 32).public, "game", BEFORE, RECORD)
