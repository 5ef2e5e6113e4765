from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hearts_engine.attendance import MISSES
from hearts_engine.audience import visible_to
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.commands import (
    ChooseMoon,
    ClaimRest,
    Command,
    MarkAway,
    PlayCard,
    StartClocks,
    StopClocks,
)
from hearts_engine.events import (
    Absence,
    Agent,
    CardPlayed,
    Event,
    MoonChosen,
    MoonOffered,
    PassChosen,
    RestClaimed,
    SeatAway,
    SeatBack,
    StopCause,
    TrickTaken,
)
from hearts_engine.options import Exact, Tie
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing_rules import random_rules
from hearts_replays.audit import audit
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.finding import Finding, Kind
from hearts_replays.prompts import Deed, duties_of
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipt,
    Receipts,
    RecordShown,
    check,
    command_behind,
)
from hearts_replays.seal import seal_of
from hearts_replays.testing import KEY, TURN_SECONDS, LogBuilder, Plan, receipts_of, whole_log
from hearts_wire.records import Record, decode_record, encode_record

ME = Seat(0)
PLAN = Plan(Rules(target=20), reveal=frozenset({0, 2}), away=frozenset({3}))
LOG = whole_log(Random(1), PLAN)
MINE = receipts_of(LOG, ME)
RECORDS = tuple(decode_record(data) for data in LOG.records)
DUTIES = duties_of(ME, RECORDS, len(RECORDS))


def play(number: int) -> tuple[Deed, int, PlayCard]:
    """A card that this seat played as third or fourth, its prompt and the command behind it."""
    plays = [deed for deed in DUTIES.deeds if isinstance(deed.event, CardPlayed)]
    late = [d for d in plays if d.before is not None and len(d.before.play.trick.cards) > 1]
    deed = late[number]
    assert isinstance(deed.event, CardPlayed)
    assert deed.prompt_seq is not None
    return deed, deed.prompt_seq, PlayCard(ME, deed.event.card)


def with_kept(kept: list[Receipt]) -> Receipts:
    return replace(MINE, kept=tuple(kept))


def place_of(command: PlayCard, prompt: int) -> int:
    return MINE.kept.index(CommandSent(prompt, command))


def found(receipts: Receipts, log: list[bytes] | None = None) -> Finding:
    finding = check(receipts, LOG.records if log is None else log)
    assert finding is not None
    assert finding.kind is Kind.RECEIPT
    return finding


def resealed(events: dict[int, Event], late: int = 0) -> list[bytes]:
    """The log with other events at these seqs, signed as it is then.

    From the first of them on, all came so many microseconds later.
    """
    first = min(events)
    return signed(
        [
            replace(r, event=events.get(r.seq, r.event), time=r.time + late * (r.seq >= first))
            for r in RECORDS[:-1]
        ]
    )


def signed(records: Sequence[Record]) -> list[bytes]:
    """These records in their order, and the seal."""
    data = [encode_record(replace(record, seq=seq)) for seq, record in enumerate(records, start=1)]
    chain, time = EMPTY_CHAIN.extended(data), records[-1].time
    seal = seal_of(KEY, MINE.game_id, chain, time)
    return [*data, encode_record(Record(len(data) + 1, time, seal))]


def card_asked_for_a_turn_early() -> tuple[LogBuilder, Receipts, int]:
    """A server that has my second card before it lets the three before me choose theirs."""
    log = LogBuilder(Random(4), Plan(Rules(target=20), reveal=frozenset({0})))
    while not tricks_in(log.events) or not waits_for_me_as_last(log):
        log.step()
    asked = max(r for r in range(len(log.events)) if isinstance(log.events[r], TrickTaken)) + 1
    log.choose()  # the card that it knew since record `asked`
    deed = log.chain.length
    while not isinstance(log.events[deed - 1], CardPlayed):
        deed -= 1
    event = log.events[deed - 1]
    assert isinstance(event, CardPlayed)
    assert event.seat == ME
    while log.state is None or log.state.phase is not Phase.SEALED:
        log.step()
    command = PlayCard(ME, event.card)
    prompt = deed - 1  # the card before mine
    mine = receipts_of(log, ME)
    honest = (CommandSent(prompt, command), CommandDone(prompt, command))
    assert set(honest) <= set(mine.kept)
    kept = [receipt for receipt in mine.kept if receipt not in honest]
    seen = 1 + next(i for i, r in enumerate(kept) if isinstance(r, HeadSeen) and r.seq == asked)
    forged = (CommandSent(asked, command), CommandDone(asked, command))
    return log, replace(mine, kept=(*kept[:seen], *forged, *kept[seen:])), deed


