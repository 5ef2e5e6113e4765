"""What operators read: enough to run a server by, and never a card, a token or a secret."""

from __future__ import annotations

import ast
import asyncio
import base64
import io
import json
import logging
import random
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest

import hearts_server
from hearts_cli.loglines import FORMATTERS, LOG_NAME, log_file, logged_to
from hearts_engine.cards import PACK, Seat
from hearts_engine.events import (
    Absence,
    ClocksStarted,
    ClocksStopped,
    CloseCause,
    EntropyRevealed,
    Event,
    GameClosed,
    SeatAway,
    SeatBack,
    SeatKind,
    SeatTakenOver,
    SecretRevealed,
    StopCause,
)
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_proto.v1 import lobby_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.log import Unavailable
from hearts_replays.memory import MemoryStore
from hearts_server import lobby_service
from hearts_server.chronicle import note
from hearts_server.journal import Opening, Premises, open_game
from hearts_server.ledger import Written
from hearts_server.logbook import FIELDS, Entry, about, trace_of
from hearts_server.testing.callers import (
    SeatStream,
    Venue,
    at_random,
    denied,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.entries import entries
from hearts_server.testing.premises import Draws, premises_of
from hearts_server.testing.sightings import sightings
from hearts_server.testing.stores import TroubledStore
from hearts_wire.records import Record, decode_record

GAMES: Final = (
    "black_lady target=60",
    "five removed=none kitty=first_penalty pass_cycle=scatter pass_count=4 deals=1",
)
SEED: Final = "a seed that nobody may read"
REQUEST: Final = "a request that opens a seat"

NO_CARDS: Final = frozenset(
    {"count", "deal", "duration", "owner", "port", "seat", "seq"}
    | {"game", "host", "incident", "kind", "method", "peer", "reason", "store_says", "table"}
    | {"network_says", "trace"}
)
"""Fields of which somebody has decided that no number in them is a card."""

OWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"hearts", "message", "asctime"}
"""What every record of Python's logging has, and the place of our fields."""

log = logging.getLogger("hearts_server.under_test")


