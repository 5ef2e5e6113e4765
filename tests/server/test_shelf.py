"""What is packed away of a game comes back as it was."""

from __future__ import annotations

from random import Random

import pytest

from hearts_engine.audience import audience, visible_to
from hearts_engine.cards import SEATS, Seat
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import play_at_random
from hearts_replays.chain import heads_of
from hearts_server.answers_given import AnswersGiven, Given
from hearts_server.shelf import Shelf
from hearts_wire.records import Record, encode_record

RULES = ("black_lady", "cancellation players=10 deals=3", "black_lady pass_cycle=scatter deals=3")


@pytest.mark.parametrize("rules", RULES)
def test_every_seat_gets_back_what_it_may_see_and_nothing_else(rules: str) -> None:
    events = play_at_random(parse_rules(rules), Random(3)).events
    records = [encode_record(Record(seq, seq, event)) for seq, event in enumerate(events, 1)]
    heads = heads_of(records)
    shelf = Shelf()
    for event, record, head in zip(events, records, heads[1:], strict=True):
        shelf.add(record, head, audience(event))
    assert len(shelf) == len(events)
    for seq in (0, 1, 15, 16, 17, len(events)):
        assert shelf.head_at(seq) == heads[seq]
        for seat in (None, *SEATS):
            for open_hands in (False, True):
                seen = [
                    record
                    for event, record in zip(events[seq:], records[seq:], strict=True)
                    if visible_to(seat, event, open_hands=open_hands)
                ]
                assert list(shelf.visible_after(seq, seat, open_hands=open_hands)) == seen
    assert [shelf.record(seq) for seq in range(1, len(events) + 1)] == records


def test_there_is_no_head_where_there_is_no_record() -> None:
    shelf = Shelf()
    assert shelf.head_at(0) == bytes(32)
    assert shelf.head_at(1) is None
    assert shelf.head_at(-1) is None


def test_an_answer_is_found_by_its_seat_and_prompt_alone() -> None:
    answers = AnswersGiven()
    answers.note(Seat(0), 7, Given(9, scattered=True))
    answers.note(Seat(1), 7, Given(11, scattered=False))
    answers.note(Seat(0), 20, Given(21, scattered=False))
    assert answers.to(Seat(0), 7) == Given(9, scattered=True)
    assert answers.to(Seat(1), 7) == Given(11, scattered=False)
    assert answers.to(Seat(0), 20) == Given(21, scattered=False)
    for seat, prompt_seq in ((0, 8), (0, 6), (0, 21), (1, 20), (2, 7)):
        assert answers.to(Seat(seat), prompt_seq) is None
