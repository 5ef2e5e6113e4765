"""Plain mode at tables of other rules: what is told, asked and taken."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.ending import Ending
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.plain.commands import Question
from hearts_client.plain.replies import Standing, reply_lines
from hearts_client.screen.boards import deal_lines, last_trick_lines
from hearts_client.screen.frames import Board, Frame
from hearts_client.seatnames import SeatNames
from hearts_client.testing import LocalSession
from hearts_client.tiebreak import tied_seats
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.commands import ChooseMoon, ChoosePass, Command, PlayCard
from hearts_engine.dealing import KEPT_SPADES
from hearts_engine.events import DealScored, TrickCancelled
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.testing import random_choice
from hearts_engine.testing_rules import random_rules


def lowest(state: State) -> Command:
    if state.phase is Phase.PASSING:
        seat = state.awaited[0]
        return ChoosePass(seat, state.play.hands[seat].cards[: state.game.rules.pass_count])
    assert state.turn is not None
    return PlayCard(state.turn, state.play.legal.lowest())


def typed(command: Command) -> str:
    """The line that says this."""
    match command:
        case ChoosePass(_, cards):
            return f"pass {' '.join(map(str, cards))}"
        case PlayCard(_, card):
            return str(card)
        case ChooseMoon(_, choice):
            return str(choice)
        case _:
            raise AssertionError(command)


def told(
    session: LocalSession,
    choose: Callable[[State], Command],
    until: Callable[[list[str]], bool],
    *asked: str,
) -> list[str]:
    """All lines of a game played like this, these asked first, until something was told."""
    lines, questions = list[str](), list(asked)

    async def read_line() -> str | None:
        await asyncio.sleep(0)
        if questions:
            return questions.pop(0)
        if until(lines):
            return "quit"
        return typed(choose(session.state)) if session.view.asked else ""

    async def main() -> Ending:
        news = session.news()
        session.start(choose)
        return await play_plain(
            session,
            news=news,
            read_line=read_line,
            write=lines.append,
            options=PlainOptions(type_ahead=True),
        )

    asyncio.run(main())
    return lines


def table(rules: str, seed: int = 7) -> LocalSession:
    return LocalSession(parse_rules(rules), random.Random(seed))


def has(word: str) -> Callable[[list[str]], bool]:
    return lambda lines: any(line.startswith(word) for line in lines)


def first(lines: list[str], word: str) -> str:
    return next(line for line in lines if line.startswith(word))


def test_a_cancelled_trick_is_told_with_what_is_carried_and_who_gets_it() -> None:
    session = table("cancellation", 2)
    lines = told(session, lowest, has("CANCELLED"))
    assert (
        first(lines, "CANCELLED") == "CANCELLED the trick is cancelled, 6 cards carried, no points"
    )
    assert any(isinstance(event, TrickCancelled) for event in session.events)
    session = table("cancellation", 2)
    lines = told(session, lowest, has("TOTALS"))
    at = next(at for at, line in enumerate(lines) if line.startswith("CANCELLED"))
    assert "and the carried cards" in first(lines[at:], "TAKEN")


def test_what_is_carried_can_be_asked_for() -> None:
    session = table("cancellation", 2)
    session.start(lowest)
    while not any(isinstance(event, TrickCancelled) for event in session.events):
        session.answer(lowest(session.state))
    lines = list(reply_lines(Question.LAST, Standing(session.view, None, CardStyle.LETTERS)))
    assert first(lines, "LAST").endswith(", cancelled, its cards go to the next taker")
    assert lines[-1] == "CARRIED 6 cards carried, no points"


def test_two_equal_cards_are_passed_by_naming_the_card_twice() -> None:
    seed, hand = first_hand("cancellation pass_cycle=left", lambda hand: bool(twins_of(hand)))
    twin = twins_of(hand)[0]
    session = table("cancellation pass_cycle=left", seed)
    third = next(card for card in hand if card != twin)
    lines = told(session, lowest, has("PASSED"), f"pass {twin} {third} {twin}")
    assert sorted(first(lines, "CHOSEN").split()[1:]) == sorted(map(str, (twin, twin, third)))


def twins_of(hand: CardSet) -> list[Card]:
    return [card for card in hand if hand.cards.count(card) == 2]


def first_hand(rules: str, fits: Callable[[CardSet], bool]) -> tuple[int, CardSet]:
    """The first seed that deals a hand like that, and the hand."""
    for seed in range(40):
        session = table(rules, seed)
        session.start()
        if fits(session.view.hand):
            return seed, session.view.hand
    raise AssertionError("no hand is like that")


def test_a_scattered_pass_goes_in_the_order_in_which_it_was_typed() -> None:
    session = table("omnibus pass_cycle=scatter")
    session.start()
    a, b, c = session.view.hand.cards[4:7]
    session = table("omnibus pass_cycle=scatter")
    lines = told(session, lowest, has("PASSED"), f"pass {c} {a} {b}", "passed")
    assert first(lines, "YOUR PASS") == "YOUR PASS pass 3 cards, 1st to Ann, 2nd to Ben, 3rd to Cy"
    assert first(lines, "CHOSEN") == f"CHOSEN {c} to Ann, {a} to Ben, {b} to Cy"
    assert f"PASSED {c} to Ann" in lines
    assert f"PASSED {a} to Ben" in lines
    assert f"PASSED {b} to Cy" in lines
    assert session.answers[0] == ChoosePass(session.seat, (c, a, b))


def test_top_spades_that_stay_are_told_before_one_tries() -> None:
    rules = "black_lady keep_top_spades=true"
    seed, hand = first_hand(rules, lambda hand: KEPT_SPADES.cards[0] in hand)
    kept, free = KEPT_SPADES.cards[0], hand.without(KEPT_SPADES).cards
    lines = told(table(rules, seed), lowest, has("REFUSED"), f"pass {kept} {free[0]} {free[1]}")
    assert first(lines, "KEPT").startswith(f"KEPT {kept}")
    assert first(lines, "REFUSED").startswith("REFUSED TOP_SPADES_KEPT ace, king and queen")


def test_a_kitty_is_told_to_its_taker_alone_until_the_deal_is_over() -> None:
    session = table("cancellation", 0)

    def highest(state: State) -> Command:
        if state.turn == session.seat:
            return PlayCard(session.seat, state.play.legal.highest())
        return lowest(state)

    lines = told(session, highest, has("TOTALS"))
    (kitty,) = [line for line in lines if line.startswith("KITTY")]
    assert kitty == "KITTY You took the kitty: 8H QH, 2 points"
    session = table("cancellation", 2)
    lines = told(session, lowest, has("TOTALS"))
    assert [line for line in lines if line.startswith("KITTY")] == [
        "KITTY Ben took the kitty, 2 cards",
        f"KITTY Ben took the kitty: {session.view.kitty or '9C KC'}, no points",
    ]


def test_a_deal_that_ends_early_says_why() -> None:
    rules = "black_lady finish=early pass_cycle=hold moon=none"
    chance = random.Random(1)
    lines = next(
        lines
        for seed in range(60)
        if has("CUT")(lines := told(table(rules, seed), at_random(chance), has("TOTALS")))
    )
    assert "CUT no remaining card can change a score, the deal ends here" in lines


def at_random(chance: random.Random) -> Callable[[State], Command]:
    return lambda state: random_choice(state, chance)


def test_a_bonus_is_told_where_it_is_taken_and_where_it_is_counted() -> None:
    session = table("omnibus pass_cycle=hold", 3)
    lines = told(session, lowest, has("TOTALS"))
    assert any(line.startswith("TAKEN") and line.endswith(", and 10 off") for line in lines)
    assert "- 10 (JD) =" in first(lines, "BONUS")
    assert first(lines, "SCORED").startswith("SCORED deal 1: You ")


def test_the_rules_are_said_at_the_start_and_on_request() -> None:
    lines = told(table("omnibus target=50"), lowest, has("RULE "), "rules")
    assert lines[1] == "RULES Omnibus, JD -10, to 50"
    assert "RULE JD takes 10 points off the score of whoever takes it." in lines


@pytest.mark.parametrize("seed", range(15))
def test_games_of_any_rules_are_played_to_their_end_by_lines(seed: int) -> None:
    chance = random.Random(seed)
    session = LocalSession(random_rules(chance), random.Random(seed))

    def over(lines: list[str]) -> bool:
        return sum(line.startswith("TOTALS") for line in lines) > 1

    lines = told(session, lambda state: random_choice(state, chance), over)
    assert has("TOTALS")(lines)
    assert not any(line.startswith(("UNKNOWN", "REFUSED")) for line in lines)


def test_a_pair_that_cancels_is_told_as_its_second_card_is_played() -> None:
    lines = told(table("cancellation", 2), lowest, has("CANCELLED"))
    second = lines.index("PAIR KS and KS cancel each other") - 1
    assert lines[second] == "CARD Fay plays KS"
    others = told(table("cancellation twins=first_wins", 2), lowest, has("TOTALS"))
    assert not has("PAIR")(others)


def test_the_last_trick_marks_the_cards_that_cancelled_each_other() -> None:
    session = table("cancellation", 2)
    session.start(lowest)
    while not any(isinstance(event, TrickCancelled) for event in session.events):
        session.answer(lowest(session.state))
    line, *_ = reply_lines(Question.LAST, Standing(session.view, None, CardStyle.LETTERS))
    assert "Fay KS (cancelled)" in line
    assert line.count("(cancelled)") == 4
    names = SeatNames.of(session.view)
    panel = last_trick_lines(session.view, names, CardStyle.LETTERS, 80, 14)
    shown = ["".join(text for _, text in each) for each in panel]
    assert shown[0] == " Trick 11: cancelled, its cards go to the next taker, no points"
    assert sum(each.endswith("cancelled") for each in shown[1:]) == 4


@pytest.mark.parametrize("length", ["deals=1", "target=10"])
def test_a_tie_that_keeps_the_game_going_is_told_in_both_modes(length: str) -> None:
    session = table(f"black_lady {length} pass_cycle=hold", 3)
    tie = "You and Ann share the fewest: another deal"
    lines = told(session, lowest, has("DEAL 2"))
    totals = lines.index("TOTALS You 0, Ann 0, Ben 18, Cy 8")
    assert lines[totals + 1] == f"TIE {tie}"
    frame = Frame(session.view, board=Board.DEAL, scored=session.view.scored[0])
    for columns in (80, 40):
        board = deal_lines(frame, SeatNames.of(session.view), CardStyle.LETTERS, columns)
        said = " ".join("".join(text for _, text in each).strip() for each in board)
        assert said.startswith(f"Deal 1 is over {tie}")


@pytest.mark.parametrize(
    ("rules", "totals"),
    [
        ("black_lady deals=2", (0, 0, 18, 8)),
        ("black_lady deals=1", (0, 1, 18, 7)),
        ("black_lady deals=1 tie=shared", (0, 0, 18, 8)),
        ("black_lady target=30", (5, 5, 20, 22)),
    ],
)
def test_no_tie_is_told_where_none_decides_whether_the_game_goes_on(
    rules: str, totals: tuple[int, ...]
) -> None:
    scored = DealScored(1, totals, None, totals, totals)
    assert tied_seats(scored, parse_rules(rules)) == ()


@pytest.mark.parametrize(
    ("rules", "hint", "helped"),
    [
        ("black_lady", "pass 2c 5d 9s to pass these cards, qs", "pass 2c 5d 9s - pass these cards"),
        ("black_lady pass_count=1", "pass 2c to pass this card, qs", "pass 2c - pass this card"),
        (
            "black_lady pass_count=4",
            "pass 2c 5d 9s jh to pass these cards, qs",
            "pass 2c 5d 9s jh - pass these cards",
        ),
        ("black_lady pass_cycle=hold", "qs", "play qs - play the queen of spades"),
    ],
)
def test_the_example_of_a_pass_has_as_many_cards_as_are_passed(
    rules: str, hint: str, helped: str
) -> None:
    session = table(rules)
    lines = told(session, lowest, has("YOUR"))
    assert first(lines, "HELP").startswith(f"HELP type {hint} to play that")
    asked_for, *_ = reply_lines(Question.HELP, Standing(session.view, None, CardStyle.LETTERS))
    assert asked_for.startswith(f"HELP {helped}")
