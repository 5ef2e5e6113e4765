"""What the engine says when it must refuse."""

from __future__ import annotations

from enum import StrEnum

from hearts_engine.cardset import NO_CARDS, CardSet


class Reason(StrEnum):
    """Why a command was refused; the value is what the wire carries."""

    WRONG_PHASE = "WRONG_PHASE"
    NO_SUCH_SEAT = "NO_SUCH_SEAT"
    SEAT_OCCUPIED = "SEAT_OCCUPIED"
    SEAT_EMPTY = "SEAT_EMPTY"
    BAD_NAME = "BAD_NAME"
    BAD_LEVEL = "BAD_LEVEL"
    BAD_COMMITMENT = "BAD_COMMITMENT"
    ENTROPY_NOT_OWED = "ENTROPY_NOT_OWED"
    BAD_DECK = "BAD_DECK"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    ALREADY_PASSED = "ALREADY_PASSED"
    WRONG_PASS_COUNT = "WRONG_PASS_COUNT"  # noqa: S105  (a number of cards)
    DUPLICATE_CARDS = "DUPLICATE_CARDS"
    TOP_SPADES_KEPT = "TOP_SPADES_KEPT"
    BAD_CENTRE = "BAD_CENTRE"
    MUST_LEAD_LOWEST_CLUB = "MUST_LEAD_LOWEST_CLUB"
    MUST_LEAD_CLUB = "MUST_LEAD_CLUB"
    MUST_FOLLOW_SUIT = "MUST_FOLLOW_SUIT"
    NO_POINTS_ON_FIRST_TRICK = "NO_POINTS_ON_FIRST_TRICK"
    QUEEN_FORCED = "QUEEN_FORCED"
    QUEEN_AT_FIRST_CHANCE = "QUEEN_AT_FIRST_CHANCE"
    HEARTS_NOT_BROKEN = "HEARTS_NOT_BROKEN"
    NOT_ON_LEAD = "NOT_ON_LEAD"
    CLAIM_NOT_PROVEN = "CLAIM_NOT_PROVEN"
    PAUSED = "PAUSED"
    SEAT_AWAY = "SEAT_AWAY"
    SEAT_NOT_AWAY = "SEAT_NOT_AWAY"
    BAD_KIND = "BAD_KIND"
    BAD_CLOCK = "BAD_CLOCK"


class HeartsError(Exception):
    """The root of what this package raises."""


class BadRules(HeartsError, ValueError):
    """A set of rules that cannot be played; the sentence says what would be right."""


class Rejected(HeartsError):
    """A command that may not be done now; nothing has changed.

    ``legal`` holds the cards that could be played instead, where the refusal is about a card.
    """

    def __init__(self, reason: Reason, message: str, legal: CardSet = NO_CARDS) -> None:
        super().__init__(reason, message, legal)
        self.reason = reason
        self.message = message
        self.legal = legal

    def __str__(self) -> str:
        return self.message
