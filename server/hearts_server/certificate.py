"""The certificate by which clients know a server again, and the file it is kept in."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from hearts_replays.keyfile import create_once
from hearts_wire.certificates import TARGET_NAME, certificate_fingerprint

FILE_NAME: Final = "tls.pem"
"""Key and certificate in one file, so that there is never one without the other."""

_SINCE: Final = datetime(2020, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)
"""For ever, by any machine's clock: a client trusts the fingerprint, not the date."""


class BadCertificate(ValueError):
    """A file that holds no key with its certificate; the sentence names it."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate and the key that proves it, both in PEM."""

    key: bytes = field(repr=False)
    certificate: bytes

    @property
    def fingerprint(self) -> str:
        """What clients pin."""
        return certificate_fingerprint(ssl.PEM_cert_to_DER_cert(self.certificate.decode("ascii")))

    def credentials(self) -> grpc.ServerCredentials:
        """What a server's port takes; clients are known by their tokens, not by certificates."""
        return grpc.ssl_server_credentials([(self.key, self.certificate)])


def certificate_in(folder: Path) -> Certificate:
    """The certificate of a data folder; made on first use, its key for its owner's eyes alone.

    Processes that start at once agree on one. Raises ``BadCertificate`` for a damaged file, and
    ``OSError``.
    """
    path = folder / FILE_NAME
    if not path.exists():
        fresh = new_certificate()
        create_once(path, fresh.key + fresh.certificate)
    return _load(path)


def new_certificate() -> Certificate:
    """A fresh key of P-256, which every TLS library knows, with a certificate signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Hearts table server")])
    server = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(_SINCE)
        .not_valid_after(_UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(TARGET_NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(server, critical=False)
        .sign(key, SHA256())
    )
    return _in_pem(key, certificate)


def _in_pem(key: ec.EllipticCurvePrivateKey, certificate: x509.Certificate) -> Certificate:
    return Certificate(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
        certificate.public_bytes(Encoding.PEM),
    )


def _load(path: Path) -> Certificate:
    content = path.read_bytes()
    try:
        key = load_pem_private_key(content, password=None)
        certificate = x509.load_pem_x509_certificate(content)
    except (ValueError, TypeError) as error:
        raise BadCertificate(f"{path} cannot be read as a key and its certificate") from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise BadCertificate(f"{path} holds a key that is not of an elliptic curve; move it away")
    if certificate.public_key() != key.public_key():
        raise BadCertificate(f"{path} holds the certificate of another key; move it away")
    return _in_pem(key, certificate)
