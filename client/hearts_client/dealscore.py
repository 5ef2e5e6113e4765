"""From what each seat took in a deal to its score: the arithmetic, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from hearts_client.cardnames import CardStyle, card_name, card_names
from hearts_client.seatnames import SeatNames
from hearts_client.viewstate import state_of
from hearts_client.wording import counted
from hearts_engine.cards import Seat
from hearts_engine.events import DealScored
from hearts_engine.options import MoonChoice
from hearts_engine.scoring import EXACT_LANDING, Tally, moon_worth, score_deal
from hearts_engine.takings import Taking, takings
from hearts_engine.view import SeatView


def tally_of(view: SeatView, totals: tuple[int, ...]) -> Tally:
    """What the score of the view's deal depends on, with the totals before it.

    Whoever does not know the kitty counts without it.
    """
    return Tally(view.deal, takings(state_of(view).play, view.rules), totals, view.rules)


def result_sentences(
    view: SeatView, scored: DealScored, names: SeatNames, style: CardStyle
) -> tuple[str, ...]:
    """Moon, bonuses and kitty of a deal just scored, as far as there were any."""
    told = (
        moon_sentence(view, scored, names),
        *bonus_sentences(view, scored, names, style),
        kitty_sentence(view, names, style),
    )
    return tuple(sentence for sentence in told if sentence)


def moon_sentence(view: SeatView, scored: DealScored, names: SeatNames) -> str:
    """The arithmetic of a moon; empty if nobody shot it.

    ``Ann took all 26 points and shot the moon: 0 for Ann, 26 for every other seat``
    """
    if scored.moon is None:
        return ""
    tally = _tally_before(view, scored)
    did = "shot the moon"
    if view.rules.sun != "none" and _took_every_trick(tally):
        did = "every trick"
    return (
        f"{names.name(scored.moon)} took all {sum(scored.points)} points and {did}: "
        f"{_moon_scores(tally, scored.moon, _choice(tally, scored), names)}"
    )


def moon_scores_sentence(tally: Tally, choice: MoonChoice, names: SeatNames) -> str:
    """``0 for Ann, 26 for every other seat``: what a choice gives, bonuses left aside."""
    return "" if tally.moon is None else _moon_scores(tally, tally.moon, choice, names)


def bonus_sentences(
    view: SeatView, scored: DealScored, names: SeatNames, style: CardStyle
) -> tuple[str, ...]:
    """``Ann: 4 - 10 (J♦) = -6``, for every seat that bonuses or an exact landing changed."""
    tally = _tally_before(view, scored)
    base = _base(tally, scored)
    told = (_arithmetic(seat, tally, base, scored, style) for seat in names.clockwise())
    return tuple(
        f"{names.name(seat)}: {sum_}"
        for seat, sum_ in zip(names.clockwise(), told, strict=True)
        if sum_
    )


def kitty_sentence(view: SeatView, names: SeatNames, style: CardStyle) -> str:
    """What became of the kitty, and what it was, for those who may know; empty without one."""
    if not view.rules.kitty_size or not view.deal:
        return ""
    cards = counted(view.rules.kitty_size, "card")
    if view.kitty_seat is None:
        return f"the kitty, {cards}, is not taken yet"
    took = f"{names.name(view.kitty_seat)} took the kitty"
    if not view.kitty:
        return f"{took}, {cards}"
    points = counted(view.rules.value_of(view.kitty), "point")
    return f"{took}: {card_names(view.kitty, style)}, {points}"


def _tally_before(view: SeatView, scored: DealScored) -> Tally:
    before = tuple(t - s for t, s in zip(scored.totals, scored.scores, strict=True))
    return tally_of(view, before)


def _choice(tally: Tally, scored: DealScored) -> MoonChoice:
    """How the moon was scored."""
    fits = (choice for choice in MoonChoice if score_deal(tally, choice).scores == scored.scores)
    return next(fits, MoonChoice.ADD)


def _took_every_trick(tally: Tally) -> bool:
    return sum(taking.tricks > 0 for taking in tally.taken) == 1


def _moon_scores(tally: Tally, moon: Seat, choice: MoonChoice, names: SeatNames) -> str:
    own, others = _moon_base(tally, choice)
    return f"{own} for {names.name(moon)}, {others} for every other seat"


def _moon_base(tally: Tally, choice: MoonChoice) -> tuple[int, int]:
    """What the shooter gets, and what every other seat."""
    worth = moon_worth(tally.taken, tally.rules)
    return (0, worth) if choice is MoonChoice.ADD else (-worth, 0)


def _base(tally: Tally, scored: DealScored) -> tuple[int, ...]:
    """What each seat got before bonuses."""
    if scored.moon is None:
        return scored.points
    own, others = _moon_base(tally, _choice(tally, scored))
    return tuple(own if seat == scored.moon else others for seat in range(tally.rules.players))


def _arithmetic(
    seat: Seat, tally: Tally, base: tuple[int, ...], scored: DealScored, style: CardStyle
) -> str:
    rules = tally.rules
    off = list(_bonuses(tally.taken[seat], tally, scored, style))
    exactly = base[seat] - sum(points for points, _ in off)
    score = max(exactly, min(base[seat], 0)) if rules.bonus_floor else exactly
    floor = ", no bonus below 0" if score != exactly else ""
    if scored.scores[seat] == score - EXACT_LANDING:
        off.append((EXACT_LANDING, f"exactly {rules.target}"))
    if not off:
        return ""
    terms = "".join(f" - {points} ({why})" for points, why in off)
    return f"{base[seat]}{terms} = {scored.scores[seat]}{floor}"


def _bonuses(
    taking: Taking, tally: Tally, scored: DealScored, style: CardStyle
) -> Iterator[tuple[int, str]]:
    """The points that a seat has taken off, each with what for."""
    rules = tally.rules
    earned = len(taking.cards & rules.bonus_cards)
    if rules.bonus is not None and earned:
        twice = f"{earned} " if earned > 1 else ""
        yield earned * rules.bonus.points, f"{twice}{card_name(rules.bonus.card, style)}"
    if rules.no_tricks_bonus and scored.moon is None and not taking.tricks:
        yield rules.no_tricks_bonus, "no trick"
