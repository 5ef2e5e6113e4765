"""The arithmetic of a deal's result, told as the table reckons it."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from hearts_client.announce import announce
from hearts_client.cardnames import CardStyle
from hearts_client.dealscore import (
    bonus_sentences,
    kitty_sentence,
    moon_sentence,
    result_sentences,
)
from hearts_client.seatnames import SeatNames
from hearts_client.steps import steps
from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ShowDeal
from hearts_engine.events import DealScored
from hearts_engine.evolve import evolve
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.testing import SECRET, Recording, deal_at_random, seated, unscored
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import SeatView, observe, visible

LETTERS = CardStyle.LETTERS


def scored_deal(rules: Rules, *taken: str, totals: tuple[int, ...] = (0, 0, 0, 0)) -> SeatView:
    """The view of seat 0 once the seats took these cards, each list a trick."""
    state = unscored(rules, 1, totals, [CardSet.parse(cards) for cards in taken])
    game = Recording(state, [])
    game.do(ShowDeal(SECRET))
    return observe(game.state, Seat(0))


SHOT = "seat 1 took all 26 points and shot the moon"
ALL = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH QS"


def told(view: SeatView) -> tuple[str, ...]:
    return result_sentences(view, view.scored[-1], SeatNames.of(view), LETTERS)


@pytest.mark.parametrize(
    ("rules", "taken", "sentences"),
    [
        (
            "omnibus",
            ("2H JD", "3H", ALL[6:], ""),
            ("seat 0: 1 - 10 (JD) = -9",),
        ),
        (
            "omnibus bonus_floor=true no_tricks_bonus=5",
            ("2H JD", "3H", ALL[6:], "4C"),
            ("seat 0: 1 - 10 (JD) = 0, no bonus below 0",),
        ),
        (
            "black_lady moon=subtract",
            ("", ALL, "", "4C"),
            (f"{SHOT}: -26 for seat 1, 0 for every other seat",),
        ),
        (
            "omnibus moon=add",
            ("JD", ALL, "", ""),
            (
                f"{SHOT}: 0 for seat 1, 26 for every other seat",
                "seat 0: 26 - 10 (JD) = 16",
            ),
        ),
    ],
)
def test_moon_and_bonuses_are_told_with_their_arithmetic(
    rules: str, taken: tuple[str, ...], sentences: tuple[str, ...]
) -> None:
    view = replace(scored_deal(parse_rules(rules), *taken), seat=None)
    assert told(view) == sentences


def test_an_exact_landing_is_part_of_the_sum() -> None:
    rules = parse_rules("black_lady exact=exact_minus_50")
    view = scored_deal(rules, "2H", "3H", ALL[6:], "4C", totals=(99, 0, 0, 0))
    assert told(view) == ("You: 1 - 50 (exactly 100) = -49",)


_SUM = re.compile(r"^(?P<who>.+): (?P<base>-?\d+)(?P<off>( - \d+ \([^)]*\))*) = (?P<score>-?\d+)")


@pytest.mark.parametrize("seed", range(120))
def test_every_sum_that_is_told_comes_to_the_score_of_its_seat(seed: int) -> None:
    chance = random.Random(seed)
    rules = random_rules(chance)
    game = seated(rules)
    deal_at_random(game, chance)
    view = observe(game.state, None)
    (scored,) = view.scored
    names = SeatNames.of(view)
    sums: dict[str, str] = {}
    for sentence in bonus_sentences(view, scored, names, LETTERS):
        found = _SUM.match(sentence)
        assert found is not None, sentence
        off = sum(map(int, re.findall(r" - (\d+) \(", found["off"])))
        exact = int(found["base"]) - off == int(found["score"])
        assert exact or rules.bonus_floor
        sums[found["who"]] = found["score"]
    for seat in range(rules.players):
        said = sums.get(names.name(Seat(seat)))
        if said is not None:
            assert int(said) == scored.scores[seat]
        elif scored.moon is None:
            assert scored.scores[seat] == scored.points[seat]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_happens_is_told_in_sentences_to_every_seat_and_in_every_style(seed: int) -> None:
    chance = random.Random(1000 + seed)
    rules = random_rules(chance)
    game = seated(rules)
    for _ in range(2):
        if game.state.game.ended is None:
            deal_at_random(game, chance)
    seat = chance.choice([None, *map(Seat, range(rules.players))])
    start = observe(evolve(None, game.events[0]), seat)
    for style in CardStyle:
        notices = announce(steps(start, visible(game.events[1:], seat)), style)
        assert all(notice.word.strip() and notice.sentence.strip() for notice in notices)
        assert len([n for n in notices if n.word == "TOTALS"]) == len(
            [e for e in game.events if isinstance(e, DealScored)]
        )


def test_a_kitty_is_told_to_its_taker_at_once_and_to_all_in_the_end() -> None:
    game = seated(parse_rules("cancellation"))
    deal_at_random(game, random.Random(2))
    view = observe(game.state, None)
    names = SeatNames.of(view)
    assert view.kitty_seat is not None
    worth = {0: "no points", 1: "1 point"}.get(
        view.rules.value_of(view.kitty), f"{view.rules.value_of(view.kitty)} points"
    )
    taker = names.name(view.kitty_seat)
    told = kitty_sentence(view, names, LETTERS)
    assert told == f"{taker} took the kitty: {view.kitty}, {worth}"
    unknown = replace(view, kitty=CardSet())
    assert kitty_sentence(unknown, names, LETTERS) == f"{taker} took the kitty, 2 cards"
    untaken = replace(unknown, kitty_seat=None)
    assert kitty_sentence(untaken, names, LETTERS) == "the kitty, 2 cards, is not taken yet"
    assert kitty_sentence(replace(view, deal=0), names, LETTERS) == ""


def test_a_sun_is_told_as_one() -> None:
    rules = parse_rules("black_lady sun=double")
    rest = " ".join(str(card) for card in rules.deck if str(card) not in ALL.split())
    view = replace(scored_deal(rules, f"{ALL} {rest}"), seat=None)
    sentence = moon_sentence(view, view.scored[-1], SeatNames.of(view))
    assert sentence == (
        "seat 0 took all 26 points and every trick: 0 for seat 0, 52 for every other seat"
    )
