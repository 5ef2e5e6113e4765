"""How long seats had before a clock decided for them, as the times in the log say."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from hearts_engine.cards import Seat
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    Command,
    MarkAway,
    MarkBack,
    PlayCard,
    StartClocks,
    StopClocks,
    TakeOver,
)
from hearts_engine.decide import decide
from hearts_engine.events import Absence, Agent, CardPlayed, SeatKind, StopCause
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import random_pass
from hearts_replays.audit import audit
from hearts_replays.finding import Finding, Kind
from hearts_replays.moon import choice_by_itself
from hearts_replays.reader import read_log
from hearts_replays.seal import seal_of
from hearts_replays.testing import (
    BOT_SECONDS,
    KEY,
    TURN_SECONDS,
    LogBuilder,
    Plan,
    unfinished_log,
    whole_log,
)
from hearts_replays.timing import SECOND, hasty_clock

ANN, BOT = Seat(0), Seat(1)
"""A person's seat, and a house bot's."""

HOLD = Rules(pass_cycle=(Direction.HOLD,))
TURN, BOTS_TURN = TURN_SECONDS * SECOND, BOT_SECONDS * SECOND


def waiting_for(seat: Seat, *, clocks: bool = True) -> LogBuilder:
    """A game in its first deal in which it is this seat's turn."""
    log = LogBuilder(Random(1), Plan(HOLD, away=frozenset({3} if clocks else ())))
    log.open()
    log.deal()
    while log.state is None or log.state.turn != seat:
        log.choose()
    return log


def done(log: LogBuilder, command: Command, time: int) -> None:
    """Log what this command does, at this time."""
    log.time = time
    log.append(decide(log.state, command))


def card(log: LogBuilder, by: Agent = Agent.CLOCK) -> PlayCard:
    """The lowest card that the seat on turn may play."""
    assert log.state is not None
    assert log.state.turn is not None
    return PlayCard(log.state.turn, log.state.play.legal.lowest(), by)


def fault(log: LogBuilder) -> Finding | None:
    return hasty_clock(read_log(log.records).records)


def assert_has(log: LogBuilder, began: int, time: int) -> None:
    """That the clock may play for the seat on turn no sooner than so long after this moment."""
    for early in (0, 1, SECOND):
        tried = replace(log, records=[*log.records], events=[*log.events])
        done(tried, card(tried), began + time - early)
        finding = fault(tried)
        assert (finding is not None) == (early > 0)
        if finding is not None:
            assert (finding.seq, finding.kind) == (seq_of_card(tried), Kind.TIME)
            assert f"{early} microseconds before the {time // SECOND} seconds" in finding.sentence


def seq_of_card(log: LogBuilder) -> int:
    """The seq of the last card."""
    seqs = [seq for seq, e in enumerate(log.events, start=1) if isinstance(e, CardPlayed)]
    return seqs[-1]


def test_a_clock_gives_a_person_all_the_seconds_of_record_1() -> None:
    log = waiting_for(ANN)
    assert_has(log, log.time, TURN)


def test_a_clock_gives_a_bot_the_seconds_that_are_a_bots() -> None:
    log = waiting_for(BOT)
    assert_has(log, log.time, BOTS_TURN)


def test_a_seats_time_begins_with_the_record_that_makes_its_card_due_not_with_the_next() -> None:
    log = waiting_for(ANN)
    began = log.time
    done(log, MarkAway(BOT, Absence.LEFT), began + 7 * SECOND)
    assert_has(log, began, TURN)


def test_a_pass_has_twice_the_time() -> None:
    for early in (0, 1):
        log = LogBuilder(Random(1), Plan(away=frozenset({3})))
        log.open()
        log.deal()
        assert log.state is not None
        passed = ChoosePass(ANN, random_pass(log.state, ANN, Random(1)), Agent.CLOCK)
        done(log, passed, log.time + 2 * TURN - early)
        assert (fault(log) is not None) == bool(early)


@pytest.mark.parametrize(("seat", "time"), [(0, TURN), (1, BOTS_TURN), (2, BOTS_TURN)])
def test_the_choice_of_a_moon_has_the_time_of_a_card(seat: int, time: int) -> None:
    hearts = ",".join(f"{rank}H" for rank in "23456789TJQKA")
    rules = parse_rules(f"three removed={hearts} moon=choose pass_cycle=hold deals=60 tie=shared")
    log = LogBuilder(Random(3), Plan(rules, away=frozenset({9})))
    while log.state is None or log.state.phase is not Phase.MOON or log.state.awaited != (seat,):
        log.step()
    for early in (0, 1):
        tried = replace(log, records=[*log.records], events=[*log.events])
        choice = ChooseMoon(Seat(seat), choice_by_itself(log.state), Agent.CLOCK)
        done(tried, choice, log.time + time - early)
        assert (fault(tried) is not None) == bool(early)


