"""What server and seats promised before the first deal, and whether they kept it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from hearts_engine.events import (
    Anchor,
    DealSource,
    EntropyRevealed,
    Event,
    FixedSeed,
    SecretRevealed,
)
from hearts_engine.state import Game
from hearts_replays.fairness import commit, fixed_secret, proves
from hearts_replays.wording import seat_name


@dataclass(frozen=True, slots=True)
class Promises:
    """The secrets of a log that follow from its anchor, or from its fixed seed."""

    source: DealSource
    revealed: Mapping[int, bytes] = field(default_factory=dict[int, bytes])
    """By deal, from 1 without a gap; each hashes to the one before, the first to the anchor."""

    def secret(self, deal: int) -> bytes | None:
        """The secret behind a deal; none if it is not in the log, or not the one promised."""
        match self.source:
            case Anchor():
                return self.revealed.get(deal)
            case FixedSeed(text):
                return fixed_secret(text, deal)

    def broken_by(self, event: Event, game: Game) -> str | None:
        """What is wrong with what this event reveals, in a game as it stands before."""
        match event:
            case EntropyRevealed(seat, entropy):
                taken = game.seats[seat]
                if taken is not None and commit(entropy) != taken.commitment:
                    name = seat_name(seat, game.rules.players)
                    return f"the entropy of {name} is not what it committed to when it sat"
            case SecretRevealed(deal, secret):
                if secret != self.secret(deal):
                    return self._wrong_secret(deal)
            case _:
                pass
        return None

    def _wrong_secret(self, deal: int) -> str:
        if isinstance(self.source, FixedSeed):
            return f"the secret of deal {deal} is not the one that the fixed seed gives"
        before = f"the secret of deal {deal - 1}" if deal > 1 else "the anchor in record 1"
        return f"the secret of deal {deal} does not hash to {before}, it was swapped"


def promises_in(source: DealSource, events: Iterable[Event]) -> Promises:
    """The promises of a log with this source of deals, checked up to the first broken one."""
    revealed: dict[int, bytes] = {}
    if isinstance(source, Anchor):
        before = source.digest
        for event in events:
            if isinstance(event, SecretRevealed):
                if event.deal != len(revealed) + 1 or not proves(event.secret, before):
                    break
                before = revealed[event.deal] = event.secret
    return Promises(source, revealed)