class Everything(logging.Handler):
    """Keeps all that anything in this process logs."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


@contextmanager
def everything() -> Generator[list[logging.LogRecord], None, None]:
    """All that is logged at any level while the block lasts."""
    handler, root = Everything(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield handler.records
    finally:
        root.removeHandler(handler)
        root.setLevel(before)


def texts(record: logging.LogRecord) -> Iterator[str]:
    """Every way in which somebody may come to read a record, whatever formats it."""
    yield repr(vars(record))
    yield logging.Formatter().format(record)
    yield from (formatter().format(record) for formatter in FORMATTERS.values())


def undecided(record: logging.LogRecord) -> Iterator[str]:
    """What a record of ours holds in places where a number could be a card."""
    if record.name.startswith("hearts_server."):
        if not isinstance(record.msg, Entry) or record.args:
            yield f"not an entry: {record.getMessage()}"
        yield from set(vars(record)) - OWN
        given: dict[str, object] = vars(record).get("hearts", {})
        yield from set(given) - NO_CARDS
        yield from (name for name, value in given.items() if not is_plain(value))


def is_plain(value: object) -> bool:
    return isinstance(value, str | bool | int | float)


def leaks(records: Iterable[logging.LogRecord], secrets: Iterable[str] = ()) -> list[str]:
    """What should not be in these records: cards, whatever may be one, and these secrets."""
    kept = list(records)
    found = [place for record in kept for place in undecided(record)]
    text = "\n".join(chain.from_iterable(map(texts, kept)))
    found += map(str, sightings(pb.Detached(message=text)))
    return [*found, *(secret for secret in secrets if secret in text)]


@dataclass
class Evening:
    """Games that were played, and what nobody but those who played may know of them."""

    records: list[logging.LogRecord]
    secrets: set[str] = field(default_factory=set[str])

    def hide(self, *secrets: bytes | str) -> None:
        """Note a secret in every form in which it could be written."""
        for secret in secrets:
            data = secret.encode() if isinstance(secret, str) else secret
            self.secrets |= {data.hex(), base64.b64encode(data).decode(), repr(data)[2:-1]}
            if isinstance(secret, str):
                self.secrets.add(secret)


@cache
def evening() -> Evening:
    """Whole games in which seats ask forbidden things, come back, and are mistaken for others."""
    with everything() as records:
        played = Evening(records)
        for text in GAMES:
            asyncio.run(_evening(parse_rules(text), played))
    return played


async def _evening(rules: Rules, played: Evening) -> None:
    store, chance = MemoryStore(), random.Random(12)
    # Draws of its own: what is a secret in one evening is a game's id in no other.
    async with open_venue(premises_of(store, draws=Draws(str(rules.players)))) as venue:
        for seed in (None, SEED):
            played.hide(REQUEST, SEED)
            table = await venue.table(rules, fixed_seed=seed, request_id=f"{REQUEST} {seed}")
            entropy = [b"" if seed else bytes([65 + seat]) * 32 for seat in range(rules.players)]
            async with venue.seated(table.name, entropy) as first:
                streams = list(first)
                top = await store.secrets.get(table.game_id)
                played.hide(*([top] if top else []))
                await venue.start(streams[0].sitter)
                await everyone_hears(streams)
                while any(stream.prompt for stream in streams):
                    await _make_trouble(venue, streams, chance)
                    await play_on(streams, at_random(chance), at_most=11)
                played.hide(*(stream.sitter.token for stream in streams))
            for record in map(decode_record, store.games[table.game_id]):
                played.hide(*([record.salt] if record.salt else []))
                match record.event:
                    case SecretRevealed(secret=secret) | EntropyRevealed(entropy=secret):
                        played.hide(secret)
                    case _:
                        pass
        await _with_house_bots(venue, rules)


async def _make_trouble(venue: Venue, streams: list[SeatStream], chance: random.Random) -> None:
    """A seat asks for what it may not have, comes again, and somebody tries a wrong token."""
    place = chance.randrange(len(streams))
    before = streams[place]
    if before.prompt is not None and before.prompt.ask == pb.ASK_CARD:
        card = chance.choice([c for c in PACK if c not in before.prompt.view.legal])
        wrong = pb.PlayCard(prompt_seq=before.prompt.prompt_seq, card=card)
        await before.refusal(pb.PlayRequest(play_card=wrong))
    streams[place] = SeatStream(venue.channel, before.sitter)
    await streams[place].attach()
    wrong_token = lobby_pb2.LeaveTableRequest(table=before.sitter.table, seat_token="QS")
    assert (await denied(venue.lobby.LeaveTable(wrong_token))).reason == "BAD_TOKEN"
    wrong_name = lobby_pb2.GetTableRequest(table="9D")
    assert (await denied(venue.lobby.GetTable(wrong_name))).reason == "NO_SUCH_TABLE"


async def _with_house_bots(venue: Venue, rules: Rules) -> None:
    table = await venue.table(rules)
    sitter = await venue.sit(table.name, "QS")  # whoever calls himself so
    for _ in range(rules.players - 1):
        await venue.add_house_bot(sitter, "medium")
    async with venue.stream(sitter) as stream:
        await stream.attach()
        await venue.start(sitter)
        choose = at_random(random.Random(3))
        while not (await stream.next()).HasField("detached"):
            if stream.prompt:
                request, stream.prompt = stream.choice(choose), None
                await stream.send(request)


def test_hb_076_no_line_of_the_log_of_whole_games_names_a_card() -> None:
    assert len(entries(evening().records, "written")) > 500, "the least important lines too"
    assert leaks(evening().records) == []


def test_no_line_of_the_log_of_whole_games_holds_a_token_or_a_secret() -> None:
    assert len(evening().secrets) > 100
    assert leaks(evening().records, evening().secrets) == []


def test_every_field_is_known_to_hold_no_card() -> None:
    assert set(FIELDS) == NO_CARDS


def test_the_log_of_a_deal_is_the_same_whatever_cards_are_dealt_and_played() -> None:
    logs = [asyncio.run(_log_of_a_deal(seed)) for seed in ("one", "three", "five")]
    assert [log[-1]["seq"] for log in logs] == [97] * 3, "one deal each, without a tie"
    assert len(logs[0]) > 60
    assert logs[0] == logs[1] == logs[2]


async def _log_of_a_deal(seed: str) -> list[dict[str, object]]:
    rules, chance = parse_rules("black_lady deals=1"), random.Random(seed)
    with everything() as records:
        async with open_venue(premises_of()) as venue:
            table = await venue.table(rules, fixed_seed=seed)
            async with venue.seated(table.name) as streams:
                await venue.start(streams[0].sitter)
                await everyone_hears(streams)
                await play_on(streams, at_random(chance))
                for stream in streams:
                    await stream.rest()
        told = entries(records)
    for entry in told:
        entry.pop("peer", None)
        entry.pop("port", None)
    # Streams end in any order, and the table is let go with the last, or before.
    return sorted((each for each in told if each["entry"] != "table_let_go"), key=str)


def _careless(sentence: str) -> Callable[[], None]:
    return lambda: log.info(sentence)


def _with_error(error: Exception) -> None:
    try:
        raise error
    except ValueError:
        log.exception(Entry.INCIDENT)


CARELESS: Final[dict[str, Callable[[], None]]] = {
    "a card in a sentence": _careless("seat 2 holds 9D"),
    "a card's index in a sentence": _careless("seat 2 holds 33"),
    "a card in a field": lambda: log.info(Entry.WRITTEN, extra=about(reason="10♠")),
    "a card's index in a field of its own": lambda: log.info(
        Entry.WRITTEN, extra={"hearts": {"card": 33}}
    ),
    "cards in a field that holds one thing": lambda: log.info(
        Entry.WRITTEN, extra={"hearts": {"seat": [33, 34]}}
    ),
    "a card beside the fields": lambda: log.info(Entry.WRITTEN, extra={"card": 33}),
    "a card in the words of an error": lambda: _with_error(ValueError("QS is not held")),
    "a token": lambda: log.info(Entry.ATTACHED, extra=about(reason="a1b2c3")),
}


@pytest.mark.parametrize("name", CARELESS)
def test_a_careless_line_would_be_found(name: str) -> None:
    with everything() as records:
        CARELESS[name]()
    assert len(records) == 1
    assert leaks(records, ["a1b2c3"]) != []


def lines(log_format: str, level: str, act: Callable[[], None]) -> list[str]:
    """What `hearts serve` writes when this happens."""
    stream = io.StringIO()
    with logged_to(logging.StreamHandler(stream), log_format, level):
        act()
    return stream.getvalue().splitlines()


def _something() -> None:
    log.debug(Entry.WRITTEN)
    where = about(table="oak-1", seat=2, seq=17, owner=True, duration=1.23456)
    log.info(Entry.DETACHED, extra={"hearts": {**where["hearts"], "store_says": "disk full"}})


def test_a_line_for_people_has_the_time_the_level_the_entry_and_its_fields_in_order() -> None:
    (line,) = lines("text", "info", _something)
    moment, rest = line.split(" ", 1)
    assert moment.endswith("Z")
    assert rest == (
        'INFO detached table=oak-1 seat=2 seq=17 duration=1.235 owner=true store_says="disk full"'
    )


def test_a_line_for_programs_is_one_object() -> None:
    (line,) = lines("json", "info", _something)
    told: dict[str, Any] = json.loads(line)
    assert told.pop("time").endswith("Z")
    assert told == {
        "level": "info",
        "logger": "hearts_server.under_test",
        "entry": "detached",
        "table": "oak-1",
        "seat": 2,
        "seq": 17,
        "owner": True,
        "duration": 1.23456,
        "store_says": "disk full",
    }


def test_a_level_leaves_out_what_is_below_it() -> None:
    assert len(lines("text", "debug", _something)) == 2
    assert lines("text", "warning", _something) == []


@pytest.mark.parametrize("log_format", FORMATTERS)
def test_the_words_of_an_error_are_not_written_but_its_kind_and_its_way_are(
    log_format: str,
) -> None:
    def fail() -> None:
        try:
            raise ValueError("QS is not held")
        except ValueError:
            logging.getLogger("asyncio").exception("never retrieved\nValueError('QS is not held')")

    (line,) = lines(log_format, "info", fail)
    assert "never retrieved" in line
    assert "ValueError at test_logs.py:" in line
    assert "QS" not in line


def test_a_game_of_its_own_logs_to_a_file_and_only_if_there_is_something_to_say(
    tmp_path: Path,
) -> None:
    before = list(logging.getLogger().handlers)
    written = tmp_path / LOG_NAME
    with logged_to(log_file(tmp_path), "text", "warning"):
        _something()
    assert not written.exists()
    with logged_to(log_file(tmp_path), "text", "warning"):
        log.error(Entry.INCIDENT)
    assert written.read_text(encoding="utf-8").endswith("ERROR incident\n")
    assert logging.getLogger().handlers == before


def test_a_trace_tells_of_causes_and_of_what_is_in_a_group_and_ends() -> None:
    first, last = ValueError("QS"), KeyError("9D")
    first.__cause__ = last
    last.__context__ = first
    group = ExceptionGroup("2C", [first, OSError("3C")])
    assert trace_of(group) == "ExceptionGroup; ValueError; KeyError; OSError"


def test_a_mistake_of_ours_is_logged_under_the_id_that_the_caller_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(*_: object) -> lobby_pb2.Table:
        raise ValueError("seat 2 holds QS")

    monkeypatch.setattr(lobby_service, "table_of", fails)
    with everything() as records:
        sentence = asyncio.run(_mistake())
    (incident,) = entries(records, "incident")
    assert sentence.endswith(str(incident["incident"]))
    assert "ValueError at " in str(incident["trace"])
    assert "test_logs.py" in str(incident["trace"])
    (refused,) = entries(records, "refused")
    assert refused["reason"] == "INTERNAL"
    assert leaks(records) == []


async def _mistake() -> str:
    async with open_venue(premises_of()) as venue:
        told = await denied(venue.table())
        assert told.reason == "INTERNAL"
        return told.sentence


@asynccontextmanager
async def seated(
    premises: Premises,
) -> AsyncGenerator[tuple[Venue, tuple[SeatStream, ...]], None]:
    async with open_venue(premises) as venue:
        table = await venue.table(parse_rules("black_lady target=1"))
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            yield venue, streams


def test_an_operator_can_tell_who_came_why_they_went_and_what_became_of_the_game() -> None:
    with everything() as records:
        asyncio.run(_comings_and_goings())
    told = [str(entry["entry"]) for entry in entries(records)]
    assert told[:3] == ["listening", "game_opened", "written"]
    assert told[-1] == "stopped"
    for name in ("table_opened", "game_begun", "game_over", "draining"):
        assert told.count(name) == 1
    joined = entries(records, "seat_joined")
    assert [(entry["seat"], entry["kind"]) for entry in joined] == [(s, "person") for s in range(4)]
    attached = entries(records, "attached")
    assert all(str(entry["peer"]).startswith("ipv4:127.0.0.1:") for entry in attached)
    reasons = sorted(str(entry["reason"]) for entry in entries(records, "detached"))
    assert reasons == ["dropped", *["game_over"] * 4, "superseded"]


async def _comings_and_goings() -> None:
    premises = premises_of()
    async with seated(premises) as (venue, streams):
        newest = list(streams)
        newest[1] = SeatStream(venue.channel, streams[1].sitter)
        await newest[1].attach()
        await streams[1].rest()
        streams[2].cancel()
        while premises.meters.detached["dropped"] < 1:
            await venue.lobby.ListTables(lobby_pb2.ListTablesRequest())
        newest[2] = SeatStream(venue.channel, streams[2].sitter)
        await newest[2].attach()
        await play_on(newest, at_random(random.Random(4)))
        for stream in newest:
            await stream.rest()


PLAYED_ON: Final[dict[Event, dict[str, object]]] = {
    SeatAway(Seat(2), Absence.MISSED): {"entry": "seat_away", "seat": 2, "reason": "missed"},
    SeatBack(Seat(2)): {"entry": "seat_back", "seat": 2},
    SeatTakenOver(Seat(1), "QS", SeatKind.PERSON): {
        "entry": "seat_taken_over",
        "seat": 1,
        "kind": "person",
    },
    ClocksStopped(StopCause.HOST): {"entry": "clocks_stopped", "reason": "host"},
    ClocksStarted(): {"entry": "clocks_started"},
    GameClosed(CloseCause.UNATTENDED): {"entry": "game_closed", "reason": "unattended"},
}


@pytest.mark.parametrize("event", PLAYED_ON, ids=lambda event: type(event).__name__)
def test_an_operator_can_tell_who_is_away_and_whether_a_game_stands_still(event: Event) -> None:
    opened = asyncio.run(open_game(premises_of(), Opening("oak-1", Rules()))).state
    with everything() as records:
        note((Written(Record(7, 0, event), b"", b"", opened, None),))
    told, _ = entries(records)
    assert told == {"table": "oak-1", "game": told["game"], "seq": 7, **PLAYED_ON[event]}
    assert leaks(records) == []


def test_every_line_of_the_server_is_an_entry_of_the_list_and_nothing_else() -> None:
    source = Path(hearts_server.__file__).parent
    calls = [call for path in source.glob("*.py") for call in _logging_calls(path)]
    assert len(calls) > 30
    said = {ast.unparse(call) for call in calls if not _is_entry(call)}
    assert said == set()


METHODS: Final = {"debug", "info", "warning", "error", "exception", "critical", "log"}


def _logging_calls(path: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name("log"), attr=name)):
                if name in METHODS:
                    yield node
            case _:
                pass


def _is_entry(call: ast.Call) -> bool:
    *level, entry = call.args
    extra = [keyword.arg for keyword in call.keywords] in ([], ["extra"])
    return extra and len(level) < 2 and ast.unparse(entry).startswith(("Entry.", "entry"))


def test_a_store_that_fails_is_logged_once_and_again_when_it_works() -> None:
    with everything() as records:
        asyncio.run(_store_fails())
    (trouble,) = entries(records, "store_trouble")
    assert trouble["store_says"] == "the disk is full"
    (recovered,) = entries(records, "store_recovered")
    assert recovered["game"] == trouble["game"]


async def _store_fails() -> None:
    store = TroubledStore()
    async with seated(premises_of(store)) as (_, streams):
        request = streams[0].choice(at_random(random.Random(5)))
        store.trouble = Unavailable("the disk is full")
        for _ in range(3):
            assert (await streams[0].refusal(request)).reason == "STORE_UNAVAILABLE"
        store.trouble = None
        await streams[0].send(request)
        await everyone_hears(streams)
