from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from hearts_engine.audience import visible_to
from hearts_engine.cards import PACK, QUEEN_OF_SPADES, Seat
from hearts_engine.commands import (
    ChoosePass,
    ClaimRest,
    FreezeSeats,
    OpenGame,
    RevealEntropy,
    TakeSeat,
)
from hearts_engine.events import (
    Agent,
    Anchor,
    CardPlayed,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    HandDealt,
    PassChosen,
    SeatKind,
    SeatsFrozen,
    SeatTaken,
)
from hearts_engine.passing import Direction
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_replays.audit import audit
from hearts_replays.fairness import anchor_of, commit, deal_out, deal_seed, secret_of, shuffle
from hearts_replays.finding import Kind
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    Receipt,
    Receipts,
    RecordShown,
    check,
    command_behind,
)
from hearts_replays.testing import KEY, LogBuilder, Plan, receipts_of, whole_log
from hearts_wire.records import Record, decode_record, encode_record

PLAN = Plan(
    Rules(target=20), reveal=frozenset({0, 2}), withhold=frozenset({1}), away=frozenset({3})
)
LOG = whole_log(Random(1), PLAN)
ME = Seat(0)
MINE = receipts_of(LOG, ME)
RECORDS = tuple(decode_record(data) for data in LOG.records)
FROZEN = next(record.seq for record in RECORDS if record.event == SeatsFrozen())
HEADS = tuple(r for r in MINE.kept if isinstance(r, HeadSeen) and r.seq <= FROZEN)
"""The heads that the seat saw before it was asked for its entropy."""
OPENING = tuple(r for r in MINE.kept[: MINE.kept.index(HEADS[-1])] if isinstance(r, RecordShown))
"""The records that it was shown before that."""


def changed(receipts: Receipts, change: Callable[[Receipt], Receipt | None]) -> Receipts:
    kept = (change(receipt) for receipt in receipts.kept)
    return replace(receipts, kept=tuple(receipt for receipt in kept if receipt is not None))


def without_commands(receipt: Receipt) -> Receipt | None:
    return None if isinstance(receipt, CommandSent | CommandDone) else receipt


def acknowledged_only() -> Receipts:
    """What is kept of a game in which every answer was acknowledged, so none was only sent."""
    return changed(MINE, lambda receipt: None if isinstance(receipt, CommandSent) else receipt)


def shown_up_to(receipts: Receipts, seq: int) -> Receipts:
    """The same of a client that was shown nothing from this record on, its answers apart."""

    def shown(receipt: Receipt) -> Receipt | None:
        match receipt:
            case HeadSeen(at):
                return receipt if at < seq else None
            case RecordShown(data):
                return receipt if decode_record(data).seq < seq else None
            case _:
                return receipt

    return changed(receipts, shown)


def logged(seq: int, event: Event) -> list[bytes]:
    """The log with another event in one record, which no signature covers any more."""
    data = encode_record(replace(RECORDS[seq - 1], event=event))
    return [*LOG.records[: seq - 1], data, *LOG.records[seq:]]


def seqs_of(kind: type, seat: Seat) -> list[int]:
    return [
        record.seq
        for record in RECORDS
        if isinstance(record.event, kind) and getattr(record.event, "seat", None) == seat
    ]


@pytest.mark.parametrize("seat", [Seat(seat) for seat in range(4)])
def test_an_honest_server_agrees_with_everyone(seat: Seat) -> None:
    assert check(receipts_of(LOG, seat), LOG.records) is None


