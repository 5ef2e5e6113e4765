"""The table's own part in a game: it deals, shares out the centre, shows, and seals the log."""

from __future__ import annotations

from dataclasses import dataclass

from hearts_engine.commands import Command, Deal, SealLog, ShareCentre, ShowDeal
from hearts_engine.dealing import centre_of
from hearts_engine.state import Phase, State
from hearts_replays.chain import Chain
from hearts_replays.fairness import centre_for, deck_for, entropies_of, secret_for
from hearts_replays.keys import SigningKey
from hearts_replays.seal import seal_of
from hearts_server.clocks import Microseconds
from hearts_server.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Dealer:
    """Does what no seat does."""

    top: bytes
    """The last secret of the game's chain; empty where the seed is fixed."""
    key: SigningKey

    def secret_of(self, state: State) -> bytes:
        """The secret behind the current deal; empty before the first."""
        deal = state.exchange.deal
        return secret_for(state.game.opened.source, self.top, deal) if deal else b""

    def next_command(self, ledger: Ledger, now: Microseconds) -> Command | None:
        """What the table itself has to do next, or none while it waits for a seat."""
        state = ledger.state
        if state is None:
            return None
        opened = state.game.opened
        match state.phase:
            case Phase.DEALING:
                deal = state.exchange.deal + 1
                secret = secret_for(opened.source, self.top, deal)
                return Deal(deck_for(opened, deal, secret, entropies_of(state.game)))
            case Phase.CENTRE:
                deal, centre = state.exchange.deal, centre_of(state.exchange)
                secret = self.secret_of(state)
                shuffled = centre_for(opened, deal, secret, entropies_of(state.game), centre)
                return ShareCentre(shuffled)
            case Phase.SHOWING:
                return ShowDeal(self.secret_of(state))
            case Phase.ENDED:
                moment = max(now, ledger.time)
                before = Chain(ledger.seq, ledger.head)
                return SealLog(seal_of(self.key, opened.game_id, before, moment).signature)
            case _:
                return None
