import stat
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hearts_engine.cards import PACK, Seat
from hearts_engine.commands import ChoosePass, ClaimRest, PlayCard, RevealEntropy
from hearts_engine.rules import Rules
from hearts_replays.receipt_book import BadReceipts, ReceiptBook, load
from hearts_replays.receipts import (
    CommandDone,
    CommandSent,
    HeadSeen,
    LeaveSent,
    Receipt,
    RecordShown,
    check,
)
from hearts_replays.testing import Plan, receipts_of, whole_log

ME = Seat(2)
ENTROPY = b"e" * 32
LOG = whole_log(Random(1), Plan(Rules(target=20), reveal=frozenset({2}), claim=True))

cards = st.sampled_from(PACK)
commands = st.one_of(
    st.builds(ChoosePass, st.just(ME), st.lists(cards, max_size=3).map(tuple)),
    st.builds(PlayCard, st.just(ME), cards),
    st.just(ClaimRest(ME)),
    st.just(RevealEntropy(ME, ENTROPY)),
)
seqs = st.integers(0, 2**40)
receipts = st.one_of(
    st.builds(HeadSeen, seqs, st.binary(min_size=32, max_size=32)),
    st.builds(CommandSent, seqs, commands),
    st.builds(CommandDone, seqs, commands),
)


def opened(path: Path) -> ReceiptBook:
    return ReceiptBook.open(path, "game", ME, ENTROPY)


def write(book: ReceiptBook, receipt: Receipt) -> None:
    match receipt:
        case HeadSeen(seq, head):
            book.saw(seq, head, ())
        case RecordShown(data):
            book.saw(0, bytes(32), [data])
        case CommandSent(prompt_seq, command):
            book.sent(command, prompt_seq)
        case CommandDone(prompt_seq, command):
            book.acknowledged(command, prompt_seq)
        case LeaveSent():
            book.leaving()


@given(st.lists(receipts, max_size=10), st.integers(0, 10))
def test_a_killed_client_finds_all_its_receipts_again(
    tmp_path_factory: pytest.TempPathFactory, taken: list[Receipt], killed_after: int
) -> None:
    path = tmp_path_factory.mktemp("receipts") / "game.receipts"
    for part in (taken[:killed_after], taken[killed_after:]):
        book = opened(path)
        for receipt in part:
            write(book, receipt)
        assert load(path) == book.receipts, "on disk before it is closed"
        book.close()
    assert load(path).kept == tuple(dict.fromkeys(taken))


def test_a_whole_game_of_receipts_comes_back_from_disk_and_agrees(tmp_path: Path) -> None:
    path = tmp_path / "seats" / "game.receipts"
    mine = receipts_of(LOG, ME)
    with ReceiptBook.open(path, mine.game_id, ME, mine.entropy) as book:
        for receipt in mine.kept:
            write(book, receipt)
        for receipt in mine.kept[:100]:
            write(book, receipt)
        extra = (HeadSeen(0, bytes(32)),)
        assert set(book.receipts.kept) == {*mine.kept, *extra}
    assert check(load(path), LOG.records) is None


def test_nothing_is_written_down_twice(tmp_path: Path) -> None:
    path = tmp_path / "game.receipts"
    with opened(path) as book:
        book.saw(1, b"h" * 32, [b"record"])
        length = path.stat().st_size
        book.saw(1, b"h" * 32, [b"record"])
        assert path.stat().st_size == length


def test_that_one_asks_to_leave_is_on_disk_before_it_is_sent_and_each_time_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.receipts"
    synced = list[bytes]()
    with opened(path) as book:

        def sync(_: int) -> None:
            synced.append(path.read_bytes())

        monkeypatch.setattr("os.fsync", sync)
        book.leaving()
        book.leaving()
    assert [len(data.splitlines()) for data in synced] == [2, 3]
    assert load(path).kept == (LeaveSent(1), LeaveSent(2))
    assert load(path).tells_leaving


def test_a_book_that_was_begun_before_leaving_was_told_accuses_nobody_of_it(tmp_path: Path) -> None:
    path = tmp_path / "game.receipts"
    path.write_text('{"game_id": "game", "seat": 2, "entropy": "' + ENTROPY.hex() + '"}\n')
    with opened(path) as book:
        book.leaving()
        assert not book.receipts.tells_leaving
    assert not load(path).tells_leaving


def test_nobody_else_may_read_what_a_seat_was_shown(tmp_path: Path) -> None:
    path = tmp_path / "game.receipts"
    opened(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("torn", [1, 5, 20])
def test_a_last_line_that_the_crash_cut_off_is_dropped(tmp_path: Path, torn: int) -> None:
    path = tmp_path / "game.receipts"
    with opened(path) as book:
        book.saw(1, b"a" * 32, ())
        book.saw(2, b"b" * 32, ())
    path.write_bytes(path.read_bytes()[:-torn])
    with opened(path) as book:
        assert book.receipts.kept == (HeadSeen(1, b"a" * 32),)
        book.saw(3, b"c" * 32, ())
    assert load(path).kept == (HeadSeen(1, b"a" * 32), HeadSeen(3, b"c" * 32))


@pytest.mark.parametrize(
    "line",
    [
        b"rubbish\n",
        b"[]\n",
        b'{"head": "zz", "seq": 1}\n',
        b'{"sent": "08ff"}\n',
        b'{"done": ""}\n',
    ],
)
def test_a_damaged_line_is_named_and_not_passed_over(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "game.receipts"
    opened(path).close()
    path.write_bytes(path.read_bytes() + line + b'{"shown": "00"}\n')
    with pytest.raises(BadReceipts, match="line 2"):
        opened(path)


@pytest.mark.parametrize("text", ["", "\n", "[]\n", "{}\n", '{"game_id": 1, "seat": 77}\n'])
def test_a_file_that_is_no_book_of_receipts_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.receipts"
    path.write_text(text)
    with pytest.raises(BadReceipts):
        opened(path)
    assert path.read_text() == text


def test_the_receipts_of_another_seat_are_not_added_to(tmp_path: Path) -> None:
    path = tmp_path / "game.receipts"
    opened(path).close()
    with pytest.raises(BadReceipts, match="another game, seat or entropy"):
        ReceiptBook.open(path, "game", Seat(1), ENTROPY)
