from contextlib import suppress
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import Seat
from hearts_engine.events import Event
from hearts_engine.evolve import replay
from hearts_engine.options import Finish
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing import open_game, play_at_random, seated
from hearts_engine.view import SeatView, observe
from hearts_proto.v1 import view_pb2
from hearts_wire.bounds import WireError
from hearts_wire.views import PHASES, decode_view, encode_view

VIEWERS = (None, *map(Seat, range(4)))
GAMES = [
    play_at_random(rules, Random(seed)).events
    for seed, rules in enumerate((Rules(), Rules(target=30, finish=Finish.EARLY, pass_count=2)))
]


def through_the_wire(view: SeatView) -> SeatView:
    written = encode_view(view).SerializeToString()
    return decode_view(view_pb2.SeatView.FromString(written))


def view_of(events: list[Event], seat: Seat | None) -> SeatView:
    state = replay(events)
    assert state is not None
    return observe(state, seat)


@given(st.sampled_from(GAMES), st.data())
def test_a_client_sees_what_the_server_saw_at_any_moment(
    events: list[Event], data: st.DataObject
) -> None:
    prefix = events[: data.draw(st.integers(1, len(events)))]
    for seat in VIEWERS:
        view = view_of(prefix, seat)
        assert through_the_wire(view) == view


def test_a_table_with_empty_seats_is_seen_as_it_is() -> None:
    view = observe(open_game(Rules()).state, None)
    assert through_the_wire(view) == view


def test_a_claim_is_seen_by_everyone() -> None:
    state = seated(Rules()).state
    claimed = state._replace(play=state.play._replace(claimed=Seat(0)))
    for seat in VIEWERS:
        assert through_the_wire(observe(claimed, seat)).claimed == 0


def test_every_phase_has_a_number() -> None:
    assert set(PHASES) == set(Phase)
    assert len(PHASES) == len(view_pb2.Phase.values()) - 1


@given(st.sampled_from(GAMES), st.data())
def test_a_damaged_view_never_crashes_the_reader(events: list[Event], data: st.DataObject) -> None:
    prefix = events[: data.draw(st.integers(1, len(events)))]
    written = bytearray(encode_view(view_of(prefix, Seat(1))).SerializeToString())
    at = data.draw(st.integers(0, len(written) - 1))
    written[at] ^= data.draw(st.integers(1, 255))
    with suppress(DecodeError, WireError):  # the first where protobuf itself refuses it
        decode_view(view_pb2.SeatView.FromString(bytes(written)))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (view_pb2.SeatView(seat=4), r"view\.seat"),
        (view_pb2.SeatView(hand=[52]), r"view\.hand"),
        (view_pb2.SeatView(ready=[True]), r"view\.ready"),
        (view_pb2.SeatView(totals=[1]), r"view\.totals"),
        (view_pb2.SeatView(claimed=4), r"view\.claimed"),
        (view_pb2.SeatView.FromString(b"\x18\x09"), r"view\.phase"),
        (view_pb2.SeatView(tricks=[view_pb2.Trick(leader=4)]), r"view\.tricks\.leader"),
        (view_pb2.SeatView(tricks=[view_pb2.Trick(cards=range(5))]), r"view\.tricks\.cards"),
    ],
)
def test_what_no_table_of_these_rules_can_show_is_refused(
    change: view_pb2.SeatView, field: str
) -> None:
    message = encode_view(observe(seated(Rules()).state, Seat(1)))
    message.MergeFrom(change)
    with pytest.raises(WireError, match=f"^{field}: "):
        decode_view(message)


def test_a_view_says_what_game_it_is_of() -> None:
    with pytest.raises(WireError, match=r"^view\.opened: "):
        decode_view(view_pb2.SeatView(phase=view_pb2.PHASE_SEATING))


def test_nobody_sits_on_a_seat_twice() -> None:
    message = encode_view(observe(seated(Rules()).state, None))
    message.seats.append(message.seats[0])
    with pytest.raises(WireError, match=r"^view\.seats: "):
        decode_view(message)
