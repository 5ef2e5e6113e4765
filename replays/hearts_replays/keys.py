"""The server's signing key, and the file it is kept in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from hearts_replays.keyfile import create_once

KEY_NAME: Final = "signing-key.pem"


class BadKey(ValueError):
    """A key file that holds no signing key; the sentence names it."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An Ed25519 key with which a server seals its logs."""

    private: Ed25519PrivateKey

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """The key that these 32 bytes give; fresh random ones, except in tests."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @property
    def public(self) -> bytes:
        """The public half, 32 bytes, which record 1 of a log gives."""
        return self.private.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature of a message, 64 bytes."""
        return self.private.sign(message)


def verify(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the owner of this key signed this message."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def signing_key(folder: Path) -> SigningKey:
    """The key of a data folder; made on first use, readable by its owner alone.

    Processes that start at once agree on one key. Raises ``BadKey`` for a damaged file, and
    ``OSError``.
    """
    path = folder / KEY_NAME
    if not path.exists():
        _create(path)
    return _load(path)


def _load(path: Path) -> SigningKey:
    try:
        private = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise BadKey(f"{path} holds no key that can be read: {error}") from None
    if not isinstance(private, Ed25519PrivateKey):
        raise BadKey(f"{path} holds a key of another kind than Ed25519; move it away")
    return SigningKey(private)


def _create(path: Path) -> None:
    pem = Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    create_once(path, pem)
