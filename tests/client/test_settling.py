"""Where a seat's receipts are kept: apart from those of whoever had it before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hearts_cli.failures import BadInput
from hearts_cli.settling import open_receipts
from hearts_client.ticket import Ticket
from hearts_engine.cards import Card, Seat
from hearts_engine.commands import PlayCard
from hearts_replays.receipt_book import ReceiptBook
from hearts_replays.receipts import CommandSent

FORMER = Ticket("here:1", "oak-1", "a" * 32, Seat(2), "Ann", "former-token", b"e" * 32)
LATER = replace(FORMER, name="Ben", token="later-token", entropy=b"")
LATEST = replace(LATER, name="Zoë", token="latest-token")
CARD = PlayCard(Seat(2), Card.parse("QS"))
SENT = CommandSent(7, CARD)


@pytest.mark.parametrize("before", [FORMER, LATER], ids=["from the start", "taken over before"])
def test_whoever_takes_a_seat_over_on_the_same_machine_has_a_book_of_their_own(
    tmp_path: Path, before: Ticket
) -> None:
    with open_receipts(tmp_path, before) as book:
        book.sent(CARD, 7)
    with open_receipts(tmp_path, LATEST) as book:
        assert book.receipts.kept == ()
    with open_receipts(tmp_path, before) as book:
        assert book.receipts.kept == (SENT,), "nothing of one's own is lost by it"


def shared(data: Path, ticket: Ticket) -> Path:
    """A book under the name that all owners of a seat once shared, with an answer in it."""
    path = data / "receipts" / f"{ticket.game_id}-{ticket.seat}.jsonl"
    with ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy) as book:
        book.sent(CARD, 7)
    return path


@pytest.mark.parametrize("owner", [FORMER, LATER], ids=["from the start", "taken over"])
def test_a_game_begun_with_a_book_of_the_old_name_keeps_its_receipts(
    tmp_path: Path, owner: Ticket
) -> None:
    """Without them the log would have answers that the client knows nothing of."""
    shared(tmp_path, owner)
    with open_receipts(tmp_path, owner) as book:
        assert book.receipts.kept == (SENT,)


def test_a_book_of_the_old_name_that_is_somebody_elses_bars_nobody(tmp_path: Path) -> None:
    shared(tmp_path, FORMER)
    with open_receipts(tmp_path, LATER) as book:
        assert book.receipts.kept == ()


def test_a_damaged_book_of_the_old_name_is_not_passed_over(tmp_path: Path) -> None:
    shared(tmp_path, FORMER).write_bytes(b"{}\n")
    with pytest.raises(BadInput, match="cannot be used"):
        open_receipts(tmp_path, FORMER)


def test_the_name_of_a_book_tells_nothing_of_the_token(tmp_path: Path) -> None:
    open_receipts(tmp_path, LATER).close()
    (path,) = (tmp_path / "receipts").iterdir()
    assert LATER.token not in path.name
