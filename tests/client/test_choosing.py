"""A list of tables that one can choose from, and what is chosen for whom."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

import click
import pytest

from hearts_cli.choosing import Offer, choose, offers
from hearts_cli.failures import BadInput, ServerFailure, run
from hearts_cli.lines import InputLines
from hearts_cli.surroundings import Search
from hearts_cli.tablelist import aligned, table_json, table_rows
from hearts_cli.terminal import Terminal
from hearts_client.discovery import ServerTables, Silent, Surroundings
from hearts_client.invite import Invite
from hearts_client.lobby import TableInfo
from hearts_client.ticket import Ticket, Tickets
from hearts_client.trust import Tls
from hearts_engine.cards import Seat
from hearts_engine.events import SeatKind, SeatTaken
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules

DEN = Invite("192.168.1.20", 4246, fingerprint="a" * 32)
ANN = SeatTaken(Seat(0), "Ann", SeatKind.PERSON, "", b"")
BOT = SeatTaken(Seat(2), "Max", SeatKind.HOUSE, "medium", b"")
OAK = TableInfo("oak-1", "g1", Rules(), (ANN, BOT), seating=True, over=False)
ELM = TableInfo("elm-1", "g2", parse_rules("omnibus"), (), seating=True, over=False)
FULL = replace(OAK, name="ash-1", game_id="g3", seats=(ANN,) * 4)
PLAYING = replace(FULL, name="fir-1", game_id="g4", seating=False)


@dataclass
class Person:
    """Answers with this number; none if nobody is there."""

    answer: int | None = None
    asked: list[str] = field(default_factory=list[str])

    @property
    def can_ask(self) -> bool:
        return self.answer is not None

    async def chooses(self, question: str, most: int) -> int:
        self.asked.append(f"{question} {most}")
        assert self.answer is not None
        return self.answer


def found(tmp_path: Path, *tables: TableInfo, rules: Rules | None = None) -> tuple[Offer, ...]:
    around = Surroundings((ServerTables("den", DEN, tables),) if tables else ())
    search = Search(tmp_path, Tls.AUTO, discovery=True)
    return offers(around, search, lambda table: rules in (None, table.rules))


def test_only_tables_with_a_free_seat_are_offered(tmp_path: Path) -> None:
    listed = found(tmp_path, OAK, ELM, FULL, PLAYING)
    assert [offer.table.name for offer in listed] == ["oak-1", "elm-1"]


def test_only_tables_that_play_by_the_rules_are_offered(tmp_path: Path) -> None:
    listed = found(tmp_path, OAK, ELM, rules=ELM.rules)
    assert [offer.table.name for offer in listed] == ["elm-1"]


def test_a_seat_that_one_holds_comes_before_any_free_one(tmp_path: Path) -> None:
    ticket = Ticket(DEN.address, "fir-1", "g4", Seat(1), "Ann", "token", b"")
    Tickets(tmp_path).keep(ticket).let_go()
    (offer,) = found(tmp_path, OAK, ELM, PLAYING)
    assert offer.place.invite.table == "fir-1"


def test_a_seat_that_another_terminal_plays_on_is_not_offered_again(tmp_path: Path) -> None:
    ticket = Ticket(DEN.address, "fir-1", "g4", Seat(1), "Ann", "token", b"")
    holding = Tickets(tmp_path).keep(ticket)
    assert [offer.table.name for offer in found(tmp_path, OAK, PLAYING)] == ["oak-1"]
    holding.let_go()


def test_a_game_that_is_over_is_nothing_to_come_back_to(tmp_path: Path) -> None:
    ticket = Ticket(DEN.address, "fir-1", "g4", Seat(1), "Ann", "token", b"")
    Tickets(tmp_path).keep(ticket).let_go()
    over = replace(PLAYING, over=True)
    assert [offer.table.name for offer in found(tmp_path, OAK, over)] == ["oak-1"]


def test_where_no_table_has_a_free_seat_it_is_said_how_to_open_one(tmp_path: Path) -> None:
    with pytest.raises(ServerFailure, match=r"hearts join hearts://192\.168\.1\.20:4246#a+$"):
        found(tmp_path, FULL)


def test_where_there_is_no_server_it_is_said_how_to_start_one(tmp_path: Path) -> None:
    with pytest.raises(ServerFailure, match="hearts serve"):
        found(tmp_path)


def test_where_no_server_could_be_trusted_another_is_not_proposed(tmp_path: Path) -> None:
    around = Surroundings((), (Silent("den", "it is not the one met there before"),))
    with pytest.raises(ServerFailure, match="ask who runs one for its invite"):
        offers(around, Search(tmp_path, Tls.AUTO, discovery=True), lambda _: True)


def test_one_table_is_joined_without_a_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(answer=1)
    place = asyncio.run(choose(found(tmp_path, OAK, FULL), person))
    assert place.invite == replace(DEN, table="oak-1")
    assert place.hearsay, "what is remembered of a server outweighs what was announced"
    assert person.asked == []
    assert "found oak-1 at den (192.168.1.20:4246)" in capsys.readouterr().out


def test_of_several_tables_the_one_with_the_number_that_was_typed_is_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    person = Person(answer=2)
    place = asyncio.run(choose(found(tmp_path, OAK, ELM), person))
    assert place.invite.table == "elm-1"
    assert person.asked == ["which table? 2"]
    assert capsys.readouterr().out.splitlines() == [
        "1  oak-1  2 seats free  Standard         Ann, Max (bot)  den (192.168.1.20:4246)",
        "2  elm-1  4 seats free  Omnibus, JD -10                  den (192.168.1.20:4246)",
    ]


def test_where_nobody_can_be_asked_the_tables_are_listed_and_one_has_to_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = found(tmp_path, OAK, ELM)
    with pytest.raises(BadInput, match=r"hearts join hearts://192\.168\.1\.20:4246/oak-1#a"):
        asyncio.run(choose(listed, Person()))
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_what_one_should_know_of_a_table_is_in_its_line() -> None:
    table = replace(OAK, turn_seconds=45, needs_passcode=True, host=Seat(0), watchers=2)
    (line,) = aligned(table_rows((table,)))
    assert line == (
        "oak-1  seating  2 seats free  Standard; 45 s a turn; needs a passcode; 2 watching  "
        "Ann (host), Max (bot)"
    )
    vacant = replace(PLAYING, vacant=frozenset({Seat(1)}))
    assert "playing  1 to take over" in next(aligned(table_rows((vacant,))))
    assert "over  no seat free" in next(aligned(table_rows((replace(vacant, over=True),))))


def test_columns_are_as_wide_as_their_widest_entry_on_the_screen() -> None:
    assert list(aligned((("花子", "x"), ("abc", "y")))) == ["花子  x", "abc   y"]
    assert list(aligned(())) == []


def test_a_name_cannot_write_on_the_terminal() -> None:
    trick = replace(OAK, seats=(replace(ANN, name="A\x1b[2Jnn\u202e"),))
    assert next(aligned(table_rows((trick,)))).endswith("A[2Jnn")


def test_a_table_for_machines_names_the_invite_that_leads_there() -> None:
    listed = table_json(
        ServerTables("den", DEN, (OAK,)), replace(OAK, connected=frozenset({Seat(0)}))
    )
    assert listed["invite"] == f"hearts://192.168.1.20:4246/oak-1#{DEN.fingerprint}"
    assert listed["free"] == 2
    assert listed["seats"] == [
        {"seat": 0, "name": "Ann", "kind": "person", "bot": "", "connected": True},
        {"seat": 2, "name": "Max", "kind": "house", "bot": "medium", "connected": False},
    ]


def _chosen(typed: str) -> int:
    """What is taken from these lines as a number from 1 to 2."""

    async def ask() -> int:
        terminal = Terminal(plain=True, watching=False)
        vars(terminal)["lines"] = InputLines(StringIO(typed))
        return await terminal.chooses("which table?", 2)

    return asyncio.run(ask())


def test_whoever_mistypes_a_number_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert _chosen("3\n0\n\n²\ntwo\n 2 \n") == 2
    assert capsys.readouterr().out.splitlines() == ["which table? 1 to 2"] * 6


def test_whoever_ends_the_input_at_a_question_has_left() -> None:
    with pytest.raises(click.Abort):
        _chosen("3\n")


def test_leaving_at_a_question_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    async def leaves() -> int:
        raise click.Abort

    assert run(leaves()) == 0
    assert "left" in capsys.readouterr().out