def tricks_in(events: list[Event]) -> int:
    return sum(isinstance(event, TrickTaken) for event in events)


def waits_for_me_as_last(log: LogBuilder) -> bool:
    state = log.state
    return state is not None and state.turn == ME and len(state.play.trick.cards) == 3


def test_a_card_obtained_before_those_before_it_is_found_though_the_log_is_clean() -> None:
    log, receipts, deed = card_asked_for_a_turn_early()
    assert audit(log.records).clean
    assert check(receipts_of(log, ME), log.records) is None
    finding = check(receipts, log.records)
    assert finding is not None
    assert (finding.seq, finding.kind) == (deed, Kind.RECEIPT)
    assert "when nothing became due from you" in finding.sentence
    assert "could still choose" in finding.sentence


def test_asking_again_at_the_right_time_does_not_hide_that_a_card_was_had_early() -> None:
    deed, prompt, command = play(3)
    early = CommandSent(prompt - 1, command)
    at = MINE.kept.index(next(r for r in MINE.kept if r == HeadSeen(prompt - 1, head(prompt - 1))))
    finding = found(with_kept([*MINE.kept[: at + 1], early, *MINE.kept[at + 1 :]]))
    assert finding.seq == deed.seq
    assert f"asked after record {prompt - 1}, when nothing" in finding.sentence


def head(seq: int) -> bytes:
    return EMPTY_CHAIN.extended(LOG.records[:seq]).head


def test_a_prompt_that_names_a_record_whose_head_was_held_back_is_found() -> None:
    deed, prompt, command = play(3)
    kept = list(MINE.kept)
    at = place_of(command, prompt)
    late = [r for r in kept[:at] if isinstance(r, HeadSeen) and r.seq >= prompt]
    finding = found(
        with_kept(
            [*(r for r in kept[:at] if r not in late), *kept[at : at + 2], *late, *kept[at + 2 :]]
        )
    )
    assert finding.seq == deed.seq
    assert f"before you held a head that covers record {prompt}" in finding.sentence


def test_a_prompt_for_which_a_card_before_it_was_held_back_is_found() -> None:
    deed, prompt, _ = play(3)
    shown = RecordShown(LOG.records[prompt - 1])
    assert visible_to(ME, RECORDS[prompt - 1].event)
    kept = [receipt for receipt in MINE.kept if receipt != shown]
    finding = found(with_kept(kept))
    assert finding.seq == deed.seq
    assert f"before you were shown record {prompt}" in finding.sentence


def test_a_server_that_shows_no_card_at_all_is_found_at_the_first_answer_to_one() -> None:
    def is_card(receipt: Receipt) -> bool:
        return isinstance(receipt, RecordShown) and isinstance(
            decode_record(receipt.data).event, CardPlayed
        )

    finding = found(with_kept([receipt for receipt in MINE.kept if not is_card(receipt)]))
    assert "before you were shown record" in finding.sentence


def test_being_asked_again_for_what_was_answered_is_found_at_the_card_after() -> None:
    deed, prompt, command = play(3)
    following = DUTIES.next_after(deed.seq)
    assert following is not None
    assert isinstance(following.event, CardPlayed)
    at = place_of(command, prompt) + 2
    again = CommandSent(prompt, PlayCard(ME, following.event.card))
    finding = found(with_kept([*MINE.kept[:at], again, *MINE.kept[at:]]))
    assert finding.seq == following.seq
    assert f"asked again after record {prompt}" in finding.sentence


