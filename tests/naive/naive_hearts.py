"""A deliberately naive game of Hearts with every option, written from docs/rules.md alone.

Cards are texts such as "QS" and "TD". `phase` says what a game waits for:

    dealing  deal(deck), the whole shuffled deck
    passing  choose_pass(seat, cards) for each seat of to_pass(); the order counts on scatter
    centre   share_centre(order), the cards of centre() shuffled; only where the pass is `shuffle`
    playing  play(card), one of legal(), for the seat `turn`; or claim(), for that seat on lead
    moon     choose_moon("add" or "subtract") for `moon_seat`; automatic_choice() is what `auto` is
    scoring  score(), which gives what the deal came to and leads to dealing or ended

`tricks` are (leader, cards, taker or None if cancelled, points, the carried but not the kitty's).
Whatever docs/rules.md forbids raises `Illegal` and changes nothing.
"""

from __future__ import annotations

from collections import Counter

from naive_options import Options
from naive_rules import is_proved, legal_cards, pass_refusal, place_that_takes
from naive_scores import (
    Scored,
    Takings,
    automatic,
    in_order,
    is_bonus,
    is_penalty,
    moon_shooter,
    points_of,
    score_deal,
    whole_deck,
)

STEPS = {"left": 1, "right": -1, "left2": 2, "right2": -2}


class Illegal(Exception):
    """What was asked for is against the rules."""


