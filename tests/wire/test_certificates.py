"""Fingerprints of certificates: the same on both sides, and on every other program's."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_wire.certificates import (
    certificate_fingerprint,
    parse_certificate_fingerprint,
    read_aloud,
)
from hearts_wire.hosts import is_loopback, parse_host, with_port

ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"


@given(st.binary())
def test_a_fingerprint_is_the_first_160_bits_of_the_hash_five_at_a_time(data: bytes) -> None:
    number = int(hashlib.sha256(data).hexdigest()[:40], 16)
    characters = [ALPHABET[number >> shift & 31] for shift in range(155, -1, -5)]
    assert certificate_fingerprint(data) == "".join(characters)


@given(st.binary())
def test_a_fingerprint_read_aloud_is_typed_in_again(data: bytes) -> None:
    fingerprint = certificate_fingerprint(data)
    assert parse_certificate_fingerprint(read_aloud(fingerprint).upper()) == fingerprint


@pytest.mark.parametrize("text", ["", "a" * 31, "a" * 33, "1" * 32, "ä" * 32])
def test_what_is_no_fingerprint_is_taken_for_none(text: str) -> None:
    with pytest.raises(ValueError, match="32 letters or digits"):
        parse_certificate_fingerprint(text)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST"])
def test_this_machine_alone_is_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["0.0.0.0", "::", "192.168.1.2", "fd00::1", "localhost.example", "127.1", ""]
)
def test_what_others_may_be_behind_is_not_loopback(host: str) -> None:
    assert not is_loopback(host)


def test_one_host_has_one_form() -> None:
    assert parse_host("FD00:0:0::1") == "fd00::1"
    assert parse_host("Example.ORG") == "example.org"
    assert (with_port("fd00::1", 1), with_port("a", 1)) == ("[fd00::1]:1", "a:1")