def test_a_client_that_starts_anew_and_is_shown_all_again_still_agrees() -> None:
    """What is kept already is not kept twice, so a break leaves the order as it is."""
    _, prompt, command = play(3)
    at = place_of(command, prompt)
    shown = [r for r in MINE.kept[:at] if isinstance(r, RecordShown)]
    assert check(with_kept([*MINE.kept[:at], *shown, *MINE.kept[at:]]), LOG.records) is None


def test_another_answer_after_a_refusal_or_a_restart_is_no_reproach() -> None:
    _, prompt, command = play(3)
    at = place_of(command, prompt)
    other = CommandSent(prompt, PlayCard(ME, another(command.card)))
    assert check(with_kept([*MINE.kept[:at], other, *MINE.kept[at:]]), LOG.records) is None


def another(card: Card) -> Card:
    return PACK[(card + 1) % 52]


def given_to_clock(deed: Deed) -> list[bytes]:
    """The log with a decision made for my seat, when its time was up."""
    assert isinstance(deed.event, CardPlayed | PassChosen)
    event = replace(deed.event, by=Agent.CLOCK)
    log = resealed({deed.seq: event}, late=2 * TURN_SECONDS * 1_000_000)
    assert audit(log).clean
    return log


def given_to_autopilot(deed: Deed) -> list[bytes]:
    """The log with a decision made for my seat, which is called away for just as long."""
    assert isinstance(deed.event, CardPlayed | PassChosen)
    done, rest = RECORDS[deed.seq - 1], RECORDS[deed.seq : -1]
    group = next(at for at, r in enumerate(rest) if command_behind(r.event) is not None)
    log = signed(
        [
            *RECORDS[: deed.seq - 1],
            Record(1, done.time, SeatAway(ME, Absence.LEFT)),
            replace(done, event=replace(deed.event, by=Agent.AUTOPILOT)),
            *rest[:group],
            Record(1, rest[group].time, SeatBack(ME)),
            *rest[group:],
        ]
    )
    assert audit(log).clean
    return log


def up_to(deed: Deed, *more: Receipt) -> Receipts:
    """What a client kept that heard no more after its answer to one prompt, and did no more."""
    assert deed.prompt_seq is not None
    kept = list(MINE.kept)
    at = next(
        at
        for at, receipt in enumerate(kept)
        if isinstance(receipt, CommandSent) and receipt.prompt_seq == deed.prompt_seq
    )
    return with_kept([*kept[:at], *more])


def test_a_decision_that_was_answered_is_not_the_clocks() -> None:
    deed, prompt, command = play(3)
    finding = found(up_to(deed, CommandSent(prompt, command)), given_to_clock(deed))
    assert finding.seq == deed.seq
    assert "you had answered: South plays" in finding.sentence
    assert "left your answer out, or it came too late" in finding.sentence


def test_calling_a_seat_away_that_answered_does_not_make_its_decision_autopilots() -> None:
    deed, prompt, command = play(3)
    kept = replace(up_to(deed, CommandSent(prompt, command)), tells_leaving=False)
    finding = found(kept, given_to_autopilot(deed))
    assert finding.seq == deed.seq + 1
    assert "you had answered: South plays" in finding.sentence
    assert "left your answer out, or it came too late" in finding.sentence


def test_a_pass_that_was_answered_is_not_autopilots_either() -> None:
    deed = next(deed for deed in DUTIES.deeds if isinstance(deed.event, PassChosen))
    sent = next(
        receipt
        for receipt in MINE.kept
        if isinstance(receipt, CommandSent) and receipt.prompt_seq == deed.prompt_seq
    )
    kept = replace(up_to(deed, sent), tells_leaving=False)
    finding = found(kept, given_to_autopilot(deed))
    assert finding.seq == deed.seq + 1
    assert "you had answered" in finding.sentence


def test_an_answer_that_the_rules_refuse_leaves_the_decision_to_the_clock() -> None:
    deed, prompt, _ = play(3)
    claim = CommandSent(prompt, ClaimRest(ME))
    finding = found(up_to(deed, claim), given_to_clock(deed))
    assert finding.seq > deed.seq, "what is found is what these receipts have not any more"
    assert "did not ask for this" in finding.sentence


