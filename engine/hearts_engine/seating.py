"""Who may sit down, and with what."""

from __future__ import annotations

from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.commands import TakeSeat
from hearts_engine.errors import Reason, Rejected
from hearts_engine.events import DealSource, FixedSeed, SeatKind

LONGEST_NAME: Final = 32
"""Characters in a seat's name, and in a house bot's level."""

LONGEST_TURN: Final = 3600
"""Seconds that a clock may give for a card."""

COMMITMENT_SIZE: Final = 32
"""Bytes of a commitment to entropy."""


def require_seat(seat: Seat, players: int) -> None:
    """Raise ``Rejected`` if a table of so many has no such seat."""
    if not 0 <= seat < players:
        raise Rejected(Reason.NO_SUCH_SEAT, f"seat {seat}: this table has seats 0 to {players - 1}")


def require_clocks(turn_seconds: int, bot_seconds: int) -> None:
    """Raise ``Rejected`` if nobody could play on such clocks."""
    if not (0 <= turn_seconds <= LONGEST_TURN and 0 <= bot_seconds <= LONGEST_TURN):
        sentence = f"a turn lasts 1 to {LONGEST_TURN} seconds, or 0: as long as it takes"
        raise Rejected(Reason.BAD_CLOCK, sentence)


def require_welcome(sitting: TakeSeat, source: DealSource) -> None:
    """Raise ``Rejected`` if nobody may sit down like this at any seat of the game."""
    require_name(sitting.name)
    _require_level(sitting)
    if sitting.commitment:
        _require_say(sitting, source)


def require_name(name: str) -> None:
    """Raise ``Rejected`` if nobody may be called so."""
    if not _is_label(name):
        sentence = f"a name has 1 to {LONGEST_NAME} printable characters, not only blanks"
        raise Rejected(Reason.BAD_NAME, sentence)


def require_kind(kind: SeatKind) -> None:
    """Raise ``Rejected`` for a house bot, which takes over nothing: it plays for nobody."""
    if kind is SeatKind.HOUSE:
        raise Rejected(Reason.BAD_KIND, "a seat is taken over by a person or somebody's bot")


def _require_level(sitting: TakeSeat) -> None:
    if sitting.kind is not SeatKind.HOUSE and sitting.bot:
        raise Rejected(Reason.BAD_LEVEL, "only a house bot has a level")
    if sitting.kind is SeatKind.HOUSE and not _is_label(sitting.bot):
        raise Rejected(Reason.BAD_LEVEL, f"a level has 1 to {LONGEST_NAME} printable characters")


def _require_say(sitting: TakeSeat, source: DealSource) -> None:
    """Only those may commit to entropy whose say in the deal is one that counts."""
    if len(sitting.commitment) != COMMITMENT_SIZE:
        sentence = f"a commitment has {COMMITMENT_SIZE} bytes, not {len(sitting.commitment)}"
        raise Rejected(Reason.BAD_COMMITMENT, sentence)
    if sitting.kind is SeatKind.HOUSE:
        # It would be the server's own, and the log would call it somebody's.
        raise Rejected(Reason.BAD_COMMITMENT, "a house bot has no say in the deal")
    if isinstance(source, FixedSeed):
        raise Rejected(Reason.BAD_COMMITMENT, "the seed is fixed: nobody has a say in the deal")


def _is_label(text: str) -> bool:
    return bool(text.strip()) and len(text) <= LONGEST_NAME and text.isprintable()
