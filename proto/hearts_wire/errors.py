"""Refusals as ``google.rpc.Status`` with an ``ErrorInfo``, and back."""

from __future__ import annotations

from typing import Final, assert_never

from google.protobuf.message import DecodeError
from google.rpc.code_pb2 import (
    FAILED_PRECONDITION,
    INVALID_ARGUMENT,
)
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.errors import Reason, Rejected
from hearts_wire.bounds import WireError

DOMAIN: Final = "hearts.v1"
"""Whose reasons these are."""

MALFORMED: Final = "MALFORMED"
"""The reason given for a message that could not be read."""

_LEGAL: Final = "legal"


def code_of(reason: Reason) -> int:
    """The ``google.rpc.Code`` of a refusal: malformed whenever it is sent, or illegal now."""
    match reason:
        case (
            Reason.NO_SUCH_SEAT
            | Reason.BAD_NAME
            | Reason.BAD_LEVEL
            | Reason.BAD_COMMITMENT
            | Reason.BAD_DECK
            | Reason.BAD_CENTRE
            | Reason.WRONG_PASS_COUNT
            | Reason.DUPLICATE_CARDS
            | Reason.BAD_KIND
            | Reason.BAD_CLOCK
        ):
            return int(INVALID_ARGUMENT)
        case (
            Reason.WRONG_PHASE
            | Reason.SEAT_OCCUPIED
            | Reason.SEAT_EMPTY
            | Reason.ENTROPY_NOT_OWED
            | Reason.NOT_YOUR_TURN
            | Reason.CARD_NOT_HELD
            | Reason.ALREADY_PASSED
            | Reason.TOP_SPADES_KEPT
            | Reason.MUST_LEAD_LOWEST_CLUB
            | Reason.MUST_LEAD_CLUB
            | Reason.MUST_FOLLOW_SUIT
            | Reason.NO_POINTS_ON_FIRST_TRICK
            | Reason.QUEEN_FORCED
            | Reason.QUEEN_AT_FIRST_CHANCE
            | Reason.HEARTS_NOT_BROKEN
            | Reason.NOT_ON_LEAD
            | Reason.CLAIM_NOT_PROVEN
            | Reason.PAUSED
            | Reason.SEAT_AWAY
            | Reason.SEAT_NOT_AWAY
        ):
            return int(FAILED_PRECONDITION)
        case _:
            assert_never(reason)


def encode_rejected(rejected: Rejected) -> Status:
    """The status of a refusal; its metadata holds the legal cards as text, if there are any."""
    metadata = {_LEGAL: str(rejected.legal)} if rejected.legal else {}
    return status(code_of(rejected.reason), rejected.reason, rejected.message, metadata)


def encode_wire_error(error: WireError) -> Status:
    """The status of a message that could not be read."""
    return status(int(INVALID_ARGUMENT), MALFORMED, str(error))


def status(code: int, reason: str, message: str, metadata: dict[str, str] | None = None) -> Status:
    """A status that carries a reason of this domain."""
    into = Status(code=code, message=message)
    into.details.add().Pack(ErrorInfo(reason=reason, domain=DOMAIN, metadata=metadata))
    return into


def error_info(message: Status) -> ErrorInfo | None:
    """The reason of this domain that a status carries, if it does."""
    for detail in message.details:
        info = ErrorInfo()
        try:
            if detail.Unpack(info) and info.domain == DOMAIN:
                return info
        except DecodeError:
            continue
    return None


def decode_rejected(message: Status) -> Rejected | None:
    """The engine's refusal that a status carries; none if it is of another kind.

    Raises ``WireError`` where the legal cards cannot be read.
    """
    info = error_info(message)
    if info is None or info.reason not in Reason.__members__:
        return None
    return Rejected(Reason(info.reason), message.message, _legal(info))


def _legal(info: ErrorInfo) -> CardSet:
    text = info.metadata.get(_LEGAL, "")
    try:
        return CardSet.parse(text) if text else NO_CARDS
    except ValueError as error:
        raise WireError(f"error_info.metadata.{_LEGAL}: {error}") from None
