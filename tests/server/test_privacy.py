"""No seat and no spectator is told of a card that it may not know, in any field of any message."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple

import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from hearts_engine.audience import visible_to
from hearts_engine.cards import PACK, Card, Seat
from hearts_engine.cards import SEATS as EVERY_SEAT
from hearts_engine.cardset import NO_CARDS, WHOLE_PACK, CardSet
from hearts_engine.events import CardPlayed, Event, HandDealt, PassChosen
from hearts_engine.evolve import evolve
from hearts_engine.presets import PRESETS
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase, State
from hearts_engine.view import follow, observe, visible
from hearts_proto.v1 import log_pb2, view_pb2
from hearts_proto.v1 import table_pb2 as pb
from hearts_replays.chain import extend
from hearts_replays.memory import MemoryStore
from hearts_server.journal import Journal
from hearts_server.testing.callers import (
    SeatStream,
    Venue,
    at_random,
    everyone_hears,
    open_venue,
    play_on,
)
from hearts_server.testing.premises import premises_of
from hearts_server.testing.sightings import Sighting, card_fields, is_record, sightings
from hearts_server.testing.spectators import WatchStream
from hearts_wire.events import encode_event
from hearts_wire.records import Record, decode_record, encode_record
from hearts_wire.views import decode_view, encode_view

SEATS = tuple(map(Seat, range(4)))
GAMES = (
    "black_lady target=60",
    "cancellation deals=1",
    "five removed=none kitty=last_trick deals=2",
    "five removed=none kitty=first_penalty pass_cycle=scatter pass_count=4 deals=1",
    (
        "plain_hearts players=3 removed=2H,3H,4H,5H,6H,7H,8H,9H,TH,JH moon=choose "
        "pass_cycle=shuffle,scatter pass_count=2 deals=8"
    ),
)
"""Rules that bring hidden cards about in every way there is."""

FOREIGN = Card.parse("9D")

Told = pb.PlayResponse | pb.WatchResponse


@dataclass(frozen=True)
class Game:
    """What happened, and beside it what each seat and a spectator were told of it."""

    records: tuple[Record, ...]
    states: tuple[State, ...]
    """After each record, the first after record 1."""
    told: Mapping[Seat | None, Sequence[Told]]
    """Under none what the spectator was told."""

    def known(self, seat: Seat | None, seq: int) -> CardSet:
        """What a seat may know of the current deal's cards after a record."""
        return known(self.states[seq - 1], seat)


def known(state: State, seat: Seat | None) -> CardSet:
    """What a seat was dealt and passed, and whatever lies open."""
    if state.exchange.shown:
        return WHOLE_PACK
    play = state.play
    seen = CardSet.of(card for trick in (*play.tricks, play.trick) for card in trick.cards)
    if seat is None:
        return seen
    outcome = play.outcome
    kitty = outcome.kitty if outcome.kitty_seat == seat else NO_CARDS
    return seen | kitty | state.exchange.dealt[seat] | state.exchange.received[seat]


def leaks(game: Game, seat: Seat | None, told: Iterable[Told]) -> Iterator[Sighting]:
    """Mentions of cards that the seat may not know; each record is judged by its own moment."""
    seq = 1
    for message in told:
        seq = message.update.seq or message.attached.seq or seq
        for data in records_in(message):
            record = log_pb2.LogRecord.FromString(data)
            yield from unknown(record, game.known(seat, record.seq))
        yield from unknown(without_records(message), game.known(seat, seq) | echoed_in(message))


def echoed_in(message: Told) -> CardSet:
    """The card that a refusal may name, for the seat had asked for it."""
    if not isinstance(message, pb.PlayResponse):
        return NO_CARDS
    asked = message.refusal.request_id
    return CardSet.of(PACK[asked : asked + 1])


def unknown(message: Message, cards: CardSet) -> Iterator[Sighting]:
    return (sighting for sighting in sightings(message) if sighting.card not in cards)


def records_in(message: Told) -> tuple[bytes, ...]:
    return (*message.attached.records, *message.update.records)


def without_records(message: Told) -> Told:
    rest = deepcopy(message)
    if rest.HasField("update"):
        rest.update.ClearField("records")
    if rest.HasField("attached"):
        rest.attached.ClearField("records")
    return rest