def test_an_answer_sent_after_the_clocks_card_was_shown_came_too_late_for_sure() -> None:
    deed, prompt, command = play(3)
    log = given_to_clock(deed)
    seen = (RecordShown(data) for data in log[prompt : deed.seq] if is_mine(data))
    finding = found(up_to(deed, *seen, CommandSent(prompt, command)), log)
    assert finding.seq > deed.seq


def is_mine(data: bytes) -> bool:
    return visible_to(ME, decode_record(data).event)


def test_a_claim_counts_as_the_answer_to_the_card_that_was_due() -> None:
    for number in range(20):
        log = whole_log(Random(number), replace(PLAN, claim=True))
        claims = [e for e in log.events if isinstance(e, RestClaimed) and e.seat == ME]
        assert check(receipts_of(log, ME), log.records) is None
        if claims:
            return
    raise AssertionError("no game in which this seat claims")


def test_honest_games_agree_with_the_receipts_of_every_seat() -> None:
    for number in range(5):
        log = whole_log(Random(number), replace(PLAN, withhold=frozenset({1})))
        for seat in map(Seat, range(4)):
            assert check(receipts_of(log, seat), log.records) is None


@settings(max_examples=20)
@given(st.integers(0, 2**32))
def test_honest_games_of_any_rules_agree_with_the_receipts_of_every_seat(seed: int) -> None:
    rules = replace(random_rules(Random(seed)), deals=1, exact=Exact.NONE, tie=Tie.SHARED)
    seats = frozenset({0, 1})
    log = whole_log(Random(seed), Plan(rules, reveal=seats, away=frozenset({2}), claim=True))
    for seat in map(Seat, range(rules.players)):
        assert check(receipts_of(log, seat), log.records) is None


def moon_log() -> tuple[LogBuilder, Receipts, Deed]:
    """A game in which my seat chooses how its moon is scored, and when it does first."""
    hearts = ",".join(f"{rank}H" for rank in "23456789TJQKA")
    plan = Plan(parse_rules(f"three removed={hearts} moon=choose deals=6 tie=shared"))
    log = whole_log(Random(3), plan)
    records = tuple(map(decode_record, log.records))
    duties = duties_of(ME, records, len(records))
    return (
        log,
        receipts_of(log, ME),
        next(d for d in duties.deeds if isinstance(d.command, ChooseMoon)),
    )


def test_the_choice_of_a_moon_is_due_from_the_record_that_offers_it() -> None:
    log, mine, deed = moon_log()
    assert deed.prompt_seq == deed.seq - 1
    assert log.events[deed.seq - 2] == MoonOffered(ME)
    assert CommandSent(deed.seq - 1, deed.command) in mine.kept
    assert check(mine, log.records) is None


def test_a_moon_chosen_in_the_seats_name_is_found() -> None:
    log, mine, deed = moon_log()
    kept = tuple(r for r in mine.kept if getattr(r, "command", None) != deed.command)
    finding = check(replace(mine, kept=kept), log.records)
    assert finding is not None
    assert (finding.seq, finding.kind) == (deed.seq, Kind.RECEIPT)
    assert "did not ask for this from here: Seat 1 chooses for its moon" in finding.sentence


def test_a_moon_that_the_clock_is_said_to_have_chosen_was_chosen_by_the_seat() -> None:
    log, mine, deed = moon_log()
    chosen = log.events[deed.seq - 1]
    assert isinstance(chosen, MoonChosen)
    at = next(i for i, r in enumerate(mine.kept) if getattr(r, "command", None) == deed.command)
    record = replace(
        decode_record(log.records[deed.seq - 1]), event=replace(chosen, by=Agent.CLOCK)
    )
    told = [*log.records[: deed.seq - 1], encode_record(record), *log.records[deed.seq :]]
    finding = check(replace(mine, kept=mine.kept[: at + 1]), told)
    assert finding is not None
    assert (finding.seq, finding.kind) == (deed.seq, Kind.RECEIPT)
    assert "you had answered: Seat 1 chooses for its moon" in finding.sentence


