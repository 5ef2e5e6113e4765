"""Receipts written down as they come, so that they outlive the client's process."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final, Self, assert_never

from google.protobuf.message import DecodeError

from hearts_engine.cards import Seat
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipt,
    Receipts,
    RecordShown,
)
from hearts_wire.bounds import seat_at
from hearts_wire.commands import SeatCommand, decode_command, encode_command

_LEAVING: Final = "leaving"
"""In a title: that this book would have it if its owner had asked to leave."""


class BadReceipts(ValueError):
    """A file that is not the receipts it should be; the sentence names file and line."""


class ReceiptBook:
    """A file of receipts, one a line, that is only ever added to.

    Each is handed to the operating system at once: a killed client loses none. After a crash of
    the machine the last ones may be missing, and a last line that is cut off is dropped.
    """

    def __init__(self, path: Path, receipts: Receipts) -> None:
        """Go on with a file that holds just these; :meth:`open` sees to that."""
        self._receipts = receipts
        self._kept = dict.fromkeys(receipts.kept)
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND), "ab", buffering=0)

    @classmethod
    def open(cls, path: Path, game_id: str, seat: Seat, entropy: bytes) -> ReceiptBook:
        """The book at this path, begun or gone on with.

        Raises ``BadReceipts`` if it is of another seat or game, or damaged; ``OSError``.
        """
        empty = Receipts(game_id, seat, entropy)
        if not path.exists():
            _begin(path, empty)
        receipts, length = _read(path)
        if (receipts.game_id, receipts.seat, receipts.entropy) != (game_id, seat, entropy):
            raise BadReceipts(f"{path} is of another game, seat or entropy; move it away")
        os.truncate(path, length)
        return cls(path, receipts)

    @property
    def receipts(self) -> Receipts:
        """All that is written down."""
        return replace(self._receipts, kept=tuple(self._kept))

    def saw(self, seq: int, head: bytes, records: Collection[bytes]) -> None:
        """These records were shown, and this is the head after record ``seq``."""
        self._keep([*map(RecordShown, records), HeadSeen(seq, head)])

    def sent(self, command: SeatCommand, prompt_seq: int) -> None:
        """This answer is about to be sent."""
        self._keep([CommandSent(prompt_seq, command)])

    def acknowledged(self, command: SeatCommand, prompt_seq: int) -> None:
        """The table said that this answer is on disk."""
        self._keep([CommandDone(prompt_seq, command)])

    def leaving(self) -> None:
        """The owner is about to ask to leave; on disk when this returns. Raises ``OSError``."""
        number = 1 + sum(isinstance(receipt, LeaveSent) for receipt in self._kept)
        self._keep([LeaveSent(number)])
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write no more."""
        self._file.close()

    def _keep(self, receipts: Collection[Receipt]) -> None:
        new = [receipt for receipt in receipts if receipt not in self._kept]
        if new:
            self._file.write(b"".join(map(_line, new)))
            self._kept |= dict.fromkeys(new)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def load(path: Path) -> Receipts:
    """The receipts in a file; ``BadReceipts`` if it is damaged, ``OSError`` if not readable."""
    return _read(path)[0]


def _begin(path: Path, receipts: Receipts) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    title = {
        "game_id": receipts.game_id,
        "seat": receipts.seat,
        "entropy": receipts.entropy.hex(),
        "tells": [_LEAVING],
    }
    draft = path.with_name(f".{path.name}.draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(json.dumps(title).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _read(path: Path) -> tuple[Receipts, int]:
    """The receipts in a file, and the length of its whole lines in bytes."""
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    receipts: Receipts | None = None
    kept = list[Receipt]()
    for number, line in enumerate(whole.splitlines(), start=1):
        try:
            if receipts is None:
                receipts = _title(line)
            else:
                kept.append(_receipt(line, receipts.seat))
        except (ValueError, TypeError, KeyError, DecodeError) as error:
            raise BadReceipts(f"{path}, line {number}: not a receipt: {error}") from None
    if receipts is None:
        raise BadReceipts(f"{path} is empty; move it away")
    return replace(receipts, kept=tuple(kept)), len(whole)


def _title(line: bytes) -> Receipts:
    fields = json.loads(line)
    seat = seat_at("seat", int(fields["seat"]))
    tells = fields.get("tells", [])
    return Receipts(
        str(fields["game_id"]),
        seat,
        bytes.fromhex(fields["entropy"]),
        tells_leaving=_LEAVING in tells,
    )


def _line(receipt: Receipt) -> bytes:
    match receipt:
        case HeadSeen(seq, head):
            fields: dict[str, object] = {"head": head.hex(), "seq": seq}
        case RecordShown(data):
            fields = {"shown": data.hex()}
        case CommandSent(prompt_seq, command):
            fields = {"sent": _request(command, prompt_seq)}
        case CommandDone(prompt_seq, command):
            fields = {"done": _request(command, prompt_seq)}
        case LeaveSent(number):
            fields = {_LEAVING: number}
        case _:
            assert_never(receipt)
    return json.dumps(fields).encode() + b"\n"


def _receipt(line: bytes, seat: Seat) -> Receipt:
    match json.loads(line):
        case {"head": str(head), "seq": int(seq)}:
            return HeadSeen(seq, bytes.fromhex(head))
        case {"shown": str(data)}:
            return RecordShown(bytes.fromhex(data))
        case {"sent": str(request)}:
            command, prompt_seq = _command(request, seat)
            return CommandSent(prompt_seq, command)
        case {"done": str(request)}:
            command, prompt_seq = _command(request, seat)
            return CommandDone(prompt_seq, command)
        case {"leaving": int(number)}:
            return LeaveSent(number)
        case _:
            raise ValueError("no such kind")


def _request(command: SeatCommand, prompt_seq: int) -> str:
    return encode_command(command, prompt_seq).SerializeToString().hex()


def _command(text: str, seat: Seat) -> tuple[SeatCommand, int]:
    return decode_command(pb.PlayRequest.FromString(bytes.fromhex(text)), seat)
