"""What a seat may not know changes no byte that it is sent."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice, product

import pytest

from hearts_engine.cards import QUEEN_OF_SPADES, TWO_OF_CLUBS, Card, Seat
from hearts_engine.cardset import CardSet
from hearts_engine.commands import Deal, ShareCentre
from hearts_engine.dealing import centre_of
from hearts_engine.events import Event
from hearts_engine.rules import Rules
from hearts_engine.ruletext import parse_rules
from hearts_engine.state import Phase
from hearts_engine.testing import deck_of, random_choice, seated
from hearts_engine.view import SeatView
from hearts_proto.v1 import table_pb2 as pb
from hearts_server import dealer, ledger
from hearts_server.testing.callers import everyone_hears, open_venue, play_on
from hearts_server.testing.premises import premises_of

SPY = Seat(0)

PLAYS = 24
"""So many cards are played, and they are the same in both games."""


@dataclass(frozen=True)
class Story:
    """A deal as it goes; the tuples are by seat, where nothing else is said."""

    rules: Rules
    hands: tuple[CardSet, ...]
    """What each seat is dealt."""
    kitty: CardSet
    passes: tuple[CardSet, ...]
    """What each seat passes; empty where nobody passes."""
    centre: tuple[Card, ...]
    """What lies in the centre, as it is shared out; empty where nothing does."""
    plays: tuple[Card, ...]
    """What is played, in order."""
    spied: bool
    """Whether the kitty went to the spy, who may know it then."""

    @property
    def kept(self) -> tuple[CardSet, ...]:
        """What each seat was dealt and did not pass."""
        if not self.passes:
            return self.hands
        return tuple(hand - passed for hand, passed in zip(self.hands, self.passes, strict=True))


def random_story(text: str, seed: int) -> Story:
    rules, chance = parse_rules(text), random.Random(seed)
    game, deck, seats = seated(rules), list(rules.deck), range(rules.players)
    chance.shuffle(deck)
    game.do(Deal(tuple(deck)))
    hands = game.state.play.hands
    while game.state.phase is Phase.PASSING:
        game.do(random_choice(game.state, chance))
    chosen = game.state.exchange.chosen
    centre: tuple[Card, ...] = ()
    if game.state.phase is Phase.CENTRE:
        shared = list(centre_of(game.state.exchange))
        chance.shuffle(shared)
        centre = tuple(shared)
        game.do(ShareCentre(centre))
    for _ in range(PLAYS):
        game.do(random_choice(game.state, chance))
    play = game.state.play
    plays = tuple(card for trick in (*play.tricks, play.trick) for card in trick.cards)
    assert len(plays) == PLAYS
    passes = tuple(CardSet.of(chosen[seat]) for seat in seats) if any(chosen) else ()
    kitty = CardSet.of(deck[rules.hand_size * rules.players :])
    spied = play.outcome.kitty_seat == SPY
    return Story(rules, hands, kitty, passes, centre, plays, spied)


Change = Callable[[Story], Iterator[Story]]
"""What may be otherwise in a story: every one that differs from it so."""


def alike(
    story: Story, cards: Iterable[Card], others: Iterable[Card]
) -> Iterator[tuple[Card, Card]]:
    """A card of each, of one suit, that nothing in the story shows or depends on."""
    shown = {*story.plays, QUEEN_OF_SPADES, TWO_OF_CLUBS}
    return (
        (card, other)
        for card, other in product(cards, others)
        if card.suit is other.suit and card != other and not {card, other} & shown
    )


def instead(cards: CardSet, card: Card, other: Card) -> CardSet:
    """These cards with another in the place of one."""
    return cards.remove(card) + CardSet.of([other])


def with_other_hands(story: Story) -> Iterator[Story]:
    """Seats 1 and 2 were dealt one another's card."""
    spy, first, second, *rest = story.hands
    for card, other in alike(story, story.kept[1], story.kept[2]):
        changed = instead(first, card, other), instead(second, other, card)
        yield replace(story, hands=(spy, *changed, *rest))


def with_other_pass(story: Story) -> Iterator[Story]:
    """Seat 1 passed another card."""
    spy, first, *rest = story.passes
    to_spy = story.centre[: story.rules.pass_count]
    for card, other in alike(story, first - CardSet.of(to_spy), story.kept[1]):
        centre = tuple(other if shared == card else shared for shared in story.centre)
        yield replace(story, passes=(spy, instead(first, card, other), *rest), centre=centre)


