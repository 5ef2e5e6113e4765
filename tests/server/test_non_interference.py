"""What a seat may not know changes no byte that it is sent."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

import pytest

from hearts_engine.cards import PACK, QUEEN_OF_SPADES, TWO_OF_CLUBS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.rules import Rules
from hearts_engine.state import Phase
from hearts_engine.testing import deck_of, play_script, random_choice, seated
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_server import dealer, table
from hearts_server.testing.callers import everyone_hears, open_venue, play_on
from hearts_server.testing.premises import premises_of

SEATS = tuple(map(Seat, range(4)))
PLAYS = 24
"""So many cards are played, and they are the same in both games."""


@dataclass(frozen=True)
class Story:
    """A deal as it goes: what each seat is dealt and passes to its left, and what is played."""

    hands: tuple[CardSet, ...]
    passes: tuple[CardSet, ...]
    plays: tuple[Card, ...]


def random_story(seed: int) -> Story:
    chance = random.Random(seed)
    deck = list(PACK)
    chance.shuffle(deck)
    hands = tuple(CardSet.of(deck[seat::4]) for seat in SEATS)
    passes = tuple(CardSet.of(chance.sample(tuple(hand), k=3)) for hand in hands)
    game = seated(Rules())
    play_script(game, hands, passes, ())
    for _ in range(PLAYS):
        game.do(random_choice(game.state, chance))
    tricks = (*game.state.play.tricks, game.state.play.trick)
    return Story(hands, passes, tuple(card for trick in tricks for card in trick.cards))


def twin(story: Story, cards: CardSet, others: CardSet) -> tuple[Card, Card]:
    """A card of each set, of one suit, that nothing in the story shows or depends on."""
    shown = {*story.plays, QUEEN_OF_SPADES, TWO_OF_CLUBS}
    return next(
        (card, other)
        for card in cards
        for other in others
        if card.suit is other.suit and not {card, other} & shown
    )


def with_other_hands(story: Story) -> Story:
    """Seats 1 and 2 were dealt one another's card."""
    kept = [hand - passed for hand, passed in zip(story.hands, story.passes, strict=True)]
    card, other = twin(story, kept[1], kept[2])
    first = story.hands[1].remove(card) + CardSet.of([other])
    second = story.hands[2].remove(other) + CardSet.of([card])
    return replace(story, hands=(story.hands[0], first, second, story.hands[3]))


def with_other_pass(story: Story) -> Story:
    """Seat 1 passed another card to seat 2."""
    card, other = twin(story, story.passes[1], story.hands[1] - story.passes[1])
    changed = story.passes[1].remove(card) + CardSet.of([other])
    return replace(story, passes=(story.passes[0], changed, *story.passes[2:]))


def told_to_spy(story: Story) -> list[pb.PlayResponse]:
    """What seat 0 is sent in a game that goes like this, a later attach included."""
    with pytest.MonkeyPatch.context() as patch:

        def deck(*_: object) -> tuple[Card, ...]:
            return deck_of(story.hands)

        patch.setattr(dealer, "deck_for", deck)
        return asyncio.run(_told_to_spy(story))


async def _told_to_spy(story: Story) -> list[pb.PlayResponse]:
    plays = iter(story.plays)

    def choose(view: SeatView) -> Collection[Card]:
        assert view.seat is not None
        return tuple(story.passes[view.seat]) if view.phase is Phase.PASSING else (next(plays),)

    async with open_venue(premises_of()) as venue:
        opened = await venue.table()
        async with venue.seated(opened.name, wants_view=True) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, choose, at_most=len(SEATS) + PLAYS)
            spy = streams[0]
            async with venue.stream(spy.sitter) as again:
                await again.attach()
                return [*spy.received, *again.received]


def without_heads(told: list[pb.PlayResponse]) -> list[bytes]:
    for message in told:
        for part in (message.attached, message.update, message.heartbeat):
            if part.head:
                part.ClearField("head")
    return [message.SerializeToString(deterministic=True) for message in told]


def heads(told: list[pb.PlayResponse]) -> list[bytes]:
    return [message.update.head for message in told if message.HasField("update")]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("changed", [with_other_hands, with_other_pass])
def test_a_seat_cannot_tell_two_games_apart_that_differ_only_in_what_it_may_not_know(
    changed: Callable[[Story], Story], seed: int
) -> None:
    story = random_story(seed)
    first, second = told_to_spy(story), told_to_spy(changed(story))
    assert heads(first)[-1] != heads(second)[-1], "the games must really differ"
    assert without_heads(first) == without_heads(second)


@pytest.mark.parametrize("changed", [with_other_hands, with_other_pass])
def test_it_could_if_every_seat_were_sent_every_record(
    changed: Callable[[Story], Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    def to_everyone(*_: object) -> bool:
        return True

    monkeypatch.setattr(table, "visible_to", to_everyone)
    story = random_story(0)
    first, second = told_to_spy(story), told_to_spy(changed(story))
    assert without_heads(first) != without_heads(second)


def test_the_same_game_is_sent_twice_with_the_same_bytes_heads_and_all() -> None:
    story = random_story(0)
    assert heads(told_to_spy(story)) == heads(told_to_spy(story))