@pytest.mark.parametrize("seat", [ANN, BOT])
def test_where_record_1_names_no_clock_none_ever_decides(seat: Seat) -> None:
    log = waiting_for(seat, clocks=False)
    done(log, card(log), log.time + 1000 * TURN)
    finding = fault(log)
    assert finding is not None
    assert (finding.seq, finding.kind) == (seq_of_card(log), Kind.TIME)
    assert "no clock runs for this seat" in finding.sentence


def test_an_owner_who_is_back_has_all_of_its_time() -> None:
    log = waiting_for(ANN)
    began = log.time
    done(log, MarkAway(ANN, Absence.LEFT), began + SECOND)
    done(log, MarkBack(ANN), began + TURN - SECOND)
    assert_has(log, began + TURN - SECOND, TURN)


@pytest.mark.parametrize(
    ("kind", "time"), [(SeatKind.PERSON, TURN), (SeatKind.BOT, BOTS_TURN)], ids=str
)
def test_whoever_takes_a_seat_over_has_all_of_its_time(kind: SeatKind, time: int) -> None:
    log = waiting_for(BOT)
    began = log.time + BOTS_TURN - SECOND
    done(log, TakeOver(BOT, "Zoe", kind), began)
    assert_has(log, began, time)


@pytest.mark.parametrize("cause", StopCause)
def test_a_persons_time_stands_still_and_begins_anew_when_it_runs_again(cause: StopCause) -> None:
    log = waiting_for(ANN)
    stopped = log.time + TURN - SECOND
    done(log, StopClocks(cause), stopped)
    if cause is not StopCause.HOST:
        tried = replace(log, records=[*log.records], events=[*log.events])
        done(tried, card(tried), stopped + 1000 * TURN)
        finding = fault(tried)
        assert finding is not None
        assert "no clock runs for this seat" in finding.sentence
    done(log, StartClocks(), stopped + SECOND)
    assert_has(log, stopped + SECOND, TURN)


@pytest.mark.parametrize("cause", [StopCause.ABSENCE, StopCause.RESTART])
def test_a_bots_time_runs_on_while_no_person_is_there(cause: StopCause) -> None:
    log = waiting_for(BOT)
    began = log.time
    done(log, StopClocks(cause), began + SECOND)
    assert_has(log, began, BOTS_TURN)
    done(log, StartClocks(), began + 2 * SECOND)
    assert_has(log, began, BOTS_TURN)


def test_after_a_pause_a_bot_has_all_of_its_time_too() -> None:
    log = waiting_for(BOT)
    began = log.time
    done(log, StopClocks(StopCause.HOST), began + SECOND)
    done(log, StartClocks(), began + 2 * SECOND)
    assert_has(log, began + 2 * SECOND, BOTS_TURN)


def test_what_seats_and_autopilot_decide_takes_no_time() -> None:
    log = waiting_for(ANN)
    done(log, card(log, Agent.SEAT), log.time)
    done(log, MarkAway(BOT, Absence.LEFT), log.time)
    done(log, card(log, Agent.AUTOPILOT), log.time)
    assert fault(log) is None


def sealed(log: LogBuilder) -> list[bytes]:
    """The records up to now with the server's seal, though the game is not over."""
    assert log.state is not None
    game_id = log.state.game.opened.game_id
    log.append([seal_of(KEY, game_id, log.chain, log.time)])
    return log.records


def test_an_audit_finds_a_hasty_clock_and_calls_it_proof_against_the_server() -> None:
    log = waiting_for(ANN)
    done(log, card(log), log.time + TURN - 1)
    report = audit(sealed(log))
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (seq_of_card(log), Kind.TIME)
    assert report.proof, "the server signed these times"


@pytest.mark.parametrize("hasty_first", [True, False])
def test_an_audit_tells_what_comes_first_a_hasty_clock_or_a_broken_rule(
    hasty_first: bool,  # noqa: FBT001  (pytest gives it by name)
) -> None:
    log = waiting_for(ANN)
    steps: list[Callable[[], None]] = [
        lambda: done(log, card(log), log.time),
        lambda: log.append([CardPlayed(Seat(3), card(log).card)]),
    ]
    for step in steps if hasty_first else reversed(steps):
        step()
    finding = audit(log.records).finding
    assert finding is not None
    assert finding.kind is (Kind.TIME if hasty_first else Kind.RULES)


def test_a_game_whose_times_are_all_squeezed_together_has_a_hasty_clock() -> None:
    log = unfinished_log(Random(1), 60, Plan(away=frozenset({0, 3})))
    records = read_log(log.records).records
    assert hasty_clock(records) is None
    finding = hasty_clock([replace(record, time=record.seq) for record in records])
    assert finding is not None
    assert getattr(records[finding.seq - 1].event, "by", None) is Agent.CLOCK


def test_games_of_these_tests_are_clean_as_long_as_nobody_hurries_them() -> None:
    for seed in range(4):
        plan = Plan(Rules(target=20), away=frozenset({0, 3}), restless=True)
        log = whole_log(Random(seed), plan)
        assert Agent.CLOCK in {getattr(event, "by", None) for event in log.events}
        assert audit(log.records).clean