def with_other_kitty(story: Story) -> Iterator[Story]:
    """A card in the kitty and one that seat 1 was dealt had each other's place."""
    spy, first, *rest = story.hands
    for card, other in alike(story, story.kept[1], story.kitty):
        hands = (spy, instead(first, card, other), *rest)
        yield replace(story, hands=hands, kitty=instead(story.kitty, other, card))


def with_other_centre(story: Story) -> Iterator[Story]:
    """Seats 1 and 2 were given one another's card from the centre."""
    size, centre = story.rules.pass_count, story.centre
    for card, other in alike(story, centre[size : 2 * size], centre[2 * size : 3 * size]):
        places = {card: other, other: card}
        yield replace(story, centre=tuple(places.get(shared, shared) for shared in centre))


def two_stories(text: str, change: Change, number: int = 0) -> tuple[Story, Story]:
    """The first of the random stories that can be otherwise, or the one after so many."""
    stories = (random_story(text, seed) for seed in count())
    pairs = ((story, next(change(story), None)) for story in stories if not story.spied)
    found = ((story, other) for story, other in pairs if other is not None)
    return next(islice(found, number, None))


def told_to_spy(story: Story) -> list[pb.PlayResponse]:
    """What seat 0 is sent in a game that goes like this, a later attach included."""
    with pytest.MonkeyPatch.context() as patch:

        def deck(*_: object) -> tuple[Card, ...]:
            return deck_of(story.hands, story.kitty)

        def centre(*_: object) -> tuple[Card, ...]:
            return story.centre

        patch.setattr(dealer, "deck_for", deck)
        patch.setattr(dealer, "centre_for", centre)
        return asyncio.run(_told_to_spy(story))


async def _told_to_spy(story: Story) -> list[pb.PlayResponse]:
    plays = iter(story.plays)

    def choose(view: SeatView) -> Collection[Card]:
        assert view.seat is not None
        return tuple(story.passes[view.seat]) if view.phase is Phase.PASSING else (next(plays),)

    async with open_venue(premises_of()) as venue:
        opened = await venue.table(story.rules)
        nothing = (b"",) * story.rules.players
        async with venue.seated(opened.name, nothing, wants_view=True) as streams:
            await venue.start(streams[0].sitter)
            await everyone_hears(streams)
            await play_on(streams, choose, at_most=len(story.passes) + PLAYS)
            spy = streams[SPY]
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


STANDARD = "black_lady"
IN_THE_CENTRE = "black_lady pass_cycle=shuffle"
HIDDEN_KITTY = "five removed=none kitty=last_trick"
TAKEN_KITTY = "cancellation kitty=first_trick"
TWO_PACKS_PASSED = "cancellation pass_cycle=left pass_count=4"
CHANGES: list[tuple[str, Change]] = [
    (STANDARD, with_other_hands),
    (STANDARD, with_other_pass),
    (IN_THE_CENTRE, with_other_pass),
    (IN_THE_CENTRE, with_other_centre),
    (HIDDEN_KITTY, with_other_kitty),
    (HIDDEN_KITTY, with_other_pass),
    (TAKEN_KITTY, with_other_kitty),
    (TAKEN_KITTY, with_other_hands),
    (TWO_PACKS_PASSED, with_other_pass),
]
"""Rules, and what of a deal by them the spy may not know."""


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize(("text", "change"), CHANGES)
def test_a_seat_cannot_tell_two_games_apart_that_differ_only_in_what_it_may_not_know(
    text: str, change: Change, number: int
) -> None:
    first, second = map(told_to_spy, two_stories(text, change, number))
    assert heads(first)[-1] != heads(second)[-1], "the games must really differ"
    assert without_heads(first) == without_heads(second)


@pytest.mark.parametrize(("text", "change"), CHANGES)
def test_it_could_if_every_seat_were_sent_every_record(
    text: str, change: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    def everyone(_: Event) -> None:
        return None

    monkeypatch.setattr(ledger, "audience", everyone)
    first, second = map(told_to_spy, two_stories(text, change))
    assert without_heads(first) != without_heads(second)


def test_the_same_game_is_sent_twice_with_the_same_bytes_heads_and_all() -> None:
    story = random_story(STANDARD, 0)
    assert heads(told_to_spy(story)) == heads(told_to_spy(story))
