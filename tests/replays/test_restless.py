"""Logs of games in which people come and go, time stands still, and some are given up."""

from dataclasses import replace
from functools import reduce
from itertools import accumulate
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.cards import SEATS, Seat
from hearts_engine.events import (
    Absence,
    Agent,
    GameClosed,
    LogSealed,
    SeatAway,
    SeatBack,
    SeatTakenOver,
    SecretRevealed,
)
from hearts_engine.evolve import evolve
from hearts_engine.options import Exact, Tie
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing_rules import random_rules
from hearts_engine.view import follow, observe, visible
from hearts_replays.audit import audit
from hearts_replays.finding import Finding, Kind
from hearts_replays.prompts import duties_of
from hearts_replays.reader import read_log
from hearts_replays.receipts import CommandDone, CommandSent, LeaveSent, Receipt, Receipts, check
from hearts_replays.testing import LogBuilder, Plan, receipts_of, unfinished_log, whole_log
from hearts_replays.transcript import transcript
from hearts_wire.records import decode_record, encode_record

OWNERS = frozenset({0, 1})
"""The seats of people who take part in the deals."""


def restless(rules: Rules, given_up: int = 0) -> Plan:
    return Plan(
        rules,
        reveal=OWNERS,
        withhold=frozenset({2}),
        away=frozenset({rules.players - 1}),
        restless=True,
        given_up=given_up,
    )


def short(rules: Rules) -> Rules:
    """The same, over after one deal or two."""
    return replace(rules, deals=2, exact=Exact.NONE, tie=Tie.SHARED)


def tenures(log: LogBuilder, seat: Seat) -> list[int]:
    """The records with which people came to a seat; 0: it is theirs from the start."""
    taken = [
        seq
        for seq, event in enumerate(log.events, start=1)
        if isinstance(event, SeatTakenOver) and event.seat == seat
    ]
    return [0, *taken]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("given_up", [0, 90], ids=["to the end", "given up"])
def test_a_restless_game_of_any_preset_is_clean_and_every_seats_own(
    preset: str, given_up: int
) -> None:
    log = whole_log(Random(len(preset) + given_up), restless(short(PRESETS[preset]), given_up))
    report = audit(log.records)
    assert report.finding is None
    assert any(isinstance(event, GameClosed) for event in log.events) == bool(given_up)
    assert [encode_record(decode_record(data)) for data in log.records] == log.records
    for seat in SEATS[: PRESETS[preset].players]:
        for since in tenures(log, seat):
            assert check(receipts_of(log, seat, since), log.records) is None, (seat, since)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 250))
def test_a_game_of_any_rules_can_be_given_up_anywhere(seed: int, records: int) -> None:
    rules = short(random_rules(Random(seed)))
    log = whole_log(Random(seed), restless(rules, given_up=records))
    assert audit(log.records).finding is None
    for seat in SEATS[: rules.players]:
        for since in tenures(log, seat):
            assert check(receipts_of(log, seat, since), log.records) is None


@pytest.mark.parametrize(
    "text", ["black_lady", "black_lady pass_cycle=shuffle", "three moon=choose", "cancellation"]
)
def test_a_seat_can_follow_a_restless_game_from_what_it_sees_alone(text: str) -> None:
    """After every record: what a seat works out is what the table would show it."""
    log = whole_log(Random(3), restless(short(parse_rules(text)), given_up=150))
    states = accumulate(log.events[1:], evolve, initial=evolve(None, log.events[0]))
    for end, state in enumerate(states, start=1):
        for watcher in (Seat(0), Seat(1), None):
            assert follow(watcher, visible(log.events[:end], watcher)) == observe(state, watcher)


