"""The auditor printed in docs/log-format.md works, by its text alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.audience import audience
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import CentreTaken, DealScored, Event, GameOpened, KittyDealt, SeatReady
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_replays import format as files
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, Plan, unfinished_log, whole_log
from hearts_wire.bounds import WireError
from hearts_wire.records import Record, decode_canonical, decode_record, encode_record

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors"
GOLDEN = [
    path
    for path in sorted((ROOT / "tests" / "replays" / "golden" / "v1").glob("*.hearts"))
    if path.stem != "running"
]


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    """The names that the page's Python defines."""
    page = (ROOT / "docs" / "log-format.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    names: dict[str, Any] = {}
    exec(compile(program, "log-format.md", "exec"), names)
    return names


OPTIONS = (
    "cancellation players=7 removed=3D,3D,4D kitty=first_penalty pass_cycle=shuffle,scatter "
    "pass_count=6 keep_top_spades=true must_break=false queen_breaks=true queen_value=0 "
    "extra_penalty=2C:3,KS:10 bonus=JD:10 bonus_floor=true moon_needs_bonus=true sun=double "
    "moon=choose deals=2 tie=shared finish=early"
)
"""Rules that write nearly every field there is."""


@pytest.fixture(scope="module")
def other_game() -> tuple[bytes, ...]:
    """A short game in which the rules are anything but standard."""
    plan = Plan(parse_rules(OPTIONS), reveal=frozenset({0, 2}), withhold=frozenset({1}))
    return tuple(whole_log(Random(5), plan).records)


@pytest.fixture(scope="module")
def shared_game() -> tuple[bytes, ...]:
    """A short game in which two seats revealed their entropy, one withheld it, one had none."""
    plan = Plan(Rules(target=10), reveal=frozenset({0, 2}), withhold=frozenset({1}))
    return tuple(whole_log(Random(5), plan).records)


def test_the_printed_auditor_follows_a_whole_game_to_the_same_heads(
    printed: dict[str, Any], shared_game: tuple[bytes, ...]
) -> None:
    heads = printed["audit"](files.encode(shared_game))
    assert heads[-1] == EMPTY_CHAIN.extended(shared_game).head
    assert len(heads) == len(shared_game) + 1


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_printed_auditor_follows_the_games_that_are_kept(
    printed: dict[str, Any], path: Path
) -> None:
    heads = printed["audit"](path.read_bytes())
    assert heads[-1] == EMPTY_CHAIN.extended(files.load(path).records).head


def test_the_printed_auditor_follows_a_game_of_other_rules(
    printed: dict[str, Any], other_game: tuple[bytes, ...]
) -> None:
    kinds = {type(decode_record(record).event) for record in other_game}
    assert {KittyDealt, CentreTaken} <= kinds
    printed["audit"](files.encode(other_game))


@pytest.mark.parametrize("kind", [KittyDealt, CentreTaken])
def test_the_printed_auditor_finds_a_kitty_and_a_share_that_chance_did_not_give(
    printed: dict[str, Any],
    other_game: tuple[bytes, ...],
    kind: type[KittyDealt | CentreTaken],
) -> None:
    log = list(other_game[:-1])
    record = next(r for r in map(decode_record, log) if isinstance(r.event, kind))
    assert isinstance(record.event, kind)
    cards = record.event.cards
    others = CardSet.of(PACK[:3] if cards != CardSet.of(PACK[:3]) else PACK[3:6])
    log[record.seq - 1] = encode_record(replace(record, event=replace(record.event, cards=others)))
    with pytest.raises(printed["Fault"], match=f"record {record.seq}: other cards"):
        printed["audit"](files.encode(signed(log)))


def test_the_printed_auditor_follows_a_game_of_open_hands(printed: dict[str, Any]) -> None:
    plan = Plan(Rules(target=10), open_hands=True)
    printed["audit"](files.encode(whole_log(Random(6), plan).records))


def test_the_printed_auditor_follows_a_game_of_a_fixed_seed(printed: dict[str, Any]) -> None:
    plan = Plan(Rules(target=10), fixed_seed="demo")
    printed["audit"](files.encode(whole_log(Random(6), plan).records))


def test_the_printed_auditor_finds_a_flipped_bit_anywhere(
    printed: dict[str, Any], shared_game: tuple[bytes, ...]
) -> None:
    data = files.encode(shared_game)
    for at in Random(7).sample(range(len(data)), 200):
        altered = bytearray(data)
        altered[at] ^= 1
        with pytest.raises(printed["Fault"]):
            printed["audit"](bytes(altered))


def test_the_printed_auditor_finds_a_file_cut_anywhere(
    printed: dict[str, Any], shared_game: tuple[bytes, ...]
) -> None:
    data = files.encode(shared_game)
    for end in Random(8).sample(range(len(data)), 200):
        with pytest.raises(printed["Fault"]):
            printed["audit"](data[:end])


@pytest.mark.parametrize("name", ["shared_game", "other_game"])
@pytest.mark.parametrize("most_seq", [1, 1000])
def test_the_printed_auditor_takes_records_in_the_same_one_way(
    printed: dict[str, Any], request: pytest.FixtureRequest, name: str, most_seq: int
) -> None:
    log: tuple[bytes, ...] = request.getfixturevalue(name)
    chance, refused = Random(10), 0
    for _ in range(3000):
        seq = chance.randint(1, min(most_seq, len(log)))
        record = mutated(chance, log[seq - 1])
        ours = theirs = True
        try:
            decode_canonical(record)
        except WireError as error:
            if "one way" not in str(error) and "no LogRecord" not in str(error):
                continue  # well written, and out of bounds, which this page leaves to the rules
            ours = False
        try:
            printed["parse"](seq, record)
        except printed["Fault"]:
            theirs = False
        assert ours == theirs, record.hex()
        refused += not ours
    assert refused > 500, "many of these are written in another way"


def mutated(chance: Random, record: bytes) -> bytes:
    """A record with some of its bytes changed, put in, taken out or twice."""
    data = bytearray(record)
    for _ in range(chance.choice((1, 1, 2))):
        at = chance.randrange(len(data))
        match chance.randrange(4):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                data.insert(at, chance.choice((0, 8, 128, chance.randrange(256))))
            case 2:
                del data[at]
            case _:
                data += data[at:]
    return bytes(data)


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "a field that nobody reads": lambda record: record + b"\xfa\x06\x05hello",
    "a field that comes twice": lambda record: b"\x08\x63" + record,
    "an empty salt written out": lambda record: record + b"\x22\x00",
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_the_printed_auditor_refuses_what_the_server_signed_in_another_way(
    printed: dict[str, Any], shared_game: tuple[bytes, ...], spoil: Callable[[bytes], bytes]
) -> None:
    log = list(shared_game[:-1])
    log[3] = spoil(log[3])
    with pytest.raises(printed["Fault"], match=r"record 4: .*one way"):
        printed["audit"](files.encode(signed(log)))


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(1, 60)), min_size=1, max_size=3))
def test_the_printed_auditor_tells_a_fault_of_a_game_in_any_order_and_never_stops_otherwise(
    printed: dict[str, Any], shared_game: tuple[bytes, ...], swaps: list[tuple[int, int]]
) -> None:
    events = [decode_record(record).event for record in shared_game[:-1]]
    for one, another in swaps:
        events[one], events[another] = events[another], events[one]
    log = [
        encode_record(Record(seq, 300, event, b"" if audience(event) is None else u128(seq)))
        for seq, event in enumerate(events, start=1)
    ]
    with suppress(printed["Fault"]):
        printed["audit"](files.encode(signed(log)))


