"""What an audit finds wrong with a log."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What sort of thing is wrong; the value is what reports for machines carry."""

    UNREADABLE = "unreadable"
    """This is no log at all."""
    FRAMING = "framing"
    """The file is damaged between records."""
    VERSION = "version"
    """Written by a version that is not known here."""
    RECORD = "record"
    """A record that cannot be read, or could be written otherwise, or does not belong here."""
    SEAL = "seal"
    """The signature is not of these records."""
    KEY = "key"
    """Sealed by another key than was asked for."""
    FAIRNESS = "fairness"
    """Entropy, secret or cards that do not follow from what was promised."""
    RULES = "rules"
    """Something that the rules do not give."""
    TIME = "time"
    """A clock that decided for a seat before its time was up."""
    BROKEN_OFF = "broken_off"
    """The log stops in the middle of what one command did."""
    UNSEALED = "unsealed"
    """Nothing is wrong so far, but the game runs, or was abandoned: nobody signed this."""
    RECEIPT = "receipt"
    """Not what a client was shown, or did."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing wrong with a log."""

    seq: int
    """The record at fault, from 1, which may be the first missing one; 0: the file's header."""
    kind: Kind
    sentence: str

    def __str__(self) -> str:
        return f"record {self.seq}: {self.sentence}" if self.seq else self.sentence
