"""What cards cost, what a deal scores and when a game is over, step by step from docs/rules.md."""

from __future__ import annotations

from dataclasses import dataclass

from naive_options import CARDS, Options

COURT = {
    "one": {},
    "spot": {"J": 11, "Q": 12, "K": 13, "A": 14},
    "face5": {"J": 2, "Q": 3, "K": 4, "A": 5},
    "court10": {"J": 10, "Q": 10, "K": 10, "A": 15},
}
NUMBERS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
DEALS_IN_A_GAME = 256


@dataclass(frozen=True)
class Scored:
    """What a deal came to: `moon` is the seat that shot it, `places` come with the game's end."""

    points: list[int]
    moon: int | None
    scores: list[int]
    totals: list[int]
    places: list[int] | None


@dataclass(frozen=True)
class Takings:
    """What each seat took in a deal, and how many tricks."""

    cards: list[list[str]]
    tricks: list[int]


def in_order(cards: list[str]) -> list[str]:
    """Sort cards by index: clubs, diamonds, spades, hearts, each from 2 to ace."""
    return sorted(cards, key=CARDS.index)


def height(card: str) -> int:
    """Say how high a card is within its suit."""
    return "23456789TJQKA".index(card[0])


def whole_deck(options: Options) -> list[str]:
    """List the cards of the packs without the removed ones."""
    deck = in_order(CARDS * options.decks)
    for card in options.removed:
        deck.remove(card)
    return deck


def cost(options: Options, card: str) -> int:
    """Say what a card costs whoever takes it."""
    rank, suit = card[0], card[1]
    if suit == "H":
        if options.heart_value == "one":
            return 1
        if rank in COURT[options.heart_value]:
            return COURT[options.heart_value][rank]
        return 1 if options.heart_value == "face5" else NUMBERS[rank]
    if card == "QS":
        return options.queen_value
    for name, points in options.extra_penalty:
        if name == card:
            return points
    return 0


def is_penalty(options: Options, card: str) -> bool:
    """Tell whether a card costs something."""
    return cost(options, card) > 0


def is_bonus(options: Options, card: str) -> bool:
    """Tell whether a card takes points off."""
    return options.bonus is not None and options.bonus[0] == card


def points_of(options: Options, cards: list[str]) -> int:
    """Add up what cards cost."""
    return sum(cost(options, card) for card in cards)


def moon_shooter(options: Options, takings: Takings) -> int | None:
    """Find the seat that took every penalty card, and every bonus card where that is needed."""
    if options.moon == "none":
        return None
    for seat, cards in enumerate(takings.cards):
        missing = whole_deck(options)
        for card in cards:
            missing.remove(card)
        if any(is_penalty(options, card) for card in missing):
            continue
        if options.moon_needs_bonus and any(is_bonus(options, card) for card in missing):
            continue
        return seat
    return None


def moon_worth(options: Options, takings: Takings, shooter: int) -> int:
    """Say what the moon is worth, which is more where it was the sun."""
    total = points_of(options, whole_deck(options))
    others = [count for seat, count in enumerate(takings.tricks) if seat != shooter]
    if options.sun == "none" or any(others):
        return total
    return 2 * total if options.sun == "double" else int(options.sun)


def score_deal(
    options: Options, takings: Takings, before: list[int], deal_number: int, choice: str | None
) -> Scored:
    """Score a deal; `choice` is what a moon does where the rules leave that open."""
    points = [points_of(options, cards) for cards in takings.cards]
    shooter = moon_shooter(options, takings)
    seats = range(options.players)
    scores = list(points)
    if shooter is not None:
        worth = moon_worth(options, takings, shooter)
        way = options.moon
        if way == "auto" or (way == "choose" and choice is None):
            way = automatic(options, takings, before, deal_number)
        elif way == "choose":
            way = str(choice)
        if way == "add":
            scores = [0 if seat == shooter else worth for seat in seats]
        else:
            scores = [-worth if seat == shooter else 0 for seat in seats]
    return _finish(options, takings, before, deal_number, (points, shooter, scores))


def automatic(options: Options, takings: Takings, before: list[int], deal_number: int) -> str:
    """Choose `add` unless that would end the game with the shooter not alone in first place."""
    shooter = moon_shooter(options, takings)
    if shooter is None:
        raise ValueError("Nobody shot the moon.")
    worth = moon_worth(options, takings, shooter)
    points = [points_of(options, cards) for cards in takings.cards]
    added = [0 if seat == shooter else worth for seat in range(options.players)]
    result = _finish(options, takings, before, deal_number, (points, shooter, added))
    if result.places is None:
        return "add"
    alone = result.places[shooter] == 1 and result.places.count(1) == 1
    return "add" if alone else "subtract"


def _finish(
    options: Options,
    takings: Takings,
    before: list[int],
    deal_number: int,
    so_far: tuple[list[int], int | None, list[int]],
) -> Scored:
    points, shooter, scores = so_far
    scores = list(scores)
    totals: list[int] = []
    for seat in range(options.players):
        off = 0
        if options.bonus is not None:
            off += takings.cards[seat].count(options.bonus[0]) * options.bonus[1]
        if shooter is None and takings.tricks[seat] == 0:
            off += options.no_tricks_bonus
        after = scores[seat] - off
        if options.bonus_floor:
            after = max(after, min(scores[seat], 0))
        if options.exact == "exact_minus_50" and before[seat] + after == options.target:
            after -= 50
        scores[seat] = after
        totals.append(before[seat] + after)
    return Scored(points, shooter, scores, totals, places(options, totals, deal_number))


def places(options: Options, totals: list[int], deal_number: int) -> list[int] | None:
    """Give every seat its place if the game is over after this deal."""
    if options.exact == "exact_wins" and options.target in totals:
        rest = [total for total in totals if total != options.target]
        winners = totals.count(options.target)
        return [
            1
            if total == options.target
            else 1 + winners + sum(1 for other in rest if other < total)
            for total in totals
        ]
    if options.deals is not None:
        over = deal_number >= options.deals
    elif options.reach == "ge":
        over = max(totals) >= options.target
    else:
        over = max(totals) > options.target
    if totals.count(min(totals)) > 1 and options.tie == "extra_hand":
        over = False
    if deal_number >= DEALS_IN_A_GAME:
        over = True
    if not over:
        return None
    return [1 + sum(1 for other in totals if other < total) for total in totals]
