"""The engine beside a second implementation that shares nothing with it but the page of rules.

Whole random games, of every preset and of random rules, go step by step through both: what may be
passed and played, whose turn it is, who takes what, claims, moons, scores, and the end.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from random import Random

from naive_hearts import Illegal, NaiveGame
from naive_options import parse_text

from hearts_engine.cards import Card
from hearts_engine.commands import (
    ChooseMoon,
    ChoosePass,
    ClaimRest,
    Deal,
    PlayCard,
    ShareCentre,
    ShowDeal,
)
from hearts_engine.dealing import centre_of
from hearts_engine.errors import Rejected
from hearts_engine.events import DealScored, GameEnded
from hearts_engine.options import MoonChoice
from hearts_engine.ruletext import parse_rules
from hearts_engine.scoring import Tally, automatic_choice
from hearts_engine.state import Phase
from hearts_engine.takings import takings
from hearts_engine.testing import SECRET, Recording, random_pass, seated

PHASES = {
    Phase.DEALING: "dealing",
    Phase.PASSING: "passing",
    Phase.CENTRE: "centre",
    Phase.PLAYING: "playing",
    Phase.MOON: "moon",
    Phase.SHOWING: "scoring",
    Phase.ENDED: "ended",
}


def texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


class Pair:
    """One game, played in both at once."""

    def __init__(self, text: str, chance: Random) -> None:
        self.engine: Recording = seated(parse_rules(text))
        self.naive = NaiveGame(parse_text(text))
        self.chance = chance
        self.text = text

    def run(self, deals: int) -> None:
        """So many deals, or fewer if the game ends."""
        for _ in range(deals):
            if self.engine.state.phase is Phase.ENDED:
                break
            self.deal()
            while self.engine.state.phase is not Phase.SHOWING:
                self.same("phase", PHASES[self.engine.state.phase], self.naive.phase)
                self.step()
            self.score()

    def same(self, what: str, ours: object, theirs: object) -> None:
        deal = self.engine.state.exchange.deal
        assert ours == theirs, f"{self.text}, deal {deal}: {what}"

    def deal(self) -> None:
        deck = list(self.engine.state.game.rules.deck)
        self.chance.shuffle(deck)
        self.engine.do(Deal(tuple(deck)))
        self.naive.deal(texts(deck))
        self.same(
            "kitty", Counter(texts(self.engine.state.exchange.kitty)), Counter(self.naive.kitty)
        )
        self.same_hands()

    def same_hands(self) -> None:
        for hand, theirs in zip(self.engine.state.play.hands, self.naive.hands, strict=True):
            self.same("hand", Counter(texts(hand)), Counter(theirs))

    def step(self) -> None:
        match self.engine.state.phase:
            case Phase.PASSING:
                self.choose_pass()
            case Phase.CENTRE:
                order = list(centre_of(self.engine.state.exchange))
                self.same("centre", texts(order), self.naive.centre())
                self.chance.shuffle(order)
                self.engine.do(ShareCentre(tuple(order)))
                self.naive.share_centre(texts(order))
                self.same_hands()
            case Phase.PLAYING:
                self.play()
            case Phase.MOON:
                self.choose_moon()
            case phase:
                raise AssertionError(phase)

    def choose_pass(self) -> None:
        state = self.engine.state
        seat = state.awaited[0]
        self.same("who owes a pass", list(state.awaited), self.naive.to_pass())
        hand, count = state.play.hands[seat].cards, state.game.rules.pass_count
        if self.chance.random() < 0.3:
            size = self.chance.choice((count, count, max(0, count - 1)))
            picked = tuple(self.chance.choice(hand) for _ in range(size))
        else:
            picked = random_pass(state, seat, self.chance)
        command = ChoosePass(seat, picked)
        self.both(
            lambda: self.engine.do(command), lambda: self.naive.choose_pass(seat, texts(picked))
        )
        if self.engine.state.phase is Phase.PLAYING:
            self.same_hands()

    def both(self, ours: Callable[[], object], theirs: Callable[[], object]) -> None:
        """Do it in both, which allow it or both refuse it."""
        refused: list[bool] = []
        for doing, refusal in ((ours, Rejected), (theirs, Illegal)):
            try:
                doing()
            except refusal:
                refused.append(True)
            else:
                refused.append(False)
        self.same("whether it is refused", *refused)

    def play(self) -> None:
        state = self.engine.state
        turn = state.turn
        assert turn is not None
        self.same("turn", turn, self.naive.turn)
        legal = state.play.legal
        self.same("legal cards", list(dict.fromkeys(texts(legal))), self.naive.legal())
        self.same("hearts broken", state.play.hearts_broken, self.naive.hearts_broken)
        if not state.play.cards and self.chance.random() < 0.3:
            self.both(lambda: self.engine.do(ClaimRest(turn)), self.naive.claim)
            if self.engine.state.phase is not Phase.PLAYING:
                return
        if self.chance.random() < 0.05:
            card = self.chance.choice(state.play.hands[turn].cards)
        else:
            card = self.chance.choice(legal.cards)
        self.both(lambda: self.engine.do(PlayCard(turn, card)), lambda: self.naive.play(str(card)))
        tricks = self.engine.state.play.tricks
        self.same(
            "tricks",
            [(trick.leader, texts(trick.cards), trick.taker) for trick in tricks],
            [(leader, list(cards), taker) for leader, cards, taker, _ in self.naive.tricks],
        )
        self.same("points", list(self.engine.state.play.points), self.points_in_tricks())
        self.same("kitty's seat", self.engine.state.play.outcome.kitty_seat, self.naive.kitty_seat)

    def points_in_tricks(self) -> list[int]:
        points = [0] * self.engine.state.game.rules.players
        for _, _, taker, worth in self.naive.tricks:
            if taker is not None:
                points[taker] += worth
        return points

    def choose_moon(self) -> None:
        state = self.engine.state
        self.same("who shot the moon", state.play.outcome.moon_seat, self.naive.moon_seat)
        rules = state.game.rules
        tally = Tally(state.exchange.deal, takings(state.play, rules), state.game.totals, rules)
        self.same("automatic choice", automatic_choice(tally), self.naive.automatic_choice())
        choice = self.chance.choice(tuple(MoonChoice))
        self.engine.do(ChooseMoon(state.awaited[0], choice))
        self.naive.choose_moon(choice)

    def score(self) -> None:
        self.same("phase", "scoring", self.naive.phase)
        happened = self.engine.do(ShowDeal(SECRET))
        theirs = self.naive.score()
        ours = next(event for event in happened if isinstance(event, DealScored))
        self.same("points", list(ours.points), list(theirs.points))
        self.same("moon", ours.moon, theirs.moon)
        self.same("scores", list(ours.scores), list(theirs.scores))
        self.same("totals", list(ours.totals), list(theirs.totals))
        ended = next((event for event in happened if isinstance(event, GameEnded)), None)
        places = None if theirs.places is None else list(theirs.places)
        self.same("places", None if ended is None else list(ended.places), places)
        self.same("phase", PHASES[self.engine.state.phase], self.naive.phase)


def compare(text: str, seed: int, deals: int) -> None:
    Pair(text, Random(f"{text} {seed}")).run(deals)
