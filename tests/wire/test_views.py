from contextlib import suppress
from itertools import accumulate
from random import Random

import pytest
from google.protobuf.message import DecodeError
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, SEATS, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import Event
from hearts_engine.evolve import evolve, replay
from hearts_engine.options import MoonChoice
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import deal_at_random, open_game, play_at_random, seated
from hearts_engine.testing_rules import random_rules
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe
from hearts_proto.v1 import events_pb2, view_pb2
from hearts_replays.testing import Plan, whole_log
from hearts_wire.bounds import WireError
from hearts_wire.view_parts import PHASES
from hearts_wire.view_scribe import ViewScribe
from hearts_wire.views import decode_view, encode_view

GAMES = [
    play_at_random(parse_rules(text), Random(seed)).events
    for seed, text in enumerate(
        (
            "black_lady",
            "black_lady target=30 finish=early pass_count=2",
            "omnibus target=30 pass_cycle=scatter,shuffle",
            "black_lady moon=choose deals=5 removed=2H,3H,4H,5H,6H,7H,8H,9H,TH,JH,QH,KH",
            "cancellation players=10 deals=3 pass_cycle=left2 keep_top_spades=true",
            "cancellation players=7 removed=2C kitty=last_trick deals=2",
            "black_maria target=60",
        )
    )
]
"""With scattered and shuffled passes, moons that are likely, twins, and kitties."""
GAMES.append(whole_log(Random(3), Plan(restless=True, given_up=300)).events)
"""People come and go, time stops and starts, and in the end nobody is there."""


def viewers(rules: Rules) -> tuple[Seat | None, ...]:
    return (None, *SEATS[: rules.players])


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
    state = replay(prefix)
    assert state is not None
    for seat in viewers(state.game.rules):
        view = observe(state, seat)
        assert through_the_wire(view) == view


@given(st.integers(0, 2**32))
def test_a_client_sees_a_deal_by_any_rules_as_the_server_saw_it(seed: int) -> None:
    chance = Random(seed)
    rules = random_rules(chance)
    game = seated(rules)
    deal_at_random(game, chance)
    state = replay(game.events[: chance.randrange(len(game.events) // 2, len(game.events)) + 1])
    assert state is not None
    for seat in viewers(rules):
        view = observe(state, seat)
        assert through_the_wire(view) == view


def test_a_table_with_empty_seats_is_seen_as_it_is() -> None:
    view = observe(open_game(Rules()).state, None)
    assert through_the_wire(view) == view


def test_a_claim_is_seen_by_everyone() -> None:
    state = seated(Rules()).state
    play = replace(state.play, outcome=replace(state.play.outcome, claimed=Seat(0)))
    for seat in viewers(Rules()):
        assert through_the_wire(observe(replace(state, play=play), seat)).claimed == 0


def test_a_kitty_and_a_moon_of_seat_0_are_not_taken_for_nobodys() -> None:
    state = seated(Rules()).state
    kitty = CardSet.of([PACK[0], PACK[0]])
    outcome = replace(
        state.play.outcome,
        kitty_seat=Seat(0),
        kitty=kitty,
        moon_seat=Seat(0),
        moon_choice=MoonChoice.SUBTRACT,
    )
    seen = {
        seat: through_the_wire(
            observe(replace(state, play=replace(state.play, outcome=outcome)), seat)
        )
        for seat in viewers(Rules())
    }
    for view in seen.values():
        assert (view.kitty_seat, view.moon_seat) == (0, 0)
        assert view.moon_choice is MoonChoice.SUBTRACT
    assert [str(view.kitty) for view in seen.values()] == ["", "2C 2C", "", "", ""]


def test_who_is_asked_how_a_moon_is_scored_can_tell() -> None:
    game = seated(parse_rules("black_lady moon=choose"))
    state = game.state
    outcome = replace(state.play.outcome, moon_seat=Seat(2))
    play = replace(state.play, outcome=outcome)
    asked = replace(state, phase=Phase.MOON, play=play)
    views = [through_the_wire(observe(asked, seat)) for seat in viewers(state.game.rules)]
    assert [view.asked for view in views] == [False, False, False, True, False]
    assert {view.moon_choice for view in views} == {None}


def test_the_games_of_these_tests_show_everything_that_a_view_can() -> None:
    shown: set[str] = set()
    for events in GAMES:
        for state in accumulate(events[1:], evolve, initial=evolve(None, events[0])):
            for seat in (Seat(0), Seat(1), None):
                written = encode_view(observe(state, seat)).ListFields()
                shown |= {field.name for field, _ in written}
    fields = {field.name for field in view_pb2.SeatView.DESCRIPTOR.fields}
    assert fields - shown == {"claimed"}


@pytest.mark.parametrize("events", GAMES)
def test_a_view_written_after_others_keeps_nothing_of_them(events: list[Event]) -> None:
    scribe = ViewScribe()
    seats = (Seat(0), Seat(1), None)
    for state in accumulate(events[1:], evolve, initial=evolve(None, events[0])):
        for seat in seats:
            view = observe(state, seat)
            written = view_pb2.SeatView.FromString(scribe.bytes_of(view))
            assert written == encode_view(view)


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
        (view_pb2.SeatView(away=[events_pb2.ABSENCE_LEFT]), r"view\.away"),
        (view_pb2.SeatView.FromString(b"\xe0\x01\x09"), r"view\.stopped"),
        (view_pb2.SeatView.FromString(b"\xe8\x01\x09"), r"view\.closed"),
        (view_pb2.SeatView(claimed=4), r"view\.claimed"),
        (view_pb2.SeatView.FromString(b"\x18\x0b"), r"view\.phase"),
        (view_pb2.SeatView(tricks=[view_pb2.Trick(leader=4)]), r"view\.tricks\.leader"),
        (view_pb2.SeatView(tricks=[view_pb2.Trick(cards=range(5))]), r"view\.tricks\.cards"),
        (view_pb2.SeatView(hand=[7, 7, 7]), r"view\.hand"),
        (view_pb2.SeatView(kitty=[52]), r"view\.kitty"),
        (view_pb2.SeatView(kitty_seat=4), r"view\.kitty_seat"),
        (view_pb2.SeatView(moon_seat=4), r"view\.moon_seat"),
        (view_pb2.SeatView.FromString(b"\xd0\x01\x03"), r"view\.moon_choice"),
        (view_pb2.SeatView(tricks=[view_pb2.Trick(taker=4)]), r"view\.tricks\.taker"),
        (view_pb2.SeatView(trick=view_pb2.Trick(taker=4)), r"view\.trick\.taker"),
        (view_pb2.SeatView(moves=[events_pb2.CardsPassed(giver=10)]), r"cards_passed\.giver"),
        (view_pb2.SeatView(moves=[events_pb2.CardsPassed(cards=[52])]), r"cards_passed\.cards"),
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
