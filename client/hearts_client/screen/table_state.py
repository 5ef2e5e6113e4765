"""Everything the full screen shows, and how news changes it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final, assert_never

from hearts_client.cardnames import CardStyle, card_style, restyled
from hearts_client.celltext import wrapped
from hearts_client.company import Company, chat_sentence
from hearts_client.dealcheck import Evidence
from hearts_client.news import (
    Ask,
    Asked,
    Attending,
    Closed,
    Happened,
    Joined,
    News,
    Offline,
    Refused,
    Said,
    Unsaid,
)
from hearts_client.openhands import OpenHands
from hearts_client.screen.frames import (
    Frame,
    frame_of_closed,
    frames_of_happened,
    frames_of_joined,
)
from hearts_client.screen.pace import Hold
from hearts_client.screen.slots import Slot, slot_kept, slot_nearest, slots_of
from hearts_client.settings import Settings
from hearts_client.viewstate import is_away
from hearts_engine.cards import Card
from hearts_engine.cardset import CardSet
from hearts_engine.events import Event
from hearts_engine.view import SeatView

LOG_LINES: Final = 200

MOST_FRAMES: Final = 5_000
"""That wait to be shown; a screen further behind goes on without holding any."""

_CHAT_CELLS: Final = 58
"""What is said is broken into lines of so many, which any screen with a log has room for."""


class Panel(Enum):
    """What a person can lay over the table; the hand stays in sight."""

    HELP = auto()
    LAST_TRICK = auto()
    PASSED = auto()
    SCORES = auto()
    RULES = auto()
    WHO = auto()
    PHRASES = auto()
    OPTIONS = auto()
    TAKEN = auto()


class EntryKind(Enum):
    """What a line that is being typed is for."""

    CHAT = auto()
    """To be said to everyone at the table."""
    COMMAND = auto()
    """To be done: a word of :mod:`hearts_client.tablewords`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that is being typed."""

    kind: EntryKind
    text: str = ""


@dataclass(frozen=True, slots=True)
class TableState:
    """What is on the screen, and what is still to come."""

    style: CardStyle
    settings: Settings = Settings()
    view: SeatView | None = None
    """What is drawn; behind the news while something is held. None before the first."""
    latest: SeatView | None = None
    """Where the news stands."""
    evidence: Evidence = Evidence()
    """How the deals came about, as far as one was shown."""
    open_hands: OpenHands = OpenHands()
    """Every hand, where spectators are shown them."""
    checking: bool = False
    """Whether that of the deal on the board is asked for."""
    frames: tuple[Frame, ...] = ()
    """What is to be shown after what is held."""
    held: Frame | None = None
    asked: Asked | None = None
    sending: bool = False
    """Whether an answer is on its way to the table."""
    closed: Closed | None = None
    """Set when there is nothing more to show."""
    offline: str = ""
    log: tuple[str, ...] = ()
    cursor: Slot | None = None
    chosen: tuple[Slot, ...] = ()
    """The cards marked for the pass, in the order in which they were marked."""
    typed: str = ""
    """The rank of a card that is being typed."""
    message: str = ""
    """A refusal, or what a key could not do; until the next key."""
    heard: str = ""
    """What was said or happened besides the cards, last; until the next key."""
    company: Company = Company()
    entry: Entry | None = None
    """A line that is being typed."""
    panel: Panel | None = None
    page: int = 0
    """Of a panel that does not fit, from 0."""
    seconds_left: int | None = None
    """Until the table decides for this seat; none while it waits."""
    leaving: bool = False
    """Whether the question to leave is open."""
    option: int = 0
    """The setting that the cursor is at, where they are shown; counted from 0."""
    automatic: CardStyle = CardStyle.LETTERS
    """How this terminal shows cards best."""
    ways_in: tuple[str, ...] = ()
    """What others type to sit down here, while seats are free."""
    orders: bool = False
    """Whether the table can be asked for more than cards: there are other people, and a host."""

    @property
    def hand(self) -> tuple[Slot, ...]:
        """The cards of the hand as they are drawn."""
        return () if self.view is None else self.slots(self.view.hand)

    @property
    def card(self) -> Card | None:
        """The card under the cursor."""
        return None if self.cursor is None else self.cursor.card

    @property
    def due(self) -> Asked | None:
        """The decision that can be answered now."""
        return None if self.sending else self.asked

    @property
    def marks_cards(self) -> bool:
        """Whether cards are being chosen for the pass."""
        return self.due is not None and self.due.ask is Ask.PASS

    @property
    def how_it_ends(self) -> str:
        """How it ends, where the screen is more than a trick behind that; else nothing."""
        if sum(frame.hold is Hold.TRICK for frame in self.frames) < 2:
            return ""
        return next((frame.the_end for frame in self.frames if frame.the_end), "")

    def slots(self, hand: CardSet) -> tuple[Slot, ...]:
        """The cards of a hand as they would be drawn."""
        return slots_of(hand, self.settings.hand_order)


def opened(
    settings: Settings,
    automatic: CardStyle,
    *,
    orders: bool = False,
    ways_in: tuple[str, ...] = (),
) -> TableState:
    """The screen before the first news, in a terminal that shows cards best like ``automatic``.

    ``ways_in``: what others type to sit down here.
    """
    style = card_style(settings.suits, automatic)
    return TableState(style, settings, automatic=automatic, orders=orders, ways_in=ways_in)


def resettled_cursor(state: TableState, slot: Slot) -> TableState:
    """The screen with the cursor at this card."""
    return replace(state, cursor=slot, typed="", message="")


def resettled(state: TableState, settings: Settings) -> TableState:
    """The screen under other settings."""
    style = card_style(settings.suits, state.automatic)
    return replace(state, settings=settings, style=style)


def receive(state: TableState, news: News) -> TableState:
    """The state after one more piece of news, shown as far as nothing is held."""
    match news:
        case Joined(view):
            frames = frames_of_joined(state.latest, news, state.style)
            state = _witnessed(state, news.missed)
            fresh = replace(state, asked=None, sending=False, offline="")
            return _shown(fresh, frames, view)
        case Happened(_, view):
            frames = frames_of_happened(state.latest or view, news, state.style)
            return _shown(_witnessed(state, news.events), frames, view)
        case Asked(_, view):
            return _shown(state, (Frame(view, asked=news),), view)
        case Offline(attempt, sentence):
            return replace(state, offline=f"attempt {attempt}: {sentence}")
        case Closed():
            if state.latest is None:
                return replace(state, closed=news)
            return _shown(state, (frame_of_closed(state.latest, news),), state.latest)
        case Said():
            heard = chat_sentence(news, state.latest)
            return _told(state, heard) if state.company.hears(news) else state
        case Attending():
            return _attended(state, news)
        case Unsaid(sentence):
            return replace(state, message=sentence)
        case _:
            assert_never(news)


def advance(state: TableState) -> TableState:
    """The state after what is held has been seen."""
    return _played_on(replace(state, held=None, checking=False))


def hurried(state: TableState) -> TableState:
    """The state after everything that is held for a time only; results stay."""
    while state.held is not None and state.held.hold is not Hold.KEY:
        state = advance(state)
    return state


def answered(state: TableState, asked: Asked, refused: Refused | None) -> TableState:
    """The state after the table's word on the answer to ``asked``."""
    state = replace(state, sending=False)
    if refused is not None:
        return replace(state, message=restyled(refused.message, state.style))
    return replace(state, asked=None) if state.asked is asked else state