def test_a_seat_that_is_called_left_without_having_asked_for_it_is_found() -> None:
    found = 0
    for seed in range(12):
        log = whole_log(Random(seed), restless(short(parse_rules("black_lady"))))
        for seat in SEATS[:4]:
            for since in tenures(log, seat):
                receipts = receipts_of(log, seat, since)
                for leaving in (each for each in receipts.kept if isinstance(each, LeaveSent)):
                    kept = tuple(each for each in receipts.kept if each is not leaving)
                    finding = check(replace(receipts, kept=kept), log.records)
                    assert finding is not None
                    assert finding.kind is Kind.RECEIPT
                    assert "you left your seat to a bot" in finding.sentence
                    assert isinstance(log.events[finding.seq - 1], SeatAway)
                    unknown = replace(receipts, kept=kept, tells_leaving=False)
                    assert check(unknown, log.records) is None, "an older book accuses nobody"
                    found += 1
    assert found > 5


def test_whoever_asked_to_leave_in_vain_accuses_nobody_and_can_ask_again() -> None:
    for seed in range(6):
        log = whole_log(Random(seed), restless(short(parse_rules("black_lady"))))
        for seat in SEATS[:4]:
            receipts = receipts_of(log, seat)
            more = (LeaveSent(1_000), *receipts.kept, LeaveSent(1_001))
            assert check(replace(receipts, kept=more), log.records) is None
            asked = [each for each in receipts.kept if isinstance(each, LeaveSent)]
            rest = [each for each in receipts.kept if not isinstance(each, LeaveSent)]
            early = replace(receipts, kept=(*asked, *rest))
            assert check(early, log.records) is None, "asked again before the first was shown"


def test_restless_games_have_everything_in_them_that_can_happen() -> None:
    absences, agents, phases = set[Absence](), set[Agent](), set[Phase]()
    for seed in range(30):
        plan = restless(short(parse_rules("black_lady pass_cycle=shuffle")), given_up=30 + 5 * seed)
        log = whole_log(Random(seed), plan)
        absences |= {event.absence for event in log.events if isinstance(event, SeatAway)}
        agents |= {by for event in log.events if (by := getattr(event, "by", None))}
        phases.add(phase_given_up(log))
    assert absences == set(Absence)
    assert agents == set(Agent)
    assert phases >= {Phase.PASSING, Phase.PLAYING}


def phase_given_up(log: LogBuilder) -> Phase:
    """What the table waited for when its game was given up."""
    last = next(at for at, event in enumerate(log.events) if isinstance(event, GameClosed))
    state = reduce(evolve, log.events[1:last], evolve(None, log.events[0]))
    return state.phase


@pytest.mark.parametrize("phase", ["PASSING", "CENTRE", "PLAYING", "MOON", "SHOWING", "DEALING"])
def test_a_game_given_up_in_any_phase_seals_clean_with_the_secret_of_its_deal(phase: str) -> None:
    log = given_up_in(Phase[phase])
    assert isinstance(log.events[-1], LogSealed)
    assert isinstance(log.events[-2], GameClosed)
    running = phase != "DEALING"
    assert isinstance(log.events[-3], SecretRevealed) == running
    report = audit(log.records)
    assert report.clean
    assert not report.unrevealed
    assert report.recomputed


NO_HEARTS = ",".join(f"{rank}H" for rank in "23456789TJQKA")


def given_up_in(phase: Phase) -> LogBuilder:
    """A game given up after at least a deal, while it waits for this."""
    text = f"three removed={NO_HEARTS} moon=choose pass_cycle=shuffle deals=9 tie=shared"
    log = LogBuilder(Random(5), Plan(parse_rules(text)))
    while log.state is None or not log.state.exchange.deal or log.state.phase is not phase:
        log.step()
    log.plan = replace(log.plan, given_up=1)
    log.step()
    log.seal()
    return log


def test_a_game_given_up_before_its_first_deal_seals_clean() -> None:
    log = LogBuilder(Random(5), Plan(given_up=1))
    for _ in ("open", "give up", "seal"):
        log.step()
    report = audit(log.records)
    assert report.clean
    assert not report.recomputed
    assert check(receipts_of(log, Seat(0)), log.records) is None


