"""What a table tells, as messages of the wire."""

from __future__ import annotations

from typing import assert_never

from google.rpc.status_pb2 import Status

from hearts_engine.errors import Rejected
from hearts_proto.v1 import lobby_pb2, table_pb2
from hearts_server.errors import status_of
from hearts_server.lobby import TableStatus, TableSummary
from hearts_server.notices import (
    Ask,
    Attached,
    Cause,
    Detached,
    NotDone,
    Notice,
    Prompt,
    Pulse,
    Update,
)
from hearts_wire.errors import error_info
from hearts_wire.rules import encode_rules
from hearts_wire.seats import encode_seat
from hearts_wire.views import encode_view

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
_STATUSES = {
    TableStatus.SEATING: lobby_pb2.TABLE_STATUS_SEATING,
    TableStatus.PLAYING: lobby_pb2.TABLE_STATUS_PLAYING,
    TableStatus.OVER: lobby_pb2.TABLE_STATUS_OVER,
}


def response_of(notice: Notice) -> table_pb2.PlayResponse:
    """The message for a notice."""
    match notice:
        case Update():
            return table_pb2.PlayResponse(update=_update(notice))
        case Attached():
            return table_pb2.PlayResponse(attached=_attached(notice))
        case NotDone(request_id, error):
            return table_pb2.PlayResponse(refusal=_refusal(request_id, error))
        case Pulse(seq, head):
            return table_pb2.PlayResponse(heartbeat=table_pb2.Heartbeat(seq=seq, head=head))
        case Detached(cause, sentence):
            detached = table_pb2.Detached(cause=_CAUSES[cause], message=sentence)
            return table_pb2.PlayResponse(detached=detached)
        case _:
            assert_never(notice)


def table_of(summary: TableSummary) -> lobby_pb2.Table:
    """A table as the lobby shows it."""
    return lobby_pb2.Table(
        name=summary.name,
        game_id=summary.game_id,
        rules=encode_rules(summary.rules),
        seats=map(encode_seat, summary.seats),
        status=_STATUSES[summary.status],
        start_when_full=summary.start_when_full,
    )


def _attached(notice: Attached) -> table_pb2.Attached:
    return table_pb2.Attached(
        view=encode_view(notice.view),
        records=notice.records,
        seq=notice.seq,
        head=notice.head,
        prompt=_prompt(notice.prompt),
    )


def _update(notice: Update) -> table_pb2.Update:
    done = notice.acknowledgement
    return table_pb2.Update(
        records=notice.records,
        seq=notice.seq,
        head=notice.head,
        prompt=_prompt(notice.prompt),
        acknowledgement=None
        if done is None
        else table_pb2.Acknowledgement(
            request_id=done.request_id, prompt_seq=done.prompt_seq, repeated=done.repeated
        ),
        view=None if notice.view is None else encode_view(notice.view),
    )


def _prompt(prompt: Prompt | None) -> table_pb2.Prompt | None:
    if prompt is None:
        return None
    return table_pb2.Prompt(
        prompt_seq=prompt.seq,
        ask=_ASKS[prompt.ask],
        view=encode_view(prompt.view),
        deadline=prompt.deadline or 0,
    )


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