@cache
def restless_game(text: str = GAMES[0]) -> Game:
    """A whole game of which seats ask forbidden things, and to which they come back at times."""
    return asyncio.run(_restless_game(parse_rules(text)))


async def _restless_game(rules: Rules) -> Game:
    store, chance, whim = MemoryStore(), random.Random(11), random.Random(29)
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(rules)
        entropy = [bytes([seat]) * 32 for seat in range(rules.players)]
        async with venue.seated(table.name, entropy, wants_view=True) as first:
            streams = list(first)
            spectator = await _watch(venue, table.name)
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            while any(stream.prompt for stream in streams):
                await _ask_in_vain(streams, chance)
                await play_on(streams, at_random(chance), at_most=9)
                await _come_back(venue, streams, chance)
                spectator = await _watch_again(venue, spectator, streams[0].seq, whim)
            for stream in streams:
                await stream.rest()
            await spectator.rest()
        log = tuple(map(decode_record, store.games[table.game_id]))
    told: dict[Seat | None, Sequence[Told]] = {None: spectator.received}
    told |= {seat: stream.received for seat, stream in zip(EVERY_SEAT, streams, strict=False)}
    return Game(log, tuple(_states(log)), told)


async def _watch(venue: Venue, table: str, after: tuple[int, bytes] = (0, b"")) -> WatchStream:
    request = pb.WatchRequest(table=table, after_seq=after[0], after_head=after[1])
    spectator = WatchStream(venue.channel, request)
    await spectator.attached()
    return spectator


async def _watch_again(
    venue: Venue, before: WatchStream, seq: int, chance: random.Random
) -> WatchStream:
    """The spectator comes again, from a record that it has seen or from the start."""
    await before.sees(seq)
    seen = [message.update for message in before.received if message.HasField("update")]
    after = chance.choice([pb.Update(), *seen])
    before.cancel()
    table = next(m.attached.view.opened.table for m in before.received if m.HasField("attached"))
    spectator = await _watch(venue, table, (after.seq, after.head))
    spectator.received[:0] = before.received
    return spectator


async def _ask_in_vain(streams: list[SeatStream], chance: random.Random) -> None:
    for stream in streams:
        if stream.prompt is not None and stream.prompt.ask != pb.ASK_ENTROPY:
            card = chance.choice([c for c in PACK[1:] if c not in stream.prompt.view.legal])
            wrong = pb.PlayCard(prompt_seq=stream.prompt.prompt_seq, card=card)
            # The refusal may name the card that was asked for; the request's id says which.
            await stream.send(pb.PlayRequest(request_id=card, play_card=wrong))
            assert (await stream.next()).HasField("refusal")


async def _come_back(venue: Venue, streams: list[SeatStream], chance: random.Random) -> None:
    """One seat attaches again, from a record that it has seen or from the start."""
    place = chance.randrange(len(streams))
    before = streams[place]
    seen = [message.update for message in before.received if message.HasField("update")]
    after = chance.choice([pb.Update(), *seen])
    before.cancel()
    streams[place] = again = SeatStream(venue.channel, before.sitter)
    again.received = before.received
    await again.attach(after.seq, after.head, wants_view=True)


def _states(log: Iterable[Record]) -> Iterator[State]:
    state: State | None = None
    for record in log:
        state = evolve(state, record.event)
        yield state


def test_these_games_come_to_every_moment_a_table_knows() -> None:
    phases = {state.phase for text in GAMES for state in restless_game(text).states}
    assert phases == set(Phase)


@pytest.mark.parametrize("text", GAMES)
def test_hb_076_no_seat_and_no_spectator_is_told_of_a_card_that_it_may_not_know(
    text: str,
) -> None:
    game = restless_game(text)
    for seat in game.told:
        kinds = {message.WhichOneof("kind") for message in game.told[seat]}
        assert {"attached", "update", "detached"} <= kinds
        assert ("refusal" in kinds) == (seat is not None)
        assert list(leaks(game, seat, game.told[seat])) == []


