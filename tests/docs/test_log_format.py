"""The auditor printed in docs/log-format.md works, by its text alone."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hearts_engine.cards import PACK, Card
from hearts_engine.rules import Rules
from hearts_replays import format as files
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.testing import Plan, unfinished_log, whole_log

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "vectors"


@pytest.fixture(scope="module")
def printed() -> dict[str, Any]:
    """The names that the page's Python defines."""
    page = (ROOT / "docs" / "log-format.md").read_text(encoding="utf-8")
    program = "\n".join(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
    names: dict[str, Any] = {}
    exec(compile(program, "log-format.md", "exec"), names)
    return names


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
    deck = printed["shuffled"](_deck(deal), seed)
    assert seed.hex() == deal["seed"]
    assert _text(deck) == deal["deck"]
    assert [_text(hand) for hand in printed["dealt"](deck, players)] == deal["hands"]


def test_the_printed_centre_shuffle_gives_what_the_vectors_take(printed: dict[str, Any]) -> None:
    (deal,) = (deal for deal in WORKED if "centre_passed" in deal)
    passed = [sorted(map(Card.parse, text.split())) for text in deal["centre_passed"]]
    cards = [card for hand in passed for card in hand]
    seed = bytes.fromhex(deal["seed"])
    mixed = printed["shuffled"](cards, seed, "hearts-deal/v1/centre")
    assert [_text(mixed[at : at + 3]) for at in range(0, 12, 3)] == deal["centre_taken"]


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


def _deck(deal: dict[str, Any]) -> list[Card]:
    cards = list(PACK * deal["packs"])
    removed: list[str] = deal["removed"]
    for text in removed:
        cards.remove(Card.parse(text))
    return cards


def _hashed(secret: bytes, times: int) -> bytes:
    for _ in range(times):
        secret = sha256(secret).digest()
    return secret


def _text(cards: list[Card]) -> str:
    return " ".join(str(PACK[card]) for card in cards)
