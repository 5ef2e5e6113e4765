"""A deliberately naive game of Hearts with every option, written from docs/rules.md alone."""

from __future__ import annotations

from collections import Counter

from naive_options import Options
from naive_scores import (
    Scored,
    Takings,
    automatic,
    height,
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
    """One game; `deal_number` is 0 before the first deal and the current deal's number after it."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.phase = "dealing"
        self.deal_number = 0
        self.totals = [0] * options.players
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
        if len(cards) != self.options.pass_count:
            raise Illegal("That is another number of cards.")
        hand = self.hands[seat]
        if any(cards.count(card) > hand.count(card) for card in cards):
            raise Illegal("The seat does not hold these cards.")
        top = ("AS", "KS", "QS")
        others_held = sum(1 for card in hand if card not in top)
        top_passed = sum(1 for card in cards if card in top)
        if self.options.keep_top_spades and top_passed > max(0, len(cards) - others_held):
            raise Illegal("Top spades are kept while another card can be passed.")
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
        options = self.options
        hand = self.hands[self.turn]
        leading = not self._trick
        first = not self.tricks
        led = "" if leading else self._trick[0][1]
        cards = list(hand)
        clubs = in_order([card for card in hand if card[1] == "C"])
        if leading and first and options.opening == "low_club":
            cards = _if_any(cards, [card for card in cards if card in clubs[:1]])
        if leading and first and options.opening == "any_club":
            cards = _if_any(cards, clubs)
        if not leading:
            cards = _if_any(cards, [card for card in cards if card[1] == led])
        if first and options.first_trick == "no_points":
            only_penalties = all(is_penalty(options, card) for card in cards)
            cards = _if_any(cards, [card for card in cards if not is_penalty(options, card)])
            if only_penalties and options.first_forced == "queen":
                cards = _if_any(cards, [card for card in cards if card == "QS"])
        freed = options.queen_only_lead == "free" and all(
            card[1] == "H" or card == "QS" for card in hand
        )
        if leading and options.must_break and not self.hearts_broken and not freed:
            cards = _if_any(cards, [card for card in cards if card[1] != "H"])
        if not leading and options.queen_dump == "first_chance":
            void = all(card[1] != led for card in hand)
            covered = led == "S" and ("AS" in self._trick or "KS" in self._trick)
            if void or covered:
                cards = _if_any(cards, [card for card in cards if card == "QS"])
        return in_order(list(set(cards)))

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

    def _winner(self) -> int | None:
        suit = [card for card in self._trick if card[1] == self._trick[0][1]]
        if self.options.twins == "cancel":
            suit = [card for card in suit if suit.count(card) == 1]
        if not suit:
            return None
        best = max(suit, key=height)
        return (self._leader + self._trick.index(best)) % self.options.players

    def _end_trick(self) -> None:
        options = self.options
        trick = list(self._trick)
        last = not any(self.hands)
        taker = self._winner()
        if taker is None and last:
            taker = self._leader
            if options.last_cancelled == "second_of_top_pair":
                top = max((card for card in trick if card[1] == trick[0][1]), key=height)
                second = trick.index(top, trick.index(top) + 1)
                taker = (self._leader + second) % options.players
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
        for suit in "CDSH":
            mine = sorted((height(c) for c in self.hands[seat] if c[1] == suit), reverse=True)
            others = [height(c) for c in unseen if c[1] == suit]
            for mine_high in mine[: len(others)]:
                if mine_high <= max(others):
                    return False
        return True

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


def _if_any(before: list[str], narrowed: list[str]) -> list[str]:
    """Narrow the cards left, unless that would leave none."""
    return narrowed or before
