"""The house bots at a table: legal, repeatable, blind to hidden cards, of different strength."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import permutations
from random import Random

import pytest

from hearts_bots.arena import apply, ask, next_command, open_table, play_deal, shuffled
from hearts_bots.backed import Backed
from hearts_bots.bot import Bot
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.cards import Card, Seat
from hearts_engine.cardset import NO_CARDS, CardSet
from hearts_engine.commands import ChooseMoon, Command, Deal, PlayCard
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import format_rules, parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import random_choice
from hearts_engine.testing_rules import random_rules
from hearts_engine.value import replace
from hearts_engine.view import SeatView, observe

RULES = Rules()

TIMES = int(os.environ.get("HEARTS_BOT_TIMES", "1"))
"""How many times as many deals as usual are tried; a hundred take some minutes."""

NO_HEARTS = "removed=" + ",".join(f"{rank}H" for rank in "23456789TJQKA")

MOONS = f"black_lady players=3 {NO_HEARTS} moon=choose"
"""Q♠ is the only penalty card, so every deal ends in a moon."""

TABLES = (
    *PRESETS,
    "black_lady pass_count=1",
    "black_lady pass_count=4 finish=early",
    "five keep_top_spades=true pass_count=4 pass_cycle=scatter,shuffle",
    "cancellation players=10 kitty=last_trick pass_cycle=left",
    "omnibus decks=2 players=8 pass_cycle=shuffle opening=any_club queen_dump=first_chance",
    "spot players=7 kitty=first_penalty no_tricks_bonus=5 first_forced=queen",
    MOONS,
)


def random_states(rules: Rules, deals: int, seed: str) -> Iterator[State]:
    """Every state in which a seat is asked for something, in deals of random choices."""
    chance = Random(seed)
    for deal in range(1, deals + 1):
        state = apply(open_table(rules, seed, deal), Deal(shuffled(rules.deck, f"{seed}{deal}")))
        while state.phase is not Phase.SHOWING:
            if state.awaited:
                yield state
            state = apply(state, random_choice(state, chance))


def views(state: State) -> Iterator[SeatView]:
    return (observe(state, seat) for seat in state.awaited)


def held_to_the_rules(level: str, states: Iterator[State]) -> int:
    """How many choices of this bot the engine has taken, none refused."""

    def fails(error: Exception) -> None:
        raise error

    asked = 0
    bot = Backed(house_bot(level, "demo"), fails)
    for state in states:
        for view in views(state):
            apply(state, ask(bot, view))
            asked += 1
    return asked


@pytest.mark.parametrize("text", TABLES)
@pytest.mark.parametrize("level", LEVELS)
def test_hb_030_and_hb_056_a_house_bot_never_breaks_the_rules(level: str, text: str) -> None:
    states = random_states(parse_rules(text), 8 * TIMES, f"{level} {text}")
    assert held_to_the_rules(level, states) > 300


@pytest.mark.parametrize("level", LEVELS)
def test_a_house_bot_breaks_no_rule_whatever_the_rules_are(level: str) -> None:
    chance = Random(level)
    for number in range(60 * TIMES):
        rules = random_rules(chance)
        try:
            held_to_the_rules(level, random_states(rules, 1, f"{level} {number}"))
        except Exception as error:
            error.add_note(format_rules(rules))
            raise


SEEN_AT = ("black_lady", "cancellation players=7", "omnibus pass_cycle=shuffle", "black_maria")


@pytest.mark.parametrize("text", SEEN_AT)
@pytest.mark.parametrize("level", LEVELS)
def test_a_house_bot_cannot_be_swayed_by_cards_it_does_not_see(level: str, text: str) -> None:
    chance = Random(3)
    for state in random_states(parse_rules(text), 4, f"hidden {level}"):
        seat = state.awaited[0]
        other = with_other_hidden_cards(state, seat, chance)
        assert observe(state, seat) == observe(other, seat)
        bot = house_bot(level, "demo")
        assert ask(bot, observe(state, seat)) == ask(bot, observe(other, seat))


@pytest.mark.parametrize("text", SEEN_AT)
def test_other_hidden_cards_are_really_other(text: str) -> None:
    chance = Random(3)
    states = list(random_states(parse_rules(text), 1, "hidden"))
    changed = [
        with_other_hidden_cards(state, state.awaited[0], chance).play.hands != state.play.hands
        for state in states
    ]
    assert sum(changed) > len(states) // 2


def with_other_hidden_cards(state: State, seat: Seat, chance: Random) -> State:
    """A state that this seat cannot tell from the given one."""
    blank = tuple(NO_CARDS for _ in state.play.hands)
    chosen = tuple(cards if s == seat else () for s, cards in enumerate(state.exchange.chosen))
    exchange = replace(
        state.exchange,
        dealt=blank,
        kitty=NO_CARDS,
        chosen=chosen,
        received=(*blank[:seat], state.exchange.received[seat], *blank[seat + 1 :]),
    )
    hands = tuple(map(CardSet.of, redealt(state, seat, chance)))
    return replace(state, exchange=exchange, play=replace(state.play, hands=hands))


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


def commands_of_a_deal(rules: Rules, seed: str) -> list[Command]:
    """A deal in which every choice is made by a bot that has just come."""
    state = apply(open_table(rules, seed), Deal(shuffled(rules.deck, seed)))
    made: list[Command] = []
    while state.phase is not Phase.SHOWING:
        made.append(next_command(state, sitting(rules, seed)))
        state = apply(state, made[-1])
    return made


def sitting(rules: Rules, seed: str) -> Sequence[Bot]:
    """Bots of all levels by turns, one a seat."""
    return [house_bot(LEVELS[seat % len(LEVELS)], seed) for seat in range(rules.players)]


TAKEN_OVER_AT = ("black_lady", "cancellation players=8", "five pass_cycle=shuffle", MOONS)


@pytest.mark.parametrize("text", TAKEN_OVER_AT)
def test_a_bot_that_takes_over_in_the_middle_goes_on_as_the_first_would_have(text: str) -> None:
    rules = parse_rules(text)
    bots = sitting(rules, "resume")
    state = apply(open_table(rules, "resume"), Deal(shuffled(rules.deck, "resume")))
    for command in commands_of_a_deal(rules, "resume"):
        assert next_command(state, bots) == command
        state = apply(state, command)


TELL = """
import sys
from hearts_bots.arena import apply, next_command, open_table, shuffled
from hearts_bots.house import LEVELS, house_bot
from hearts_engine.commands import Deal
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase

