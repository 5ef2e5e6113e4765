"""What the server refuses on its own account, the rules of Hearts apart."""

from __future__ import annotations

import logging
import uuid

from google.rpc.status_pb2 import Status
from grpc import StatusCode

from hearts_engine.errors import BadRules, Rejected
from hearts_replays.log import LogError
from hearts_server.logbook import Entry, about, trace_of
from hearts_wire.bounds import WireError
from hearts_wire.errors import MALFORMED, encode_rejected, encode_wire_error, status

Code = StatusCode
"""How a refusal is classed."""

STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
"""The one refusal that the same request may not meet again a moment later."""

BAD_RULES = "BAD_RULES"
"""Rules that nothing can be played by."""

INTERNAL = "INTERNAL"
"""A mistake of the server."""

log = logging.getLogger(__name__)


class Refused(Exception):
    """A request that the server does not carry out; nothing has changed."""

    def __init__(self, code: Code, reason: str, message: str) -> None:
        super().__init__(code, reason, message)
        self.code = code
        self.reason = reason
        self.message = message

    def __str__(self) -> str:
        return self.message


def no_such_table(name: str) -> Refused:
    """The name is of no table here."""
    return Refused(Code.NOT_FOUND, "NO_SUCH_TABLE", f"no table here is called {name[:32]!r}")


def game_ended(game_id: str) -> Refused:
    """The table has gone on to another game."""
    return Refused(
        Code.FAILED_PRECONDITION,
        "GAME_ENDED",
        f"game {game_id[:64]!r} is not played at this table any more; fetch its log",
    )


def fixed_seed_not_allowed() -> Refused:
    """This server deals from no text of anyone's."""
    return Refused(
        Code.FAILED_PRECONDITION,
        "FIXED_SEED_NOT_ALLOWED",
        "whoever knows the seed knows all hands, so this server deals fairly only; "
        "leave fixed_seed out",
    )


def bad_token() -> Refused:
    """The token opens no seat at this table."""
    return Refused(
        Code.UNAUTHENTICATED, "BAD_TOKEN", "this token is for no seat here; join the table first"
    )


def not_the_host(host: str | None) -> Refused:
    """The token is of a seat that does not have the host's powers."""
    who = "the host does" if host is None else f"the host, {host}, does"
    return Refused(Code.PERMISSION_DENIED, "NOT_THE_HOST", f"only {who} that at this table")


def not_attached_any_more() -> Refused:
    """The stream does not hold its seat any more."""
    return Refused(
        Code.ABORTED,
        "NOT_ATTACHED_ANY_MORE",
        "this stream does not hold the seat any more; attach again if it is still yours",
    )


def stale_prompt(prompt_seq: int, open_seq: int) -> Refused:
    """The answer is to another prompt than the one that is open for this seat."""
    return Refused(
        Code.ABORTED,
        "STALE_PROMPT",
        f"prompt {prompt_seq} is not open; your open prompt is {open_seq}, answer that one",
    )


def answered_otherwise(prompt_seq: int) -> Refused:
    """The prompt was answered before, with something else."""
    return Refused(
        Code.ABORTED,
        "ANSWERED_OTHERWISE",
        f"prompt {prompt_seq} has your answer already, and it was another one",
    )


def another_request() -> Refused:
    """Someone else, or something else, sat down by a request of this id."""
    return Refused(
        Code.FAILED_PRECONDITION,
        "ANOTHER_REQUEST",
        "this request_id was used for another name or kind; draw a new one for a new request",
    )


def not_seated() -> Refused:
    """The seat is held, but its owner does not sit in the current game."""
    return Refused(
        Code.FAILED_PRECONDITION,
        "NOT_SEATED",
        "you do not sit in this table's current game; ask to play again first",
    )


def entropy_mismatch() -> Refused:
    """The entropy is not what the seat committed to."""
    return Refused(
        Code.INVALID_ARGUMENT,
        "ENTROPY_MISMATCH",
        "this is not the entropy that your seat committed to; reveal that one",
    )


def store_unavailable(error: LogError) -> Refused:
    """The store did not write; trying again later may succeed."""
    return Refused(Code.UNAVAILABLE, STORE_UNAVAILABLE, f"nothing was done: {error}")


def table_stopped() -> Refused:
    """The table's task has ended, or is about to."""
    return Refused(Code.UNAVAILABLE, "TABLE_STOPPED", "the table has stopped; attach again later")


def draining() -> Refused:
    """The server is about to end."""
    return Refused(Code.UNAVAILABLE, "DRAINING", "the server stops; try again later")


def status_of(error: Exception) -> Status:
    """What a caller is told of an error; of our own mistakes only an id for the server's log."""
    match error:
        case Rejected():
            return encode_rejected(error)
        case Refused(code=code, reason=reason, message=message):
            return status(_number(code), reason, message)
        case WireError():
            return encode_wire_error(error)
        case LogError():
            log.error(Entry.STORE_TROUBLE, extra=about(store_says=str(error)))
            return status_of(store_unavailable(error))
        case BadRules():
            return status(_number(Code.INVALID_ARGUMENT), BAD_RULES, str(error))
        case _:
            incident = uuid.uuid4().hex
            log.error(Entry.INCIDENT, extra=about(incident=incident, trace=trace_of(error)))
            sentence = f"the server made a mistake; its log has more under {incident}"
            return status(_number(Code.INTERNAL), INTERNAL, sentence)


def reason_of(error: Exception) -> str:
    """The reason that a caller is given for an error, without the sentence."""
    match error:
        case Rejected() | Refused():
            return error.reason
        case WireError():
            return MALFORMED
        case LogError():
            return STORE_UNAVAILABLE
        case BadRules():
            return BAD_RULES
        case _:
            return INTERNAL


def _number(code: Code) -> int:
    """The code as ``google.rpc.Code`` counts."""
    number, _ = code.value
    return int(number)
