"""A word that guards a table: people choose it, so it is kept so that guessing is slow."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from hashlib import scrypt
from typing import Final

from hearts_replays.framing import digest, label
from hearts_replays.keys import SigningKey
from hearts_server.errors import Code, Refused

SALT_BYTES: Final = 16

LONGEST_PASSCODE: Final = 64
"""Characters of a passcode."""

WRONG_PASSCODE: Final = "WRONG_PASSCODE"
"""The refusal that says that somebody guessed."""

COST: Final = 2**14
"""About 16 MB and 50 ms for each guess."""


def salt_of(key: SigningKey) -> bytes:
    """What a server's passcodes are salted with, so that one guess can be held against them all.

    Nobody else knows it, so nothing can be worked out before the store is stolen.
    """
    return digest(key.sign(label("hearts-passcode/v1")))[:SALT_BYTES]


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


def opened_by(passcode: str, kept: Collection[str]) -> frozenset[str]:
    """Which of these the passcode opens; slow once for each salt."""
    salts = {each.partition(":")[0] for each in kept}
    found = {sealed(passcode, bytes.fromhex(salt)) for salt in salts}
    return frozenset(each for each in kept if any(hmac.compare_digest(each, f) for f in found))


def require_passcode(passcode: str, kept: str) -> None:
    """Raise ``Refused`` if a passcode is needed, and this is not the one."""
    if kept and not passcode:
        sentence = "this table asks for a passcode"
        raise Refused(Code.PERMISSION_DENIED, "PASSCODE_NEEDED", sentence)
    if not opens(passcode, kept):
        raise wrong_passcode("this is not the passcode of the table")


def wrong_passcode(sentence: str) -> Refused:
    """Somebody guessed."""
    return Refused(Code.PERMISSION_DENIED, WRONG_PASSCODE, sentence)


def _derived(passcode: str, salt: bytes) -> str:
    return scrypt(passcode.encode(), salt=salt, n=COST, r=8, p=1, dklen=32).hex()