@pytest.mark.parametrize("text", GAMES)
def test_neither_seat_nor_spectator_is_sent_a_record_that_is_addressed_to_others(text: str) -> None:
    game = restless_game(text)
    for seat in game.told:
        sent = {data for message in game.told[seat] for data in records_in(message)}
        seqs = {log_pb2.LogRecord.FromString(data).seq for data in sent}
        visible = {record.seq for record in game.records if visible_to(seat, record.event)}
        assert seqs == visible


@pytest.mark.parametrize("text", GAMES)
def test_a_view_says_nothing_that_the_seats_own_records_did_not_say(text: str) -> None:
    game = restless_game(text)
    for seat in game.told:
        own = _states_seen_by(seat, game.records)
        views = [item for message in game.told[seat] for item in _views_in(message)]
        assert len(views) > 50
        for seq, view in views:
            assert decode_view(view) == observe(own[seq - 1], seat)


def _states_seen_by(seat: Seat | None, records: Iterable[Record]) -> list[State]:
    """What a seat makes of its own records alone, after each record of the log."""
    states: list[State] = []
    for record in records:
        before = states[-1] if states else None
        if visible_to(seat, record.event):
            states.append(evolve(before, record.event))
        elif before is not None:
            states.append(before)
    return states


def _views_in(message: Told) -> Iterator[tuple[int, view_pb2.SeatView]]:
    told = message.attached if message.HasField("attached") else message.update
    if told.HasField("view"):
        yield told.seq, told.view
    if told.HasField("prompt"):
        yield told.seq, told.prompt.view


@cache
def spectated_deal(preset: str) -> Game:
    """One deal by these rules, played at random, and what a spectator was told of it."""
    return asyncio.run(_spectated_deal(parse_rules(f"{preset} deals=1")))


async def _spectated_deal(rules: Rules) -> Game:
    store, chance = MemoryStore(), random.Random(23)
    async with open_venue(premises_of(store)) as venue:
        table = await venue.table(rules)
        async with venue.seated(table.name, (b"",) * rules.players) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            spectator = await _watch(venue, table.name)
            await play_on(streams, at_random(chance))
            await spectator.rest()
        log = tuple(map(decode_record, store.games[table.game_id]))
    return Game(log, tuple(_states(log)), {None: spectator.received})


@pytest.mark.parametrize("preset", PRESETS)
def test_hb_076_by_no_rules_is_a_spectator_told_of_a_card_that_does_not_lie_open(
    preset: str,
) -> None:
    game = spectated_deal(preset)
    assert list(leaks(game, None, game.told[None])) == []


@pytest.mark.parametrize("preset", PRESETS)
def test_by_all_rules_a_spectator_sees_at_every_record_what_the_public_ones_come_to(
    preset: str,
) -> None:
    game = spectated_deal(preset)
    sent = [data for message in game.told[None] for data in records_in(message)]
    assert sent == [encode_record(r) for r in game.records if visible_to(None, r.event)]
    events = [record.event for record in game.records]
    for seq, view in (item for message in game.told[None] for item in _views_in(message)):
        assert decode_view(view) == follow(None, visible(events[:seq], None))


@pytest.mark.parametrize("text", GAMES)
def test_a_spectator_is_told_of_no_card_that_is_not_open(text: str) -> None:
    game = restless_game(text)
    for record, state in zip(game.records, game.states, strict=True):
        cards = known(state, None)
        assert list(unknown(encode_view(observe(state, None)), cards)) == []
        if visible_to(None, record.event):
            assert list(unknown(encode_event(record.event), cards)) == []


KINDS = {kind.DESCRIPTOR.name: kind for kind in (pb.PlayResponse, pb.WatchResponse)}
WAYS = [(name, way) for name, kind in KINDS.items() for way in card_fields(kind.DESCRIPTOR)]


@pytest.mark.parametrize(
    ("name", "way"), WAYS, ids=[".".join([name, *(f.name for f in way)]) for name, way in WAYS]
)
def test_a_card_in_any_field_of_any_message_is_found(
    name: str, way: tuple[FieldDescriptor, ...]
) -> None:
    message = KINDS[name]()
    plant(message, way, FOREIGN)
    assert FOREIGN in {sighting.card for sighting in sightings(message)}


