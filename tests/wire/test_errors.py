import pytest
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import ErrorInfo
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK
from hearts_engine.cardset import CardSet
from hearts_engine.errors import Reason, Rejected
from hearts_wire.bounds import WireError
from hearts_wire.errors import (
    code_of,
    decode_rejected,
    encode_rejected,
    encode_wire_error,
    error_info,
    status,
)


@given(st.sampled_from(Reason), st.text(), st.sets(st.integers(0, 103)))
def test_a_refusal_tells_the_client_all_that_the_engine_said(
    reason: Reason, message: str, legal: set[int]
) -> None:
    rejected = Rejected(reason, message, CardSet.of(PACK[place % 52] for place in legal))
    back = decode_rejected(encode_rejected(rejected))
    assert back is not None
    assert (back.reason, back.message, back.legal) == (reason, message, rejected.legal)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (Reason.MUST_FOLLOW_SUIT, "FAILED_PRECONDITION"),
        (Reason.NOT_YOUR_TURN, "FAILED_PRECONDITION"),
        (Reason.CARD_NOT_HELD, "FAILED_PRECONDITION"),
        (Reason.TOP_SPADES_KEPT, "FAILED_PRECONDITION"),
        (Reason.QUEEN_FORCED, "FAILED_PRECONDITION"),
        (Reason.QUEEN_AT_FIRST_CHANCE, "FAILED_PRECONDITION"),
        (Reason.MUST_LEAD_CLUB, "FAILED_PRECONDITION"),
        (Reason.BAD_CENTRE, "INVALID_ARGUMENT"),
        (Reason.DUPLICATE_CARDS, "INVALID_ARGUMENT"),
        (Reason.WRONG_PASS_COUNT, "INVALID_ARGUMENT"),
        (Reason.BAD_NAME, "INVALID_ARGUMENT"),
    ],
)
def test_a_program_can_tell_what_is_malformed_from_what_is_illegal_now(
    reason: Reason, code: str
) -> None:
    assert Code.Name(code_of(reason)) == code


def test_any_language_can_read_why_it_was_refused() -> None:
    legal = CardSet.parse("2C QS")
    written = encode_rejected(Rejected(Reason.MUST_FOLLOW_SUIT, "follow suit", legal))
    info = ErrorInfo()
    assert written.details[0].Unpack(info)
    assert (info.reason, info.domain) == ("MUST_FOLLOW_SUIT", "hearts.v1")
    assert dict(info.metadata) == {"legal": "2C QS"}


def test_a_message_that_could_not_be_read_is_no_refusal_of_the_engine() -> None:
    written = encode_wire_error(WireError("play_card.card: 77 is not a card"))
    info = error_info(written)
    assert info is not None
    assert info.reason == "MALFORMED"
    assert Code.Name(written.code) == "INVALID_ARGUMENT"
    assert decode_rejected(written) is None


def test_reasons_of_somebody_else_are_not_taken_for_ours() -> None:
    other = status(9, "MUST_FOLLOW_SUIT", "a proxy says so")
    other.details[0].Pack(ErrorInfo(reason="MUST_FOLLOW_SUIT", domain="proxy.example"))
    assert decode_rejected(other) is None


def test_legal_cards_that_are_none_are_refused() -> None:
    with pytest.raises(WireError, match="legal"):
        decode_rejected(status(9, "MUST_FOLLOW_SUIT", "", {"legal": "1Z"}))
