"""A seat's entropy goes out only when the server can make no use of it any more."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hearts_client.opening import Opening
from hearts_client.ticket import Ticket
from hearts_engine.cards import Seat
from hearts_engine.events import GameOpened, SeatsFrozen, SeatTaken
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.testing import Plan, unfinished_log
from hearts_wire.records import decode_record

LOG = unfinished_log(Random(3), 12, Plan(reveal=frozenset({0, 2})))
RECORDS = [bytes(record) for record in LOG.records]
EVENTS = [decode_record(record).event for record in RECORDS]
FROZEN = 1 + next(at for at, event in enumerate(EVENTS) if isinstance(event, SeatsFrozen))
MINE = Seat(2)


def ticket() -> Ticket:
    opened = EVENTS[0]
    assert isinstance(opened, GameOpened)
    entropy = LOG.entropy[MINE]
    return Ticket("here:1", opened.table, opened.game_id, MINE, "Ann", "token", entropy)


def head_after(seq: int) -> bytes:
    return EMPTY_CHAIN.extended(RECORDS[:seq]).head


def seen(until: int) -> Opening:
    return Opening().with_shown(until, head_after(until), RECORDS[:until])


def objection(opening: Opening, ticket: Ticket) -> str:
    sentence = opening.objection(ticket)
    assert sentence is not None
    return sentence


def test_entropy_may_go_out_once_a_head_covers_every_commitment() -> None:
    assert seen(FROZEN).objection(ticket()) is None


def test_it_makes_no_difference_how_the_records_came() -> None:
    opening = Opening()
    for seq in range(1, FROZEN + 1):
        opening = opening.with_shown(seq, head_after(seq), [RECORDS[seq - 1]])
    assert opening.objection(ticket()) is None


@pytest.mark.parametrize("until", range(1, FROZEN))
def test_a_server_that_asks_before_the_seats_are_fixed_gets_nothing(until: int) -> None:
    assert "before seats and commitments are fixed" in objection(seen(until), ticket())


def test_a_server_that_has_seen_nothing_through_gets_nothing() -> None:
    assert "not the log of game" in objection(Opening(), ticket())


def test_a_head_of_other_records_covers_nothing() -> None:
    opening = Opening().with_shown(FROZEN, bytes(32), RECORDS[:FROZEN])
    assert "head is not of the records" in objection(opening, ticket())


def test_a_head_from_before_the_freeze_does_not_cover_it() -> None:
    opening = seen(FROZEN - 1).with_shown(FROZEN, bytes(32), [RECORDS[FROZEN - 1]])
    assert "head is not of the records" in objection(opening, ticket())


def test_a_record_that_is_kept_back_is_not_made_up_for_by_the_head() -> None:
    shown = [*RECORDS[:2], *RECORDS[3:FROZEN]]
    opening = Opening().with_shown(FROZEN, head_after(FROZEN), shown)
    assert objection(opening, ticket())


def test_another_commitment_in_the_seat_s_name_is_objected_to() -> None:
    other = replace(ticket(), entropy=bytes(32))
    assert "another commitment" in objection(seen(FROZEN), other)
    house = next(e.seat for e in EVENTS if isinstance(e, SeatTaken) and not e.commitment)
    assert "another commitment" in objection(seen(FROZEN), replace(ticket(), seat=house))


def test_another_game_is_objected_to() -> None:
    other = replace(ticket(), game_id="0" * 32)
    assert "not the log of game" in objection(seen(FROZEN), other)
