"""What a table tells, as messages of the wire."""

from __future__ import annotations

from typing import assert_never

from google.rpc.status_pb2 import Status

from hearts_engine.errors import Rejected
from hearts_proto.v1 import lobby_pb2, table_pb2
from hearts_server.errors import status_of
from hearts_server.notices import (
    Acknowledgement,
    Ask,
    Attached,
    Cause,
    Detached,
    NotDone,
    Notice,
    Phrase,
    PresenceNow,
    Prompt,
    Pulse,
    Said,
    Update,
)
from hearts_server.summary import TableStatus, TableSummary
from hearts_wire.bounds import named
from hearts_wire.errors import error_info
from hearts_wire.nesting import nested
from hearts_wire.rules import encode_rules
from hearts_wire.seats import encode_seat
from hearts_wire.view_scribe import ViewScribe

_ASKS = {
    Ask.ENTROPY: table_pb2.ASK_ENTROPY,
    Ask.PASS: table_pb2.ASK_PASS,
    Ask.CARD: table_pb2.ASK_CARD,
    Ask.MOON: table_pb2.ASK_MOON,
}
_CAUSES = {
    Cause.SUPERSEDED: table_pb2.Detached.CAUSE_SUPERSEDED,
    Cause.GAME_OVER: table_pb2.Detached.CAUSE_GAME_OVER,
    Cause.DRAINING: table_pb2.Detached.CAUSE_DRAINING,
    Cause.TOO_SLOW: table_pb2.Detached.CAUSE_TOO_SLOW,
    Cause.REMOVED: table_pb2.Detached.CAUSE_REMOVED,
}
_ATTACHED = table_pb2.PlayResponse.ATTACHED_FIELD_NUMBER
_UPDATE = table_pb2.PlayResponse.UPDATE_FIELD_NUMBER
_SHOWN_ATTACHED = table_pb2.WatchResponse.ATTACHED_FIELD_NUMBER
_SHOWN_UPDATE = table_pb2.WatchResponse.UPDATE_FIELD_NUMBER
_PHRASES = {
    Phrase.HELLO: table_pb2.PHRASE_HELLO,
    Phrase.GOOD_LUCK: table_pb2.PHRASE_GOOD_LUCK,
    Phrase.WELL_PLAYED: table_pb2.PHRASE_WELL_PLAYED,
    Phrase.OUCH: table_pb2.PHRASE_OUCH,
    Phrase.SORRY: table_pb2.PHRASE_SORRY,
    Phrase.THANKS: table_pb2.PHRASE_THANKS,
    Phrase.ONE_MOMENT: table_pb2.PHRASE_ONE_MOMENT,
    Phrase.GOOD_GAME: table_pb2.PHRASE_GOOD_GAME,
}
_PHRASES_BACK = {int(number): phrase for phrase, number in _PHRASES.items()}

_STATUSES = {
    TableStatus.SEATING: lobby_pb2.TABLE_STATUS_SEATING,
    TableStatus.PLAYING: lobby_pb2.TABLE_STATUS_PLAYING,
    TableStatus.OVER: lobby_pb2.TABLE_STATUS_OVER,
}


