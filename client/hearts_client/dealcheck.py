"""How a deal came about, from what a seat was shown: checked when its secret is revealed. Pure.

The audit of the whole log says more; this is what one can know at the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from hearts_engine.cards import Seat
from hearts_engine.cardset import CardSet
from hearts_engine.events import (
    Anchor,
    DealBegan,
    DealScored,
    EntropyRevealed,
    EntropyWithheld,
    Event,
    FixedSeed,
    GameOpened,
    HandDealt,
    SeatTaken,
    SecretRevealed,
)
from hearts_replays.dealing import Dealing
from hearts_replays.fairness import Dealt, commit, deal_out, deck_for, fixed_secret, proves

_KEPT: Final = 3
"""Deals of which the check is kept: a screen may be behind."""


@dataclass(frozen=True, slots=True)
class DealCheck:
    """One deal, dealt again from what was revealed."""

    deal: int
    dealt: Dealt
    faults: tuple[str, ...]
    """What does not fit together; nothing where all of it does."""
    dealing: Dealing
    """Who had a say."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one was shown of how the deals of a game came about."""

    opened: GameOpened | None = None
    commitments: Mapping[Seat, bytes] = field(default_factory=dict[Seat, bytes])
    answers: tuple[EntropyRevealed | EntropyWithheld, ...] = ()
    deal: int = 0
    """The deal under way, or the last."""
    hand: HandDealt | None = None
    """One's own, of that deal."""
    secrets: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    """By deal."""
    checks: Mapping[int, DealCheck] = field(default_factory=dict[int, DealCheck])
    """Of the last deals that are over, by deal."""

    def after(self, events: Iterable[Event]) -> Evidence:
        """With what these events say."""
        found = self
        for event in events:
            found = found._with(event)
        return found

    def _check(self) -> DealCheck | None:
        """The deal that is over now; none where its secret was not revealed."""
        opened, secret = self.opened, self._secret
        if opened is None or not self.deal or secret is None:
            return None
        deck = deck_for(opened, self.deal, secret, self._entropies)
        dealt = deal_out(deck, opened.rules.players)
        dealing = Dealing.among(opened, self.answers)
        return DealCheck(self.deal, dealt, tuple(self._faults(secret, dealt)), dealing)

    def _with(self, event: Event) -> Evidence:
        match event:
            case GameOpened():
                return Evidence(event)
            case SeatTaken(seat=seat, commitment=commitment):
                return replace(self, commitments={**self.commitments, seat: commitment})
            case EntropyRevealed() | EntropyWithheld():
                return replace(self, answers=(*self.answers, event))
            case DealBegan(deal):
                return replace(self, deal=deal, hand=None)
            case HandDealt():
                return replace(self, hand=event)
            case SecretRevealed(deal, secret):
                return replace(self, secrets={**self.secrets, deal: secret})
            case DealScored(deal):
                check = self._check()
                kept = {at: each for at, each in self.checks.items() if at > deal - _KEPT}
                return self if check is None else replace(self, checks={**kept, deal: check})
            case _:
                return self

    @property
    def _secret(self) -> bytes | None:
        if self.opened is not None and isinstance(self.opened.source, FixedSeed):
            return fixed_secret(self.opened.source.text, self.deal)
        return self.secrets.get(self.deal)

    @property
    def _entropies(self) -> tuple[bytes, ...]:
        """What each seat put in: what it revealed, or its commitment, or nothing."""
        assert self.opened is not None, "it is asked for with the rules only"
        revealed = {a.seat: a.entropy for a in self.answers if isinstance(a, EntropyRevealed)}
        seats = (Seat(seat) for seat in range(self.opened.rules.players))
        return tuple(revealed.get(seat, self.commitments.get(seat, b"")) for seat in seats)

    def _faults(self, secret: bytes, dealt: Dealt) -> Iterator[str]:
        opened = self.opened
        if opened is not None and isinstance(opened.source, Anchor):
            before = opened.source.digest if self.deal == 1 else self.secrets.get(self.deal - 1)
            if before is not None and not proves(secret, before):
                yield "the secret is not the one that was fixed before the first deal"
        for answer in self.answers:
            if isinstance(answer, EntropyRevealed) and commit(answer.entropy) != (
                self.commitments.get(answer.seat)
            ):
                yield "what a seat mixed in is not what it had committed to"
        if self.hand is not None and self.hand.cards != CardSet.of(dealt.hands[self.hand.seat]):
            yield "dealt again, you would have got other cards"
