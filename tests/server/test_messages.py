"""What is written once for several receivers is what each of them is to be told."""

from __future__ import annotations

from hearts_proto.v1 import table_pb2 as pb
from hearts_server.messages import Scribe
from hearts_server.notices import Acknowledgement, Update


def test_receivers_of_the_same_records_are_told_the_same_and_their_own_besides() -> None:
    scribe = Scribe()
    plain = Update((b"record",), 7, b"h" * 32)
    done = Update((b"record",), 7, b"h" * 32, acknowledgement=Acknowledgement(3, 5, repeated=True))
    for update in (plain, done, plain):
        told = pb.PlayResponse.FromString(scribe.bytes_of(update)).update
        assert (list(told.records), told.seq, told.head) == ([b"record"], 7, b"h" * 32)
        assert told.HasField("acknowledgement") == (update is done)
    told = pb.PlayResponse.FromString(scribe.bytes_of(done)).update
    expected = pb.Acknowledgement(request_id=3, prompt_seq=5, repeated=True)
    assert told.acknowledgement == expected


def test_the_next_game_at_a_table_is_not_taken_for_the_last_one() -> None:
    scribe = Scribe()
    for head in (b"a" * 32, b"b" * 32):
        told = pb.PlayResponse.FromString(scribe.bytes_of(Update((), 5, head)))
        assert told.update.head == head
