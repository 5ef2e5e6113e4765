"""Sentences and rows that both screens show."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_client.announce import announce, seat_sentence
from hearts_client.cardnames import CardStyle
from hearts_client.dealscore import moon_sentence
from hearts_client.passing import pass_prompt
from hearts_client.scoreboard import (
    points_sentence,
    score_rows,
    winners_sentence,
)
from hearts_client.seatnames import SeatNames
from hearts_client.steps import Step, steps
from hearts_client.testing import LocalSession
from hearts_client.turnprompt import (
    card_prompt,
    joining_sentence,
    playable,
    short_card_prompt,
    waiting_sentence,
)
from hearts_client.viewstate import turn_of
from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.events import (
    Agent,
    CardPlayed,
    DealScored,
    EntropyWithheld,
    GameEnded,
    RestClaimed,
)
from hearts_engine.evolve import replay
from hearts_engine.legality import legal_plays
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import play_at_random, position
from hearts_engine.view import SeatView, observe, visible

NAMES = SeatNames.of(LocalSession(Rules(), random.Random(1)).view)

SOMEONE = st.one_of(st.none(), st.sampled_from([Seat(seat) for seat in range(4)]))


@given(st.integers(0, 2**32), SOMEONE, st.integers(1, 40))
def test_steps_from_any_view_come_to_the_view_the_server_sends(
    seed: int, seat: Seat | None, stride: int
) -> None:
    events = play_at_random(Rules(target=20), random.Random(seed)).events
    for start in range(1, len(events) - stride, 29):
        before, after = replay(events[:start]), replay(events[: start + stride])
        assert before is not None
        assert after is not None
        seen = visible(events[start : start + stride], seat)
        views = [step.after for step in steps(observe(before, seat), seen)]
        assert not views or views[-1] == observe(after, seat)


def test_a_moon_is_explained_with_its_arithmetic() -> None:
    scored = DealScored(3, (0, 26, 0, 0), Seat(1), (26, 0, 26, 26), (30, 9, 40, 51))
    view = LocalSession(Rules(), random.Random(1)).view
    assert moon_sentence(view, scored, NAMES) == (
        "Ann took all 26 points and shot the moon: 0 for Ann, 26 for every other seat"
    )
    assert moon_sentence(view, replace(scored, moon=None), NAMES) == ""


def test_the_score_has_a_row_for_each_deal_and_the_totals() -> None:
    view = LocalSession(Rules(), random.Random(1)).view
    moon = DealScored(1, (0, 26, 0, 0), Seat(1), (26, 0, 26, 26), (26, 0, 26, 26))
    plain = DealScored(2, (1, 12, 13, 0), None, (1, 12, 13, 0), (27, 12, 39, 26))
    rows = score_rows(replace(view, scored=(moon, plain), totals=plain.totals), NAMES)
    assert [(row.label, row.numbers, row.note) for row in rows] == [
        ("deal 1", (26, 0, 26, 26), "moon: Ann"),
        ("deal 2", (1, 12, 13, 0), ""),
        ("total", (27, 12, 39, 26), ""),
    ]


def test_winners_are_named_with_their_points() -> None:
    assert winners_sentence(GameEnded((9, 100, 30, 40), (1, 4, 2, 3)), NAMES) == (
        "You win with 9 points"
    )
    assert winners_sentence(GameEnded((90, 1, 30, 104), (3, 1, 2, 4)), NAMES) == (
        "Ann wins with 1 point"
    )
    assert winners_sentence(GameEnded((9, 9, 30, 100), (1, 1, 3, 4)), NAMES) == (
        "You and Ann win with 9 points"
    )


def test_points_are_listed_clockwise_from_ones_own_seat() -> None:
    session = LocalSession(Rules(), random.Random(1))
    names = SeatNames.of(replace(session.view, seat=Seat(3)))
    assert points_sentence((1, 2, 3, 4), names) == "You 4, Dot 1, Ann 2, Ben 3"


def playing(
    hand: str,
    led: str = "",
    rules: str = "black_lady",
    *,
    broken: bool = False,
    first: bool = False,
) -> SeatView:
    """Seat 1 to play, after seat 0 if something was led."""
    mine, played_by = CardSet.parse(hand), parse_rules(rules)
    rest = [card for card in Rules().deck if card not in mine and str(card) != led]
    size = len(mine)
    others = [CardSet.of(rest[at * size : (at + 1) * size]) for at in range(3)]
    if led:
        others[0] = CardSet.of([Card.parse(led), *rest[: size - 1]])
    leader = Seat(0) if led else Seat(1)
    hands = (others[0], mine, others[1], others[2])
    played = [Card.parse(led)] if led else []
    state = position(played_by, hands, leader, hearts_broken=broken, played=played)
    view = observe(state, Seat(1))
    if not first:
        return view
    view = replace(view, tricks=())
    return replace(view, legal=legal_plays(turn_of(view), played_by.restrictions))


@pytest.mark.parametrize(
    ("view", "prompt"),
    [
        (playing("2D 9D AH", "KD"), "follow diamonds: 2D 9D"),
        (playing("2D 9D AH", "KS"), "no spades, discard: 2D 9D AH"),
        (playing("9D AH"), "your lead, hearts are closed: 9D"),
        (playing("9D AH", broken=True), "your lead: 9D AH"),
        (playing("9D", broken=True), "your lead: 9D"),
        (playing("2C 9D AH", first=True), "lead the 2C"),
        (
            playing("2C 9C AH", rules="black_lady opening=any_club", first=True),
            "your lead, a club: 2C 9C",
        ),
        (
            playing("2C QS AH", rules="black_lady opening=eldest", first=True),
            "your lead, no points on the first trick: 2C",
        ),
        (
            playing("2C QS AH", rules="pagat opening=eldest must_break=false", first=True),
            "your lead: 2C QS AH",
        ),
        (
            playing("2S QS AH", "KS", "black_lady opening=eldest", first=True),
            "follow spades, no points on the first trick: 2S",
        ),
        (
            playing("3D QS AH", "KC", "black_lady opening=eldest", first=True),
            "no clubs, no points on the first trick: 3D",
        ),
        (
            playing("QS 2H AH", "KC", "black_lady opening=eldest first_forced=queen", first=True),
            "no clubs, the queen goes to the first trick: QS",
        ),
        (
            playing("3D QS AH", "KC", "black_lady queen_dump=first_chance"),
            "no clubs, the queen goes at the first chance: QS",
        ),
        (
            playing("2S QS AH", "KS", "black_lady queen_dump=first_chance"),
            "follow spades, the queen goes at the first chance: QS",
        ),
        (playing("QS AH"), "your lead, hearts are closed: QS"),
        (playing("QS AH", rules="black_lady queen_only_lead=free"), "your lead: QS AH"),
    ],
)
def test_the_prompt_names_the_rule_that_binds_and_the_cards_it_leaves(
    view: SeatView, prompt: str
) -> None:
    assert card_prompt(view, CardStyle.LETTERS) == prompt


@pytest.mark.parametrize(
    ("view", "prompt"),
    [
        (playing("2D 9D AH", "KD"), "follow diamonds: 2D 9D"),
        (playing("2D 9D AH", "KS"), "no spades, discard: any card"),
        (playing("9D AH", broken=True), "your lead: any card"),
        (playing("9D", broken=True), "your lead: 9D"),
    ],
)
def test_the_short_prompt_does_not_repeat_a_whole_hand(view: SeatView, prompt: str) -> None:
    assert short_card_prompt(view, CardStyle.LETTERS) == prompt


def test_free_seats_come_with_the_way_to_fill_them() -> None:
    view = LocalSession(Rules(), random.Random(1)).view
    seating = replace(view, phase=Phase.SEATING)
    assert joining_sentence(seating) == ""
    free = replace(seating, seats=(*seating.seats[:3], None))
    assert joining_sentence(free) == (
        "to join: hearts join HOST:PORT oak-1; add --fill medium for house bots too"
    )


def test_a_free_seat_is_called_empty_once() -> None:
    view = LocalSession(Rules(), random.Random(1)).view
    names = SeatNames.of(replace(view, seats=(view.seats[0], None, view.seats[2], None)))
    assert [seat_sentence(seat, names) for seat in names.clockwise()] == [
        "South You, person",
        "West empty",
        "North Ben, easy bot",
        "East empty",
    ]


def test_the_pass_prompt_says_how_many_and_to_whom() -> None:
    session = LocalSession(Rules(), random.Random(1))
    session.start()
    assert pass_prompt(session.view, NAMES) == "pass 3 cards left to Ann"


def test_those_who_are_late_with_their_pass_are_named_oneself_apart() -> None:
    session = LocalSession(Rules(), random.Random(1))
    session.start()
    view = replace(session.view, ready=(False, True, False, False))
    assert waiting_sentence(view, NAMES) == "waiting for the pass of Ben and Cy"
    assert waiting_sentence(replace(view, ready=(False, True, True, True)), NAMES) == ""


def test_legal_cards_are_known_before_ones_turn_once_a_suit_is_led() -> None:
    view = replace(playing("2D 9D AH", "KD"), legal=NO_CARDS)
    assert playable(view) == CardSet.parse("2D 9D")


def test_nothing_is_called_illegal_before_somebody_else_has_led() -> None:
    view = playing("2D 9D AH", "KD")
    assert playable(replace(view, legal=NO_CARDS, trick=view.trick._replace(cards=()))) is None


@pytest.mark.parametrize(
    ("by", "sentence"),
    [
        (Agent.SEAT, "seat 1 plays 9D"),
        (Agent.CLOCK, "seat 1 plays 9D, the clock chose"),
        (Agent.AUTOPILOT, "seat 1 plays 9D, the autopilot chose"),
    ],
)
def test_a_card_that_its_seat_did_not_choose_says_so(by: Agent, sentence: str) -> None:
    view = replace(playing("2D 9D AH", "KD"), seat=None)
    told = steps(view, [CardPlayed(Seat(1), Card.parse("9D"), by)])
    assert [str(n) for n in announce(told, CardStyle.LETTERS)] == [f"CARD {sentence}"]


def test_the_heart_that_breaks_hearts_is_told() -> None:
    told = steps(playing("2D 9D AH", "KS"), [CardPlayed(Seat(1), Card.parse("AH"))])
    words = [notice.word for notice in announce(told, CardStyle.LETTERS)]
    assert words == ["CARD", "HEARTS"]


def test_withheld_entropy_is_told_to_everyone() -> None:
    view = LocalSession(Rules(), random.Random(1)).view
    (notice,) = announce([Step(view, EntropyWithheld(Seat(2)), view)], CardStyle.LETTERS)
    assert notice.word == "FAIRNESS"
    assert "Ben withheld" in notice.sentence


def test_a_claim_is_told_with_the_seat_that_made_it() -> None:
    view = playing("AS", broken=True)
    (notice,) = announce(steps(view, [RestClaimed(Seat(1), 4)]), CardStyle.LETTERS)
    assert str(notice) == "CLAIM You claim every remaining trick, proved, 4 points"
