from random import Random

from hearts_engine.cards import Seat
from hearts_engine.commands import LeaveSeat, OpenGame, TakeSeat
from hearts_engine.events import FixedSeed, SeatKind
from hearts_engine.rules import Rules
from hearts_replays.summary import summarise
from hearts_replays.testing import MIDNIGHT, LogBuilder, Plan, unfinished_log, whole_log

LOG = whole_log(Random(1), Plan(Rules(target=20)))


def test_a_list_of_games_says_how_each_ended() -> None:
    summary = summarise(LOG.records)
    assert summary is not None
    assert LOG.state is not None
    ended = LOG.state.game.ended
    assert ended is not None
    assert summary.game_id == LOG.state.game.opened.game_id
    assert (summary.table, summary.rules) == ("oak-3", "black_lady target=20")
    assert 0 <= summary.opened_time - MIDNIGHT < 3_000_000
    assert summary.records == len(LOG.records)
    assert summary.seats == LOG.state.game.seats
    assert summary.deals == len(LOG.state.game.scored)
    assert summary.totals == ended.totals
    assert summary.winners == (Seat(ended.totals.index(min(ended.totals))),)
    assert summary.sealed
    assert summary.head == LOG.chain.head


def test_a_running_game_has_no_winner_and_no_seal() -> None:
    log = unfinished_log(Random(1), 40)
    summary = summarise(log.records)
    assert summary is not None
    assert not summary.sealed
    assert (summary.deals, summary.totals, summary.winners) == (0, (0, 0, 0, 0), ())
    assert summary.head == log.chain.head


def test_who_left_before_the_start_is_not_listed() -> None:
    log = LogBuilder(Random(1), Plan())
    log.do(OpenGame("game", "oak-3", Rules(), FixedSeed("demo"), bytes(32)))
    log.do(TakeSeat(Seat(1), "Ann", SeatKind.PERSON))
    log.do(TakeSeat(Seat(2), "Bob", SeatKind.PERSON))
    log.do(LeaveSeat(Seat(1)))
    summary = summarise(log.records)
    assert summary is not None
    assert [taken.name for taken in summary.seats] == ["Bob"]


def test_a_damaged_log_is_summed_up_as_far_as_it_goes() -> None:
    summary = summarise([*LOG.records[:20], b"junk", *LOG.records[21:]])
    assert summary is not None
    assert (summary.records, summary.sealed) == (20, False)


def test_what_is_no_log_is_not_listed() -> None:
    assert summarise([]) is None
    assert summarise([b"junk"]) is None
    assert summarise(LOG.records[1:]) is None
