"""A seat's ticket: held by one process at a time, and never lost to another server."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hearts_client.ticket import Conflict, Ticket, Tickets
from hearts_engine.cards import Seat

TICKET = Ticket("here:1", "oak-1", "a" * 32, Seat(2), "Zoë", "token", b"e" * 32)


def test_a_ticket_is_found_again_by_its_server_and_says_the_same(tmp_path: Path) -> None:
    Tickets(tmp_path).keep(TICKET).let_go()
    assert Tickets(tmp_path).held("here:1") == (TICKET,)
    assert Tickets(tmp_path).held("there:1") == ()
    (file,) = (tmp_path / "seats").glob("*.json")
    assert file.stat().st_mode & 0o077 == 0, "nobody else reads the token"


def test_a_new_ticket_is_held_from_the_moment_that_others_can_see_it(tmp_path: Path) -> None:
    holding = Tickets(tmp_path).keep(TICKET)
    assert Tickets(tmp_path).held("here:1") == (TICKET,)
    assert Tickets(tmp_path).hold(TICKET) is None
    holding.let_go()
    again = Tickets(tmp_path).hold(TICKET)
    assert again is not None
    again.throw_away()
    assert Tickets(tmp_path).held("here:1") == ()


def test_a_server_cannot_take_the_place_of_a_ticket_for_another(tmp_path: Path) -> None:
    Tickets(tmp_path).keep(TICKET).let_go()
    with pytest.raises(Conflict, match="another server"):
        Tickets(tmp_path).keep(replace(TICKET, server="there:1", token="x"))
    assert Tickets(tmp_path).held("here:1") == (TICKET,)


def test_a_damaged_ticket_is_passed_over(tmp_path: Path) -> None:
    Tickets(tmp_path).keep(TICKET).let_go()
    (tmp_path / "seats" / "junk.json").write_text("[]")
    assert Tickets(tmp_path).held("here:1") == (TICKET,)


def test_a_token_given_out_over_tls_is_shown_to_the_same_certificate_only(tmp_path: Path) -> None:
    pinned = replace(TICKET, pin="a" * 32)
    Tickets(tmp_path).keep(pinned).let_go()
    assert Tickets(tmp_path).held("here:1", "a" * 32) == (pinned,)
    assert Tickets(tmp_path).held("here:1", "b" * 32) == ()
    assert Tickets(tmp_path).held("here:1") == (), "nor to a server without any"


def test_a_seat_is_kept_when_its_server_is_started_with_tls(tmp_path: Path) -> None:
    Tickets(tmp_path).keep(TICKET).let_go()
    assert Tickets(tmp_path).held("here:1", "a" * 32) == (TICKET,)


def test_an_impostor_at_the_same_address_cannot_take_the_place_of_a_ticket(tmp_path: Path) -> None:
    pinned = replace(TICKET, pin="a" * 32)
    Tickets(tmp_path).keep(pinned).let_go()
    with pytest.raises(Conflict, match="another server"):
        Tickets(tmp_path).keep(replace(TICKET, pin="b" * 32, token="x"))


def test_a_ticket_written_before_there_were_pins_is_still_good(tmp_path: Path) -> None:
    Tickets(tmp_path).keep(TICKET).let_go()
    (file,) = (tmp_path / "seats").glob("*.json")
    fields = json.loads(file.read_text())
    del fields["pin"]
    file.write_text(json.dumps(fields))
    assert Tickets(tmp_path).held("here:1") == (TICKET,)
