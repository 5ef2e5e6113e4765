"""What may be passed and played, who takes a trick and what proves a claim, from docs/rules.md."""

from __future__ import annotations

from naive_options import Options
from naive_scores import height, in_order, is_penalty


def pass_refusal(options: Options, hand: list[str], cards: list[str]) -> str | None:
    """Say why a hand may not pass these cards, or nothing if it may."""
    if len(cards) != options.pass_count:
        return "That is another number of cards."
    if any(cards.count(card) > hand.count(card) for card in cards):
        return "The seat does not hold these cards."
    top = ("AS", "KS", "QS")
    others_held = sum(1 for card in hand if card not in top)
    top_passed = sum(1 for card in cards if card in top)
    if options.keep_top_spades and top_passed > max(0, len(cards) - others_held):
        return "Top spades are kept while another card can be passed."
    return None


def legal_cards(
    options: Options, hand: list[str], trick: list[str], *, first: bool, broken: bool
) -> list[str]:
    """List what a hand may add to the cards of a trick, each once, by index."""
    leading = not trick
    led = "" if leading else trick[0][1]
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
    if leading and options.must_break and not broken and not freed:
        cards = _if_any(cards, [card for card in cards if card[1] != "H"])
    if not leading and options.queen_dump == "first_chance":
        void = all(card[1] != led for card in hand)
        covered = led == "S" and ("AS" in trick or "KS" in trick)
        if void or covered:
            cards = _if_any(cards, [card for card in cards if card == "QS"])
    return in_order(list(set(cards)))


def place_that_takes(options: Options, trick: list[str], *, last: bool) -> int | None:
    """Say which card of a full trick takes it, counted from its leader's; none if cancelled."""
    of_suit = [card for card in trick if card[1] == trick[0][1]]
    left = list(of_suit)
    if options.twins == "cancel":
        left = [card for card in of_suit if of_suit.count(card) == 1]
    if left:
        return trick.index(max(left, key=height))
    if not last:
        return None
    if options.last_cancelled == "leader":
        return 0
    top = max(of_suit, key=height)
    return trick.index(top, trick.index(top) + 1)


def is_proved(hand: list[str], unseen: list[str]) -> bool:
    """Tell whether a hand on lead takes every trick, however the unseen cards lie."""
    for suit in "CDSH":
        mine = sorted((height(card) for card in hand if card[1] == suit), reverse=True)
        others = [height(card) for card in unseen if card[1] == suit]
        for high in mine[: len(others)]:
            if high <= max(others):
                return False
    return True


def _if_any(before: list[str], narrowed: list[str]) -> list[str]:
    """Narrow the cards left, unless that would leave none."""
    return narrowed or before