@pytest.mark.parametrize(
    "event",
    [SeatReady(Seat(4)), DealScored(1, (0,) * 3, None, (0,) * 3, (0,) * 3)],
    ids=str,
)
def test_the_printed_auditor_refuses_seats_that_there_are_not(
    printed: dict[str, Any], shared_game: tuple[bytes, ...], event: Event
) -> None:
    log = list(shared_game[:-1])
    log[30] = encode_record(Record(31, decode_record(log[30]).time, event))
    with pytest.raises(printed["Fault"], match="record 31"):
        printed["audit"](files.encode(signed(log)))


def test_the_printed_auditor_finds_a_salt_that_is_used_twice(
    printed: dict[str, Any], shared_game: tuple[bytes, ...]
) -> None:
    log = list(shared_game[:-1])
    salted = [r for r in map(decode_record, log) if r.salt]
    log[salted[1].seq - 1] = encode_record(replace(salted[1], salt=salted[0].salt))
    with pytest.raises(printed["Fault"], match=f"record {salted[1].seq}: .*salt"):
        printed["audit"](files.encode(signed(log)))


def signed(log: list[bytes]) -> list[bytes]:
    """These records, sealed by the server as they are."""
    opened, time = decode_record(log[0]).event, decode_record(log[-1]).time
    assert isinstance(opened, GameOpened)
    seal = seal_of(KEY, opened.game_id, EMPTY_CHAIN.extended(log), time)
    return [*log, encode_record(Record(len(log) + 1, time, seal))]


