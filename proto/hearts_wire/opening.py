"""Record 1, which opens a game, as a message and back."""

from __future__ import annotations

from typing import assert_never

from hearts_engine.events import Anchor, DealSource, FixedSeed, GameOpened, Versions
from hearts_proto.v1 import events_pb2 as pb
from hearts_wire.bounds import WireError, counted, game_id_at, octets
from hearts_wire.rules import decode_rules, encode_rules


def write_opening(into: pb.GameOpened, opened: GameOpened) -> None:
    """Fill a message with how a game was opened."""
    into.game_id = opened.game_id
    into.table = opened.table
    into.rules.CopyFrom(encode_rules(opened.rules))
    match opened.source:
        case Anchor(digest):
            into.anchor = digest
        case FixedSeed(text):
            into.fixed_seed = text
        case _:
            assert_never(opened.source)
    into.public_key = opened.public_key
    into.format_version = opened.versions.format
    into.engine_version = opened.versions.engine
    into.shuffle_version = opened.versions.shuffle
    into.turn_seconds = opened.turn_seconds
    into.bot_seconds = opened.bot_seconds
    into.open_hands = opened.open_hands


def decode_opening(message: pb.GameOpened) -> GameOpened:
    """How a game was opened; ``WireError`` if a field is out of bounds."""
    return GameOpened(
        game_id_at("game_opened.game_id", message.game_id),
        message.table,
        decode_rules(message.rules),
        _decode_source(message),
        octets("game_opened.public_key", message.public_key),
        Versions(
            counted("game_opened.format_version", message.format_version),
            counted("game_opened.engine_version", message.engine_version),
            counted("game_opened.shuffle_version", message.shuffle_version),
        ),
        message.turn_seconds,
        message.bot_seconds,
        message.open_hands,
    )


def _decode_source(message: pb.GameOpened) -> DealSource:
    source = message.WhichOneof("source")
    match source:
        case "anchor":
            return Anchor(octets("game_opened.anchor", message.anchor))
        case "fixed_seed":
            return FixedSeed(message.fixed_seed)
        case None:
            raise WireError("game_opened.source: set the anchor or the fixed seed")
        case _:
            assert_never(source)
