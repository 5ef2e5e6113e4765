"""What record 1 says whatever the rules are: whose log this is, and which program can read it."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.message import DecodeError

from hearts_engine.events import Versions
from hearts_proto.v1 import log_pb2 as pb


@dataclass(frozen=True, slots=True)
class Heading:
    """The part of an opening that every version writes alike."""

    game_id: str
    public_key: bytes
    """As written, which may be no key."""
    versions: Versions


def decode_heading(record: bytes) -> Heading | None:
    """The heading in a log's first record; none if it does not open a game.

    It can be read also where a newer version has given the game rules that are not known here.
    """
    try:
        message = pb.LogRecord.FromString(record)
    except DecodeError:
        return None
    if not message.event.HasField("game_opened"):
        return None
    opened = message.event.game_opened
    versions = Versions(opened.format_version, opened.engine_version, opened.shuffle_version)
    return Heading(opened.game_id, opened.public_key, versions)