def plant(message: Message, way: tuple[FieldDescriptor, ...], card: Card) -> None:
    """Put a card where this way leads."""
    field, *rest = way
    if is_record(field):
        record = log_pb2.LogRecord()
        plant(record, tuple(rest), card)
        getattr(message, field.name).append(record.SerializeToString())
    elif not rest and field.is_repeated:
        getattr(message, field.name).append(card)
    elif not rest:
        setattr(message, field.name, card)
    elif field.is_repeated:
        plant(getattr(message, field.name).add(), tuple(rest), card)
    else:
        plant(getattr(message, field.name), tuple(rest), card)


def test_the_lowest_card_is_found_although_it_is_written_as_nothing() -> None:
    record = log_pb2.LogRecord(event=encode_event(CardPlayed(Seat(0), PACK[0])))
    assert [sighting.card for sighting in sightings(record)] == [PACK[0]]


def test_a_card_named_in_a_sentence_is_found() -> None:
    message = pb.PlayResponse(refusal=pb.Refusal(message="seat 2 holds 9D; legal: 10♠ 2C"))
    found = [str(sighting.card) for sighting in sightings(message)]
    assert found == ["9D", "TS", "2C"]


LEAKS: dict[str, Callable[[pb.PlayResponse, Game], None]] = {
    "another seat's hand in a view": lambda message, game: message.update.view.hand.append(
        _held_by_another(game, message.update.seq)
    ),
    "a card in a refusal": lambda message, game: message.refusal.legal.append(
        _held_by_another(game, message.update.seq)
    ),
    "a record addressed to another seat": lambda message, game: message.update.records.append(
        next(encode_record(record) for record in game.records if _is_hand_of_another(record.event))
    ),
}


def _held_by_another(game: Game, seq: int) -> Card:
    return next(card for card in PACK if card not in game.known(SEATS[0], seq))


def _is_hand_of_another(event: Event) -> bool:
    return isinstance(event, HandDealt) and event.seat != SEATS[0]


@pytest.mark.parametrize("name", LEAKS)
def test_a_leak_planted_in_a_real_message_is_found(name: str) -> None:
    game = restless_game()
    middle = next(m for m in game.told[SEATS[0]] if m.update.prompt.ask == pb.ASK_CARD)
    assert isinstance(middle, pb.PlayResponse)
    message = deepcopy(middle)
    LEAKS[name](message, game)
    assert list(leaks(game, SEATS[0], [middle])) == []
    assert list(leaks(game, SEATS[0], [middle, message])) != []


class Pass(NamedTuple):
    """Seat 0 passed; and what seat 1, which saw the heads, can know around that."""

    before: bytes
    after: bytes
    time: int
    ready: bytes
    """The public record that follows the hidden one."""
    own: CardSet
    """What seat 1 holds."""
    cards: CardSet
    """What seat 0 really passed."""


async def pass_of_seat_0() -> Pass:
    async with open_venue(premises_of()) as venue:
        table = await venue.table()
        async with venue.seated(table.name) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            hands = [decode_view(s.received[-1].update.prompt.view).hand for s in streams[:2]]
            spy, before = streams[1], streams[1].head
            await play_on(streams, lambda view: tuple(view.hand)[:3], at_most=1)
            (ready,) = spy.received[-1].update.records
    time = decode_record(ready).time
    return Pass(before, spy.head, time, ready, hands[1], CardSet.of(tuple(hands[0])[:3]))


def passes_that_fit(done: Pass) -> list[CardSet]:
    """Every pass of seat 0 after which the head would be the one that seat 1 saw."""
    seq = decode_record(done.ready).seq - 1
    fitting: list[CardSet] = []
    for cards in map(CardSet.of, combinations(WHOLE_PACK - done.own, 3)):
        record = Record(seq, done.time, PassChosen(SEATS[0], cards.cards))
        if extend(extend(done.before, encode_record(record)), done.ready) == done.after:
            fitting.append(cards)
    return fitting


def test_a_pass_cannot_be_guessed_from_the_heads_around_it() -> None:
    assert passes_that_fit(asyncio.run(pass_of_seat_0())) == []


def test_without_salt_it_could_be(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_salt(_: Journal) -> bytes:
        return b""

    monkeypatch.setattr(Journal, "_new_salt", no_salt)
    done = asyncio.run(pass_of_seat_0())
    assert passes_that_fit(done) == [done.cards]
