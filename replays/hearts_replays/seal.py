"""The seal: the server's signature over everything in a log that comes before it."""

from __future__ import annotations

from typing import Final

from hearts_engine.events import LogSealed
from hearts_replays.chain import Chain
from hearts_replays.framing import label, lp, u64
from hearts_replays.keys import SigningKey, verify
from hearts_wire.records import Record

_SEAL: Final = label("hearts-seal/v1")


def seal_message(game_id: str, seq: int, time: int, head: bytes) -> bytes:
    """What is signed: which game, and the seal's own place, time and the head before it."""
    return _SEAL + lp(game_id.encode()) + u64(seq) + u64(time) + head


def seal_of(key: SigningKey, game_id: str, before: Chain, time: int) -> LogSealed:
    """The seal to append after this chain, in a record of just this time (microseconds)."""
    return LogSealed(key.sign(seal_message(game_id, before.length + 1, time, before.head)))


def seals(public_key: bytes, game_id: str, before: Chain, record: Record) -> bool:
    """Whether this record is a seal by this key, in its place after this chain."""
    if not isinstance(record.event, LogSealed) or record.seq != before.length + 1:
        return False
    message = seal_message(game_id, record.seq, record.time, before.head)
    return verify(public_key, record.event.signature, message)