class Scribe:
    """Writes what one table tells; what several receivers are told is written once."""

    def __init__(self) -> None:
        self._views = ViewScribe()
        self._told: object = None
        self._news = b""
        self._shown: tuple[Notice | None, bytes] = None, b""

    def bytes_of(self, notice: Notice) -> bytes:
        """The message for a notice, as bytes of a ``PlayResponse``."""
        match notice:
            case Update():
                return nested(_UPDATE, self._update(notice))
            case Attached():
                return nested(_ATTACHED, self._attached(notice))
            case NotDone(request_id, error):
                response = table_pb2.PlayResponse(refusal=_refusal(request_id, error))
            case Pulse(seq, head):
                response = table_pb2.PlayResponse(heartbeat=table_pb2.Heartbeat(seq=seq, head=head))
            case Said():
                response = table_pb2.PlayResponse(said=said_of(notice))
            case PresenceNow():
                response = table_pb2.PlayResponse(presence=presence_of(notice))
            case Detached():
                response = table_pb2.PlayResponse(detached=_detached(notice))
            case _:
                assert_never(notice)
        return response.SerializeToString()

    def shown_bytes_of(self, notice: Notice) -> bytes:
        """The message for a notice to spectators, as bytes of a ``WatchResponse``.

        All who keep up are told the same, which is written once.
        """
        if self._shown[0] is not notice:
            self._shown = notice, self._for_spectators(notice)
        return self._shown[1]

    def _for_spectators(self, notice: Notice) -> bytes:
        match notice:
            case Update():
                return nested(_SHOWN_UPDATE, self._update(notice))
            case Attached():
                return nested(_SHOWN_ATTACHED, self._attached(notice))
            case Pulse(seq, head):
                pulse = table_pb2.Heartbeat(seq=seq, head=head)
                response = table_pb2.WatchResponse(heartbeat=pulse)
            case Said():
                response = table_pb2.WatchResponse(said=said_of(notice))
            case PresenceNow():
                response = table_pb2.WatchResponse(presence=presence_of(notice))
            case Detached():
                response = table_pb2.WatchResponse(detached=_detached(notice))
            case NotDone():
                raise AssertionError("who asks for nothing is refused nothing")
            case _:
                assert_never(notice)
        return response.SerializeToString()

    def _update(self, notice: Update) -> bytes:
        data = self._news_of(notice)
        if notice.prompt is not None:
            data += nested(table_pb2.Update.PROMPT_FIELD_NUMBER, self._prompt(notice.prompt))
        if notice.acknowledgement is not None:
            data += _acknowledged(notice.acknowledgement)
        if notice.view is not None:
            view = self._views.bytes_of(notice.view)
            data += nested(table_pb2.Update.VIEW_FIELD_NUMBER, view)
        return data

    def _news_of(self, notice: Update) -> bytes:
        """What everyone is told who sees the same records."""
        told = notice.records, notice.seq, notice.head
        if told != self._told:
            news = table_pb2.Update(records=notice.records, seq=notice.seq, head=notice.head)
            self._told, self._news = told, news.SerializeToString()
        return self._news

    def _attached(self, notice: Attached) -> bytes:
        found = table_pb2.Attached(records=notice.records, seq=notice.seq, head=notice.head)
        data = found.SerializeToString()
        data += nested(table_pb2.Attached.VIEW_FIELD_NUMBER, self._views.bytes_of(notice.view))
        if notice.prompt is not None:
            data += nested(table_pb2.Attached.PROMPT_FIELD_NUMBER, self._prompt(notice.prompt))
        return data

    def _prompt(self, prompt: Prompt) -> bytes:
        asked = table_pb2.Prompt(
            prompt_seq=prompt.seq, ask=_ASKS[prompt.ask], deadline=prompt.deadline or 0
        )
        view = self._views.bytes_of(prompt.view)
        return asked.SerializeToString() + nested(table_pb2.Prompt.VIEW_FIELD_NUMBER, view)


def said_of(said: Said) -> table_pb2.Said:
    """What somebody said, for everyone."""
    into = table_pb2.Said(seat=said.seat, name=said.name, time=said.time)
    match said.words:
        case Phrase() as phrase:
            into.phrase = _PHRASES[phrase]
        case text:
            into.text = text
    return into


def phrase_at(field: str, value: int) -> Phrase:
    """A phrase of the wire; ``WireError`` if it is none."""
    return named(field, value, _PHRASES_BACK)


def presence_of(presence: PresenceNow) -> table_pb2.Presence:
    """Who is connected."""
    return table_pb2.Presence(
        connected=presence.connected, watchers=presence.watchers, host=presence.host
    )


def table_of(summary: TableSummary) -> lobby_pb2.Table:
    """A table as the lobby shows it."""
    return lobby_pb2.Table(
        name=summary.name,
        game_id=summary.game_id,
        rules=encode_rules(summary.rules),
        seats=map(encode_seat, summary.seats),
        status=_STATUSES[summary.status],
        start_when_full=summary.start_when_full,
        turn_seconds=summary.turn_seconds,
        bot_seconds=summary.bot_seconds,
        open_hands=summary.open_hands,
        needs_passcode=summary.needs_passcode,
        host=summary.host,
        connected=summary.connected,
        watchers=summary.watchers,
        vacant=summary.vacant,
    )


def _acknowledged(done: Acknowledgement) -> bytes:
    """An update that has the acknowledgement only."""
    return table_pb2.Update(
        acknowledgement=table_pb2.Acknowledgement(
            request_id=done.request_id, prompt_seq=done.prompt_seq, repeated=done.repeated
        )
    ).SerializeToString()


def _detached(notice: Detached) -> table_pb2.Detached:
    return table_pb2.Detached(cause=_CAUSES[notice.cause], message=notice.sentence)


def _refusal(request_id: int, error: Exception) -> table_pb2.Refusal:
    status: Status = status_of(error)
    info = error_info(status)
    return table_pb2.Refusal(
        request_id=request_id,
        code=status.code,
        reason="" if info is None else info.reason,
        message=status.message,
        legal=error.legal if isinstance(error, Rejected) else (),
    )
