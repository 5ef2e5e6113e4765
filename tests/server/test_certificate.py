"""The certificate of a data folder: one for ever, and its key for nobody else's eyes."""

from __future__ import annotations

import ssl
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from hearts_replays.keys import signing_key
from hearts_server.certificate import (
    FILE_NAME,
    BadCertificate,
    Certificate,
    certificate_in,
    new_certificate,
)
from hearts_wire.certificates import certificate_fingerprint


def parsed(certificate: Certificate) -> x509.Certificate:
    return x509.load_pem_x509_certificate(certificate.certificate)


def test_a_server_that_starts_again_is_known_by_the_same_fingerprint(tmp_path: Path) -> None:
    first = certificate_in(tmp_path / "data")
    assert certificate_in(tmp_path / "data") == first
    assert certificate_in(tmp_path / "other").fingerprint != first.fingerprint


def test_the_key_is_read_by_its_owner_alone_and_shown_by_nothing(tmp_path: Path) -> None:
    certificate = certificate_in(tmp_path / "data")
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "data" / FILE_NAME).stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == [FILE_NAME]
    assert "PRIVATE" not in repr(certificate)


def test_servers_that_start_at_once_have_one_certificate(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(certificate_in, [tmp_path] * 16))
    assert len({certificate.fingerprint for certificate in made}) == 1


def test_every_client_can_check_the_certificate() -> None:
    certificate = new_certificate()
    own = parsed(certificate)
    key = own.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert isinstance(key.curve, ec.SECP256R1), "Ed25519 fails in gRPC's handshake"
    names = own.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert names.get_values_for_type(x509.DNSName) == ["hearts.table"]
    assert own.not_valid_before_utc < datetime(2021, 1, 1, tzinfo=UTC), "by a clock that is wrong"
    assert own.not_valid_after_utc > datetime(2999, 1, 1, tzinfo=UTC)
    own.verify_directly_issued_by(own)


def test_the_fingerprint_is_that_of_the_certificate_in_der() -> None:
    certificate = new_certificate()
    der = ssl.PEM_cert_to_DER_cert(certificate.certificate.decode())
    assert certificate.fingerprint == certificate_fingerprint(der)


def test_a_damaged_file_is_not_replaced_by_a_new_certificate(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("nothing of use")
    with pytest.raises(BadCertificate, match=r"tls\.pem cannot be read"):
        certificate_in(tmp_path)


def test_a_key_with_the_certificate_of_another_is_found_out(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(new_certificate().key + new_certificate().certificate)
    with pytest.raises(BadCertificate, match="of another key"):
        certificate_in(tmp_path)


def test_a_key_that_grpc_cannot_use_is_found_out(tmp_path: Path) -> None:
    signing_key(tmp_path)
    key = (tmp_path / "signing-key.pem").read_bytes()
    (tmp_path / FILE_NAME).write_bytes(key + new_certificate().certificate)
    with pytest.raises(BadCertificate, match="not of an elliptic curve"):
        certificate_in(tmp_path)
