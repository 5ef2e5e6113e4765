import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Seat
from hearts_engine.commands import ChooseMoon, ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.options import MoonChoice
from hearts_proto.v1 import table_pb2 as pb
from hearts_wire.bounds import WireError
from hearts_wire.commands import SeatCommand, decode_command, encode_command

SEAT = Seat(2)
cards = st.sampled_from(PACK)
commands = st.one_of(
    st.builds(ChoosePass, st.just(SEAT), st.lists(cards, max_size=9).map(tuple)),
    st.builds(PlayCard, st.just(SEAT), cards),
    st.just(ClaimRest(SEAT)),
    st.builds(ChooseMoon, st.just(SEAT), st.sampled_from(MoonChoice)),
    st.builds(RevealEntropy, st.just(SEAT), st.binary(min_size=32, max_size=32)),
)


@given(commands, st.integers(0, 2**63), st.integers(0, 2**63))
def test_the_server_reads_what_the_client_asked_for(
    command: SeatCommand, prompt_seq: int, request_id: int
) -> None:
    written = encode_command(command, prompt_seq, request_id)
    request = pb.PlayRequest.FromString(written.SerializeToString())
    assert decode_command(request, SEAT) == (command, prompt_seq)
    assert request.request_id == request_id


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (pb.PlayRequest(), "play_request.kind"),
        (pb.PlayRequest(heartbeat=pb.Heartbeat()), "play_request.kind"),
        (pb.PlayRequest(attach=pb.Attach()), "play_request.kind"),
        (pb.PlayRequest(say=pb.Say(text="hello")), "play_request.kind"),
        (pb.PlayRequest(come_back=pb.ComeBack()), "play_request.kind"),
        (pb.PlayRequest(play_card=pb.PlayCard(card=52)), "play_card.card"),
        (pb.PlayRequest(choose_pass=pb.ChoosePass(cards=[1, 2, 99])), "choose_pass.cards"),
        (pb.PlayRequest(choose_moon=pb.ChooseMoon()), "choose_moon.choice"),
        (pb.PlayRequest.FromString(b"\x42\x02\x10\x03"), "choose_moon.choice"),
        (
            pb.PlayRequest(reveal_entropy=pb.RevealEntropy(entropy=b"short")),
            "reveal_entropy.entropy",
        ),
    ],
)
def test_a_command_that_says_nothing_is_refused(request_: pb.PlayRequest, field: str) -> None:
    with pytest.raises(WireError, match=f"^{field}: "):
        decode_command(request_, SEAT)


def test_a_pass_that_names_a_card_twice_reaches_the_engine_which_says_why_not() -> None:
    written = pb.PlayRequest(choose_pass=pb.ChoosePass(cards=[5, 5, 5]))
    assert decode_command(written, SEAT) == (ChoosePass(SEAT, (PACK[5],) * 3), 0)


def test_a_pass_to_be_scattered_keeps_the_order_that_says_whose_each_card_is() -> None:
    chosen = ChoosePass(SEAT, (PACK[36], PACK[0], PACK[51]))
    written = encode_command(chosen, 7)
    assert list(written.choose_pass.cards) == [36, 0, 51]
    assert decode_command(written, SEAT) == (chosen, 7)
