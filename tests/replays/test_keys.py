import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from hearts_replays.fingerprint import fingerprint, parse_fingerprint, short_head
from hearts_replays.keys import KEY_NAME, BadKey, SigningKey, signing_key, verify


def test_a_server_keeps_its_key_for_ever(tmp_path: Path) -> None:
    assert signing_key(tmp_path).public == signing_key(tmp_path).public


def test_nobody_else_may_read_the_key(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    signing_key(folder)
    assert stat.S_IMODE((folder / KEY_NAME).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [KEY_NAME]


def test_two_servers_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = {key.public for key in pool.map(signing_key, [tmp_path] * 16)}
    assert len(keys) == 1


def test_two_data_folders_have_two_keys(tmp_path: Path) -> None:
    assert signing_key(tmp_path / "one").public != signing_key(tmp_path / "two").public


def test_a_damaged_key_is_never_replaced_by_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / KEY_NAME
    path.write_text("-----BEGIN PRIVATE KEY-----\nrubbish\n-----END PRIVATE KEY-----\n")
    with pytest.raises(BadKey, match=KEY_NAME):
        signing_key(tmp_path)
    assert "rubbish" in path.read_text()


def test_a_key_that_cannot_seal_logs_is_refused(tmp_path: Path) -> None:
    pem = generate_private_key(SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    )
    (tmp_path / KEY_NAME).write_bytes(pem)
    with pytest.raises(BadKey, match="Ed25519"):
        signing_key(tmp_path)


@given(st.binary(min_size=32, max_size=32), st.binary(), st.binary())
def test_a_signature_is_of_one_message_by_one_key(
    seed: bytes, message: bytes, other: bytes
) -> None:
    key = SigningKey.from_seed(seed)
    signature = key.sign(message)
    assert len(signature) == 64
    assert verify(key.public, signature, message)
    assert verify(key.public, signature, other) is (message == other)
    assert not verify(SigningKey.from_seed(bytes(31) + b"\1").public, signature, message)


def test_what_is_no_signature_verifies_nothing() -> None:
    key = SigningKey.from_seed(bytes(32))
    assert not verify(key.public, b"", b"")
    assert not verify(b"", key.sign(b""), b"")


@given(st.binary(min_size=32, max_size=32))
def test_a_fingerprint_is_read_back_however_it_was_typed(key: bytes) -> None:
    text = fingerprint(key)
    assert len(text.replace("-", "")) == 32
    for typed in (text, text.upper(), text.replace("-", ""), text.replace("-", ":")):
        assert parse_fingerprint(typed) == text


@pytest.mark.parametrize("text", ["", "c624", "c624-" * 9, "xyzw-" * 8])
def test_what_is_no_fingerprint_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no fingerprint"):
        parse_fingerprint(text)


def test_a_head_can_be_read_out() -> None:
    assert short_head(bytes(range(32))) == "0001-0203-0405-0607"
