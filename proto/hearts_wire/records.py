"""A log's record: an event with its place, its time and its salt; as bytes and back."""

from __future__ import annotations

from typing import Final

from google.protobuf.message import DecodeError

from hearts_engine.events import Event
from hearts_engine.value import value
from hearts_proto.v1 import log_pb2 as pb
from hearts_wire.bounds import WireError, counted, octets_or_none
from hearts_wire.canonical import is_canonical
from hearts_wire.events import decode_event, write_event

SALT_SIZE: Final = 16
"""Bytes of the salt of an addressed record."""


@value
class Record:
    """One line of a game's log."""

    seq: int
    """From 1, without a gap."""
    time: int
    """Microseconds since 1970 UTC."""
    event: Event
    salt: bytes = b""
    """16 random bytes where the event is addressed; empty where it is public."""


def encode_record(record: Record) -> bytes:
    """The bytes of a record: what logs store, clients get and the hash chain covers."""
    into = pb.LogRecord(seq=record.seq, time=record.time, salt=record.salt)
    write_event(into.event, record.event)
    return into.SerializeToString(deterministic=True)


def decode_record(data: bytes) -> Record:
    """The record in these bytes.

    Raises ``WireError`` where they are no record, a field is out of bounds, or the kind of event
    is not known here.
    """
    return _record(_message(data))


def decode_canonical(data: bytes) -> Record:
    """The record in these bytes, as :func:`decode_record`, if it can only be written like this.

    Raises ``WireError`` also where something is in them that is not read, or is written otherwise.
    """
    message = _message(data)
    record = _record(message)
    if not is_canonical(data, message):
        raise WireError("record: not written in the one way it can be")
    return record


def _message(data: bytes) -> pb.LogRecord:
    try:
        return pb.LogRecord.FromString(data)
    except DecodeError:
        raise WireError("record: these bytes are no LogRecord") from None


def _record(message: pb.LogRecord) -> Record:
    if not message.HasField("event"):
        raise WireError("record.event: missing")
    return Record(
        counted("record.seq", message.seq),
        message.time,
        decode_event(message.event),
        octets_or_none("record.salt", message.salt, SALT_SIZE),
    )
