"""The game and nine variants of it, compared with deals that another program played."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypedDict

import pytest

from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChoosePass, Deal, PlayCard, ShowDeal
from hearts_engine.decide import decide
from hearts_engine.events import CardPlayed, DealScored, TrickTaken
from hearts_engine.evolve import evolve
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import State
from hearts_engine.testing import SECRET, deck_of, play_script, seated

VECTORS = Path(__file__).parents[1] / "vectors"
LEFT = (Direction.LEFT,)


class Played(TypedDict):
    """One deal of the files."""

    id: str
    variant: str
    rules: dict[str, bool]
    """The other program's switches."""
    pass_dir: str
    hands: list[list[str]]
    passes: list[list[str]] | None
    """None on a hold deal."""
    hands_after: list[list[str]]
    plays: list[tuple[int, str, list[str]]]
    tricks: list[tuple[int, int, list[str]]]
    points: list[int]
    raw_points: list[int]
    tags: list[str]


@cache
def deals_in(name: str) -> list[Played]:
    with gzip.open(VECTORS / f"openspiel_{name}.jsonl.gz", "rt") as lines:
        return list(map(json.loads, lines))


def cards_of(texts: list[str]) -> CardSet:
    return CardSet.of(map(Card.parse, texts))


SAID_HERE = {
    ("pass_cards", False): "pass_cycle=hold",
    ("no_pts_on_first_trick", False): "first_trick=any",
    ("can_lead_any_club", True): "opening=any_club",
    ("jd_bonus", True): "bonus=JD:10",
    ("avoid_all_tricks_bonus", True): "no_tricks_bonus=5",
    ("must_break_hearts", False): "must_break=false",
    ("qs_breaks_hearts", True): "queen_breaks=true",
    ("can_lead_hearts_instead_of_qs", True): "queen_only_lead=free",
}
"""Each switch of the other program that is set unlike the standard game, as an option."""


def rules_of(deal: Played) -> Rules:
    options = [SAID_HERE[said] for said in deal["rules"].items() if said in SAID_HERE]
    direction = Direction(deal["pass_dir"])
    return replace(parse_rules(" ".join(["black_lady", *options])), pass_cycle=(direction,))


def penalties_in(deal: Played) -> list[int]:
    """What the penalty cards cost each seat; the file has the bonus taken off already."""
    off = 10 if deal["rules"]["jd_bonus"] else 0
    taker = next(winner for _, winner, cards in deal["tricks"] if "JD" in cards)
    return [points + off * (seat == taker) for seat, points in enumerate(deal["raw_points"])]


def assert_same(deal: Played) -> None:
    """Legal cards, turns, winners and points are those of the file."""
    game = seated(rules_of(deal))
    game.do(Deal(deck_of([*map(cards_of, deal["hands"])])))
    for seat, passed in enumerate(deal["passes"] or ()):
        game.do(ChoosePass(Seat(seat), tuple(map(Card.parse, passed))))
    assert list(game.state.play.hands) == [*map(cards_of, deal["hands_after"])], deal["id"]
    for seat, card, legal in deal["plays"]:
        assert game.state.turn == seat, deal["id"]
        assert game.state.play.legal == cards_of(legal), (deal["id"], card)
        game.do(PlayCard(Seat(seat), Card.parse(card)))
    taken = [event.seat for event in game.events if isinstance(event, TrickTaken)]
    assert taken == [winner for _, winner, _ in deal["tricks"]], deal["id"]
    assert [(trick.leader, trick.taker) for trick in game.state.play.tricks] == [
        (leader, winner) for leader, winner, _ in deal["tricks"]
    ], deal["id"]
    assert [list(map(str, trick.cards)) for trick in game.state.play.tricks] == [
        cards for _, _, cards in deal["tricks"]
    ], deal["id"]
    scored = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert list(scored.points) == penalties_in(deal), deal["id"]
    assert list(scored.scores) == deal["points"], deal["id"]
    assert (scored.moon is not None) == ("moon" in deal["tags"]), deal["id"]


VARIANTS = (
    "std",
    "jd",
    "notricks",
    "jd_notricks",
    "qsbreaks",
    "nobreak",
    "ptsfirst",
    "anyclub",
    "heartsforqs",
    "nopass",
)


@pytest.mark.parametrize("variant", VARIANTS)
def test_deals_to_the_edges_of_a_variant_go_as_in_an_independent_program(variant: str) -> None:
    deals = [deal for deal in deals_in("edge") if deal["variant"] == variant]
    assert len(deals) == 110
    for deal in deals:
        assert_same(deal)


def test_deals_of_random_play_go_as_in_an_independent_program() -> None:
    deals = deals_in("uniform")
    assert len(deals) == 500
    for deal in deals:
        assert_same(deal)


def test_no_variant_of_the_compared_deals_is_left_out() -> None:
    counted = Counter(deal["variant"] for deal in deals_in("edge"))
    assert counted == dict.fromkeys(VARIANTS, 110)
    one_each = {deal["variant"]: deal for deal in deals_in("edge")}.values()
    played = {replace(rules_of(deal), pass_cycle=LEFT) for deal in one_each}
    assert len(played) == len(VARIANTS) - 1  # nopass differs in the cycle alone


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_compared_deals_reach_the_rare_positions(variant: str) -> None:
    tags = {tag for deal in deals_in("edge") if deal["variant"] == variant for tag in deal["tags"]}
    assert tags >= {
        "all_penalty_first_trick_13h",
        "all_penalty_first_trick_12h_qs",
        "hearts_only_lead_unbroken",
        "qs_only_nonheart_lead_unbroken",
        "qs_led_unbroken",
        "heart_led_unbroken",
        "penalty_on_first_trick",
        "moon",
        "moon_with_jd",
        "sun",
        "points25_no_moon",
        "seat_without_tricks",
    }


class Count(NamedTuple):
    """A hold deal, the cards played so far, and how the play can go on."""

    hands: list[CardSet]
    played: list[Card]
    continuations: list[int]


def counts() -> Iterator[Count]:
    _, *blocks = (VECTORS / "openspiel_perft.txt").read_text().strip().split("\n\n")
    for block in blocks:
        *hands, played, continuations = block.splitlines()
        yield Count(
            [*map(CardSet.parse, hands)],
            [*map(Card.parse, played.removeprefix("played:").split())],
            [*map(int, continuations.removeprefix("continuations:").split())],
        )


def continuations(state: State, cards: int) -> int:
    """In how many ways the next so many cards can be played, to the end of the deal at most."""
    if cards == 0 or state.turn is None:
        return 1
    if cards == 1:
        return len(state.play.legal)
    return sum(continuations(after(state, card), cards - 1) for card in state.play.legal)


def after(state: State, card: Card) -> State:
    played, *others = decide(state, PlayCard(state.play.trick.next_seat, card))
    assert isinstance(played, CardPlayed)
    for event in (played, *others):
        state = evolve(state, event)
    return state


@pytest.mark.parametrize("count", [*counts()], ids=lambda count: f"after-{len(count.played)}-cards")
def test_play_can_go_on_in_as_many_ways_as_in_an_independent_program(count: Count) -> None:
    game = seated(Rules(pass_cycle=(Direction.HOLD,)))
    play_script(game, count.hands, [], count.played)
    depths = range(1, len(count.continuations) + 1)
    assert [continuations(game.state, depth) for depth in depths] == count.continuations
