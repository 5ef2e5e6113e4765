"""Invites: one text to paste says where a server is and how to know it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_client.invite import BadInvite, Invite
from hearts_wire.certificates import certificate_fingerprint
from hearts_wire.hosts import parse_host

FINGERPRINT = certificate_fingerprint(b"a certificate")

HOSTS = st.one_of(
    st.ip_addresses().map(str),
    st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?", fullmatch=True),
    st.builds("fe80::{}%{}".format, st.integers(1, 9), st.sampled_from(("eth0", "wlan-1", "2"))),
).map(parse_host)

INVITES = st.builds(
    Invite,
    HOSTS.filter(lambda host: host not in ("0.0.0.0", "::")),
    st.integers(1, 65535),
    st.none() | st.from_regex(r"[0-9a-z-]{1,32}", fullmatch=True),
    st.none() | st.binary().map(certificate_fingerprint),
)


@given(INVITES)
def test_an_invite_that_is_pasted_says_what_was_sent(invite: Invite) -> None:
    assert Invite.parse(str(invite)) == invite
    assert Invite.parse(invite.address) == Invite(invite.host, invite.port)


@given(st.text(max_size=60) | INVITES.map(lambda invite: str(invite)[:-1] + "!"))
def test_any_other_text_is_refused_in_a_sentence_or_reads_as_an_invite_again(text: str) -> None:
    try:
        invite = Invite.parse(text)
    except BadInvite:
        return
    assert Invite.parse(str(invite)) == invite


def test_the_text_of_an_invite_is_the_one_that_is_documented() -> None:
    invite = Invite("fd00::1", 4246, "oak-1", FINGERPRINT)
    assert str(invite) == f"hearts://[fd00::1]:4246/oak-1#{FINGERPRINT}"
    assert str(Invite("127.0.0.1", 4246)) == "hearts://127.0.0.1:4246"


@pytest.mark.parametrize(
    "text",
    [
        f"  HEARTS://Example.org:4246/oak-1#{FINGERPRINT}\n",
        f"example.org:4246/oak-1#{FINGERPRINT.upper()}",
        f"hearts://example.org:4246/oak-1#{FINGERPRINT[:16]}-{FINGERPRINT[16:]}",
    ],
)
def test_what_people_do_to_a_text_does_not_spoil_it(text: str) -> None:
    assert Invite.parse(text) == Invite("example.org", 4246, "oak-1", FINGERPRINT)


@pytest.mark.parametrize("name", ["localhost", "LocalHost", "127.0.0.1"])
def test_a_seat_on_this_machine_is_found_under_each_of_its_names(name: str) -> None:
    assert Invite.parse(f"{name}:4246").address == "127.0.0.1:4246"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nohost", "names no port"),
        (":4246", "names no port"),
        ("127.0.0.1:abc", "'abc' is no port"),
        ("127.0.0.1:99999", "'99999' is no port"),
        ("127.0.0.1:0", "'0' is no port"),
        ("127.0.0.1:" + "1" * 5000, "is no port"),
        ("127.0.0.1:٤٢", "is no port"),
        ("fd00::1:4246", "stands in brackets"),
        ("[fd00::1]", "is no port"),
        ("exa mple:4246", "no name or address"),
        ("mün.example:4246", "no name or address"),
        ("user@example.org:4246", "no name or address"),
        ("[fe80::1%e th]:4246", "no network interface"),
        ("0.0.0.0:4246", "where a server listens"),
        ("[::]:4246", "where a server listens"),
        ("a:1/Oak 1", "'Oak 1' is no table's name"),
        ("a:1/oak-1#", "is no fingerprint"),
        (f"a:1#{FINGERPRINT[:-1]}", "to its last character"),
        (f"a:1#{FINGERPRINT}a", "to its last character"),
        (f"a:1#{'1' * 32}", "a to z and 2 to 7"),
        ("http://a:1/oak-1", "is no port"),
    ],
)
def test_an_invite_that_is_none_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(BadInvite, match=says):
        Invite.parse(text)
