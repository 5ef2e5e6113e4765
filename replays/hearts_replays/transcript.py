"""A log as text that people read: hands, passes, tricks and scores, deal by deal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, assert_never

from hearts_engine.cards import Card, Seat, Suit
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Agent,
    CentreTaken,
    GameEnded,
    PassChosen,
    PlayCut,
    RestClaimed,
    SeatKind,
    SeatTaken,
    TrickCancelled,
    TrickTaken,
)
from hearts_engine.passing import Direction
from hearts_engine.ruletext import format_rules
from hearts_replays.chain import EMPTY_CHAIN
from hearts_replays.fingerprint import short_head
from hearts_replays.reader import read_log
from hearts_replays.story import DealStory, GameStory, TrickStory, Turnout, story_of
from hearts_replays.wording import (
    close_words,
    counted,
    describe,
    listed,
    moon_words,
    plain,
    seat_name,
)

CardText = Callable[[Card], str]
"""How a card is written."""

_LABEL: Final = 8
"""Columns for what stands left of the seats in a table."""

_COLUMN: Final = 8
"""Columns for a seat in a table."""

_MARKS: Final = {Agent.SEAT: "", Agent.CLOCK: "*", Agent.AUTOPILOT: "+"}

_KINDS: Final = {SeatKind.PERSON: "person", SeatKind.BOT: "bot", SeatKind.HOUSE: "house bot"}

_LEGEND: Final = "> led, * chosen by the clock, + chosen by autopilot"


def transcript(log: Sequence[bytes], card_text: CardText = str) -> Iterator[str]:
    """A log, as stored, line by line; as far as it can be read, and why no further."""
    prefix = read_log(log)
    story = story_of(record.event for record in prefix.records)
    if story is not None:
        head = EMPTY_CHAIN.extended(log[: len(prefix.records)]).head
        yield from _header(story, prefix.records[0].time)
        for deal in story.deals:
            yield ""
            yield from _deal(story, deal, card_text)
        yield ""
        yield from _ending(story, head)
    if prefix.finding is not None:
        yield str(prefix.finding)


def _header(story: GameStory, time: int) -> Iterator[str]:
    opened = story.opened
    yield f"Game {plain(opened.game_id)} at table {plain(opened.table)}, {_moment(time)}"
    yield f"Rules: {format_rules(opened.rules)}"
    for seat, taken in story.first.items():
        yield f"{_name(story, seat)}: {_who(taken)}"
    if opened.open_hands:
        yield "Hands: open to whoever watches"
    if story.deals:
        yield f"Dealing: {story.dealing}"
        yield f"Tricks: {_LEGEND}"
    yield from _turnout(story, story.turnout, "")


def _deal(story: GameStory, deal: DealStory, card_text: CardText) -> Iterator[str]:
    began = deal.began
    passing = "no pass" if began.direction is Direction.HOLD else f"pass {began.direction}"
    yield f"Deal {began.deal}, dealer {_name(story, began.dealer)}, {passing}"
    for seat, cards in sorted(deal.dealt.items()):
        yield f"  {_name(story, seat):{_COLUMN}}{_hand(cards, card_text)}"
    if deal.kitty is not None:
        yield f"  {'Kitty':{_COLUMN}}{_hand(deal.kitty, card_text)}"
    yield from _exchange(story, deal, card_text)
    if deal.tricks:
        names = [_name(story, Seat(seat)) for seat in range(story.players)]
        yield _row("Trick", names, "Taken by")
    for number, trick in enumerate(deal.tricks, start=1):
        yield from _turnout(story, trick.before)
        taken = _taken(story, trick)
        if trick.with_kitty:
            taken += _and_kitty(story, deal, card_text)
        yield _row(f"{number:>4}", _trick(trick, story.players, card_text), taken)
    yield from _result(story, deal, card_text)


def _exchange(story: GameStory, deal: DealStory, card_text: CardText) -> Iterator[str]:
    for passed in deal.passed:
        given = _cards(passed.cards, card_text)
        yield f"  {_name(story, passed.giver)} passes {given} to {_name(story, passed.taker)}"
    for move in deal.centre:
        cards, who = _cards(move.cards, card_text), _name(story, move.seat)
        match move:
            case PassChosen():
                yield f"  {who} passes {cards} into the centre"
            case CentreTaken():
                yield f"  {who} takes {cards} from the centre"
            case _:
                assert_never(move)


def _result(story: GameStory, deal: DealStory, card_text: CardText) -> Iterator[str]:
    match deal.stop:
        case RestClaimed(seat, points):
            kitty = _and_kitty(story, deal, card_text) if deal.claimed_kitty else ""
            cost = _and_points(points, carried=deal.carrying)
            yield f"  {_name(story, seat)} claims the rest{cost}{kitty}"
        case PlayCut():
            yield "  No card can change a score any more"
        case None:
            pass
    if deal.scored is not None:
        scored = deal.scored
        if scored.moon is not None:
            choice = "" if deal.moon is None else f": {moon_words(deal.moon.choice)}"
            mark = "" if deal.moon is None else _MARKS[deal.moon.by]
            yield f"  {_name(story, scored.moon)} shot the moon{choice}{mark}"
        yield _row("Points", [f" {score}" for score in scored.scores])
        yield _row("Total", [f" {total}" for total in scored.totals])
    yield from _turnout(story, deal.turnout)


def _turnout(story: GameStory, turnout: Iterable[Turnout], indent: str = "  ") -> Iterator[str]:
    """Who came and went, a line each."""
    for event in turnout:
        told = describe(event, story.players)
        yield f"{indent}{told[0].upper()}{told[1:]}"


def _ending(story: GameStory, head: bytes) -> Iterator[str]:
    if story.ended is not None:
        scored = sum(deal.scored is not None for deal in story.deals)
        yield f"{_winners(story, story.ended)} after {counted(scored, 'deal')}"
        yield from _placings(story, story.ended)
    elif story.closed is not None:
        yield f"Given up, {close_words(story.closed.cause)}: nobody wins"
    else:
        yield "The game is not over"
    yield f"{'Sealed' if story.sealed else 'Not sealed'}, head {short_head(head)}"


def _winners(story: GameStory, ended: GameEnded) -> str:
    names = [_name(story, Seat(seat)) for seat, place in enumerate(ended.places) if place == 1]
    return f"{listed(names)} {'wins' if len(names) == 1 else 'win'}"


def _placings(story: GameStory, ended: GameEnded) -> Iterator[str]:
    placed = sorted(zip(ended.places, range(len(ended.places)), ended.totals, strict=True))
    for place, seat, total in placed:
        taken = story.seats.get(Seat(seat))
        who = "" if taken is None else f"  {plain(taken.name)}"
        yield f"  {place}. {_name(story, Seat(seat)):{_COLUMN}}{total:>4}{who}"


def _row(label: str, cells: Sequence[str], last: str = "") -> str:
    columns = "".join(f"{cell:{_COLUMN}}" for cell in cells)
    return f"  {label:{_LABEL}}{columns}{last}".rstrip()


def _trick(trick: TrickStory, players: int, card_text: CardText) -> list[str]:
    """What each seat played, by seat."""
    cells = [""] * players
    for place, play in enumerate(trick.plays):
        led = ">" if place == 0 else " "
        cells[play.seat] = f"{led}{card_text(play.card)}{_MARKS[play.by]}"
    return cells


def _taken(story: GameStory, trick: TrickStory) -> str:
    match trick.taken:
        case None:
            return ""
        case TrickCancelled():
            return "nobody: cancelled, its cards are carried"
        case TrickTaken(seat, points):
            return f"{_name(story, seat)}{_and_points(points, carried=trick.carried)}"
        case _:
            assert_never(trick.taken)


def _and_points(points: int, *, carried: bool = False) -> str:
    cost = f", {counted(points, 'point')}" if points else ""
    return f"{cost} with the carried cards" if carried else cost


def _and_kitty(story: GameStory, deal: DealStory, card_text: CardText) -> str:
    """The kitty that came along: its cards and what they cost, if they are known."""
    if not deal.kitty:
        return " and the kitty"
    cost = _and_points(story.opened.rules.value_of(deal.kitty))
    return f" and the kitty: {_cards(deal.kitty, card_text)}{cost}"


def _hand(cards: CardSet, card_text: CardText) -> str:
    """Cards with their suits set apart."""
    suits = (cards.in_suit(suit) for suit in Suit)
    return "   ".join(_cards(suit, card_text) for suit in suits if suit)


def _cards(cards: Iterable[Card], card_text: CardText) -> str:
    return " ".join(map(card_text, cards))


def _who(taken: SeatTaken) -> str:
    level = f" {plain(taken.bot)}" if taken.bot else ""
    return f"{plain(taken.name)} ({_KINDS[taken.kind]}{level})"


def _name(story: GameStory, seat: Seat) -> str:
    return seat_name(seat, story.players)


def _moment(time: int) -> str:
    try:
        moment = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=time)
    except OverflowError:
        return f"{time} microseconds after 1970"
    return moment.strftime("%Y-%m-%d %H:%M UTC")