def test_what_was_due_after_a_record_that_breaks_the_rules_is_left_to_the_audit() -> None:
    wrong = next(r for r in RECORDS[100:] if isinstance(r.event, TrickTaken))
    assert isinstance(wrong.event, TrickTaken)
    log = resealed({wrong.seq: replace(wrong.event, points=wrong.event.points + 1)})
    fault = audit(log).finding
    assert fault is not None
    assert fault.seq == wrong.seq
    seen = [r for r in MINE.kept if seq_shown(r) < wrong.seq]
    assert check(with_kept(seen), log) is None, "nobody can tell what was due after that"


def seq_shown(receipt: Receipt) -> int:
    match receipt:
        case HeadSeen(seq):
            return seq
        case RecordShown(data):
            return decode_record(data).seq
        case CommandSent() | CommandDone() | LeaveSent():
            return 0


def clocked_out(before: list[Command], by: Agent) -> tuple[LogBuilder, int, PlayCard]:
    """A game in which this is done when it is my turn, and then somebody plays my card.

    The game, my prompt, and what I would have played.
    """
    log = LogBuilder(Random(1), Plan(Rules(pass_cycle=(Direction.HOLD,)), away=frozenset({3})))
    log.open()
    log.deal()
    while log.state is None or log.state.turn != ME:
        log.choose()
    prompt, card = len(log.records), PlayCard(ME, log.state.play.legal.lowest())
    for command in before:
        log.do(command)
    log.time += TURN_SECONDS * 1_000_000
    log.do(replace(card, by=by))
    return log, prompt, card


def answering(log: LogBuilder, prompt: int, command: PlayCard, shown: int) -> Receipts:
    """What I kept of this game, with an answer of mine once I was shown so many records."""
    mine = receipts_of(log, ME)
    at = mine.kept.index(RecordShown(log.records[shown - 1])) + 1
    head = HeadSeen(shown, EMPTY_CHAIN.extended(log.records[:shown]).head)
    sent = CommandSent(prompt, command)
    return replace(mine, kept=(*mine.kept[:at], head, sent, *mine.kept[at:]))


@pytest.mark.parametrize(
    ("before", "by"),
    [
        ([StopClocks(StopCause.HOST), StartClocks()], Agent.CLOCK),
        ([MarkAway(ME, Absence.REMOVED)], Agent.AUTOPILOT),
    ],
    ids=["paused", "removed"],
)
def test_an_answer_when_no_answer_could_be_taken_is_no_reproach_and_one_before_it_is(
    before: list[Command], by: Agent
) -> None:
    log, prompt, card = clocked_out(before, by)
    assert audit(log.records).unsealed
    barred = answering(log, prompt, card, shown=prompt + 1)
    assert check(barred, log.records) is None
    finding = check(answering(log, prompt, card, shown=prompt), log.records)
    assert finding is not None
    assert "you had answered" in finding.sentence


def test_an_answer_of_an_owner_who_was_called_away_would_have_brought_it_back() -> None:
    left = clocked_out([MarkAway(ME, Absence.LEFT)], Agent.AUTOPILOT)
    for log, prompt, card in (left, called_away_for_misses()):
        finding = check(answering(log, prompt, card, shown=prompt + 1), log.records)
        assert finding is not None
        assert "you had answered" in finding.sentence


def called_away_for_misses() -> tuple[LogBuilder, int, PlayCard]:
    """A game in which my time ran out twice, I am called away, and autopilot plays my third card.

    The game, my prompt, and what I would have played.
    """
    log = LogBuilder(Random(1), Plan(Rules(pass_cycle=(Direction.HOLD,)), away=frozenset({0})))
    log.open()
    log.deal()
    while log.state is None or log.state.turn != ME or log.state.game.presence.misses[ME] < MISSES:
        log.choose()
    prompt, card = len(log.records), PlayCard(ME, log.state.play.legal.lowest())
    log.do(MarkAway(ME, Absence.MISSED))
    log.do(replace(card, by=Agent.AUTOPILOT))
    return log, prompt, card