def test_receipts_that_stop_early_say_nothing_against_what_was_before() -> None:
    half = replace(MINE, kept=MINE.kept[: len(MINE.kept) // 2])
    seen = [receipt.seq for receipt in half.kept if isinstance(receipt, HeadSeen)]
    finding = check(half, LOG.records)
    assert finding is not None, "what the seat did later is not in these receipts"
    assert finding.seq > max(seen)
    assert "did not ask for this" in finding.sentence


def test_what_clock_and_autopilot_did_for_a_seat_is_not_held_against_the_server() -> None:
    away = Seat(3)
    assert seqs_of(PassChosen, away)
    assert check(changed(receipts_of(LOG, away), without_commands), LOG.records) is None


def test_a_pass_that_a_seat_did_not_ask_for_is_found() -> None:
    seat = Seat(1)  # it revealed nothing: the pass is the first thing it did
    finding = check(changed(receipts_of(LOG, seat), without_commands), LOG.records)
    assert finding is not None
    assert finding.seq == seqs_of(PassChosen, seat)[0]


def test_another_game_of_the_same_people_is_told_apart() -> None:
    finding = check(MINE, whole_log(Random(2), PLAN).records)
    assert finding is not None
    assert finding.seq == 1
    assert "not the log of game" in finding.sentence


def test_a_game_played_over_under_the_same_id_is_found() -> None:
    other = whole_log(Random(1), replace(PLAN, away=frozenset({1})))
    assert other.records[0] == LOG.records[0]
    assert audit(other.records).clean
    finding = check(MINE, other.records)
    assert finding is not None
    assert finding.kind is Kind.RECEIPT


@pytest.mark.parametrize("seq", [1, 5, len(LOG.records) // 2, len(LOG.records)])
def test_a_record_altered_after_it_was_shown_is_found_in_its_place(seq: int) -> None:
    data = encode_record(replace(RECORDS[seq - 1], time=RECORDS[seq - 1].time + 1))
    finding = check(MINE, [*LOG.records[: seq - 1], data, *LOG.records[seq:]])
    assert finding is not None
    assert finding.seq == seq


def test_a_hidden_record_altered_is_found_by_the_head_after_it() -> None:
    seq = seqs_of(PassChosen, Seat(2))[0]
    assert not visible_to(ME, RECORDS[seq - 1].event)
    data = encode_record(replace(RECORDS[seq - 1], salt=b"s" * 16))
    finding = check(MINE, [*LOG.records[: seq - 1], data, *LOG.records[seq:]])
    assert finding is not None
    assert finding.seq == seq
    assert "head" in finding.sentence


def test_a_head_that_never_was_is_found() -> None:
    def lie(receipt: Receipt) -> Receipt:
        return HeadSeen(9, bytes(32)) if receipt == heads[9] else receipt

    heads = [receipt for receipt in MINE.kept if isinstance(receipt, HeadSeen)]
    finding = check(changed(MINE, lie), LOG.records)
    assert finding is not None
    assert finding.seq == 9


def test_a_log_that_ends_before_what_was_shown_is_found() -> None:
    finding = check(MINE, LOG.records[:50])
    assert finding is not None
    assert finding.seq == 51


def test_an_acknowledged_card_that_is_another_in_the_log_is_found() -> None:
    seq = seqs_of(CardPlayed, ME)[2]
    played = RECORDS[seq - 1].event
    assert isinstance(played, CardPlayed)
    other = PACK[(played.card + 1) % 52]
    finding = check(shown_up_to(acknowledged_only(), seq), logged(seq, replace(played, card=other)))
    assert finding is not None
    assert finding.seq == seq
    assert f"something else: South plays {played.card}" in finding.sentence


def test_a_card_that_the_clock_is_said_to_have_played_was_acknowledged_to_the_seat() -> None:
    seq = seqs_of(CardPlayed, ME)[2]
    played = RECORDS[seq - 1].event
    assert isinstance(played, CardPlayed)
    finding = check(
        shown_up_to(acknowledged_only(), seq), logged(seq, replace(played, by=Agent.CLOCK))
    )
    assert finding is not None
    assert finding.seq == seq


def test_an_acknowledged_claim_that_is_nowhere_is_found() -> None:
    claimed = replace(MINE, kept=(*MINE.kept, CommandDone(len(LOG.records), ClaimRest(ME))))
    finding = check(claimed, LOG.records)
    assert finding is not None
    assert finding.seq == len(LOG.records) + 1
    assert "nowhere in the log" in finding.sentence


def test_a_card_that_was_sent_and_never_acknowledged_is_the_seats_own() -> None:
    def unanswered(receipt: Receipt) -> Receipt | None:
        return None if isinstance(receipt, CommandDone) else receipt

    assert check(changed(MINE, unanswered), LOG.records) is None


def test_a_card_played_in_the_seats_name_is_found() -> None:
    seq = seqs_of(CardPlayed, ME)[5]
    event = RECORDS[seq - 1].event

    def forgotten(receipt: Receipt) -> Receipt | None:
        match receipt:
            case CommandSent(_, command) | CommandDone(_, command):
                return None if command == command_behind(event) else receipt
            case _:
                return receipt

    finding = check(changed(MINE, forgotten), LOG.records)
    assert finding is not None
    assert finding.seq == seq


def test_an_answer_to_an_earlier_prompt_does_not_stand_for_a_later_one() -> None:
    first, second = seqs_of(CardPlayed, ME)[:2]
    event = RECORDS[second - 1].event
    assert isinstance(event, CardPlayed)

    def early(receipt: Receipt) -> Receipt | None:
        match receipt:
            case CommandSent(_, command) if command == command_behind(event):
                return CommandSent(first - 1, command)
            case CommandDone(_, command) if command == command_behind(event):
                return None
            case _:
                return receipt

    finding = check(changed(MINE, early), LOG.records)
    assert finding is not None
    assert finding.seq == second


def test_entropy_committed_in_the_seats_name_is_found() -> None:
    finding = check(replace(MINE, entropy=bytes(32)), LOG.records)
    assert finding is not None
    assert finding.seq == seqs_of(SeatTaken, ME)[0]
    assert "not to your entropy" in finding.sentence


def test_a_seat_that_took_no_part_was_not_given_a_part() -> None:
    house = receipts_of(LOG, Seat(3))
    assert check(house, LOG.records) is None
    finding = check(replace(house, seat=Seat(2)), LOG.records)
    assert finding is not None


def test_entropy_that_was_acknowledged_is_in_the_log() -> None:
    seq = seqs_of(EntropyRevealed, ME)[0]
    finding = check(
        shown_up_to(acknowledged_only(), seq), logged(seq, EntropyRevealed(ME, bytes(32)))
    )
    assert finding is not None
    assert finding.seq == seq


def test_two_records_shown_for_one_place_cannot_both_be_in_the_log() -> None:
    seq = seqs_of(HandDealt, ME)[0]
    other = encode_record(Record(seq, RECORDS[seq - 1].time, RECORDS[seq - 1].event, b"x" * 16))
    finding = check(replace(MINE, kept=(*MINE.kept, RecordShown(other))), LOG.records)
    assert finding is not None
    assert finding.seq == seq


def test_bytes_shown_that_are_no_record_are_found() -> None:
    finding = check(replace(MINE, kept=(RecordShown(b"junk"),)), LOG.records)
    assert finding is not None
    assert "no record" in finding.sentence


def test_a_log_that_cannot_be_read_is_not_the_game() -> None:
    assert check(MINE, []) is not None
    assert check(MINE, [b"junk"]) is not None


def turned(receipt: Receipt) -> Receipt:
    """The same, with the cards of a pass in the opposite order."""
    match receipt:
        case CommandSent(prompt, ChoosePass() as choice):
            return CommandSent(prompt, replace(choice, cards=choice.cards[::-1]))
        case CommandDone(prompt, ChoosePass() as choice):
            return CommandDone(prompt, replace(choice, cards=choice.cards[::-1]))
        case _:
            return receipt


def test_a_pass_may_be_named_in_any_order() -> None:
    assert changed(MINE, turned) != MINE
    assert check(changed(MINE, turned), LOG.records) is None


def test_cards_scattered_to_other_seats_than_the_client_said_are_found() -> None:
    log = whole_log(Random(1), Plan(Rules(pass_cycle=(Direction.SCATTER,), deals=1)))
    mine = receipts_of(log, ME)
    assert check(mine, log.records) is None
    finding = check(changed(mine, turned), log.records)
    assert finding is not None
    event = log.events[finding.seq - 1]
    assert isinstance(event, PassChosen)
    assert event.seat == ME
    assert "something else: South chooses to pass" in finding.sentence


def test_the_builder_of_these_logs_keeps_what_a_client_would() -> None:
    log: LogBuilder = LOG
    shown = [receipt for receipt in MINE.kept if isinstance(receipt, RecordShown)]
    assert len(shown) == sum(visible_to(ME, event) for event in log.events)


def revealed_on(*before: Receipt, prompt: int) -> Receipts:
    """The receipts of a seat that had only these when it sent its entropy, upon this prompt."""
    reveal = RevealEntropy(ME, MINE.entropy)
    rest = [r for r in MINE.kept if not (isinstance(r, CommandSent) and r.command == reveal)]
    return replace(MINE, kept=(*before, CommandSent(prompt, reveal), *rest))


def test_entropy_sent_before_everyone_had_committed_is_found_though_the_log_is_clean() -> None:
    seen = [head for head in HEADS if head.seq < FROZEN]
    for early in (
        revealed_on(*OPENING, *seen, prompt=seen[-1].seq),
        revealed_on(*OPENING, *seen, prompt=FROZEN),
    ):
        finding = check(early, LOG.records)
        assert finding is not None
        assert (finding.seq, finding.kind) == (FROZEN, Kind.RECEIPT)
        assert "before you held a head that covers all commitments" in finding.sentence


def test_entropy_asked_for_before_the_start_is_found_whenever_it_was_sent() -> None:
    finding = check(revealed_on(*OPENING, *HEADS, prompt=FROZEN - 1), LOG.records)
    assert finding is not None
    assert finding.seq == FROZEN
    assert check(revealed_on(*OPENING, *HEADS, prompt=FROZEN), LOG.records) is None


def test_entropy_acknowledged_before_the_start_is_found_too() -> None:
    done = CommandDone(2, RevealEntropy(ME, MINE.entropy))
    finding = check(replace(MINE, kept=(*HEADS[:3], done)), LOG.records)
    assert finding is not None
    assert finding.seq == FROZEN


def test_a_server_that_grinds_a_seats_entropy_against_mine_is_found_out() -> None:
    """It asks one seat early, and lets the next sit down with what it likes best."""
    log = LogBuilder(Random(9), Plan(Rules(target=20), reveal=frozenset({0, 1})))
    log.top = bytes(32)
    log.do(OpenGame("game", "oak-1", log.plan.rules, Anchor(anchor_of(log.top)), KEY.public))
    log.entropy[0] = b"e" * 32
    log.do(TakeSeat(ME, "me", SeatKind.PERSON, commitment=commit(log.entropy[0])))
    asked = HeadSeen(log.chain.length, log.chain.head)
    log.entropy[1] = next(e for e in map(ground, count()) if queen_falls_to_me(log, e))
    log.do(TakeSeat(Seat(1), "Eve", SeatKind.PERSON, commitment=commit(log.entropy[1])))
    for seat in (Seat(2), Seat(3)):
        log.do(TakeSeat(seat, "house", SeatKind.HOUSE, "easy"))
    log.do(FreezeSeats())
    for seat in (ME, Seat(1)):
        log.do(RevealEntropy(seat, log.entropy[seat]))
    while log.state is None or log.state.phase is not Phase.SEALED:
        log.step()
    assert audit(log.records).clean
    mine = receipts_of(log, ME)
    reveal = CommandSent(asked.seq, RevealEntropy(ME, log.entropy[0]))
    finding = check(replace(mine, kept=(asked, reveal, *mine.kept)), log.records)
    assert finding is not None
    assert "whoever knew it could still choose another" in finding.sentence


def ground(number: int) -> bytes:
    return number.to_bytes(32, "big")


def queen_falls_to_me(log: LogBuilder, entropy: bytes) -> bool:
    seed = deal_seed("game", 1, secret_of(log.top, 1), (log.entropy[0], entropy, b"", b""))
    return QUEEN_OF_SPADES in deal_out(shuffle(PACK, seed), 4).hands[ME]


def test_entropy_that_was_sent_and_is_called_withheld_is_found() -> None:
    seat = Seat(1)
    withheld = seqs_of(EntropyWithheld, seat)[0]
    his = receipts_of(LOG, seat)
    sent = CommandSent(FROZEN, RevealEntropy(seat, his.entropy))
    at = his.kept.index(next(r for r in his.kept if r == HeadSeen(FROZEN, HEADS[-1].head))) + 1
    his_own = replace(his, kept=(*his.kept[:at], sent, *his.kept[at:]))
    finding = check(his_own, LOG.records)
    assert finding is not None
    assert (finding.seq, finding.kind) == (withheld, Kind.RECEIPT)
    assert "you sent it" in finding.sentence
    assert "after the time to reveal" in finding.sentence
    done = CommandDone(sent.prompt_seq, sent.command)
    taken = check(replace(his_own, kept=(*his_own.kept, done)), LOG.records)
    assert taken is not None
    assert (taken.seq, taken.kind) == (withheld, Kind.RECEIPT)
    assert "the server took your entropy" in taken.sentence
    assert check(his, LOG.records) is None, "who sent nothing did withhold it"
