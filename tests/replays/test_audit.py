from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import Seat
from hearts_engine.events import Agent, GameOpened, Versions
from hearts_engine.options import Exact, Finish, Moon, Tie
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing_rules import random_rules
from hearts_replays.audit import audit
from hearts_replays.dealing import Dealing
from hearts_replays.finding import Kind
from hearts_replays.fingerprint import fingerprint, short_head
from hearts_replays.keys import SigningKey
from hearts_replays.report import Report, report_json, report_lines
from hearts_replays.testing import KEY, LogBuilder, Plan, unfinished_log, whole_log
from hearts_wire.records import Record, decode_record, encode_record

SHORT = Rules(target=20)
FAIR = whole_log(Random(1), Plan(SHORT, reveal=frozenset({0, 2}), withhold=frozenset({1})))
FIXED = whole_log(Random(2), Plan(SHORT, fixed_seed="demo"))
ALONE = whole_log(Random(3), Plan(SHORT, reveal=frozenset()))
AWAY = whole_log(Random(4), Plan(SHORT, away=frozenset({3})))
OTHER_KEY = SigningKey.from_seed(bytes(32))

seats = st.frozensets(st.integers(0, 3))


def any_rules(seed: int) -> Rules:
    """Rules of any sort, for a game of one or two deals."""
    rules = random_rules(Random(seed))
    return replace(rules, deals=1 + seed % 2, exact=Exact.NONE, tie=Tie.SHARED)


plans = st.builds(
    Plan,
    rules=st.one_of(
        st.builds(any_rules, st.integers(0, 2**32)),
        st.builds(
            Rules,
            target=st.integers(1, 30),
            finish=st.sampled_from(Finish),
            exact=st.sampled_from(Exact),
            moon=st.sampled_from(Moon),
        ),
    ),
    fixed_seed=st.none() | st.text(max_size=5),
    reveal=seats,
    withhold=seats,
    away=seats,
    claim=st.booleans(),
)


def dealing_of(report: Report) -> str:
    assert report.state is not None
    return str(Dealing.of(report.state.game))


@given(st.integers(0, 2**32), plans)
def test_a_game_that_was_played_by_the_rules_is_clean(seed: int, plan: Plan) -> None:
    log = whole_log(Random(seed), plan)
    report = audit(log.records)
    assert report.finding is None
    assert report.clean
    assert report.accepted == report.records == len(log.records)
    assert report.head == log.chain.head
    assert report.state == log.state


@given(st.integers(0, 2**32), st.integers(0, 300), plans)
def test_a_game_that_still_runs_is_told_apart_from_one_with_a_fault(
    seed: int, records: int, plan: Plan
) -> None:
    log = unfinished_log(Random(seed), min(records, len(whole_log(Random(seed), plan).records) - 1))
    report = audit(log.records)
    if not log.records:
        return
    assert report.unsealed
    assert report.finding is not None
    assert report.finding.seq == len(log.records) + 1
    assert report.accepted == len(log.records)
    assert report.state == log.state


def test_the_report_says_whether_the_key_is_known_here() -> None:
    known, unknown = audit(FAIR.records, known_keys={KEY.public}), audit(FAIR.records)
    assert known.seal is not None
    assert known.seal.public_key == KEY.public
    assert known.seal.known
    assert unknown.seal is not None
    assert not unknown.seal.known


def test_a_required_key_is_asked_for_in_any_spelling() -> None:
    spoken = fingerprint(KEY.public).upper().replace("-", " ")
    assert audit(FAIR.records, required=spoken).clean


def test_a_log_sealed_by_another_key_than_the_one_required_is_a_finding() -> None:
    report = audit(FAIR.records, required=fingerprint(OTHER_KEY.public))
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (len(FAIR.records), Kind.KEY)


def test_half_a_fingerprint_is_not_taken_for_one() -> None:
    with pytest.raises(ValueError, match="32 digits"):
        audit(FAIR.records, required=fingerprint(KEY.public)[:20])


def test_people_learn_who_had_a_say_in_the_deals() -> None:
    sentence = dealing_of(audit(FAIR.records))
    assert (
        "South and North took part: no one alone chose the deals, not even the server" in sentence
    )
    assert "West withheld: the server and this seat together had 2^1 choices" in sentence


def test_a_single_seat_is_called_one() -> None:
    dealing = Dealing(fixed=False, revealed=(Seat(0),), withheld=(), players=4)
    assert str(dealing) == (
        "South took part: no one alone chose the deals, not even the server, "
        "unless this seat is its own"
    )


def test_people_learn_that_the_server_alone_could_have_chosen_the_deals() -> None:
    assert "the server alone could have chosen these deals" in dealing_of(audit(ALONE.records))


def test_a_fixed_seed_is_never_called_fair() -> None:
    assert "reproducible, not fair" in dealing_of(audit(FIXED.records))


def test_two_who_withhold_with_nobody_else_had_any_choice() -> None:
    dealing = Dealing(fixed=False, revealed=(), withheld=(Seat(1), Seat(2)), players=4)
    assert "these 2 seats together had any choice" in str(dealing)


def test_the_report_counts_who_played_the_cards() -> None:
    played = audit(AWAY.records).played
    deals = len(audit(AWAY.records).recomputed)
    assert played[0] == Counter({Agent.SEAT: 13 * deals})
    assert played[3][Agent.SEAT] == 0
    assert played[3][Agent.CLOCK] + played[3][Agent.AUTOPILOT] == 13 * deals


def test_deals_are_dealt_again_as_far_as_their_secrets_are_out() -> None:
    log = unfinished_log(Random(5), 120)
    while log.state is not None and log.state.phase is not Phase.PLAYING:
        log.step()
    report = audit(log.records)
    assert report.recomputed == (1,)
    assert report.unrevealed == (2,)


def test_a_fixed_seed_needs_no_secret_to_be_dealt_again() -> None:
    log = unfinished_log(Random(5), 30, Plan(fixed_seed="demo"))
    assert audit(log.records).recomputed == (1,)


def test_an_empty_log_is_no_game() -> None:
    report = audit([])
    assert not report.clean
    assert report.state is None


@pytest.mark.parametrize(
    "versions", [Versions(format=2), Versions(engine=2), Versions(shuffle=9)], ids=str
)
def test_a_log_of_a_newer_version_is_not_judged_by_old_rules(versions: Versions) -> None:
    opening = decode_record(FAIR.records[0])
    newer = opened_with(opening, versions)
    report = audit([newer, *FAIR.records[1:]])
    assert report.finding is not None
    assert (report.finding.seq, report.finding.kind) == (1, Kind.VERSION)
    assert "newer program" in report.finding.sentence


def opened_with(opening: Record, versions: Versions) -> bytes:
    assert isinstance(opening.event, GameOpened)
    return encode_record(replace(opening, event=replace(opening.event, versions=versions)))


@pytest.mark.parametrize("log", [FAIR, FIXED, ALONE, AWAY, unfinished_log(Random(5), 60)])
def test_the_report_can_be_read_by_people_and_machines(log: LogBuilder) -> None:
    report = audit(log.records)
    lines = list(report_lines(report))
    told = report_json(report)
    assert lines[0].startswith("clean" if report.clean else "record")
    assert lines[-1].endswith(short_head(report.head))
    assert told["clean"] is report.clean
    assert told["head"] == report.head.hex()
    assert (told["finding"] is None) is report.clean


def test_the_report_on_what_is_no_log_can_be_read_too() -> None:
    report = audit([b"nonsense"])
    assert list(report_lines(report)) == [str(report.finding)]
    assert report_json(report)["accepted"] == 0
