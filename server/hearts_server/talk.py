"""What a seat may say to its table, and how often; it is told on, and kept nowhere."""

from __future__ import annotations

from hearts_proto.v1 import table_pb2 as pb
from hearts_server.cleaning import line_of
from hearts_server.clocks import Clock
from hearts_server.excess import chat_too_fast
from hearts_server.limits import Limits
from hearts_server.messages import phrase_at
from hearts_server.notices import Phrase
from hearts_server.pace import SeatAt
from hearts_server.rates import Buckets, Rate
from hearts_wire.bounds import WireError


class Talk:
    """What the streams of one seat say, each after the other."""

    def __init__(self, clock: Clock, limits: Limits, said: Buckets[SeatAt], seat: SeatAt) -> None:
        self._clock = clock
        self._limits = limits
        self._said = said
        self._seat = seat

    def words_in(self, say: pb.Say) -> str | Phrase:
        """What is to be told on, without what cannot be seen.

        Raises ``WireError`` if that is not one thing, and ``Refused`` if nothing of it can be seen,
        if it is too long, or if too much was said lately.
        """
        if bool(say.text) == bool(say.phrase):
            raise WireError("say: a text or a phrase, one of both")
        words = (
            phrase_at("say.phrase", say.phrase)
            if say.phrase
            else line_of(say.text, self._limits.chat_length)
        )
        a_minute = self._limits.chat_a_minute
        if not self._said.take(self._seat, Rate.a_minute(a_minute), self._clock.now()):
            raise chat_too_fast(a_minute)
        return words