def game_with_return(seat: Seat) -> LogBuilder:
    """A restless game in which an owner answers, is away, comes back, and answers again."""
    for seed in range(300):
        log = whole_log(Random(seed), replace(restless(short(Rules())), away=frozenset()))
        duties = duties_of(seat, read_log(log.records).records, len(log.records))
        own = [deed.seq for deed in duties.deeds if not deed.done_for]
        if SeatBack(seat) in log.events and own[0] < log.events.index(SeatBack(seat)) < own[-1]:
            return log
    raise AssertionError(f"nobody comes back to seat {seat} in these games")


def test_an_owner_who_left_and_came_back_agrees_with_the_log() -> None:
    log = game_with_return(Seat(1))
    mine = receipts_of(log, Seat(1))
    back = log.events.index(SeatBack(Seat(1))) + 1
    prompts = [receipt.prompt_seq for receipt in mine.kept if isinstance(receipt, CommandDone)]
    assert min(prompts) < back < max(prompts)
    assert check(mine, log.records) is None


def taken_over() -> tuple[LogBuilder, int]:
    """A game in which the seat of an owner with entropy was taken over, and with which record."""
    for seed in range(300):
        log = whole_log(Random(seed), replace(restless(short(Rules())), away=frozenset()))
        for since in tenures(log, Seat(1))[1:]:
            kept = receipts_of(log, Seat(1), since).kept
            before = receipts_of(log, Seat(1)).kept
            if answered(kept) and answered(before):
                return log, since
    raise AssertionError("no seat is taken over in these games")


def answered(kept: tuple[Receipt, ...]) -> bool:
    return sum(isinstance(receipt, CommandDone) for receipt in kept) > 2


def found(receipts: Receipts, log: LogBuilder) -> Finding:
    finding = check(receipts, log.records)
    assert finding is not None
    assert finding.kind is Kind.RECEIPT
    return finding


def test_whoever_took_a_seat_over_does_not_answer_for_the_one_before() -> None:
    """Neither for the commitment, which stays, nor for what was played before."""
    log, since = taken_over()
    assert log.state is not None
    taken = log.state.game.seats[1]
    assert taken is not None
    assert taken.commitment
    newcomer = receipts_of(log, Seat(1), since)
    assert not newcomer.entropy
    assert check(newcomer, log.records) is None


def test_the_one_before_does_not_answer_for_whoever_took_the_seat_over() -> None:
    log, since = taken_over()
    before = receipts_of(log, Seat(1))
    assert before.entropy
    prompts = [r.prompt_seq for r in before.kept if isinstance(r, CommandSent)]
    assert max(prompts) < since
    assert check(before, log.records) is None


def test_a_card_in_the_name_of_whoever_took_a_seat_over_is_found() -> None:
    log, since = taken_over()
    newcomer = receipts_of(log, Seat(1), since)
    done = next(r for r in newcomer.kept if isinstance(r, CommandDone))
    dropped = {done, CommandSent(done.prompt_seq, done.command)}
    kept = tuple(receipt for receipt in newcomer.kept if receipt not in dropped)
    finding = found(replace(newcomer, kept=kept), log)
    assert finding.seq > since
    assert "did not ask for this" in finding.sentence


def test_entropy_that_is_not_the_one_committed_to_is_found_though_the_seat_was_taken_over() -> None:
    log, _ = taken_over()
    finding = found(replace(receipts_of(log, Seat(1)), entropy=b"x" * 32), log)
    assert "the commitment in your name is not to your entropy" in finding.sentence


@pytest.mark.parametrize("records", [60, 120, 180])
def test_a_restless_game_that_still_runs_is_told_as_far_as_it_goes(records: int) -> None:
    log = unfinished_log(Random(records), records, restless(short(Rules())))
    assert audit(log.records).unsealed
    assert "The game is not over" in list(transcript(log.records))
