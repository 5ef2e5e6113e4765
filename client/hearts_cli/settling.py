"""After the game: its log is fetched, audited, and held against what this seat was shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click
from grpc import aio

from hearts_cli.failures import BadInput
from hearts_cli.keyring import known_keys, remember_key
from hearts_client.archive import RemoteArchive
from hearts_client.ticket import Ticket
from hearts_engine.events import EntropyRevealed
from hearts_replays.audit import audit
from hearts_replays.dealing import Dealing
from hearts_replays.finding import Finding
from hearts_replays.fingerprint import short_head
from hearts_replays.receipt_book import BadReceipts, ReceiptBook, load
from hearts_replays.receipts import Receipts, check
from hearts_replays.report import Report


def receipt_path(data: Path, ticket: Ticket) -> Path:
    """Where the receipts of a seat are written down: each of its owners has a book of their own.

    One that was begun when owners shared a name is gone on with where it can be this owner's.
    Raises ``BadReceipts`` or ``OSError`` where that cannot be told.
    """
    folder = data / "receipts"
    own, shared = (
        folder / f"{ticket.tenure}.jsonl",
        folder / f"{ticket.game_id}-{ticket.seat}.jsonl",
    )
    return shared if not own.exists() and shared.exists() and _can_be_of(shared, ticket) else own


def open_receipts(data: Path, ticket: Ticket) -> ReceiptBook:
    """The receipts of a seat, begun or gone on with."""
    try:
        path = receipt_path(data, ticket)
        return ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy)
    except (BadReceipts, OSError) as error:
        raise BadInput(f"what was kept of this game cannot be used: {error}") from error


async def settle(channel: aio.Channel, ticket: Ticket, receipts: Receipts, data: Path) -> bool:
    """Fetch the log, print what the audit says; whether all is well."""
    log = await RemoteArchive(channel, ticket.server).records(ticket.game_id, ticket.token)
    report = audit(log, known_keys=known_keys(data))
    finding = report.finding or check(receipts, log)
    if report.seal is not None and finding is None:
        remember_key(data, report.seal.public_key)
    for line in _lines(ticket, log, report, finding):
        click.echo(line)
    return finding is None


def _can_be_of(path: Path, ticket: Ticket) -> bool:
    kept = load(path)
    owner = (kept.game_id, kept.seat, kept.entropy)
    return owner == (ticket.game_id, ticket.seat, ticket.entropy)


def _lines(
    ticket: Ticket, log: Sequence[bytes], report: Report, finding: Finding | None
) -> Iterator[str]:
    yield f"game {ticket.game_id}"
    yield f"head after record {len(log)}: {short_head(report.head)}"
    if report.state is not None:
        game = report.state.game
        yield f"dealing: {Dealing.of(game)}"
        if ticket.entropy and not isinstance(game.entropy[ticket.seat], EntropyRevealed):
            yield "your own entropy is not in these deals: for you they may have been chosen"
    yield "audit: clean" if finding is None else f"audit: {finding}"
