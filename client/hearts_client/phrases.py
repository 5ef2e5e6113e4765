"""What is said at a table: text, or one of the phrases that every client knows."""

from __future__ import annotations

from typing import Final

from hearts_client.news import Attending, Said
from hearts_client.safetext import cleaned
from hearts_proto.v1 import table_pb2 as pb
from hearts_wire.bounds import seat_at

LONGEST_TEXT: Final = 200
"""Characters of what can be said at once."""

PHRASES: Final = (
    (pb.PHRASE_HELLO, "hello"),
    (pb.PHRASE_GOOD_LUCK, "good luck"),
    (pb.PHRASE_WELL_PLAYED, "well played"),
    (pb.PHRASE_OUCH, "ouch"),
    (pb.PHRASE_SORRY, "sorry"),
    (pb.PHRASE_THANKS, "thanks"),
    (pb.PHRASE_ONE_MOMENT, "one moment"),
    (pb.PHRASE_GOOD_GAME, "good game"),
)
"""In the order of their numbers, which count from 1."""

WORDS: Final = tuple(words for _, words in PHRASES)

_WORDS_OF: Final = {int(phrase): words for phrase, words in PHRASES}


def said_at(message: pb.Said) -> Said:
    """What somebody said, safe to show; raises ``WireError`` for a seat that cannot be."""
    words = _WORDS_OF.get(int(message.phrase), "") or cleaned(message.text[:LONGEST_TEXT])
    return Said(seat_at("said.seat", message.seat), cleaned(message.name), words)


def attending_at(message: pb.Presence, seats: int) -> Attending:
    """Who is connected at a table of so many seats; raises ``WireError`` for one it has not."""
    connected = frozenset(seat_at("presence.connected", seat, seats) for seat in message.connected)
    host = seat_at("presence.host", message.host, seats) if message.HasField("host") else None
    return Attending(connected, message.watchers, host)


def to_say(words: str | int, request_id: int) -> pb.PlayRequest:
    """The request that says a text, or the phrase of this number."""
    say = pb.Say(text=words) if isinstance(words, str) else pb.Say(phrase=PHRASES[words - 1][0])
    return pb.PlayRequest(request_id=request_id, say=say)
