"""What a seat was told in one game, in a file, so that it can be held against the log later."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hearts_client.ticket import Ticket
from hearts_engine.cards import Seat
from hearts_proto.v1 import log_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.receipt import Receipts
from hearts_replays.receipt_book import ReceiptBook, load
from hearts_wire.commands import SeatCommand, decode_command, encode_command

_NOTES = ".notes"


class Witness:
    """Receipts as every session keeps them, and notes beside them that forget no repeat.

    A note of an acknowledgement is on disk before the session goes on.
    """

    def __init__(self, folder: Path, ticket: Ticket) -> None:
        path = folder / ticket.tenure
        self._book = ReceiptBook.open(path, ticket.game_id, ticket.seat, ticket.entropy)
        notes = os.open(path.with_suffix(_NOTES), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._notes = os.fdopen(notes, "ab", buffering=0)

    def saw(self, seq: int, head: bytes, records: Collection[bytes]) -> None:
        """These records were shown, and this is the head after record ``seq``."""
        self._book.saw(seq, head, records)
        if records:
            self._note({"shown": [log_pb2.LogRecord.FromString(data).seq for data in records]})

    def sent(self, command: SeatCommand, prompt_seq: int) -> None:
        """This answer is about to be sent."""
        self._book.sent(command, prompt_seq)

    def acknowledged(self, command: SeatCommand, prompt_seq: int) -> None:
        """The table said that this answer is on disk."""
        self._note({"done": encode_command(command, prompt_seq).SerializeToString().hex()})
        os.fsync(self._notes.fileno())
        self._book.acknowledged(command, prompt_seq)

    def close(self) -> None:
        """Write no more."""
        self._notes.close()
        self._book.close()

    def _note(self, note: dict[str, object]) -> None:
        self._notes.write(json.dumps(note).encode() + b"\n")


@dataclass(slots=True)
class Account:
    """All that one seat was told in one game."""

    receipts: Receipts
    shown: list[int] = field(default_factory=list[int])
    """The seqs of the records that it was shown, as they came."""
    done: list[tuple[SeatCommand, int]] = field(default_factory=list[tuple[SeatCommand, int]])
    """What was acknowledged, with the prompt that it answers."""

    @property
    def seat(self) -> Seat:
        """Whose it is."""
        return self.receipts.seat


def accounts_in(folder: Path) -> Iterator[Account]:
    """Everything that the witnesses of a folder wrote down."""
    for path in sorted(folder.glob(f"*{_NOTES}")):
        account = Account(load(path.with_suffix("")))
        for line in path.read_text(encoding="ascii").splitlines():
            _add(account, json.loads(line))
        yield account


def _add(account: Account, note: dict[str, Any]) -> None:
    match note:
        case {"shown": list()}:
            account.shown += map(int, note["shown"])
        case {"done": str(request)}:
            message = pb.PlayRequest.FromString(bytes.fromhex(request))
            account.done.append(decode_command(message, account.seat))
        case _:
            raise ValueError(f"not a note: {note}")
