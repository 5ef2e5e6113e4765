"""The house bots at a table: legal, repeatable, blind to hidden cards, of different strength."""

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import permutations
from random import Random

import pytest

from hearts_bots.arena import apply, ask, open_table, play_deal, shuffled
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import ChoosePass, Command, Deal, PlayCard
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import State
from hearts_engine.testing import random_choice
from hearts_engine.view import SeatView, observe

RULES = Rules()

TABLES = ("black_lady", "black_lady pass_count=1", "black_lady pass_count=4 finish=early")


def random_states(text: str, deals: int, seed: str) -> Iterator[State]:
    """Every state in which a seat is asked for something, in deals of random choices."""
    rules = parse_rules(text)
    chance = Random(seed)
    for deal in range(1, deals + 1):
        state = apply(open_table(rules, seed, deal), Deal(shuffled(rules.deck, f"{seed}{deal}")))
        while state.awaited:
            yield state
            state = apply(state, random_choice(state, chance))


def views(state: State) -> Iterator[SeatView]:
    return (observe(state, seat) for seat in state.awaited)


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("level", LEVELS)
def test_hb_030_and_hb_056_a_house_bot_never_breaks_the_rules(level: str, text: str) -> None:
    bot = house_bot(level, "demo")
    asked = 0
    for state in random_states(text, 40, f"{level} {text}"):
        for view in views(state):
            match ask(bot, view):
                case PlayCard(seat, card):
                    assert seat == view.seat
                    assert card in view.legal
                case ChoosePass(_, cards):
                    assert len(cards) == len(set(cards)) == view.rules.pass_count
                    assert all(card in view.hand for card in cards)
                case other:
                    pytest.fail(f"a bot does not {other}")
            asked += 1
    assert asked > 2000


@pytest.mark.parametrize("level", LEVELS)
def test_a_house_bot_cannot_be_swayed_by_cards_it_does_not_see(level: str) -> None:
    chance = Random(3)
    for state in random_states("black_lady", 12, f"hidden {level}"):
        seat = state.awaited[0]
        other = with_other_hidden_cards(state, seat, chance)
        assert observe(state, seat) == observe(other, seat)
        bot = house_bot(level, "demo")
        assert ask(bot, observe(state, seat)) == ask(bot, observe(other, seat))


def test_other_hidden_cards_are_really_other() -> None:
    chance = Random(3)
    states = list(random_states("black_lady", 1, "hidden"))
    changed = [with_other_hidden_cards(s, s.awaited[0], chance) != s for s in states]
    assert sum(changed) > len(states) // 2


def with_other_hidden_cards(state: State, seat: Seat, chance: Random) -> State:
    """A state that this seat cannot tell from the given one."""
    blank = tuple(NO_CARDS for _ in state.play.hands)
    exchange = state.exchange._replace(
        dealt=blank,
        chosen=(*blank[:seat], state.exchange.chosen[seat], *blank[seat + 1 :]),
        received=(*blank[:seat], state.exchange.received[seat], *blank[seat + 1 :]),
    )
    hands = tuple(map(CardSet.of, redealt(state, seat, chance)))
    return state._replace(exchange=exchange, play=state.play._replace(hands=hands))


def redealt(state: State, seat: Seat, chance: Random) -> list[list[Card]]:
    """Hands that fit all this seat knows: its own, what it passed, and who has shown out."""
    view = observe(state, seat)
    shown_out, passed = view.shown_out, view.passed
    hands = [list(hand) for hand in state.play.hands]
    places = [
        (other, place)
        for other, hand in enumerate(hands)
        for place, card in enumerate(hand)
        if other != seat and card not in passed
    ]
    for _ in places:
        (one, i), (two, j) = chance.choice(places), chance.choice(places)
        mine, theirs = hands[one][i], hands[two][j]
        if theirs.suit not in shown_out[one] and mine.suit not in shown_out[two]:
            hands[one][i], hands[two][j] = theirs, mine
    return hands


def commands_of_a_deal(seed: str) -> list[Command]:
    """A deal in which every choice is made by a bot that has just come."""
    state = apply(open_table(RULES, seed), Deal(shuffled(RULES.deck, seed)))
    made: list[Command] = []
    while state.awaited:
        seat = state.awaited[0]
        bot = house_bot(LEVELS[seat % len(LEVELS)], seed)
        made.append(ask(bot, observe(state, seat)))
        state = apply(state, made[-1])
    return made


def test_a_bot_that_takes_over_in_the_middle_goes_on_as_the_first_would_have() -> None:
    bots = [house_bot(LEVELS[seat % len(LEVELS)], "resume") for seat in range(4)]
    state = apply(open_table(RULES, "resume"), Deal(shuffled(RULES.deck, "resume")))
    for command in commands_of_a_deal("resume"):
        seat = state.awaited[0]
        assert ask(bots[seat], observe(state, seat)) == command
        state = apply(state, command)


TELL = """
from hearts_bots.arena import apply, ask, open_table, shuffled
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.commands import Deal
from hearts_engine.rules import Rules
from hearts_engine.view import observe

rules = Rules()
state = apply(open_table(rules, "other"), Deal(shuffled(rules.deck, "other")))
while state.awaited:
    seat = state.awaited[0]
    command = ask(house_bot(LEVELS[seat % len(LEVELS)], "other"), observe(state, seat))
    print(command)
    state = apply(state, command)
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_another_process_with_other_hashes_chooses_the_same(hash_seed: str) -> None:
    environment = os.environ | {
        "PYTHONHASHSEED": hash_seed,
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    told = subprocess.run(
        [sys.executable, "-c", TELL], env=environment, capture_output=True, text=True, check=True
    )
    assert told.stdout.splitlines() == [str(command) for command in commands_of_a_deal("other")]


def test_different_seeds_make_an_easy_bot_play_differently() -> None:
    def cards(seed: str) -> list[Card]:
        bot = house_bot("easy", seed)
        states = random_states("black_lady", 3, "same")
        commands = [ask(bot, view) for state in states for view in views(state)]
        return [command.card for command in commands if isinstance(command, PlayCard)]

    assert cards("one") != cards("two")
    assert cards("one") == cards("one")


def test_medium_takes_clearly_fewer_points_than_easy() -> None:
    points = {"easy": 0, "medium": 0}
    seatings = sorted(set(permutations(("easy", "easy", "medium", "medium"))))
    deals = 30
    for deal in range(1, deals + 1):
        for seating in seatings:
            bots = [house_bot(level, f"seat {seat}") for seat, level in enumerate(seating)]
            deck = shuffled(RULES.deck, f"strength {deal}")
            scored = play_deal(open_table(RULES, "strength", deal), bots, deck)
            for level, score in zip(seating, scored.scores, strict=True):
                points[level] += score
    assert (points["easy"] - points["medium"]) / (2 * deals * len(seatings)) > 2


def test_an_unknown_level_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="easy, medium"):
        house_bot("grandmaster", "demo")
