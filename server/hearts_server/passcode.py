"""A word that guards a table: people choose it, so it is kept so that guessing is slow."""

from __future__ import annotations

import hmac
from hashlib import scrypt
from typing import Final

from hearts_server.errors import Code, Refused

SALT_BYTES: Final = 16

LONGEST_PASSCODE: Final = 64
"""Characters of a passcode."""

WRONG_PASSCODE: Final = "WRONG_PASSCODE"
"""The refusal that says that somebody guessed."""

_COST: Final = 2**14
"""About 16 MB and 50 ms for each guess."""


def sealed(passcode: str, salt: bytes) -> str:
    """What is kept of a passcode; empty for none."""
    if not passcode:
        return ""
    return f"{salt.hex()}:{_derived(passcode, salt)}"


def opens(passcode: str, kept: str) -> bool:
    """Whether this is the passcode that was kept; nothing is guarded by none."""
    if not kept:
        return True
    salt, _, derived = kept.partition(":")
    return hmac.compare_digest(_derived(passcode, bytes.fromhex(salt)), derived)


def require_passcode(passcode: str, kept: str) -> None:
    """Raise ``Refused`` if a passcode is needed, and this is not the one."""
    if kept and not passcode:
        sentence = "this table asks for a passcode"
        raise Refused(Code.PERMISSION_DENIED, "PASSCODE_NEEDED", sentence)
    if not opens(passcode, kept):
        sentence = "this is not the passcode of the table"
        raise Refused(Code.PERMISSION_DENIED, WRONG_PASSCODE, sentence)


def _derived(passcode: str, salt: bytes) -> str:
    return scrypt(passcode.encode(), salt=salt, n=_COST, r=8, p=1, dklen=32).hex()
