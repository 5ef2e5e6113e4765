"""What is said on the local network is read back, fits, and is never trusted to be sensible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_wire.announcement import (
    Announcement,
    decode_announcement,
    encode_announcement,
)
from hearts_wire.bounds import WireError

names = st.lists(st.from_regex(r"[0-9a-z-]{1,32}", fullmatch=True), max_size=60)
fingerprints = st.none() | st.from_regex(r"[a-z2-7]{32}", fullmatch=True)
LARGEST_ENTRY = 255
"""Bytes, by the rules of DNS; the length of an entry is one byte."""


def _heard(announcement: Announcement) -> Announcement:
    entries = encode_announcement(announcement)
    return decode_announcement({key.encode(): text.encode() for key, text in entries.items()})


@given(st.text(max_size=100), fingerprints, names)
def test_what_a_server_says_is_what_others_hear(
    server: str, fingerprint: str | None, tables: list[str]
) -> None:
    said = Announcement.of(server, fingerprint, tables)
    assert _heard(said) == said
    assert said.open_tables == len(tables)
    assert all(
        len(f"{key}={text}".encode()) <= LARGEST_ENTRY
        for key, text in encode_announcement(said).items()
    )


def test_few_tables_are_all_named_and_many_are_counted() -> None:
    assert Announcement.of("den", None, ["oak-1", "elm-1"]).tables == ("elm-1", "oak-1")
    many = Announcement.of("den", None, [f"hazel-{number:03}" for number in range(500)])
    assert many.open_tables == 500
    assert 0 < len(many.tables) < 30


def test_a_server_without_a_name_is_announced_all_the_same() -> None:
    assert Announcement.of("\x1b\u202e", None, ()).server == "Hearts"


@given(
    st.dictionaries(
        st.sampled_from([b"v", b"server", b"open", b"tables", b"fingerprint", b"x"]),
        st.none() | st.binary(max_size=60) | st.sampled_from([b"1", b"7", b"oak-1,elm-1"]),
    )
)
def test_whatever_is_said_is_understood_or_refused(entries: dict[bytes, bytes | None]) -> None:
    try:
        heard = decode_announcement(entries)
    except WireError:
        return
    assert entries[b"v"] == b"1"
    assert heard.server.isprintable()
    assert all(table.isascii() for table in heard.tables)


@pytest.mark.parametrize(
    ("entries", "wrong"),
    [
        ({}, "version"),
        ({b"v": b"2"}, "version"),
        ({b"v": b"1", b"server": b"\xff"}, "UTF-8"),
        ({b"v": b"1", b"open": b"-1"}, "number of tables"),
        ({b"v": b"1", b"open": "²".encode()}, "number of tables"),
        ({b"v": b"1", b"fingerprint": b"short"}, "fingerprint"),
        ({b"v": b"1", b"fingerprint": b""}, "fingerprint"),
    ],
)
def test_a_record_that_makes_no_sense_is_refused(
    entries: dict[bytes, bytes | None], wrong: str
) -> None:
    with pytest.raises(WireError, match=wrong):
        decode_announcement(entries)