class NaiveGame:
    """One game; `deal_number` is 0 before the first deal and the current deal's number after it.

    `totals` are what the seats begin with, each 0 if not given.
    """

    def __init__(self, options: Options, totals: list[int] | None = None) -> None:
        self.options = options
        self.phase = "dealing"
        self.deal_number = 0
        self.totals = [0] * options.players if totals is None else list(totals)
        self._clear()

    def _clear(self) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.options.players)]
        self.kitty: list[str] = []
        self.kitty_seat: int | None = None
        self.hearts_broken = False
        self.tricks: list[tuple[int, list[str], int | None, int]] = []
        self.turn = 0
        self.moon_seat: int | None = None
        self.claimed_by: int | None = None
        self._passes: dict[int, list[str]] = {}
        self._leader = 0
        self._trick: list[str] = []
        self._carried: list[str] = []
        self._taken: list[list[str]] = [[] for _ in range(self.options.players)]
        self._tricks_taken = [0] * self.options.players
        self._moon_choice: str | None = None

    def _require(self, phase: str) -> None:
        if self.phase != phase:
            raise Illegal(f"This is for {phase}, and the game is at {self.phase}.")

    @property
    def eldest(self) -> int:
        """The seat on the dealer's left."""
        return (self.deal_number - 1) % self.options.players

    def copied(self) -> NaiveGame:
        """Copy the game, so that one can try something."""
        other = NaiveGame(self.options)
        for name, value in vars(self).items():
            setattr(other, name, value)
        other.totals = list(self.totals)
        other.hands = [list(hand) for hand in self.hands]
        other.kitty = list(self.kitty)
        other.tricks = list(self.tricks)
        other._passes = dict(self._passes)
        other._trick = list(self._trick)
        other._carried = list(self._carried)
        other._taken = [list(cards) for cards in self._taken]
        other._tricks_taken = list(self._tricks_taken)
        return other

    def deal(self, deck: list[str]) -> None:
        """Deal a shuffled deck round the table; what does not go round is the kitty."""
        self._require("dealing")
        if Counter(deck) != Counter(whole_deck(self.options)):
            raise Illegal("These are not the cards of this game.")
        self.deal_number += 1
        self._clear()
        seats = self.options.players
        left = list(deck)
        while len(left) >= seats:
            for seat in range(seats):
                self.hands[seat].append(left.pop(0))
        self.kitty = left
        self.hands = [in_order(hand) for hand in self.hands]
        self.phase = "passing"
        if self.direction() == "hold":
            self._open()

    def direction(self) -> str:
        """Say where cards are passed in this deal."""
        cycle = self.options.pass_cycle
        return cycle[(self.deal_number - 1) % len(cycle)]

    def to_pass(self) -> list[int]:
        """List the seats that have still to choose what they pass."""
        if self.phase != "passing":
            return []
        return [seat for seat in range(self.options.players) if seat not in self._passes]

    def choose_pass(self, seat: int, cards: list[str]) -> None:
        """Choose what a seat passes; once all have chosen, the cards go round."""
        self._require("passing")
        if seat not in self.to_pass():
            raise Illegal("That seat has nothing to choose.")
        reason = pass_refusal(self.options, self.hands[seat], cards)
        if reason is not None:
            raise Illegal(reason)
        self._passes[seat] = list(cards)
        if not self.to_pass():
            self._exchange()

    def _exchange(self) -> None:
        for seat, cards in self._passes.items():
            for card in cards:
                self.hands[seat].remove(card)
        if self.direction() == "shuffle":
            self.phase = "centre"
            return
        seats = self.options.players
        for seat, cards in self._passes.items():
            for place, card in enumerate(cards):
                if self.direction() == "scatter":
                    step = place + 1
                elif self.direction() == "across":
                    step = seats // 2
                else:
                    step = STEPS[self.direction()]
                self.hands[(seat + step) % seats].append(card)
        self._open()

    def centre(self) -> list[str]:
        """List the cards in the centre before they are shuffled: by seat, then by index."""
        self._require("centre")
        seats = range(self.options.players)
        return [card for seat in seats for card in in_order(self._passes[seat])]

    def share_centre(self, order: list[str]) -> None:
        """Give the shuffled centre back, block by block."""
        if Counter(order) != Counter(self.centre()):
            raise Illegal("These are not the cards in the centre.")
        size = self.options.pass_count
        for seat in range(self.options.players):
            self.hands[seat] += order[seat * size : (seat + 1) * size]
        self._open()

    def _open(self) -> None:
        self.hands = [in_order(hand) for hand in self.hands]
        self.phase = "playing"
        self._leader = self.eldest
        if self.options.opening != "eldest":
            lowest = in_order([card for hand in self.hands for card in hand])[0]
            while lowest not in self.hands[self._leader]:
                self._leader = (self._leader + 1) % self.options.players
        self.turn = self._leader

    def legal(self) -> list[str]:
        """List the cards that the seat on turn may play, each once, by index."""
        self._require("playing")
        hand = self.hands[self.turn]
        return legal_cards(
            self.options, hand, self._trick, first=not self.tricks, broken=self.hearts_broken
        )

    def play(self, card: str) -> None:
        """Play a card for the seat on turn; a full trick is taken or cancelled at once."""
        if card not in self.legal():
            raise Illegal(f"{card} may not be played now.")
        self.hands[self.turn].remove(card)
        self._trick.append(card)
        if card[1] == "H" or (card == "QS" and self.options.queen_breaks):
            self.hearts_broken = True
        self.turn = (self.turn + 1) % self.options.players
        if len(self._trick) == self.options.players:
            self._end_trick()

    def _end_trick(self) -> None:
        options = self.options
        trick = list(self._trick)
        last = not any(self.hands)
        place = place_that_takes(options, trick, last=last)
        taker = None if place is None else (self._leader + place) % options.players
        self._carried += trick
        self._trick = []
        points = 0 if taker is None else points_of(options, self._carried)
        self.tricks.append((self._leader, trick, taker, points))
        if taker is not None:
            penalty = any(is_penalty(options, card) for card in self._carried)
            now = {"first_trick": True, "last_trick": last, "first_penalty": penalty or last}
            if self.kitty and self.kitty_seat is None and now[options.kitty]:
                self._take_kitty(taker)
            self._taken[taker] += self._carried
            self._carried = []
            self._tricks_taken[taker] += 1
            self._leader = taker
        self.turn = self._leader
        if last or (options.finish == "early" and self._nothing_left_to_change()):
            self._end_deal()

    def _take_kitty(self, seat: int) -> None:
        self.kitty_seat = seat
        self._taken[seat] += self.kitty

    def _nothing_left_to_change(self) -> bool:
        out = Counter(whole_deck(self.options))
        for cards in self._taken:
            out -= Counter(cards)
        if any(is_penalty(self.options, c) or is_bonus(self.options, c) for c in out):
            return False
        if self.options.no_tricks_bonus and 0 in self._tricks_taken:
            return False
        seats_with_tricks = sum(1 for count in self._tricks_taken if count)
        return self.options.sun == "none" or seats_with_tricks >= 2

    def claim(self) -> None:
        """Claim all remaining tricks for the seat on lead, if that is proved."""
        self._require("playing")
        if self._trick or not self.tricks:
            raise Illegal("One claims between tricks, after the first.")
        seat = self.turn
        if not self._proved(seat):
            raise Illegal("The proof is missing.")
        if self.kitty and self.kitty_seat is None:
            self._take_kitty(seat)
        self._tricks_taken[seat] += len(self.hands[seat])
        self._taken[seat] += self._carried
        self._carried = []
        for hand in self.hands:
            self._taken[seat] += hand
            hand.clear()
        self.claimed_by = seat
        self._end_deal()

    def _proved(self, seat: int) -> bool:
        unseen = whole_deck(self.options)
        seen = list(self.hands[seat])
        for _, cards, _, _ in self.tricks:
            seen += cards
        if self.kitty_seat == seat:
            seen += self.kitty
        for card in seen:
            unseen.remove(card)
        return is_proved(self.hands[seat], unseen)

    def takings(self) -> Takings:
        """Say what each seat has taken so far in this deal, the kitty counted."""
        return Takings([list(cards) for cards in self._taken], list(self._tricks_taken))

    def _end_deal(self) -> None:
        self.moon_seat = moon_shooter(self.options, self.takings())
        asks = self.options.moon == "choose" and self.moon_seat is not None
        self.phase = "moon" if asks else "scoring"

    def automatic_choice(self) -> str:
        """Say what `auto` would choose for the seat that shot the moon."""
        return automatic(self.options, self.takings(), self.totals, self.deal_number)

    def choose_moon(self, choice: str) -> None:
        """Let the seat that shot the moon choose what becomes of it."""
        self._require("moon")
        if choice not in {"add", "subtract"}:
            raise Illegal("A moon is added or subtracted.")
        self._moon_choice = choice
        self.phase = "scoring"

    def score(self) -> Scored:
        """Score the deal, and go on to the next or end the game."""
        self._require("scoring")
        scored = score_deal(
            self.options, self.takings(), self.totals, self.deal_number, self._moon_choice
        )
        self.totals = list(scored.totals)
        self.phase = "dealing" if scored.places is None else "ended"
        return scored
