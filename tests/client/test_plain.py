"""Plain mode: lines in, lines out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field, replace

import pytest

from hearts_client.cardnames import CardStyle
from hearts_client.ending import Ending
from hearts_client.news import Ask, Asked, Cause, Closed, Joined, News, Offline
from hearts_client.plain.app import PlainOptions, play_plain
from hearts_client.plain.lines import asked_lines
from hearts_client.plain.replies import score_lines
from hearts_client.testing import LocalSession
from hearts_engine.commands import ChoosePass
from hearts_engine.state import Phase
from hearts_engine.view import observe, visible

SeatedAt = Callable[..., LocalSession]


@dataclass
class Paper:
    """Lines printed, and lines still to be typed: each given once the table waits for it."""

    session: LocalSession
    typed: list[str]
    lines: list[str] = field(default_factory=list[str])

    async def read_line(self) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def starting(self, word: str) -> list[str]:
        return [line for line in self.lines if line.startswith(word)]


def play(
    session: LocalSession, typed: Iterable[str], options: PlainOptions | None = None
) -> tuple[Paper, Ending]:
    """Type ahead; every answer waits until it is due."""
    paper = Paper(session, list(typed))

    async def main() -> Ending:
        news = session.news()
        session.start()
        return await play_plain(
            session,
            news=news,
            read_line=paper.read_line,
            write=paper.lines.append,
            options=options or PlainOptions(type_ahead=True),
        )

    return paper, asyncio.run(main())


def test_a_whole_game_is_played_by_lines_and_ends_with_table_and_winner(table: SeatedAt) -> None:
    session = table(rules="black_lady target=20")

    class Obedient(Paper):
        async def read_line(self) -> str | None:
            await asyncio.sleep(0)
            legal = session.view.legal
            if session.state.phase is Phase.PASSING and legal:
                return f"pass {' '.join(map(str, list(legal)[:3]))}"
            return f"play {legal.lowest()}" if legal else ""

    paper = Obedient(session, [])

    async def main() -> Ending:
        news = session.news()
        session.start()
        return await play_plain(
            session,
            news=news,
            read_line=paper.read_line,
            write=paper.lines.append,
            options=PlainOptions(type_ahead=True),
        )

    assert asyncio.run(main()) is Ending.GAME_OVER
    game = session.state.game
    assert game.ended is not None
    scores = paper.starting("SCORES")
    assert len(scores) == len(game.scored) + 2
    assert [int(word) for word in scores[-1].split()[2:]] == list(game.totals)
    winner = ("You", "Ann", "Ben", "Cy")[game.ended.places.index(1)]
    assert paper.lines[-2].startswith(f"WINNER {winner} win")
    assert f"{min(game.totals)} points" in paper.lines[-2]


def test_what_is_told_is_one_plain_line_an_event_with_stable_words(table: SeatedAt) -> None:
    paper, _ = play(table(), ["pass 4h,5h,qh", "8c"])
    assert paper.lines[:20] == [
        "TABLE oak-1, you are South",
        "RULES Standard, to 40",
        "SEAT South You, person",
        "SEAT West Ann, easy bot",
        "SEAT North Ben, easy bot",
        "SEAT East Cy, easy bot",
        "DEAL 1, Cy deals, pass left to Ann",
        "HAND 8C 3D 6D 7D TD KD 3S 8S AS 3H 4H 5H QH",
        "YOUR PASS pass 3 cards left to Ann",
        "HELP type pass 2c 5d 9s to pass these cards, qs to play that one; help lists the commands",
        "CHOSEN 4H 5H QH",
        "READY You chose a pass",
        "READY Ann chose a pass",
        "READY Ben chose a pass",
        "READY Cy chose a pass",
        "PASSED 4H 5H QH to Ann",
        "RECEIVED AC QD QS from Cy",
        "HAND 8C AC 3D 6D 7D TD QD KD 3S 8S QS AS 3H",
        "LEADER Cy leads the first trick",
        "TRICK 1 Cy leads 2C",
    ]
    assert all(line.isascii() and line.isprintable() for line in paper.lines)


def test_ears_hear_the_names_of_cards(table: SeatedAt) -> None:
    spoken = PlainOptions(CardStyle.WORDS, type_ahead=True)
    paper, _ = play(table(), ["pass 4h 5h qh", "qs"], spoken)
    assert "TRICK 1 Cy leads two of clubs" in paper.lines
    assert "YOUR TURN follow clubs: eight of clubs, ace of clubs" in paper.lines
    (refused,) = paper.starting("REFUSED")
    assert "queen of spades: you still hold clubs" in refused


def test_a_refused_card_names_the_rule_and_can_be_followed_by_a_legal_one(
    table: SeatedAt,
) -> None:
    paper, _ = play(table(), ["pass 4h 5h qh", "play qs", "play 8c"])
    assert paper.starting("REFUSED") == [
        "REFUSED MUST_FOLLOW_SUIT QS: you still hold clubs, follow suit; legal: 8C AC"
    ]
    assert "CARD You play 8C" in paper.lines


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("legal", "LEGAL 8C 3D 6D 7D TD KD 3S 8S AS 3H 4H 5H QH"),
        ("hand", "HAND 8C 3D 6D 7D TD KD 3S 8S AS 3H 4H 5H QH"),
        ("last", "LAST no trick has been completed in this deal"),
        ("passed", "PASSED nothing yet to Ann"),
        ("passed", "RECEIVED nothing yet from Cy"),
        ("scores", "SCORES total  0          0         0          0"),
        ("help", "HELP play qs - play the queen of spades; qs alone does the same"),
        ("shuffle", "UNKNOWN 'shuffle' is not a command; type one of pass, play, claim, add,"),
        ("play 1x", "UNKNOWN '1x' is not a card; write rank then suit, like QS or 10d"),
        ("pass", "UNKNOWN name the cards to pass after the word, each like qs"),
        ("hand now", "UNKNOWN type hand alone on its line"),
        ("play 8c", "WAIT another decision is due: YOUR PASS pass 3 cards left to Ann"),
        ("pass 8c 3d", "REFUSED WRONG_PASS_COUNT pass exactly 3 cards, not 2"),
    ],
)
def test_every_line_gets_a_helpful_answer(table: SeatedAt, typed: str, line: str) -> None:
    session = table()
    lines: list[str] = []

    async def main() -> None:
        due = asyncio.Event()

        def write(text: str) -> None:
            lines.append(text)
            if text.startswith("YOUR PASS"):
                due.set()

        waiting = [typed]

        async def read_line() -> str | None:
            await due.wait()
            return waiting.pop() if waiting else None

        news = session.news()
        session.start()
        await play_plain(session, news=news, read_line=read_line, write=write)

    asyncio.run(main())
    assert any(found.startswith(line) for found in lines), lines


def test_how_to_answer_is_said_once_and_only_to_someone_who_can(table: SeatedAt) -> None:
    paper, _ = play(table(), ["pass 4h 5h qh", "8c"])
    assert len(paper.starting("YOUR")) == 3
    (hint,) = paper.starting("HELP")
    assert paper.lines[paper.lines.index(hint) - 1].startswith("YOUR PASS")

    session = table()
    lines: list[str] = []

    async def watch() -> None:
        session.start()
        news = asked_again(session)
        await play_plain(session, news=news, read_line=None, write=lines.append)

    asyncio.run(watch())
    assert [line.split()[0] for line in lines] == ["YOUR"]


async def asked_again(session: LocalSession) -> AsyncIterator[News]:
    yield Asked(Ask.PASS, session.view, deadline=None)


def test_the_prompt_names_every_card_where_any_may_be_played(table: SeatedAt) -> None:
    session = table()
    session.start()
    session.answer(ChoosePass(session.seat, tuple(session.view.hand)[:3]))
    hand = session.view.hand
    trick = session.view.trick._replace(cards=())
    free = replace(session.view, trick=trick, tricks=(trick,), legal=hand)
    free = replace(free, hearts_broken=True)
    (line,) = asked_lines(Asked(Ask.CARD, free, None), CardStyle.LETTERS)
    assert line == f"YOUR TURN your lead: {hand}"


def test_lines_from_a_pipe_are_answered_when_there_is_something_to_answer(
    table: SeatedAt,
) -> None:
    paper, _ = play(table(), ["hand", "pass 4h 5h qh", "hand", "passed", "last", "8c", "last"])
    hands = paper.starting("HAND")
    assert hands[0] == hands[1] == "HAND 8C 3D 6D 7D TD KD 3S 8S AS 3H 4H 5H QH"
    assert hands[2] == hands[3] == "HAND 8C AC 3D 6D 7D TD QD KD 3S 8S QS AS 3H"
    assert paper.starting("WAIT") == []
    assert paper.starting("PASSED") == ["PASSED 4H 5H QH to Ann"] * 2
    assert paper.starting("RECEIVED") == ["RECEIVED AC QD QS from Cy"] * 2
    before, after = paper.starting("LAST")
    assert before == "LAST no trick has been completed in this deal"
    assert "You 8C" in after
    assert paper.starting("NOW")[0] == "NOW Cy 2C"


def test_the_scores_have_the_points_of_the_deal_that_is_being_played(table: SeatedAt) -> None:
    session = table(rules="black_lady target=60")
    session.start()
    while session.view.deal < 2 or sum(session.view.points) == 0:
        legal = session.view.legal
        if session.state.phase is Phase.PASSING:
            session.answer(ChoosePass(session.seat, tuple(legal)[:3]))
        else:
            asyncio.run(session.play(legal.lowest()))
    view = session.view
    heading, *rows = score_lines(view)
    assert heading.split()[:2] == ["SCORES", "deal"]
    assert [row.split()[1] for row in rows] == ["1", "2", "total"]
    assert [int(word) for word in rows[1].split()[2:6]] == list(view.points)
    assert rows[1].endswith("so far, not in the total")
    assert [int(word) for word in rows[2].split()[2:]] == list(view.totals)


def test_a_long_break_is_told_now_and_then_and_an_answer_given_meanwhile_is_kept(
    table: SeatedAt,
) -> None:
    session = table()
    lines: list[str] = []
    unheard = asyncio.Event()
    typed = ["pass 4h 5h qh"]

    async def broken() -> AsyncIterator[News]:
        session.start()
        yield Asked(Ask.PASS, session.view, deadline=None)
        for attempt in range(1, 66):
            yield Offline(attempt, "no server answers")
        unheard.set()
        await asyncio.Event().wait()

    async def read_line() -> str | None:
        await unheard.wait()
        return typed.pop() if typed else "quit"

    async def main() -> None:
        await play_plain(session, news=broken(), read_line=read_line, write=lines.append)

    asyncio.run(main())
    told = [line.split()[2].rstrip(":") for line in lines if line.startswith("OFFLINE")]
    assert told == ["1", "5", "20", "40", "60"]
    assert "WAIT your answer will be sent when the connection is back" in lines


def test_an_early_answer_is_refused_where_nothing_may_be_typed_ahead(table: SeatedAt) -> None:
    session = table()
    paper = Paper(session, ["play 8c", "quit"])

    async def main() -> Ending:
        return await play_plain(
            session, news=session.news(), read_line=paper.read_line, write=paper.lines.append
        )

    assert asyncio.run(main()) is Ending.QUIT
    assert paper.lines == ["WAIT it is not your turn", "QUIT you left"]
    assert session.answers == []


def test_a_deadline_is_told_in_seconds(table: SeatedAt) -> None:
    session = table()
    session.start()
    lines: list[str] = []

    async def asked() -> AsyncIterator[News]:
        yield Asked(Ask.PASS, session.view, deadline=61_200_000)

    async def main() -> None:
        options = PlainOptions(now=lambda: 1_500_000)
        await play_plain(session, news=asked(), read_line=None, write=lines.append, options=options)

    asyncio.run(main())
    assert lines == ["YOUR PASS pass 3 cards left to Ann", "CLOCK 60 seconds to decide"]


def test_end_of_input_while_a_decision_is_due_is_said(table: SeatedAt) -> None:
    session = table()
    paper, ending = play(session, ["pass 4h 5h qh"])
    assert ending is Ending.INPUT_ENDED
    assert paper.lines[-1] == (
        "INPUT ended while a decision is due; the game is kept and can be taken up again"
    )
    assert [type(answer) for answer in session.answers] == [ChoosePass]


def test_a_watcher_sees_the_game_that_another_reader_of_the_news_plays(table: SeatedAt) -> None:
    session = table(rules="black_lady target=10")
    lines: list[str] = []

    async def bot(news: AsyncIterator[News]) -> None:
        async for _ in news:
            legal = session.view.legal
            if not legal:
                continue
            if session.state.phase is Phase.PASSING:
                await session.choose_pass(list(legal)[:3])
            else:
                await session.play(legal.highest())

    async def main() -> Ending:
        seen, played = session.news(), session.news()
        session.start()
        async with asyncio.TaskGroup() as group:
            group.create_task(bot(played))
            return await play_plain(session, news=seen, read_line=None, write=lines.append)

    assert asyncio.run(main()) is Ending.GAME_OVER
    cards = [line for line in lines if line.startswith(("CARD", "TRICK"))]
    assert len(cards) == 52 * len(session.state.game.scored)
    assert lines[-2].startswith("WINNER")


def test_a_break_is_told_and_what_was_missed_after_it(table: SeatedAt) -> None:
    session = table()
    lines: list[str] = []

    async def main() -> Ending:
        news = session.news()
        session.start()
        before = len(session.told)
        session.answer(ChoosePass(session.seat, tuple(session.view.hand)[:3]))
        missed = tuple(
            event for item in session.told[before:] for event in getattr(item, "events", ())
        )
        replies: list[News] = [
            *session.told[:before],
            Offline(1, "the server does not answer"),
            Joined(session.view, missed, returned=True),
            Closed(Cause.REMOVED, "the host took the seat away"),
        ]
        del news

        async def scripted() -> AsyncIterator[News]:
            for item in replies:
                yield item

        return await play_plain(session, news=scripted(), read_line=None, write=lines.append)

    assert asyncio.run(main()) is Ending.CLOSED
    at = lines.index("OFFLINE attempt 1: the server does not answer")
    assert lines[at + 1] == "ONLINE back at the table"
    assert lines[at + 2] == "MISSED you missed 1 card"
    assert lines[at + 3] == "CHOSEN 8C 3D 6D"
    assert any(line.startswith("RECEIVED") for line in lines[at:])
    assert lines[-1] == "CLOSED the host took the seat away"


def test_someone_who_comes_late_hears_of_the_current_deal_only(table: SeatedAt) -> None:
    session = table(rules="black_lady target=60")
    session.start()
    while session.view.deal < 3:
        legal = session.view.legal
        if session.state.phase is Phase.PASSING:
            session.answer(ChoosePass(session.seat, tuple(legal)[:3]))
        else:
            asyncio.run(session.play(legal.lowest()))
    lines: list[str] = []

    async def late() -> AsyncIterator[News]:
        seen = visible(session.events, session.seat)
        yield Joined(observe(session.state, session.seat), seen, returned=False)

    async def main() -> None:
        await play_plain(session, news=late(), read_line=None, write=lines.append)

    asyncio.run(main())
    assert [line for line in lines if line.startswith("DEAL")] == [
        "DEAL 3, Ann deals, pass across to Ben"
    ]
    assert lines[6].startswith("TOTALS You ")
