"""Dealing agrees, byte for byte, with the worked deals of independent implementations."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Anchor,
    EntropyRevealed,
    EntropyWithheld,
    FixedSeed,
    GameOpened,
    SeatKind,
    SeatTaken,
)
from hearts_engine.options import Kitty
from hearts_engine.passing import usual_cycle
from hearts_engine.presence import all_present
from hearts_engine.rules import Rules
from hearts_engine.soundness import MOST_DEALS
from hearts_engine.state import Game
from hearts_replays import fairness

VECTORS = Path(__file__).parents[1] / "vectors" / "deals.json"


@dataclass(frozen=True)
class Worked:
    """One of the worked deals."""

    facts: dict[str, Any]

    @property
    def source(self) -> Anchor | FixedSeed:
        if "fixed_seed" in self.facts:
            return FixedSeed(self.facts["fixed_seed"])
        return Anchor(bytes.fromhex(self.facts["anchor"]))

    @property
    def top(self) -> bytes:
        return bytes.fromhex(self.facts.get("chain_top", ""))

    @property
    def deal(self) -> int:
        return int(self.facts["deal"])

    @property
    def players(self) -> int:
        return int(self.facts["players"])

    @property
    def secret(self) -> bytes:
        return fairness.secret_for(self.source, self.top, self.deal)

    @property
    def rules(self) -> Rules:
        """Those of a game with this deal."""
        return Rules(
            players=self.players,
            decks=self.facts["packs"],
            removed=tuple(sorted(map(Card.parse, self.facts["removed"]))),
            kitty=Kitty.FIRST_TRICK if self.facts["kitty"] else Kitty.NONE,
            pass_cycle=usual_cycle(self.players),
        )

    @property
    def entropies(self) -> tuple[bytes, ...]:
        """As the seed takes them, worked out from commitments where they are withheld."""
        if "entropies" not in self.facts:
            return (b"",) * self.players
        return fairness.entropies_of(self.game)

    @property
    def game(self) -> Game:
        seats = range(self.players)
        commitments = [bytes.fromhex(c) for c in self.facts["entropy_commitments"]]
        withheld = set(self.facts["withheld"])
        answers = [
            EntropyWithheld(Seat(seat))
            if seat in withheld
            else EntropyRevealed(Seat(seat), bytes.fromhex(self.facts["entropies"][seat]))
            for seat in seats
        ]
        opened = GameOpened(self.facts["game_id"], "oak-1", Rules(), self.source, bytes(32))
        return Game(
            opened,
            opened.rules,
            tuple(
                SeatTaken(Seat(seat), "someone", SeatKind.PERSON, commitment=commitments[seat])
                for seat in seats
            ),
            tuple(answers[seat] if commitments[seat] else None for seat in seats),
            all_present(self.players),
        )

    @property
    def name(self) -> str:
        return str(self.facts.get("fixed_seed", self.facts.get("game_id")))

    @property
    def seed(self) -> bytes:
        return fairness.deal_seed(self.name, self.deal, self.secret, self.entropies)


DEALS = [Worked(facts) for facts in json.loads(VECTORS.read_text("utf-8"))]
every_deal = pytest.mark.parametrize("worked", DEALS, ids=lambda worked: worked.name)
every_fair_deal = pytest.mark.parametrize(
    "worked",
    [worked for worked in DEALS if isinstance(worked.source, Anchor)],
    ids=lambda worked: worked.name,
)


def texts(cards: tuple[Card, ...] | CardSet) -> str:
    return " ".join(map(str, cards))


def test_all_the_worked_deals_are_there() -> None:
    assert len(DEALS) == 24
    assert sum("fixed_seed" in worked.facts for worked in DEALS) == 3
    assert sum(bool(worked.facts["withheld"]) for worked in DEALS if "withheld" in worked.facts)


@every_fair_deal
def test_the_chain_of_secrets_leads_to_the_published_anchor(worked: Worked) -> None:
    assert worked.facts["chain_length"] == MOST_DEALS
    assert fairness.anchor_of(worked.top).hex() == worked.facts["anchor"]
    assert worked.secret.hex() == worked.facts["secret"]


@every_fair_deal
def test_a_revealed_secret_is_checked_against_the_one_before(worked: Worked) -> None:
    before = (
        fairness.secret_of(worked.top, worked.deal - 1)
        if worked.deal > 1
        else fairness.anchor_of(worked.top)
    )
    assert fairness.proves(worked.secret, before)
    assert not fairness.proves(before, worked.secret)
    assert not fairness.proves(worked.secret[:-1], before)


@every_fair_deal
def test_commitments_are_those_that_seats_sent(worked: Worked) -> None:
    for seat, entropy in enumerate(worked.facts["entropies"]):
        if entropy and seat not in worked.facts["withheld"]:
            commitment = fairness.commit(bytes.fromhex(entropy)).hex()
            assert commitment == worked.facts["entropy_commitments"][seat]


@every_deal
def test_every_worked_deal_comes_out_card_by_card(worked: Worked) -> None:
    assert worked.seed.hex() == worked.facts["seed"]
    deck = fairness.shuffle(worked.rules.deck, worked.seed)
    assert texts(deck) == worked.facts["deck"]
    dealt = fairness.deal_out(deck, worked.players)
    assert [texts(hand) for hand in dealt.hands] == worked.facts["hands"]
    assert texts(dealt.kitty) == worked.facts["kitty"]


@every_deal
def test_a_server_and_an_auditor_get_the_deck_from_the_opened_game(worked: Worked) -> None:
    opened = GameOpened(
        worked.facts.get("game_id", "any id"), "oak-1", worked.rules, worked.source, bytes(32)
    )
    deck = fairness.deck_for(opened, worked.deal, worked.secret, worked.entropies)
    assert texts(deck) == worked.facts["deck"]


def test_entropy_counts_for_nothing_where_the_seed_is_fixed() -> None:
    opened = GameOpened("any id", "oak-1", Rules(), FixedSeed("demo"), bytes(32))
    secret = fairness.fixed_secret("demo", 1)
    decks = {
        fairness.deck_for(opened, 1, secret, entropies)
        for entropies in [(b"",) * 4, (b"x" * 32,) * 4]
    }
    assert len(decks) == 1


def test_every_seat_that_takes_part_changes_the_deal() -> None:
    opened = GameOpened("g-1", "oak-1", Rules(), Anchor(bytes(32)), bytes(32))
    silent = [b""] * 4
    decks = {fairness.deck_for(opened, 1, bytes(32), silent)}
    for seat in range(4):
        spoken = silent.copy()
        spoken[seat] = bytes(32)
        decks.add(fairness.deck_for(opened, 1, bytes(32), spoken))
    assert len(decks) == 5


def test_no_seed_is_made_while_a_seat_owes_its_entropy() -> None:
    game = next(worked.game for worked in DEALS if worked.name == "g-withheld")
    with pytest.raises(AssertionError, match="neither revealed nor withheld"):
        fairness.entropies_of(replace(game, entropy=(None,) * 4))


def test_the_centre_shuffle_gives_every_seat_its_block() -> None:
    (worked,) = (worked for worked in DEALS if "centre_passed" in worked.facts)
    passed = [CardSet.parse(text) for text in worked.facts["centre_passed"]]
    centre = tuple(card for cards in passed for card in cards)
    mixed = fairness.centre_shuffle(centre, worked.seed)
    blocks = [CardSet.of(mixed[at : at + 3]) for at in range(0, len(mixed), 3)]
    assert blocks == [CardSet.parse(text) for text in worked.facts["centre_taken"]]
    opened = GameOpened(worked.name, "oak-1", Rules(), worked.source, bytes(32))
    given = (opened, worked.deal, worked.secret, worked.entropies)
    assert fairness.centre_for(*given, centre) == mixed


@pytest.mark.parametrize("deal", [0, MOST_DEALS + 1])
def test_there_is_no_secret_for_a_deal_outside_the_chain(deal: int) -> None:
    with pytest.raises(AssertionError, match="counted from 1"):
        fairness.secret_of(bytes(32), deal)