for text in sys.argv[1:]:
    rules = parse_rules(text)
    bots = [house_bot(LEVELS[seat % len(LEVELS)], "other") for seat in range(rules.players)]
    state = apply(open_table(rules, "other"), Deal(shuffled(rules.deck, "other")))
    while state.phase is not Phase.SHOWING:
        command = next_command(state, bots)
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
        [sys.executable, "-c", TELL, *TAKEN_OVER_AT],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    here = [
        str(command)
        for text in TAKEN_OVER_AT
        for command in commands_of_a_deal(parse_rules(text), "other")
    ]
    assert told.stdout.splitlines() == here


def test_different_seeds_make_an_easy_bot_play_differently() -> None:
    def cards(seed: str) -> list[Card]:
        bot = house_bot("easy", seed)
        states = random_states(RULES, 3, "same")
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


OTHER_RULES = [name for name, rules in PRESETS.items() if rules != RULES]


@pytest.mark.parametrize("text", OTHER_RULES)
def test_medium_takes_fewer_points_than_easy_by_any_preset(text: str) -> None:
    rules = parse_rules(text)
    points: dict[str, list[int]] = {level: [] for level in LEVELS}
    for deal in range(1, 21):
        deck = shuffled(rules.deck, f"strength {deal}")
        for odd in range(2):
            seated = [LEVELS[(seat + odd) % 2] for seat in range(rules.players)]
            bots = [house_bot(level, f"seat {seat}") for seat, level in enumerate(seated)]
            scored = play_deal(open_table(rules, "strength", deal), bots, deck)
            for level, score in zip(seated, scored.scores, strict=True):
                points[level].append(score)
    assert sum(points["medium"]) < 0.9 * sum(points["easy"])


def test_the_shooter_of_a_moon_is_asked_how_it_is_scored() -> None:
    commands = commands_of_a_deal(parse_rules(MOONS), "moon")
    assert isinstance(commands[-1], ChooseMoon)


def test_an_unknown_level_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="easy, medium"):
        house_bot("grandmaster", "demo")
