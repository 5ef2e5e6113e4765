"""Who had a say in the deals of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hearts_engine.cards import Seat
from hearts_engine.events import EntropyRevealed, EntropyWithheld, FixedSeed, GameOpened
from hearts_engine.state import Game
from hearts_replays.wording import listed, seat_name


@dataclass(frozen=True, slots=True)
class Dealing:
    """Who had a say in the deals of a game, which is settled before the first."""

    fixed: bool
    revealed: tuple[Seat, ...]
    withheld: tuple[Seat, ...]
    players: int

    @classmethod
    def of(cls, game: Game) -> Dealing:
        """Who revealed and withheld entropy in a game so far."""
        return cls.among(game.opened, (answer for answer in game.entropy if answer))

    @classmethod
    def among(
        cls, opened: GameOpened, answers: Iterable[EntropyRevealed | EntropyWithheld]
    ) -> Dealing:
        """What these answers make of the deals of the game that was opened so."""
        told = tuple(answers)
        return cls(
            isinstance(opened.source, FixedSeed),
            tuple(answer.seat for answer in told if isinstance(answer, EntropyRevealed)),
            tuple(answer.seat for answer in told if isinstance(answer, EntropyWithheld)),
            opened.rules.players,
        )

    def __str__(self) -> str:
        if self.fixed:
            return "fixed seed: reproducible, not fair; anyone who knew it knew all hands"
        if not self.revealed and not self.withheld:
            return "no seat took part: the server alone could have chosen these deals"
        return "; ".join(self._sentences())

    def _sentences(self) -> Iterator[str]:
        names = [seat_name(seat, self.players) for seat in self.revealed]
        if names:
            all_are = "this seat is" if len(names) == 1 else "these seats are all"
            yield (
                f"{listed(names)} took part: no one alone chose the deals, "
                f"not even the server, unless {all_are} its own"
            )
        if self.withheld:
            names = [seat_name(seat, self.players) for seat in self.withheld]
            seats = "this seat" if len(names) == 1 else f"these {len(names)} seats"
            yield f"{listed(names)} withheld: the server and {seats} together had " + (
                f"2^{len(names)} choices"
                if self.revealed
                else "any choice, as nobody else took part"
            )