def _witnessed(state: TableState, events: tuple[Event, ...]) -> TableState:
    """The state after events that say how cards came about, or where they are."""
    evidence, hands = state.evidence.after(events), state.open_hands.after(events)
    return replace(state, evidence=evidence, open_hands=hands)


def _attended(state: TableState, now: Attending) -> TableState:
    if state.latest is None:
        return state
    company, told = state.company.after(now, state.latest)
    state = replace(state, company=company)
    return _told(state, *(notice.sentence for notice in told))


def _told(state: TableState, *sentences: str) -> TableState:
    """The state after something was told that the table does not show."""
    if not sentences:
        return state
    lines = (part for sentence in sentences for part in wrapped(sentence, _CHAT_CELLS))
    return replace(state, log=(*state.log, *lines)[-LOG_LINES:], heard="; ".join(sentences))


def _shown(state: TableState, frames: tuple[Frame, ...], latest: SeatView) -> TableState:
    state = replace(state, frames=(*state.frames, *frames), latest=latest)
    return _played_on(state)


def _played_on(state: TableState) -> TableState:
    """Show frames up to the first that is held; a decision need not wait for a card's time."""
    while state.frames:
        held = None if len(state.frames) > MOST_FRAMES else state.held
        if held is not None and not (held.hold is Hold.CARD and state.frames[0].moves_nothing):
            return state
        state = _with_frame(replace(state, frames=state.frames[1:]), state.frames[0])
    return state


def _with_frame(state: TableState, frame: Frame) -> TableState:
    hand = state.slots(frame.view.hand)
    state = replace(
        state,
        view=frame.view,
        held=None if frame.hold is Hold.NONE else frame,
        log=(*state.log, *frame.notices)[-LOG_LINES:],
        cursor=slot_kept(state.cursor, hand),
        chosen=tuple(slot for slot in state.chosen if slot in hand),
        closed=frame.closed,
        heard=frame.flash or state.heard,
    )
    if frame.asked is not None:
        return _with_question(state, frame.asked)
    decides = frame.view.asked and not is_away(frame.view)
    return state if decides else replace(state, asked=None)


def _with_question(state: TableState, asked: Asked) -> TableState:
    cursor = slot_nearest(state.cursor, asked.view.legal, state.slots(asked.view.hand))
    chosen = state.chosen if asked.ask is Ask.PASS else ()
    return replace(state, asked=asked, sending=False, cursor=cursor, chosen=chosen)
