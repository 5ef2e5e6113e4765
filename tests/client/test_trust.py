"""When a connection is encrypted, and which servers are talked to at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hearts_client.invite import Invite
from hearts_client.trust import Distrust, OnlyKnown, Tls, Trust

ONE, OTHER, THIRD = "a" * 32, "b" * 32, "c" * 32

HERE, THERE = Invite("127.0.0.1", 4246), Invite("192.168.1.20", 4246)


class Memory:
    """What is remembered, without a disk."""

    def __init__(self, **known: str) -> None:
        self.known = {HERE.address: known["here"]} if "here" in known else {}
        if "there" in known:
            self.known[THERE.address] = known["there"]

    def pin_of(self, address: str) -> str | None:
        return self.known.get(address)

    def meet(self, address: str, fingerprint: str) -> str:
        return self.known.setdefault(address, fingerprint)

    def replace(self, address: str, fingerprint: str) -> None:
        self.known[address] = fingerprint


@pytest.mark.parametrize(
    ("invite", "tls", "encrypted"),
    [
        (HERE, Tls.AUTO, False),
        (HERE, Tls.ALWAYS, True),
        (HERE, Tls.NEVER, False),
        (replace(HERE, fingerprint=ONE), Tls.AUTO, True),
        (THERE, Tls.AUTO, True),
        (THERE, Tls.NEVER, False),
        (Invite("localhost.example", 1), Tls.AUTO, True),
    ],
)
def test_what_leaves_this_machine_is_encrypted_unless_someone_says_otherwise(
    invite: Invite, tls: Tls, *, encrypted: bool
) -> None:
    assert Trust(Memory(), tls).asks_for_tls(invite) is encrypted


def test_a_server_known_by_its_certificate_is_never_talked_to_without() -> None:
    assert Trust(Memory(here=ONE)).asks_for_tls(HERE)
    for memory, invite in (
        (Memory(here=ONE), HERE),
        (Memory(there=ONE), THERE),
        (Memory(), replace(THERE, fingerprint=ONE)),
    ):
        with pytest.raises(Distrust, match="leave --tls never out"):
            Trust(memory, Tls.NEVER).asks_for_tls(invite)


def test_a_server_that_does_not_encrypt_is_told_from_one_that_does_not_any_more() -> None:
    assert "say --tls never here" in str(Trust(Memory()).no_tls(THERE))
    assert "though it is known by" in str(Trust(Memory(there=ONE)).no_tls(THERE))
    assert "though it is known by" in str(Trust(Memory()).no_tls(replace(HERE, fingerprint=ONE)))


def test_a_server_that_nobody_vouches_for_is_remembered_and_its_certificate_read_out() -> None:
    memory, told = Memory(), list[str]()
    Trust(memory, tell=told.append).accept(THERE, ONE)
    assert memory.known == {THERE.address: ONE}
    assert "first time" in told[0]
    assert "aaaa-aaaa" in told[0]
    Trust(memory, tell=told.append).accept(THERE, ONE)
    assert len(told) == 1


def test_a_changed_certificate_is_refused_and_the_old_one_stays_known() -> None:
    memory = Memory(there=ONE)
    with pytest.raises(Distrust, match="ask who runs it for its invite") as refused:
        Trust(memory).accept(THERE, OTHER)
    assert refused.value.reason == "CERTIFICATE_CHANGED"
    assert memory.known == {THERE.address: ONE}


def test_a_certificate_that_is_not_the_invite_s_is_refused_and_forgotten() -> None:
    memory = Memory()
    with pytest.raises(Distrust, match="not the one that invited you") as refused:
        Trust(memory).accept(replace(THERE, fingerprint=ONE), OTHER)
    assert refused.value.reason == "WRONG_FINGERPRINT"
    assert memory.known == {}


def test_an_invite_that_someone_handed_over_puts_a_new_certificate_in_the_place_of_the_old() -> (
    None
):
    memory, told = Memory(there=ONE), list[str]()
    Trust(memory, tell=told.append).accept(replace(THERE, fingerprint=OTHER), OTHER)
    assert memory.known == {THERE.address: OTHER}
    assert "was known by another certificate" in told[0]


def test_an_invite_does_not_let_the_server_in_that_was_known_before() -> None:
    with pytest.raises(Distrust, match="not the one that invited you"):
        Trust(Memory(there=ONE)).accept(replace(THERE, fingerprint=OTHER), ONE)


def test_what_the_network_says_of_a_server_never_outweighs_what_is_known() -> None:
    memory = Memory(there=ONE)
    hearsay = Trust(memory, hearsay=True)
    with pytest.raises(Distrust, match="not the one met there before"):
        hearsay.accept(replace(THERE, fingerprint=OTHER), OTHER)
    hearsay.accept(replace(THERE, fingerprint=OTHER), ONE)
    assert memory.known == {THERE.address: ONE}


def test_what_the_network_says_of_a_server_never_met_has_to_be_true_at_least() -> None:
    with pytest.raises(Distrust, match=r"not the one that was announced: .* instead of bbbb"):
        Trust(Memory(), hearsay=True).accept(replace(THERE, fingerprint=OTHER), ONE)


def test_a_look_at_a_server_does_not_make_it_known_and_takes_no_other_for_a_known_one() -> None:
    memory = Memory()
    glance = Trust(OnlyKnown(memory), hearsay=True)
    glance.accept(replace(THERE, fingerprint=ONE), ONE)
    glance.accept(THERE, OTHER)
    assert memory.known == {}
    memory.known[THERE.address] = ONE
    with pytest.raises(Distrust, match="not the one met there before"):
        glance.accept(replace(THERE, fingerprint=OTHER), OTHER)


def test_a_server_found_on_the_network_is_read_out_when_it_is_met() -> None:
    memory, told = Memory(), list[str]()
    Trust(memory, hearsay=True, tell=told.append).accept(replace(THERE, fingerprint=ONE), ONE)
    assert memory.known == {THERE.address: ONE}
    assert "first time" in told[0]


def test_two_terminals_that_meet_two_servers_at_one_address_do_not_both_go_on() -> None:
    class Late(Memory):
        def pin_of(self, address: str) -> str | None:
            return None

    with pytest.raises(Distrust, match="not the one met there before"):
        Trust(Late(there=ONE)).accept(THERE, THIRD)
