"""The standard game, compared with deals that another program played."""

import gzip
import json
from collections.abc import Iterator
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
from hearts_engine.state import State
from hearts_engine.testing import SECRET, deck_of, play_script, seated

VECTORS = Path(__file__).parents[1] / "vectors"


class Played(TypedDict):
    """One deal of the files."""

    id: str
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


def deals_in(name: str) -> Iterator[Played]:
    with gzip.open(VECTORS / f"openspiel_{name}.jsonl.gz", "rt") as lines:
        yield from map(json.loads, lines)


def cards_of(texts: list[str]) -> CardSet:
    return CardSet.of(map(Card.parse, texts))


def assert_same(deal: Played) -> None:
    """Legal cards, turns, winners and points are those of the file."""
    game = seated(Rules(pass_cycle=(Direction(deal["pass_dir"]),)))
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
    assert [list(map(str, trick.cards)) for trick in game.state.play.tricks] == [
        cards for _, _, cards in deal["tricks"]
    ]
    scored = next(e for e in game.do(ShowDeal(SECRET)) if isinstance(e, DealScored))
    assert list(scored.points) == deal["raw_points"], deal["id"]
    assert list(scored.scores) == deal["points"], deal["id"]
    assert (scored.moon is not None) == ("moon" in deal["tags"]), deal["id"]


@pytest.mark.parametrize(("name", "count"), [("edge", 110), ("uniform", 500)])
def test_deals_go_as_in_an_independent_program(name: str, count: int) -> None:
    deals = list(deals_in(name))
    assert len(deals) == count
    for deal in deals:
        assert_same(deal)


def test_the_compared_deals_reach_the_rare_positions() -> None:
    tags = {tag for deal in deals_in("edge") for tag in deal["tags"]}
    assert tags >= {
        "all_penalty_first_trick_13h",
        "all_penalty_first_trick_12h_qs",
        "hearts_only_lead_unbroken",
        "qs_only_nonheart_lead_unbroken",
        "qs_led_unbroken",
        "moon",
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