def u128(number: int) -> bytes:
    return number.to_bytes(16, "big")


def test_the_printed_auditor_says_that_a_running_game_is_not_sealed(
    printed: dict[str, Any],
) -> None:
    log = unfinished_log(Random(9), 60)
    with pytest.raises(printed["Fault"], match="nobody has sealed"):
        printed["audit"](files.encode(log.records))


def test_the_printed_chain_gives_the_heads_of_the_vectors(printed: dict[str, Any]) -> None:
    lines = json.loads((VECTORS / "log_chain.json").read_text(encoding="utf-8"))
    records = [bytes.fromhex(line["record"]) for line in lines]
    assert [printed["leaf"](record).hex() for record in records] == [x["leaf"] for x in lines]
    assert [head.hex() for head in printed["heads"](records)[1:]] == [x["head"] for x in lines]


WORKED = json.loads((VECTORS / "deals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("deal", WORKED, ids=lambda d: d.get("game_id") or d["fixed_seed"])
def test_the_printed_dealing_gives_the_hands_of_the_vectors(
    printed: dict[str, Any], deal: dict[str, Any]
) -> None:
    players = deal["players"]
    name = str(deal.get("game_id") or deal["fixed_seed"]).encode()
    secret, entropies = bytes.fromhex(deal["secret"]), [b""] * players
    if "fixed_seed" in deal:
        assert printed["fixed_secret"](name, deal["deal"]) == secret
    else:
        assert _hashed(secret, deal["deal"]) == bytes.fromhex(deal["anchor"])
        entropies = _entropies(printed, deal)
    seed = printed["seed_of"](name, deal["deal"], secret, entropies)
    deck = printed["shuffled"](_deck(printed, deal), seed)
    assert seed.hex() == deal["seed"]
    assert _text(deck) == deal["deck"]
    *hands, kitty = printed["dealt"](deck, players)
    assert [_text(hand) for hand in hands] == deal["hands"]
    assert _text(kitty) == deal["kitty"]


def test_the_printed_centre_shuffle_gives_what_the_vectors_take(printed: dict[str, Any]) -> None:
    (deal,) = (deal for deal in WORKED if "centre_passed" in deal)
    passed = [sorted(map(Card.parse, text.split())) for text in deal["centre_passed"]]
    cards = [card for hand in passed for card in hand]
    seed = bytes.fromhex(deal["seed"])
    assert [_text(taken) for taken in printed["shared"](cards, seed, 4)] == deal["centre_taken"]


def _entropies(printed: dict[str, Any], deal: dict[str, Any]) -> list[bytes]:
    revealed = [bytes.fromhex(text) for text in deal["entropies"]]
    committed = [bytes.fromhex(text) for text in deal["entropy_commitments"]]
    for seat, entropy in enumerate(revealed):
        if entropy and seat not in deal["withheld"]:
            assert printed["commitment"](entropy) == committed[seat]
    return [
        committed[seat] if seat in deal["withheld"] else entropy
        for seat, entropy in enumerate(revealed)
    ]


def _deck(printed: dict[str, Any], deal: dict[str, Any]) -> list[int]:
    removed: list[str] = deal["removed"]
    cards: list[int] = printed["deck_of"](deal["packs"], map(Card.parse, removed))
    return cards


def _hashed(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret


def _text(cards: list[int]) -> str:
    return " ".join(str(PACK[card]) for card in cards)
